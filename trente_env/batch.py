"""`GameBatch`: many games under one rule set, stepped at once into arrays that the caller owns.

Game k of a batch with seed s is `Game(rules, batch.seeds[k])`, whatever the batch's size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import JIT_ENABLED, kernel
from trente_env.core import calls
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.engine import apply_action, legal_actions
from trente_env.core.layout import (
    GAME,
    NOBODY,
    PHASE_OVER,
    SEAT_VIEW,
    from_array,
    ints,
    lower,
    to_array,
)
from trente_env.core.rewards import REWARD_KINDS, seat_reward
from trente_env.core.rng import MAX_SEED, STREAM_BATCH, combine, next_game_seed
from trente_env.core.rounds import start_game
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view
from trente_env.encoding.sections import ObservationSpec, observation_spec
from trente_env.errors import IllegalActionError, InvalidOptionError, UnknownNameError, is_name, is_whole
from trente_env.game import Game, check_sound, checked_seed
from trente_env.rules import MAX_PLAYERS, Rules

__all__ = ["BatchArrays", "GameBatch"]

MAX_GAMES: Final = 2**24
"""Most games of a batch: some twenty gigabytes."""


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """What a step writes: contiguous arrays, owned by the caller. B games, N seats, A actions, S observation size."""

    observations_BS: NDArray[np.int8]
    """What the seat to move observes (the sections of `ObservationSpec`); zero where a game is over."""
    masks_BA: NDArray[np.int8]
    """Its legal actions, 1 or 0; zero where a game is over."""
    to_move_B: NDArray[np.int64]
    """The seat to move; -1 where a game is over."""
    rewards_BN: NDArray[np.float32]
    """Each seat's reward for the last step."""
    terminated_B: NDArray[np.bool_]
    """Whether the last step ended the game with a result."""
    truncated_B: NDArray[np.bool_]
    """Whether the last step ended the game by `max_rounds` (R50)."""


@kernel
def fill_mask(legal: int, masks_BA: Any, row: int) -> None:
    """Write a set of actions as a mask."""
    for action in range(NUM_ACTIONS):
        masks_BA[row, action] = (legal >> action) & 1


@kernel
def find_illegal(games: Any, rules: Any, rows_V: Any, actions_V: Any) -> int:
    """Return the first place of an action that is not legal, or -1. Games that are over take no action."""
    for place in range(len(actions_V)):
        legal = legal_actions(games[rows_V[place]], rules[0])
        action = actions_V[place]
        if legal != 0 and (action < 0 or action >= NUM_ACTIONS or not (legal >> action) & 1):
            return place
    return -1


@kernel
def has_any_over(games: Any, rows_V: Any) -> bool:
    """Return whether any of some games is over."""
    count = 0
    for place in range(len(rows_V)):
        count += games[rows_V[place]].phase == PHASE_OVER
    return count > 0


@kernel
def start_games(games: Any, rules: Any, seeds_B: Any, is_single_round: int) -> None:
    """Begin every game from its seed."""
    for row in range(len(seeds_B)):
        games[row].is_single_round = is_single_round
        start_game(games[row], rules[0], seeds_B[row])


@kernel
def step_games(
    games: Any,
    rules: Any,
    actions_B: Any,
    kind: int,
    is_autoreset: int,
    rewards_BN: Any,
    terminated_B: Any,
    truncated_B: Any,
) -> None:
    """Apply one action to every game that is not over; with autoreset, begin the next game where one ends."""
    for row in range(len(actions_B)):
        game = games[row]
        terminated_B[row] = False
        truncated_B[row] = False
        if game.phase == PHASE_OVER:
            for seat in range(rules[0].num_players):
                rewards_BN[row, seat] = 0.0
            continue
        apply_action(game, rules[0], actions_B[row])
        for seat in range(rules[0].num_players):
            rewards_BN[row, seat] = seat_reward(game, rules[0], kind, seat)
        if game.phase == PHASE_OVER:
            terminated_B[row] = game.is_truncated == 0
            truncated_B[row] = game.is_truncated != 0
            if is_autoreset:
                start_game(game, rules[0], next_game_seed(game.seed, 0))


