"""`OneSeatBatch`: many games, in each of which a learner holds one seat and policies hold the others.

What a single-agent learner sees of a game of several seats: every step is one of its own decisions, and the reward of a
step is all that happened to its seat between that decision and its next one, other seats' moves included. A loss on
another seat's move therefore reaches the decision it followed, and so does the last loss of a game.

What others do before the learner's first decision of an episode is credited to that decision, unless the episode is
over with it: an episode in which the learner never decides is skipped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import JIT_ENABLED
from trente_env.batch import BatchArrays, GameBatch, checked_ints
from trente_env.core import calls
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.layout import GAME, NOBODY, SEAT_VIEW, copy_row, copy_rows, from_array, to_array
from trente_env.core.rng import MAX_SEED
from trente_env.envs.one_seat_kernels import (
    LEFT,
    LOOK,
    NOT_HELD,
    RENEW,
    begin_rows,
    gather,
    is_learner_out,
    play,
    take_up,
)
from trente_env.envs.opponents import Opponents
from trente_env.envs.options import check_episode
from trente_env.errors import InvalidOptionError, is_list, is_whole
from trente_env.game import Game
from trente_env.policy import Policy, sample_actions
from trente_env.rules import Rules

__all__ = ["OneSeatBatch"]


class OneSeatBatch(GameBatch):
    """Many games at once, one seat of each a learner's, the others held by policies.

    The others are drawn, with replacement and independently for each seat, by the seed of each game, and stay for the
    whole game. Where the learner is out while others play on, the row's next game begins. Game after game of a row,
    seeds follow by `next_game_seed(seed of the old one, 0)`: what a row plays depends on nothing but its first seed and
    seat, the learner's decisions and the opponents.

    Args:
        rules: The rule set.
        num_games: How many games.
        opponents: Who may hold the other seats.
        weights: How often each of them is drawn; alike if None.
        seed: Seeds the games.
        episode: "round": an episode is a round, in which the learner decided at least once; the games go on from round
            to round, so that lives vary as they do in play. "game": an episode is a game, or what the learner sees of
            it.
        reward: Kind of reward (see `Game.rewards`). By "game" and "pot" a learner that goes out is paid its loss then.
        max_players: Places in the observation's per-seat sections, if more than there are seats.
        seat: The learner's seat in every game; if None, it moves on by one with every game of a row, so that the
            learner sits everywhere equally often.
        holds: Whether a row whose episode has ended waits there, to be seen, until the next `decide` (which ignores its
            action) or `renew`. If not, its next episode begins in the same step.
        strict: Whether an illegal action is refused; if not, it costs 1 and ends the episode and its game.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        opponents: Sequence[Policy],
        *,
        weights: Sequence[float] | None = None,
        seed: int = 0,
        episode: str = "round",
        reward: str = "round",
        max_players: int | None = None,
        seat: int | None = None,
        holds: bool = False,
        strict: bool = True,
    ) -> None:
        """Begin every game and let the others play up to the learner's first decisions."""
        check_episode(episode, reward)
        super().__init__(rules, num_games, seed, reward=reward, autoreset=False, max_players=max_players)
        self.episode = episode
        self.seat = None if seat is None else self._checked_seat(seat)
        self._is_round, self._is_holding, self._is_strict = int(episode == "round"), int(holds), int(strict)
        self._set_up_arrays()
        self.opponents = Opponents()
        self.set_opponents(opponents, weights)
        self.begin(seed)

    def _set_up_arrays(self) -> None:
        count, seats = self.num_games, self.rules.num_players
        self.out: BatchArrays = self.arrays()
        self.learners_B: NDArray[np.int64] = np.zeros(count, np.int64)
        self.opponents_BN: NDArray[np.int64] = np.full((count, seats), NOBODY, np.int64)
        self.rewards_B: NDArray[np.float64] = np.zeros(count)
        self.dones_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self.truncated_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self.last_BS: NDArray[np.int8] = np.zeros((count, self.spec.size), np.int8)
        self.held_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self._between_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self._carried_B: NDArray[np.float64] = np.zeros(count)
        # What one wave of decisions needs, in places 0 to V - 1.
        self._rows_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._others_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._actions_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._who_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._seeds_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._masks_VA: NDArray[np.int8] = np.zeros((count, NUM_ACTIONS), np.int8)
        self._views_V = calls.new_views(count)

    # Who plays.

    def set_opponents(self, opponents: Sequence[Policy], weights: Sequence[float] | None = None) -> None:
        """Change who is drawn when games begin. Games under way are played out against whom they began with.

        Args:
            opponents: Who may hold the other seats.
            weights: How often each of them is drawn; alike if None.

        Raises:
            InvalidOptionError: If there is nobody, or a weight is missing, negative or not finite.
        """
        self.opponents.choose(opponents, weights, seated=set(self.opponents_BN.ravel().tolist()))

    def take_results(self) -> dict[str, list[float]]:
        """Return, by opponent, [games won, games played] since the last call (a truncated game counts 1/n won).

        At tables of more than two the opponent is called "the table".
        """
        return self.opponents.take_results()

    # Beginning.

    def begin(self, seed: int | None = None) -> BatchArrays:
        """Begin every game anew, from a new seed or from the old one, and play up to the learner's first decisions.

        The learner's seats go round by row.
        """
        if seed is not None:
            self.seeds = self.seeds_of(seed)
        return self.begin_rows(np.arange(self.num_games), self.seeds, np.arange(self.num_games))

    def begin_rows(
        self,
        rows_V: NDArray[np.int64],
        seeds_V: NDArray[np.int64],
        seats_V: NDArray[np.int64] | None = None,
    ) -> BatchArrays:
        """Begin games in some rows, from a seed each, and play up to the learner's first decisions there.

        Args:
            rows_V: Which rows, none twice.
            seeds_V: A seed for each.
            seats_V: Where the learner sits, modulo the number of seats, if it has no fixed seat; by the seed if None.
        """
        rows, seeds = self._rows_and("seeds", rows_V, seeds_V, low=0)
        if self.seat is not None:
            seats = np.full(len(rows), self.seat)
        else:
            seats = (seeds if seats_V is None else self._rows_and("seats", rows_V, seats_V, low=0)[1]) % self.num_seats
        self._clear(rows)
        who = self.opponents
        begin_rows(
            self._games, self._lowered, rows, seeds, seats, who.pool_K, who.bounds_K, self._is_round,
            self.learners_B, self.opponents_BN,
        )  # fmt: skip
        return self._go_on_in(rows, LOOK)

    def put(self, rows_V: NDArray[np.int64], games: Sequence[Game], seats_V: NDArray[np.int64]) -> BatchArrays:
        """Put games into some rows, to be played on from where they stand up to the learner's first decisions.

        Args:
            rows_V: Which rows, none twice.
            games: A game for each, of the batch's rules and not over; it is copied. Its seed draws the opponents.
            seats_V: The learner's seat in each, whatever its seat in the games that follow.

        Raises:
            InvalidOptionError: If there is no such row or seat, or a seat is out; no row is changed.
        """
        rows, seats = self._rows_and("seats", rows_V, seats_V, low=0, high=self.num_seats - 1)
        if not is_list(games, Game) or len(games) != len(rows):
            raise InvalidOptionError(f"games must be {len(rows)} of them, one for each row: use Game(rules, seed).")
        placed = []
        for game, seat in zip(games, seats.tolist(), strict=True):
            if game.rules != self.rules or game.is_over:
                raise InvalidOptionError("A game must be played by the batch's rules, and not be over.")
            array = game.to_array()
            array["is_single_round"] = self._is_round
            placed.append(from_array(array))
            if is_learner_out(placed[-1][0], seat):
                raise InvalidOptionError(f"Seat {seat} is out in this game: choose another for the learner.")
        self._clear(rows)
        who = self.opponents
        begin_rows(  # for the opponents' seats
            self._games, self._lowered, rows, np.array([game.seed for game in games]), seats, who.pool_K, who.bounds_K,
            self._is_round, self.learners_B, self.opponents_BN,
        )  # fmt: skip
        for row, game_row in zip(rows.tolist(), placed, strict=True):
            copy_row(game_row, 0, self._games, row)
        return self._go_on_in(rows, LOOK)

    def renew(self, rows_V: NDArray[np.int64]) -> BatchArrays:
        """Begin the next episode in some rows: where the last one is over, what follows it; elsewhere the next game."""
        rows, _ = self._rows_and("rows", rows_V, rows_V, low=0)
        held = self.held_B[rows]
        self._clear(rows)
        self.held_B[rows] = np.where(held == NOT_HELD, LEFT, held)
        return self._go_on_in(rows, RENEW)

    def _clear(self, rows: NDArray[np.int64]) -> None:
        """Forget the episodes of some rows: nothing is owed to a learner that has not decided yet."""
        for array in (self.rewards_B, self._carried_B, self.dones_B, self.truncated_B, self.held_B):
            array[rows] = 0
        self._between_B[rows] = 1

    def _go_on_in(self, rows: NDArray[np.int64], instead_of_action: int) -> BatchArrays:
        self._rows_V[: len(rows)] = rows
        self._actions_V[: len(rows)] = instead_of_action
        self._play(len(rows))
        return self.out

    # Playing.

    def decide(self, actions_B: NDArray[np.int64]) -> BatchArrays:
        """Apply the learner's decision in every game, then let the others play up to its next ones.

        Writes `rewards_B`, `dones_B` (whether the episode that the decision belongs to has ended), `truncated_B`
        (whether it has ended because the game was stopped by `max_rounds`, R50), `last_BS` (where it has ended: what
        the learner sees then) and `out` (what it sees and may do now: its next decision in that episode or in the
        next one; in a row that is held, what it saw last).

        Raises:
            IllegalActionError: If an action is not legal (and the batch is strict); no game is changed.
        """
        actions = checked_ints("actions", actions_B, self.num_games)
        wrong = take_up(
            self._games, self.held_B, actions, self._is_strict, self._rows_V, self._actions_V,
            self.rewards_B, self._carried_B, self.dones_B, self.truncated_B, self._between_B,
        )  # fmt: skip
        if wrong >= 0:
            self._refuse(wrong, int(actions[wrong]))
        self._play(self.num_games)
        return self.out

    def _play(self, count: int) -> None:
        """Play the actions noted for the first `count` rows, then all that follows up to the learner's decisions."""
        out, who = self.out, self.opponents
        while count > 0:
            play(
                self._games, self._lowered, count, self._rows_V, self._actions_V, who.pool_K, who.bounds_K,
                self._kind, self._is_round, self._is_holding, NOBODY if self.seat is None else self.seat,
                self.learners_B, self.opponents_BN, self.held_B, self._between_B, self.rewards_B, self._carried_B,
                self.dones_B, self.truncated_B, who.tallies_K2, self._scratch, self._places, self.last_BS,
                out.observations_BS, out.masks_BA, out.to_move_B, self._who_V,
            )  # fmt: skip
            count = gather(
                self._games, self._lowered, count, self._who_V, self._rows_V, self._others_V, who.sizes_K,
                who.starts_K, self._views_V, self._masks_VA, self._seeds_V,
            )  # fmt: skip
            if count > 0:
                self._ask_policies(count)

    def _ask_policies(self, count: int) -> None:
        views_V = self._views_V if JIT_ENABLED else to_array(self._views_V[:count], SEAT_VIEW)
        first = 0
        for key, size in enumerate(self.opponents.sizes_K.tolist()):
            if size:
                theirs = slice(first, first + size)
                self._actions_V[theirs] = sample_actions(
                    self.opponents.policies[key],
                    copy_rows(views_V[theirs]),  # of its own: behind a slice lie what other seats saw before
                    self._masks_VA[theirs].copy(),
                    self._seeds_V[theirs],
                )
                first += size

    def clone(self) -> Self:
        """Return an independent copy of the batch; policies are shared."""
        twin = super().clone()
        for name, value in vars(twin).items():
            if isinstance(value, np.ndarray) and value.dtype != GAME:
                setattr(twin, name, value.copy())
        twin.out = BatchArrays(*(getattr(self.out, field.name).copy() for field in dataclasses.fields(BatchArrays)))
        twin.opponents = self.opponents.clone()
        return twin

    def _rows_and(
        self, name: str, rows_V: object, values_V: object, *, low: int, high: int = MAX_SEED
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        rows = checked_ints("rows", rows_V, None, low=0, high=self.num_games - 1)
        if len(np.unique(rows)) != len(rows):
            raise InvalidOptionError("rows cannot name a row twice: name each once.")
        return rows, checked_ints(name, values_V, len(rows), low=low, high=high)

    def _checked_seat(self, seat: int) -> int:
        if not is_whole(seat, 0, self.num_seats - 1):
            raise InvalidOptionError(f"There is no seat {seat!r}: seats run from 0 to {self.num_seats - 1}.")
        return int(seat)
