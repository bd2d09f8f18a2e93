"""The arrays of a batch: those it writes, and the whole numbers it is given."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.rng import MAX_SEED
from trente_env.errors import InvalidOptionError

__all__ = ["BatchArrays", "checked_ints", "checked_out", "has_kept_form", "new_arrays"]


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """What a step writes: contiguous arrays, owned by the caller. B games, N seats, A actions, S observation size.

    Raises:
        InvalidOptionError: If one is no array, or two share memory: a step would write one over the other.
    """

    observations_BS: NDArray[np.int8]
    """What the seat to move observes (the sections of `ObservationSpec`); zero where a game is over."""
    masks_BA: NDArray[np.int8]
    """Its legal actions, 1 or 0; zero where a game is over."""
    to_move_B: NDArray[np.int64]
    """The seat to move; -1 where a game is over."""
    rewards_BN: NDArray[np.float32]
    """Each seat's reward for the last step; 0 at places where no seat stands."""
    terminated_B: NDArray[np.bool_]
    """Whether the last step ended the game with a result."""
    truncated_B: NDArray[np.bool_]
    """Whether the last step ended the game by `max_rounds` (R50)."""

    def __post_init__(self) -> None:
        """Look at the arrays once; their shapes, which can change in place, are looked at before each step."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, array in named.items():
            if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
                raise InvalidOptionError(f"{name} cannot be {type(array).__name__}: give the arrays of arrays().")
        for (one, first), (other, second) in itertools.combinations(named.items(), 2):
            if np.may_share_memory(first, second):
                raise InvalidOptionError(f"{one} and {other} share memory: give each array memory of its own.")


def _shapes(count: int, size: int, seats: int) -> dict[str, tuple[tuple[int, ...], type[np.generic]]]:
    return {
        "observations_BS": ((count, size), np.int8), "masks_BA": ((count, NUM_ACTIONS), np.int8),
        "to_move_B": ((count,), np.int64), "rewards_BN": ((count, seats), np.float32),
        "terminated_B": ((count,), np.bool_), "truncated_B": ((count,), np.bool_),
    }  # fmt: skip


def new_arrays(count: int, size: int, seats: int) -> BatchArrays:
    """Return arrays of zeros for so many games, numbers of an observation, and seats."""
    shapes = _shapes(count, size, seats)
    return BatchArrays(**{name: np.zeros(shape, kind) for name, (shape, kind) in shapes.items()})


def checked_out(out: BatchArrays, count: int, size: int, seats: int) -> BatchArrays:
    """Return arrays after looking that kernels may write into them.

    Raises:
        InvalidOptionError: If one has the wrong shape or type.
    """
    if not isinstance(out, BatchArrays):
        raise InvalidOptionError(f"out cannot be {type(out).__name__}: give the arrays that arrays() returns.")
    for name, (shape, dtype) in _shapes(count, size, seats).items():
        array = getattr(out, name)
        if array.shape != shape or array.dtype != dtype or not array.flags.carray:
            raise InvalidOptionError(
                f"out.{name} must be a contiguous, aligned, writable {np.dtype(dtype)} array of shape {shape}, not "
                f"{array.dtype} of shape {array.shape}: use the arrays that arrays() returns."
            )
    return out


def has_kept_form(out: BatchArrays, count: int, size: int, seats: int) -> bool:
    """Return whether arrays once checked still have their shapes and may be written: numpy can change both in place."""
    single = (count,)
    return (
        out.observations_BS.shape == (count, size)
        and out.masks_BA.shape == (count, NUM_ACTIONS)
        and out.rewards_BN.shape == (count, seats)
        and out.to_move_B.shape == out.terminated_B.shape == out.truncated_B.shape == single
        and out.observations_BS.flags.writeable
        and out.masks_BA.flags.writeable
        and out.to_move_B.flags.writeable
        and out.rewards_BN.flags.writeable
        and out.terminated_B.flags.writeable
        and out.truncated_B.flags.writeable
    )


def checked_ints(
    name: str, values: object, count: int | None, *, low: int = -(2**63), high: int = MAX_SEED
) -> NDArray[np.int64]:
    """Return whole numbers, one for each game, as a fresh contiguous array; any number of them if `count` is None.

    A copy, so that what was looked at is what kernels read, whoever writes into the original meanwhile.

    Raises:
        InvalidOptionError: If they are something else, too many or too few, or out of range.
    """
    is_any = low == -(2**63) and high == MAX_SEED
    if is_any and isinstance(values, np.ndarray) and values.dtype == np.int64 and values.shape == (count,):
        return np.array(values, order="C", subok=False)
    try:
        given = np.asarray(values)
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(f"{name} must be whole numbers, one for each game ({error}).") from error
    wanted = f"{name} must be whole numbers" if count is None else f"{name} must be {count} whole numbers"
    if given.ndim != 1 or given.dtype.kind not in "iu" or len(given) != (len(given) if count is None else count):
        raise InvalidOptionError(f"{wanted} in one row, not {given.dtype} of shape {given.shape}.")
    if (
        not (is_any and given.dtype.kind == "i")
        and len(given)
        and not low <= int(given.min()) <= int(given.max()) <= high
    ):
        raise InvalidOptionError(f"{wanted} from {low} to {high}, not from {given.min()} to {given.max()}.")
    return np.array(given, np.int64, order="C", subok=False)