@kernel
def look_at_games(
    games: Any,
    rules: Any,
    views: Any,
    seats: int,
    offsets: Any,
    observations_BS: Any,
    masks_BA: Any,
    to_move_B: Any,
) -> None:
    """Write what the seat to move of every game observes and may do. `views` is scratch, one row."""
    for row in range(len(to_move_B)):
        seat = 0 + games[row].to_move
        to_move_B[row] = seat
        if seat == NOBODY:
            fill_mask(0, masks_BA, row)
            for place in range(observations_BS.shape[1]):
                observations_BS[row, place] = 0
            continue
        fill_view(games[row], rules[0], seat, views[0])
        encode_view(views[0], seats, offsets, observations_BS, row)
        fill_mask(views[0].legal, masks_BA, row)


@kernel
def fill_views(games: Any, rules: Any, rows_V: Any, views_V: Any, masks_VA: Any) -> None:
    """Write the views and masks of the seats to move of some games."""
    for place in range(len(rows_V)):
        game = games[rows_V[place]]
        fill_view(game, rules[0], game.to_move, views_V[place])
        fill_mask(views_V[place].legal, masks_VA, place)


@kernel
def step_some(games: Any, rules: Any, rows_V: Any, actions_V: Any) -> None:
    """Apply one legal action to each of some games, none of them over."""
    for place in range(len(rows_V)):
        apply_action(games[rows_V[place]], rules[0], actions_V[place])


def checked_ints(
    name: str, values: object, count: int | None, *, low: int = -(2**63), high: int = MAX_SEED
) -> NDArray[np.int64]:
    """Return whole numbers, one for each game, as a contiguous array; any number of them if `count` is None.

    Raises:
        InvalidOptionError: If they are something else, too many or too few, or out of range.
    """
    try:
        given = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(f"{name} must be whole numbers, one for each game ({error}).") from error
    wanted = f"{name} must be whole numbers" if count is None else f"{name} must be {count} whole numbers"
    if given.ndim != 1 or given.dtype.kind not in "iu" or len(given) != (len(given) if count is None else count):
        raise InvalidOptionError(f"{wanted} in one row, not {given.dtype} of shape {given.shape}.")
    if len(given) and not low <= int(given.min()) <= int(given.max()) <= high:
        raise InvalidOptionError(f"{wanted} from {low} to {high}, not from {given.min()} to {given.max()}.")
    return np.require(given, np.int64, ["C", "W"])


