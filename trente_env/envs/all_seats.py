"""`AllSeatsBatch`: many games, in each of which one learner decides for every seat: self-play.

Every decision is kept with what it brought the seat that took it: all that happened to that seat up to its own next
decision, the others' moves included. The arrays that the games are stepped into are the ones that a learner reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from trente_env.batch import BatchArrays, GameBatch, checked_ints
from trente_env.core.layout import ints
from trente_env.envs.credit import NO_STEP, carry_over, credit_games, look_at_seats, open_books
from trente_env.envs.options import check_episode
from trente_env.envs.trajectories import OpenRows, Trajectories, checked_floats
from trente_env.errors import InvalidOptionError, is_whole
from trente_env.rules import Rules

__all__ = ["MAX_STEPS", "AllSeatsBatch"]

MAX_STEPS: Final = 2**20

Chosen: TypeAlias = NDArray[np.int64] | tuple[NDArray[np.int64], NDArray[np.float32] | None, NDArray[np.float32] | None]
"""Actions, (B,); or actions, their log probabilities and the values of the observations, (B,) each."""


class AllSeatsBatch(GameBatch):
    """Many games at once, one learner at every seat, whose decisions are kept as `Trajectories`.

    A game that ends is followed at once by the next one of its row, whose seed follows from the old one's. Step it
    with `decide` or `collect` alone.

    A buffer takes `num_steps` decisions of each game. A seat's last decision in it is still open: what it brings is
    known when the seat decides again or its episode ends. Such decisions are carried over into the first steps of the
    next buffer (one step for each seat), where the rest of their reward reaches them: none is lost, and none goes to
    another decision. `Trajectories.complete` names those that are not open.

    Args:
        rules: The rule set; or several, a table of them.
        num_games: How many games.
        num_steps: Decisions of each game in a buffer.
        seed: Seeds the games, as in `GameBatch`.
        episode: "round": an episode is a round, and the games go on from round to round, so that lives vary as they do
            in play. A buy-in (R24) belongs to the round after it. "game": an episode is a game, or a seat's part of it.
        reward: Kind of reward (see `Game.rewards`). By "game" and "pot" a seat that goes out is paid its loss at once.
        max_players: Places in the observation's per-seat sections, if more than there are seats.
        which: With a table of rules: each game's place in it, (B,); by turns if None.
        threads: Threads that share the games of a step.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """

    def __init__(
        self,
        rules: Rules | Sequence[Rules],
        num_games: int,
        num_steps: int,
        *,
        seed: int = 0,
        episode: str = "game",
        reward: str = "round",
        max_players: int | None = None,
        which: NDArray[np.int64] | Sequence[int] | None = None,
        threads: int = 1,
    ) -> None:
        """Begin every game."""
        check_episode(episode, reward)
        if not is_whole(num_steps, 1, MAX_STEPS):
            raise InvalidOptionError(f"num_steps cannot be {num_steps!r}: give a whole number from 1 to {MAX_STEPS}.")
        super().__init__(
            rules, num_games, seed,
            reward=reward, autoreset=False, max_players=max_players, which=which, threads=threads,
        )  # fmt: skip
        self.episode = episode
        self.num_steps = int(num_steps)
        self._is_round = int(episode == "round")
        self._allocate()
        self._begin_books()

    def _allocate(self) -> None:
        """Lay out the arrays: steps for what is carried over, steps for decisions, and one for what is seen now."""
        shape = self.num_games, self.num_seats
        self._end = self.num_seats + self.num_steps
        whole = Trajectories.zeros(self._end + 1, self.num_games, self.spec.size)
        self.trajectories: Trajectories = Trajectories(*(getattr(whole, each.name)[:-1] for each in fields(whole)))
        """The buffer. While it is being filled, only the steps before the present one mean anything."""
        self._rewards_BN: NDArray[np.float32] = np.zeros(shape, np.float32)
        self._live_B: NDArray[np.int64] = np.zeros(self.num_games, np.int64)
        self._last_BN: NDArray[np.int64] = np.full(shape, NO_STEP, np.int64)
        self._owed_BN: NDArray[np.float64] = np.zeros(shape)
        self.uncredited_BN: NDArray[np.float64] = np.zeros(shape)
        """What fell to each seat since `begin` in episodes in which it took no decision: no decision's credit."""
        flags = np.zeros((2, self.num_games), np.bool_)
        self._slots = [
            BatchArrays(
                whole.observations_TBS[step], whole.masks_TBA[step], whole.seats_TB[step], self._rewards_BN, *flags
            )
            for step in range(self._end + 1)
        ]

    def _begin_books(self) -> None:
        """Look at the present positions, no decision being open."""
        open_books(self._games, self._is_round, self._live_B)
        self._last_BN[:] = NO_STEP
        self._owed_BN[:] = 0.0
        self.uncredited_BN[:] = 0.0
        self._step = self.num_seats
        self.next_buffer()
        self.look(self.now)

    @property
    def now(self) -> BatchArrays:
        """What the seats to move observe and may do now. Its arrays are part of the buffer: do not write to them."""
        return self._slots[self._step]

    @property
    def is_full(self) -> bool:
        """Whether the buffer has all its decisions."""
        return self._step == self._end

    def begin(self, seed: int | None = None) -> BatchArrays:
        """Begin every game anew, from a new seed or from the old one, with an empty buffer; return `now`."""
        if seed is not None:
            self.seeds = self.seeds_of(seed)
        self._start()
        self._begin_books()
        return self.now

    def restore(self, saved: NDArray[np.void]) -> None:
        """Put every game back to what `save` returned, with an empty buffer: episodes begin at these positions.

        Raises:
            InvalidOptionError: If it is not what `save` of a batch of that size returns, or a game is over.
            InvalidDataError: If a record is no position of these rules; no game is changed.
        """
        before = self.save()
        super().restore(saved)
        if (self.column("to_move") < 0).any():
            super().restore(before)
            raise InvalidOptionError("A game that is over has nobody to decide: restore games under way.")
        self._begin_books()

    def clone(self) -> Self:
        """Return an independent copy of the batch, its buffer included."""
        copy = super().clone()
        copy._allocate()  # noqa: SLF001 - our own copy
        copy._cut = list(self._cut)  # noqa: SLF001
        for field in fields(self.trajectories):
            np.copyto(getattr(copy.trajectories, field.name), getattr(self.trajectories, field.name))
        for name in ("_live_B", "_last_BN", "_owed_BN", "uncredited_BN"):
            np.copyto(getattr(copy, name), getattr(self, name))
        copy.look(copy.now)
        return copy

    def decide(
        self,
        actions_B: NDArray[np.int64],
        log_probs_B: NDArray[np.float32] | None = None,
        values_B: NDArray[np.float32] | None = None,
    ) -> BatchArrays:
        """Take one decision in every game, for the seat to move.

        Args:
            actions_B: Action ids, (B,).
            log_probs_B: Their log probabilities, to be kept.
            values_B: Values of the observations, to be kept.

        Returns:
            `now`: what the next seats to move observe and may do.

        Raises:
            IllegalActionError: If an action is not legal; nothing is changed.
            InvalidOptionError: If the buffer is full, or an array has the wrong shape or type; nothing is changed.
        """
        if self.is_full:
            raise InvalidOptionError("The buffer is full: learn from it, then call next_buffer().")
        step, buffer, shape = self._step, self.trajectories, (self.num_games,)
        actions = checked_ints("actions", actions_B, self.num_games)
        kept: list[NDArray[np.float32] | float] = [
            0.0 if each is None else checked_floats(name, each, shape)
            for name, each in (("log_probs_B", log_probs_B), ("values_B", values_B))
        ]
        out = self._slots[step + 1]
        self.step(actions, out)
        buffer.actions_TB[step] = actions
        buffer.log_probs_TB[step], buffer.values_TB[step] = kept
        if out.truncated_B.any() and not self._is_round:
            self._cut.append(self._cut_short(out.truncated_B))

        def work(slot: int, first: int, last: int) -> None:
            credit_games(
                self._games, self._lowered, self._which_B, self._kind, self._is_round,
                self._scratch, slot, self._places, step, buffer.seats_TB[step], self._rewards_BN,
                self._live_B, self._last_BN, self._owed_BN, self.uncredited_BN,
                buffer.rewards_TB, buffer.next_TB, buffer.dones_TB, buffer.truncated_TB,
                out.observations_BS, out.masks_BA, out.to_move_B, first, last,
            )  # fmt: skip

        self._share(work)
        self._step = step + 1
        return self.now

    def collect(self, choose: Callable[[BatchArrays], Chosen]) -> Trajectories:
        """Fill a buffer: the one under way, or if it is full the next one.

        Args:
            choose: Given `now`, returns actions, (B,); or actions, their log probabilities and the values of the
                observations.

        Returns:
            `trajectories`.
        """
        if self.is_full:
            self.next_buffer()
        while not self.is_full:
            chosen = choose(self.now)
            if isinstance(chosen, tuple):
                self.decide(*chosen)
            else:
                self.decide(chosen)
        return self.trajectories

    def next_buffer(self) -> None:
        """Begin to fill the buffer anew: open decisions move to its first steps, a seat's to the step of its number."""
        buffer = self.trajectories
        buffer.next_TB[:] = NO_STEP
        buffer.dones_TB[:] = False
        buffer.truncated_TB[:] = False

        def work(_slot: int, first: int, last: int) -> None:
            carry_over(
                self._last_BN, buffer.observations_TBS, buffer.masks_TBA, buffer.actions_TB, buffer.seats_TB,
                buffer.rewards_TB, buffer.log_probs_TB, buffer.values_TB, first, last,
            )  # fmt: skip

        self._share(work)
        for name in ("observations_BS", "masks_BA", "to_move_B"):
            np.copyto(getattr(self._slots[self.num_seats], name), getattr(self.now, name))
        self._cut: list[OpenRows] = []
        self._step = self.num_seats

    def open_rows(self) -> OpenRows:
        """Return the decisions of the buffer after which the episode went on, and what their seats observe at its end.

        Those of games stopped by `max_rounds` (R50) come first, with what their seats observed then.
        """
        games, seats = np.nonzero(self._last_BN != NO_STEP)
        parts = [*self._cut, self._rows_of(self._last_BN[games, seats], games, seats)]
        return OpenRows(*(np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(OpenRows)))

    def _rows_of(self, steps: NDArray[np.int64], games: NDArray[np.int64], seats: NDArray[np.int64]) -> OpenRows:
        observations = np.zeros((len(games), self.spec.size), np.int8)
        look_at_seats(
            self._games, self._lowered, self._which_B, ints(games), ints(seats), self._scratch, self._places,
            observations,
        )  # fmt: skip
        return OpenRows(steps, games, seats, observations)

    def _cut_short(self, truncated_B: NDArray[np.bool_]) -> OpenRows:
        """Look at the seats still in where the decision being taken has stopped the game."""
        rows = np.flatnonzero(truncated_B)
        last_VN = self._last_BN[rows]
        last_VN[np.arange(len(rows)), self.trajectories.seats_TB[self._step, rows]] = self._step
        live_V: NDArray[Any] = (self.column("in_game") | self.column("may_buy_in"))[rows]
        is_in_VN = (live_V[:, None] >> np.arange(self.num_seats)) & 1 == 1
        places, seats = np.nonzero((last_VN != NO_STEP) & is_in_VN)
        return self._rows_of(last_VN[places, seats], rows[places], seats)
