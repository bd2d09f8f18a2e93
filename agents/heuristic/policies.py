"""The heuristics as policies: one kernel loop over the views fills the probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.heuristic.adaptive import choose_adaptively
from agents.heuristic.by_value import NEVER, choose_by_value
from agents.heuristic.hands import legal_bits
from agents.heuristic.seeds import choose_by_tips
from agents.heuristic.tables import KNOCK_AT, WORTH
from agents.registry import refuse_argument
from trente_env._jit import JIT_ENABLED, kernel
from trente_env.core.layout import Rows, from_array
from trente_env.errors import InvalidOptionError, is_list
from trente_env.policy import check_asked

__all__ = ["AdaptivePolicy", "SeedsPolicy", "ValuePolicy", "make_adaptive", "make_greedy", "make_knock", "make_seeds"]

LEAST_KNOCK, HIGHEST_KNOCK = 2.0, 41.0
"""Points: the values that a hand can have, the four-card game included."""


@kernel
def fill_by_value(views: Any, masks_BA: Any, knock_at: int, probabilities_BA: Any) -> None:
    """Write the choices of a player who goes by value."""
    for row in range(len(views)):
        legal = legal_bits(masks_BA, row)
        if legal != 0:
            probabilities_BA[row, choose_by_value(views[row], legal, knock_at)] = 1.0


@kernel
def fill_adaptively(views: Any, masks_BA: Any, worth: Any, knock_at: Any, probabilities_BA: Any) -> None:
    """Write the choices of `adaptive`."""
    for row in range(len(views)):
        legal = legal_bits(masks_BA, row)
        if legal != 0:
            probabilities_BA[row, choose_adaptively(views[row], legal, worth, knock_at)] = 1.0


@kernel
def fill_by_tips(views: Any, masks_BA: Any, probabilities_BA: Any) -> None:
    """Write the choices of `seeds`."""
    for row in range(len(views)):
        legal = legal_bits(masks_BA, row)
        if legal != 0:
            probabilities_BA[row, choose_by_tips(views[row], legal)] = 1.0


def view_rows(views_B: NDArray[np.void]) -> Rows:
    """Return views in the one form that the kernels are compiled for; copied only where they are not in it."""
    return np.require(views_B, requirements=["C", "W"]) if JIT_ENABLED else from_array(views_B)


def mask_rows(masks_BA: NDArray[Any]) -> NDArray[np.int8]:
    """Return masks in the one form that the kernels are compiled for."""
    return np.require(masks_BA, np.int8, requirements=["C", "W"])


@dataclass(frozen=True)
class ValuePolicy:
    """Go by the hand's value alone: `greedy` and `knock@T` (`by_value.py` says how)."""

    name: str = "greedy"
    """What match tables call it."""
    knock_at: int = NEVER
    """Half points at which it opens the last lap."""

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:
        """Give the chosen action all the weight."""
        check_asked(views_B, masks_BA)
        probabilities_BA = np.zeros(masks_BA.shape, np.float32)
        fill_by_value(view_rows(views_B), mask_rows(masks_BA), self.knock_at, probabilities_BA)
        return probabilities_BA


@dataclass(frozen=True)
class AdaptivePolicy:
    """Go by what a hand promises in this situation (`adaptive.py` says how)."""

    name: str = "adaptive"
    """What match tables call it."""

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:
        """Give the chosen action all the weight."""
        check_asked(views_B, masks_BA)
        probabilities_BA = np.zeros(masks_BA.shape, np.float32)
        fill_adaptively(view_rows(views_B), mask_rows(masks_BA), WORTH, KNOCK_AT, probabilities_BA)
        return probabilities_BA


@dataclass(frozen=True)
class SeedsPolicy:
    """Go by the printed tips (`seeds.py` says how)."""

    name: str = "seeds"
    """What match tables call it."""

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:
        """Give the chosen action all the weight."""
        check_asked(views_B, masks_BA)
        probabilities_BA = np.zeros(masks_BA.shape, np.float32)
        fill_by_tips(view_rows(views_B), mask_rows(masks_BA), probabilities_BA)
        return probabilities_BA


def make_greedy(argument: str) -> ValuePolicy:
    """Return the policy `greedy`, which never knocks; it takes no argument."""
    refuse_argument("greedy", argument)
    return ValuePolicy()


def make_knock(argument: str) -> ValuePolicy:
    """Return the policy `knock@T`, which knocks at T points or more.

    Args:
        argument: The points, whole or half: "27", "30.5".

    Raises:
        InvalidOptionError: If it is no such number, or no hand can be worth it.
    """
    try:
        points = float(argument if is_list([argument], str) else "nan")
    except ValueError:
        points = math.nan
    if not LEAST_KNOCK <= points <= HIGHEST_KNOCK or points * 2 != int(points * 2):
        raise InvalidOptionError(
            f"knock@T knocks at T points or more, and {argument!r} is no such number: write whole or half points from "
            f"{LEAST_KNOCK:g} to {HIGHEST_KNOCK:g}, as in 'knock@27' or 'knock@30.5'."
        )
    return ValuePolicy(f"knock@{points:g}", int(points * 2))


def make_adaptive(argument: str) -> AdaptivePolicy:
    """Return the policy `adaptive`; it takes no argument."""
    refuse_argument("adaptive", argument)
    return AdaptivePolicy()


def make_seeds(argument: str) -> SeedsPolicy:
    """Return the policy `seeds`; it takes no argument."""
    refuse_argument("seeds", argument)
    return SeedsPolicy()