class GameBatch:
    """Many games under one rule set.

    Args:
        rules: The rule set.
        num_games: How many games.
        seed: Seeds of the games follow from it: see `seeds`.
        reward: Kind of reward (see `Game.rewards`).
        single_round: Whether each game is one round.
        autoreset: Whether a game that ends is followed at once, in the same step, by the next one from
            `next_game_seed(seed of the old one)`. If not, it stays over and ignores its actions.
        max_players: Places in the observation's per-seat sections, if more than there are seats.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        seed: int = 0,
        *,
        reward: str = "round",
        single_round: bool = False,
        autoreset: bool = True,
        max_players: int | None = None,
    ) -> None:
        """Begin every game."""
        if not isinstance(rules, Rules):
            raise InvalidOptionError(
                f"rules must be Rules, not {type(rules).__name__}: use preset('quebec') or Rules(...)."
            )
        if not is_whole(num_games, 1, MAX_GAMES):
            raise InvalidOptionError(f"num_games cannot be {num_games!r}: give a whole number from 1 to {MAX_GAMES}.")
        if not is_name(reward, REWARD_KINDS):
            raise UnknownNameError("reward", reward, list(REWARD_KINDS))
        seats = rules.num_players if max_players is None else max_players
        if not is_whole(seats, rules.num_players, MAX_PLAYERS):
            raise InvalidOptionError(
                f"max_players cannot be {max_players!r}: the table seats {rules.num_players}, at most {MAX_PLAYERS}."
            )
        self.rules = rules
        self.num_games = int(num_games)
        self.spec: ObservationSpec = observation_spec(seats)
        self.single_round = bool(single_round)
        self.autoreset = bool(autoreset)
        self._kind = REWARD_KINDS[reward]
        self._offsets = ints(self.spec.offsets)
        self._lowered = lower([rules])
        self._scratch = calls.new_views(1)
        self._all_rows = ints(np.arange(self.num_games))
        self._games = calls.new_games(self.num_games)
        self.seeds: NDArray[np.int64] = self.seeds_of(seed)
        self._start()

    def seeds_of(self, seed: int) -> NDArray[np.int64]:
        """Return the seeds of a batch: game k's depends on `seed` and k alone."""
        key = combine(checked_seed(seed), STREAM_BATCH)
        return np.array([combine(key, k) for k in range(self.num_games)], np.int64)

    def _start(self) -> None:
        start_games(self._games, self._lowered, ints(self.seeds), int(self.single_round))

    def arrays(self) -> BatchArrays:
        """Return fresh arrays of the right shapes for `reset` and `step` to write."""
        count = self.num_games
        return BatchArrays(
            observations_BS=np.zeros((count, self.spec.size), np.int8),
            masks_BA=np.zeros((count, NUM_ACTIONS), np.int8),
            to_move_B=np.zeros(count, np.int64),
            rewards_BN=np.zeros((count, self.rules.num_players), np.float32),
            terminated_B=np.zeros(count, np.bool_),
            truncated_B=np.zeros(count, np.bool_),
        )

    def reset(
        self, out: BatchArrays | None = None, *, seed: int | None = None, seeds: NDArray[np.int64] | None = None
    ) -> BatchArrays:
        """Begin every game anew and write what the seats to move observe.

        Args:
            out: Arrays to write; fresh ones if None.
            seed: A new seed for the batch; the same games again if None.
            seeds: Or each game's own seed, (B,).

        Returns:
            The arrays written.
        """
        out = self.arrays() if out is None else self._checked(out)
        chosen = self.seeds if seed is None else self.seeds_of(seed)
        if seeds is not None:
            chosen = checked_ints("seeds", seeds, self.num_games, low=0).copy()
        self.seeds = chosen
        self._start()
        out.rewards_BN[:] = 0
        out.terminated_B[:] = False
        out.truncated_B[:] = False
        self._look(out)
        return out

    def step(self, actions_B: NDArray[np.int64], out: BatchArrays) -> BatchArrays:
        """Apply one action to every game and write rewards, flags, and what the seats to move observe.

        Args:
            actions_B: Action ids, (B,); ignored where a game is over.
            out: Arrays to write.

        Raises:
            IllegalActionError: If an action is not legal; no game is changed.
            InvalidOptionError: If an array has the wrong shape or type.
        """
        actions = checked_ints("actions", actions_B, self.num_games)
        self._checked(out)
        wrong = find_illegal(self._games, self._lowered, self._all_rows, ints(actions))
        if wrong >= 0:
            self._refuse(wrong, int(actions[wrong]))
        step_games(
            self._games, self._lowered, ints(actions), self._kind, int(self.autoreset),
            out.rewards_BN, out.terminated_B, out.truncated_B,
        )  # fmt: skip
        self._look(out)
        return out

    def look(self, out: BatchArrays) -> None:
        """Write observations, masks and seats to move of the present positions.

        Raises:
            InvalidOptionError: If an array has the wrong shape or type.
        """
        self._look(self._checked(out))

    def _look(self, out: BatchArrays) -> None:
        look_at_games(
            self._games, self._lowered, self._scratch, self.spec.seats, self._offsets,
            out.observations_BS, out.masks_BA, out.to_move_B,
        )  # fmt: skip

    def views(self, rows_V: NDArray[np.int64]) -> tuple[NDArray[np.void], NDArray[np.int8]]:
        """Return what the seats to move of some games know, and their masks.

        Raises:
            InvalidOptionError: If there is no such game, or one of them is over.
        """
        rows_V = self._checked_rows(rows_V)
        count = len(rows_V)
        views = calls.new_views(count)
        masks_VA = np.zeros((count, NUM_ACTIONS), np.int8)
        fill_views(self._games, self._lowered, ints(rows_V), views, masks_VA)
        return (views if JIT_ENABLED else to_array(views, SEAT_VIEW)), masks_VA

    def step_rows(self, rows_V: NDArray[np.int64], actions_V: NDArray[np.int64]) -> None:
        """Apply an action each to some games, none of them over: the match runner's way to step.

        Raises:
            IllegalActionError: If an action is not legal; no game is changed.
            InvalidOptionError: If there is no such game, one of them is over or named twice, or an array has the wrong
                shape or type.
        """
        rows_V = self._checked_rows(rows_V)
        actions_V = checked_ints("actions", actions_V, len(rows_V))
        if len(rows_V) > 1 and np.bincount(rows_V).max() > 1:
            raise InvalidOptionError("A game takes one action at a time: name each game once.")
        wrong = find_illegal(self._games, self._lowered, ints(rows_V), ints(actions_V))
        if wrong >= 0:
            self._refuse(int(rows_V[wrong]), int(actions_V[wrong]))
        step_some(self._games, self._lowered, ints(rows_V), ints(actions_V))

    def column(self, name: str) -> NDArray[Any]:
        """Return one field of every game's record (see `GAME`), a copy.

        Raises:
            UnknownNameError: If there is no such field.
        """
        if not is_name(name, GAME.names or ()):
            raise UnknownNameError("field", name, list(GAME.names or ()))
        if JIT_ENABLED:
            values: NDArray[Any] = self._games[name].copy()
            return values
        return np.array([getattr(row, name) for row in self._games], GAME[name].base)

    def game(self, index: int) -> Game:
        """Return game `index` as an independent `Game`."""
        if not is_whole(index, 0, self.num_games - 1):
            raise InvalidOptionError(f"There is no game {index!r}: games run from 0 to {self.num_games - 1}.")
        return Game.from_array(self.rules, to_array(self._games[index : index + 1], GAME))

    def save(self) -> NDArray[np.void]:
        """Return every game's record, a copy."""
        return to_array(self._games, GAME)

    def restore(self, saved: NDArray[np.void]) -> None:
        """Put every game back to what `save` returned.

        Raises:
            InvalidOptionError: If it is not what `save` of a batch of that size returns.
            InvalidDataError: If a record is no position of these rules; no game is changed.
        """
        if getattr(saved, "dtype", None) != GAME or saved.shape != (self.num_games,):
            raise InvalidOptionError("This is no saved batch of this size: pass what save() of one returned.")
        games = from_array(saved)
        check_sound(games, self._lowered)
        self._games = games

    def clone(self) -> Self:
        """Return an independent copy of the batch."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._games = from_array(self.save())  # noqa: SLF001 - our own copy
        copy.seeds = self.seeds.copy()
        return copy

    def _refuse(self, row: int, action: int) -> None:
        try:
            self.game(row).verify(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"Game {row}: {error} No game was changed.") from None

    def _checked_rows(self, rows_V: NDArray[np.int64]) -> NDArray[np.int64]:
        rows_V = checked_ints("rows", rows_V, None, low=0, high=self.num_games - 1)
        if has_any_over(self._games, ints(rows_V)):
            raise InvalidOptionError("A game that is over has nobody to move: leave it out (column('to_move') is -1).")
        return rows_V

    def _checked(self, out: BatchArrays) -> BatchArrays:
        if not isinstance(out, BatchArrays):
            raise InvalidOptionError(f"out cannot be {type(out).__name__}: give the arrays that arrays() returns.")
        count, seats = self.num_games, self.rules.num_players
        expected = {
            "observations_BS": ((count, self.spec.size), np.int8), "masks_BA": ((count, NUM_ACTIONS), np.int8),
            "to_move_B": ((count,), np.int64), "rewards_BN": ((count, seats), np.float32),
            "terminated_B": ((count,), np.bool_), "truncated_B": ((count,), np.bool_),
        }  # fmt: skip
        for name, (shape, dtype) in expected.items():
            array = getattr(out, name)
            if array.shape != shape or array.dtype != dtype or not (array.flags.c_contiguous and array.flags.writeable):
                raise InvalidOptionError(
                    f"out.{name} must be a contiguous, writable {np.dtype(dtype)} array of shape {shape}, not "
                    f"{array.dtype} of shape {array.shape}: use the arrays that arrays() returns."
                )
        return out
