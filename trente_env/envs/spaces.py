"""The spaces of the environments, made from the layouts of observation and state."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from trente_env.core.actions import NUM_ACTIONS
from trente_env.encoding.sections import ObservationSpec


def box_of(spec: ObservationSpec, dtype: str = "int8") -> spaces.Box:
    """Return the box of a layout's numbers, each with its own range."""
    kind = np.dtype(dtype)
    return spaces.Box(spec.lows.astype(kind), spec.highs.astype(kind), dtype=kind.type)


def masked_space(spec: ObservationSpec, dtype: str = "int8") -> spaces.Dict[Any]:
    """Return the space of observations with an action mask."""
    return spaces.Dict({"observation": box_of(spec, dtype), "action_mask": spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)})
