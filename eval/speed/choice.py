"""Random legal actions, for records of play."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import kernel
from trente_env.core.rng import random_below

__all__ = ["Chooser", "choose_legal"]


@kernel
def choose_legal(masks_BA: Any, key: int, actions_B: Any) -> None:
    """Choose a legal action for each row; 0 where there is none."""
    for row in range(len(masks_BA)):
        count = 0
        for action in range(masks_BA.shape[1]):
            count += masks_BA[row, action]
        skipped = random_below(key, row, count)
        actions_B[row] = 0
        for action in range(masks_BA.shape[1]):
            if masks_BA[row, action] != 0:
                if skipped == 0:
                    actions_B[row] = action
                skipped -= 1


class Chooser:
    """Chooses among legal actions, all alike, by a seed."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self._generator = np.random.default_rng(seed)

    def actions(self, masks_BA: NDArray[np.int8]) -> NDArray[np.int64]:
        """Choose an action for each row of masks."""
        actions_B = np.zeros(len(masks_BA), np.int64)
        choose_legal(masks_BA, int(self._generator.integers(2**63)), actions_B)
        return actions_B

    def action(self, mask_A: NDArray[np.int8]) -> int:
        """Choose an action of one mask."""
        legal = np.flatnonzero(mask_A)
        return int(legal[self._generator.integers(len(legal))])

    def one_of(self, values: Any) -> Any:
        """Choose one of several values."""
        return values[int(self._generator.integers(len(values)))]
