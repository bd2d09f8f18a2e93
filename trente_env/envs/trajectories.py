"""`Trajectories`: the decisions of every seat of many games, each with its own reward, as arrays to learn from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import kernel
from trente_env.core.actions import NUM_ACTIONS
from trente_env.errors import InvalidOptionError

__all__ = ["OpenRows", "Trajectories"]

NO_SEAT = -1
"""In `seats_TB`: no decision stands here."""


@kernel
def advantages_of(  # noqa: PLR0917 - compiled code takes no keywords
    values_TB: Any, rewards_TB: Any, seats_TB: Any, next_TB: Any, dones_TB: Any, after_TB: Any,
    gamma: float, lam: float, advantages_TB: Any,
) -> None:  # fmt: skip
    """Write generalised advantage estimates (Schulman et al., 2016), each along the decisions of one seat.

    `after_TB` has the value of what follows a decision without a next one: NaN where nothing is known of it.
    """
    num_steps, num_games = values_TB.shape
    for step in range(num_steps - 1, -1, -1):
        for row in range(num_games):
            following = next_TB[step, row]
            after = after_TB[step, row]
            advantage = 0.0
            if seats_TB[step, row] != NO_SEAT:
                if following >= 0:
                    advantage = rewards_TB[step, row] + gamma * values_TB[following, row] - values_TB[step, row]
                    advantage += gamma * lam * advantages_TB[following, row]
                elif not math.isnan(after):
                    advantage = rewards_TB[step, row] + gamma * after - values_TB[step, row]
                elif dones_TB[step, row]:
                    advantage = rewards_TB[step, row] - values_TB[step, row]
            advantages_TB[step, row] = advantage


@dataclass(frozen=True, slots=True)
class OpenRows:
    """Decisions after which the episode went on, but not in these arrays. O such decisions, S observation size."""

    steps_O: NDArray[np.int64]
    """Where they stand in the arrays: their step."""
    games_O: NDArray[np.int64]
    """And their game."""
    seats_O: NDArray[np.int64]
    """Whose they are."""
    observations_OS: NDArray[np.int8]
    """What that seat observes at the end of the arrays; or where the game was stopped, if it was (R50)."""


@dataclass(frozen=True, slots=True)
class Trajectories:
    """Decisions of every seat, in the order of time. T steps, B games, A actions, S observation size.

    The first steps, one for each seat, hold the seats' decisions that were still open in the arrays before, the others
    those taken since. Along axis T stand decisions of different seats: follow `next_TB` from one to the next of the
    same seat. The arrays are contiguous, belong to the batch, and are written again when its next buffer begins.
    """

    observations_TBS: NDArray[np.int8]
    """What the seat that decides observed."""
    masks_TBA: NDArray[np.int8]
    """Its legal actions, 1 or 0."""
    actions_TB: NDArray[np.int64]
    """What it chose."""
    seats_TB: NDArray[np.int64]
    """The seat; -1 where no decision stands (the first steps, where a seat had none open)."""
    rewards_TB: NDArray[np.float32]
    """All that happened to the seat from this decision up to its next one in the episode, others' moves included."""
    next_TB: NDArray[np.int64]
    """The step of the same seat's next decision in the same episode; -1: none in these arrays."""
    dones_TB: NDArray[np.bool_]
    """Whether the seat's episode ended before it decided again: round or game over, or the seat put out."""
    truncated_TB: NDArray[np.bool_]
    """Whether it ended by `max_rounds`, without a result (R50)."""
    log_probs_TB: NDArray[np.float32]
    """Log probability of the action, if the caller gave one; else 0."""
    values_TB: NDArray[np.float32]
    """Value of the observation, if the caller gave one; else 0."""

    @classmethod
    def zeros(cls, num_steps: int, num_games: int, size: int) -> Self:
        """Return arrays without a decision in them."""
        shape = (num_steps, num_games)
        return cls(
            np.zeros((*shape, size), np.int8), np.zeros((*shape, NUM_ACTIONS), np.int8), np.zeros(shape, np.int64),
            np.full(shape, NO_SEAT, np.int64), np.zeros(shape, np.float32), np.full(shape, -1, np.int64),
            np.zeros(shape, np.bool_), np.zeros(shape, np.bool_), np.zeros(shape, np.float32),
            np.zeros(shape, np.float32),
        )  # fmt: skip

    def complete(self) -> NDArray[np.int64]:
        """Return the decisions whose reward is all there, as indices into the arrays reshaped to (T * B, ...).

        Each decision is among them in exactly one buffer: the others are open and stand in the next one again.
        """
        return np.flatnonzero((self.next_TB >= 0) | self.dones_TB)

    def advantages(
        self,
        *,
        gamma: float,
        lam: float,
        values_TB: NDArray[np.float32] | None = None,
        open_rows: OpenRows | None = None,
        last_values_O: NDArray[np.float32] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return generalised advantage estimates and returns (their sum with the values), each along one seat.

        A discount applies from one decision of a seat to its next one. The chain of a seat ends at its open decision,
        whose value is what those before it are estimated by; it has itself an advantage of 0, and is not `complete`.

        Args:
            gamma: Discount, 0 to 1.
            lam: Share of the longer estimates, 0 to 1.
            values_TB: Values of the observations; those given with the decisions if None.
            open_rows: What `AllSeatsBatch.open_rows` returns.
            last_values_O: Values of its observations: open decisions are then estimated too, by what has happened so
                far and this value, and so are those cut short by `max_rounds`, which else count as ends.

        Raises:
            InvalidOptionError: If an argument has the wrong shape or is out of range.
        """
        gamma, lam = checked_share("gamma", gamma), checked_share("lam", lam)
        values = self.values_TB if values_TB is None else checked_floats("values_TB", values_TB, self.actions_TB.shape)
        after_TB = np.full(self.actions_TB.shape, np.nan, np.float32)
        if (open_rows is None) != (last_values_O is None):
            raise InvalidOptionError("open_rows and last_values_O belong together: give both, or neither.")
        if open_rows is not None:
            last_values = checked_floats("last_values_O", last_values_O, open_rows.steps_O.shape)
            after_TB[open_rows.steps_O, open_rows.games_O] = last_values
        advantages_TB = np.zeros(self.actions_TB.shape, np.float32)
        advantages_of(
            values, self.rewards_TB, self.seats_TB, self.next_TB, self.dones_TB, after_TB,
            gamma, lam, advantages_TB,
        )  # fmt: skip
        return advantages_TB, advantages_TB + values


def checked_share(name: str, value: object) -> float:
    """Return a number from 0 to 1.

    Raises:
        InvalidOptionError: If it is something else.
    """
    if isinstance(value, (int, float, np.number)) and 0 <= value <= 1:
        return float(value)
    raise InvalidOptionError(f"{name} cannot be {value!r}: give a number from 0 to 1.")


def checked_floats(name: str, values: object, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Return numbers as a contiguous float32 array.

    Raises:
        InvalidOptionError: If they are something else, or of another shape.
    """
    try:
        given = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(f"{name} must be numbers of shape {shape} ({error}).") from error
    if given.shape != shape or given.dtype.kind not in "fiu":
        raise InvalidOptionError(f"{name} must be numbers of shape {shape}, not {given.dtype} of shape {given.shape}.")
    return np.require(given, np.float32, ["C"])
