"""`GameBatch`: many games stepped at once into arrays that the caller owns."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import JIT_ENABLED
from trente_env.batch.arrays import BatchArrays, checked_ints, checked_out, has_kept_form, new_arrays
from trente_env.batch.kernels import (
    fill_seeds,
    fill_views,
    find_illegal,
    find_illegal_of,
    has_any_over,
    look_at_games,
    start_games,
    step_games,
    step_some,
)
from trente_env.core import calls
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.layout import GAME, SEAT_VIEW, from_array, ints, lower, to_array
from trente_env.core.rewards import REWARD_KINDS
from trente_env.core.rng import STREAM_BATCH, combine
from trente_env.encoding.sections import ObservationSpec, observation_spec
from trente_env.errors import IllegalActionError, InvalidOptionError, UnknownNameError, is_list, is_name, is_whole
from trente_env.game import Game, check_sound, checked_seed
from trente_env.rules import MAX_PLAYERS, Rules

__all__ = ["MAX_GAMES", "GameBatch"]

MAX_GAMES: Final = 2**24
"""Most games of a batch: some twenty gigabytes."""
MAX_THREADS: Final = 256
_SCRATCH_STEP: Final = 2
"""Views between those of two threads, so that they share no cache line."""


class GameBatch:
    """Many games, stepped at once.

    Game k of a batch with seed s is `Game(batch.rules_of(k), batch.seeds[k])`, whatever the batch's size and on however
    many threads.

    Args:
        rules: The rule set; or several, a table of them.
        num_games: How many games.
        seed: Seeds of the games follow from it: see `seeds`.
        reward: Kind of reward (see `Game.rewards`).
        single_round: Whether each game is one round.
        autoreset: Whether a game that ends is followed at once, in the same step, by the next one from
            `next_game_seed(seed of the old one)`. If not, it stays over and ignores its actions.
        max_players: Places in the observation's per-seat sections, if more than there are seats.
        which: With a table of rules: each game's place in it, (B,); by turns if None. Rewards then have a column for
            each seat of the largest table.
        threads: Threads that share the games of a step. Results never depend on it; it pays from some thousand games.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """

    def __init__(
        self,
        rules: Rules | Sequence[Rules],
        num_games: int,
        seed: int = 0,
        *,
        reward: str = "round",
        single_round: bool = False,
        autoreset: bool = True,
        max_players: int | None = None,
        which: NDArray[np.int64] | Sequence[int] | None = None,
        threads: int = 1,
    ) -> None:
        """Begin every game."""
        self.table = _checked_table(rules)
        if not is_whole(num_games, 1, MAX_GAMES):
            raise InvalidOptionError(f"num_games cannot be {num_games!r}: give a whole number from 1 to {MAX_GAMES}.")
        if not is_name(reward, REWARD_KINDS):
            raise UnknownNameError("reward", reward, list(REWARD_KINDS))
        if not is_whole(threads, 1, MAX_THREADS):
            raise InvalidOptionError(f"threads cannot be {threads!r}: give a whole number from 1 to {MAX_THREADS}.")
        self.num_seats = max(each.num_players for each in self.table)
        seats = self.num_seats if max_players is None else max_players
        if not is_whole(seats, self.num_seats, MAX_PLAYERS):
            raise InvalidOptionError(
                f"max_players cannot be {max_players!r}: the table seats {self.num_seats}, at most {MAX_PLAYERS}."
            )
        self._num_games, self._threads = int(num_games), int(threads)
        self.spec: ObservationSpec = observation_spec(seats)
        self.single_round = bool(single_round)
        self.autoreset = bool(autoreset)
        self._kind = REWARD_KINDS[reward]
        self._places = self.spec.lower()
        self._lowered = lower(self.table)
        self._which_B = ints(_checked_which(which, self.num_games, len(self.table)))
        self._scratch = calls.new_views(self.threads * _SCRATCH_STEP)
        self._games = calls.new_games(self.num_games)
        self._size = self.num_games, self.spec.size, self.num_seats
        self._known_out: BatchArrays | None = None
        self.seeds: NDArray[np.int64] = self.seeds_of(seed)
        self._start()

    @property
    def num_games(self) -> int:
        """How many games."""
        return self._num_games

    @property
    def threads(self) -> int:
        """Threads that share the games of a step."""
        return self._threads

    @property
    def rules(self) -> Rules:
        """The rule set of all games.

        Raises:
            InvalidOptionError: If there are several: see `table` and `rules_of`.
        """
        if len(self.table) > 1:
            raise InvalidOptionError("The games of this batch have different rules: ask rules_of(index).")
        return self.table[0]

    def rules_of(self, index: int) -> Rules:
        """Return the rule set of game `index`."""
        return self.table[int(self._which_B[self._checked_index(index)])]

    def seeds_of(self, seed: int) -> NDArray[np.int64]:
        """Return the seeds of a batch: game k's depends on `seed` and k alone."""
        seeds = np.zeros(self.num_games, np.int64)
        fill_seeds(combine(checked_seed(seed), STREAM_BATCH), seeds)
        return seeds

    def _start(self) -> None:
        seeds_B = ints(checked_ints("seeds", self.seeds, self.num_games, low=0))
        start_games(self._games, self._lowered, self._which_B, seeds_B, int(self.single_round), 0, self.num_games)

    def _share(self, work: Callable[[int, int, int], None]) -> None:
        """Do work(slot, first, last) for all games, a slice for each thread."""
        if self.threads == 1:
            work(0, 0, self.num_games)
            return
        bounds = [self.num_games * number // self.threads for number in range(self.threads + 1)]
        slices = [(slot * _SCRATCH_STEP, *bounds[slot : slot + 2]) for slot in range(self.threads)]
        tasks = [_pool(self.threads).submit(work, *each) for each in slices[1:]]
        try:
            work(*slices[0])
        finally:
            wait(tasks)
        for task in tasks:
            task.result()

    def arrays(self) -> BatchArrays:
        """Return fresh arrays of the right shapes for `reset` and `step` to write."""
        return new_arrays(*self._size)

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
            chosen = checked_ints("seeds", seeds, self.num_games, low=0)
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
        actions = ints(actions)
        wrong = find_illegal(self._games, actions)
        if wrong >= 0:
            self._refuse(wrong, int(actions[wrong]))

        def work(slot: int, first: int, last: int) -> None:
            step_games(
                self._games, self._lowered, self._which_B, actions, self._kind, int(self.autoreset),
                self._scratch, slot, self._places,
                out.observations_BS, out.masks_BA, out.to_move_B, out.rewards_BN, out.terminated_B, out.truncated_B,
                first, last,
            )  # fmt: skip

        self._share(work)
        return out

    def look(self, out: BatchArrays) -> None:
        """Write observations, masks and seats to move of the present positions.

        Raises:
            InvalidOptionError: If an array has the wrong shape or type.
        """
        self._look(self._checked(out))

    def _look(self, out: BatchArrays) -> None:
        def work(slot: int, first: int, last: int) -> None:
            look_at_games(
                self._games, self._lowered, self._which_B, self._scratch, slot, self._places,
                out.observations_BS, out.masks_BA, out.to_move_B, first, last,
            )  # fmt: skip

        self._share(work)

    def views(self, rows_V: NDArray[np.int64]) -> tuple[NDArray[np.void], NDArray[np.int8]]:
        """Return what the seats to move of some games know, and their masks.

        Raises:
            InvalidOptionError: If there is no such game, or one of them is over.
        """
        rows_V = self._checked_rows(rows_V)
        count = len(rows_V)
        views = calls.new_views(count)
        masks_VA = np.zeros((count, NUM_ACTIONS), np.int8)
        fill_views(self._games, self._lowered, self._which_B, ints(rows_V), views, masks_VA)
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
        wrong = find_illegal_of(self._games, ints(rows_V), ints(actions_V))
        if wrong >= 0:
            self._refuse(int(rows_V[wrong]), int(actions_V[wrong]))
        step_some(self._games, self._lowered, self._which_B, ints(rows_V), ints(actions_V))

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
        index = self._checked_index(index)
        return Game.from_array(self.rules_of(index), to_array(self._games[index : index + 1], GAME))

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
        games = from_array(np.asarray(saved))
        check_sound(games, self._lowered, self._which_B)
        self._games = games

    def clone(self) -> Self:
        """Return an independent copy of the batch."""
        copy = type(self).__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._games = from_array(self.save())  # noqa: SLF001 - our own copy
        copy._scratch = calls.new_views(self.threads * _SCRATCH_STEP)  # noqa: SLF001 - both may be stepped at once
        copy.seeds = self.seeds.copy()
        return copy

    def __copy__(self) -> Self:
        """Return a clone: two batches on the same records would be no use."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the caller's arrays: they are no part of the batch."""
        return self.__dict__ | {"_known_out": None}

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
        """Look at the caller's arrays: at all of each the first time, later only at what can still change."""
        known = self._known_out
        if known is None or out is not known or not has_kept_form(out, *self._size):
            self._known_out = checked_out(out, *self._size)
        return out

    def _checked_index(self, index: int) -> int:
        if not is_whole(index, 0, self.num_games - 1):
            raise InvalidOptionError(f"There is no game {index!r}: games run from 0 to {self.num_games - 1}.")
        return int(index)


def _checked_table(rules: Rules | Sequence[Rules]) -> tuple[Rules, ...]:
    table = (rules,) if isinstance(rules, Rules) else rules
    if not is_list(table, Rules) or not len(table):
        raise InvalidOptionError(
            f"rules must be Rules or a list of them, not {type(rules).__name__}: use preset('quebec') or Rules(...)."
        )
    return tuple(table)


def _checked_which(which: object, num_games: int, num_rules: int) -> NDArray[np.int64]:
    if which is None:
        return np.arange(num_games) % num_rules
    return checked_ints("which", which, num_games, low=0, high=num_rules - 1)


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return the threads that batches share; kernels run without the GIL, and a pool costs nothing while it waits."""
    return ThreadPoolExecutor(threads - 1, thread_name_prefix="trente_env")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked process has the pool, but none of its threads
