"""Every legal action alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.registry import refuse_argument
from trente_env.policy import check_asked

__all__ = ["RandomPolicy", "make_random"]


@dataclass(frozen=True)
class RandomPolicy:
    """Choose uniformly among the legal actions, whatever the position."""

    name: str = "random"
    """What match tables call it."""

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:
        """Give every legal action the same probability."""
        check_asked(views_B, masks_BA)
        legal_BA = (masks_BA != 0).astype(np.float32)
        shares_BA: NDArray[np.float32] = legal_BA / legal_BA.sum(axis=1, keepdims=True)
        return shares_BA


def make_random(argument: str) -> RandomPolicy:
    """Return the policy `random`; it takes no argument."""
    refuse_argument("random", argument)
    return RandomPolicy()
