"""The points game (R30 to R32)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.oracle.table import Ending


def points_of(values: Mapping[int, int], ending: Ending) -> dict[int, int]:
    """Return the points that each scoring seat of the round gains.

    Args:
        values: Half points of every seat in the round.
        ending: How the round ended.
    """
    if ending.holders:
        return dict.fromkeys(ending.holders, 1)  # R30: holders of a 31, and nobody else
    highest = max(values.values())
    tied = [seat for seat, value in values.items() if value == highest]
    if len(tied) > 1 and ending.knocker in tied:
        tied.remove(ending.knocker)  # R31: the knocker loses the tie
    return dict.fromkeys(tied, 1)


def winner_on_points(rules: Any, points: Sequence[int]) -> int | None:
    """R32: the only seat with the most points, if they reach the target."""
    most = max(points)
    leaders = [seat for seat, scored in enumerate(points) if scored == most]
    return leaders[0] if len(leaders) == 1 and most >= rules.target_points else None
