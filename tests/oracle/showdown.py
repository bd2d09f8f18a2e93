"""Who loses how many lives when a round ends (R15, R16, R44, R45, R48)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.oracle.table import Ending


def losses_of(rules: Any, values: Mapping[int, int], ending: Ending) -> dict[int, int]:
    """Return the lives that each losing seat of the round loses.

    Args:
        rules: The rules.
        values: Half points of every seat in the round.
        ending: How the round ended.
    """
    if ending.holders:
        return {seat: 1 for seat in values if seat not in ending.holders}  # R15, R48: all others lose one
    lowest = min(values.values())
    tied = [seat for seat, value in values.items() if value == lowest]
    if rules.play_style == "exchange":
        return dict.fromkeys(tied, 1)  # R45
    losses = dict.fromkeys(tied, 1)  # R16
    if ending.knocker in losses:
        knocker_loses = penalty(rules, is_tied=len(tied) > 1)
        losses[ending.knocker] = knocker_loses
        if knocker_loses == 0:
            del losses[ending.knocker]
    return losses


def penalty(rules: Any, *, is_tied: bool) -> int:
    """R16: what a knocker with the lowest hand loses."""
    if not is_tied:
        return int(rules.failed_knock_penalty)
    return {"spared": 0, "doubled": int(rules.failed_knock_penalty), "shares": 1}[str(rules.knocker_tie)]


def is_void(rules: Any, values: Mapping[int, int]) -> bool:
    """R45: all hands are equal in the exchange game."""
    return rules.play_style == "exchange" and len(set(values.values())) == 1
