"""What observations are turned into before the first layer: numbers of about the same size.

A section's own bounds will not do: lives may be 100 by the rules and are three, and a hand of 27 must look different
from one of 28. So each number is scaled by what it is in play, and the two that every decision hangs on are centred.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trente_env.encoding.sections import EVENT_EXTRA, NUM_OBSERVED_EVENTS, ObservationSpec

__all__ = ["SCALING", "centres_and_scales"]

SCALING: Final = 1
"""Version of these numbers: weights are worth nothing under others."""
_CENTRES: Final = {"hand_value": 40, "reachable_value": 40}
"""Half points of a middling hand."""
_UNITS: Final = {
    "value_without": 16, "hand_value": 8, "reachable_value": 8, "suit_totals": 10, "lives": 2, "points": 8, "turns": 4,
    "stock_size": 26, "last_turns": 2, "passes": 2, "round": 16, "rules": 64,
}  # fmt: skip
"""How much of a section's number becomes 1; 1 where it is not named."""
_UNIT_OF_RANK: Final = 8
"""The same for the rank of an event's card, the last number of the event."""


def centres_and_scales(spec: ObservationSpec) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return what to subtract from each number of an observation, and what then to multiply it by."""
    centres, scales = np.zeros(spec.size, np.float32), np.ones(spec.size, np.float32)
    for name, unit in _UNITS.items():
        scales[spec[name]] = 1.0 / unit
    for name, centre in _CENTRES.items():
        centres[spec[name]] = centre
    length = spec.seats + EVENT_EXTRA
    start = spec["events"].start
    scales[start + length - 1 : start + NUM_OBSERVED_EVENTS * length : length] = 1.0 / _UNIT_OF_RANK
    return centres, scales
