"""What a hand is worth and could become, from one seat's view: the arithmetic that all heuristics share."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trente_env._jit import JIT_ENABLED, kernel, lowest_bit
from trente_env.cards import NUM_CARDS, NUM_RANKS, POINTS
from trente_env.core.scoring import hand_half_points

CARD_BITS: Final = (1 << NUM_CARDS) - 1
"""Among legal actions: those that are cards."""


def _card_points() -> Any:
    """R1: the points of every card, by its id."""
    points = [POINTS[card % NUM_RANKS] for card in range(NUM_CARDS)]
    return np.array(points, np.int64) if JIT_ENABLED else points


CARD_POINTS: Final = _card_points()
"""Points of each card by its id."""


@kernel
def legal_bits(masks_BA: Any, row: int) -> int:
    """Return one row of the mask as bits."""
    bits = 0
    for action in range(masks_BA.shape[1]):
        if masks_BA[row, action] != 0:
            bits |= 1 << action
    return bits


@kernel
def value_of(view: Any, hand: int) -> int:
    """Return a hand's value in half points under the view's rules."""
    return hand_half_points(hand, view.three_of_a_kind, view.three_aces)


@kernel
def card_to_shed(view: Any, hand: int, may_shed: int) -> int:
    """Return the card of `may_shed` whose loss leaves the best hand; of equals the cheapest, then of lowest id."""
    best_card = -1
    best_value = -1
    best_points = 0
    rest = may_shed
    while rest != 0:
        card = lowest_bit(rest)
        rest &= rest - 1
        value = value_of(view, hand & ~(1 << card))
        points = 0 + CARD_POINTS[card]
        if value > best_value or (value == best_value and points < best_points):
            best_card = card
            best_value = value
            best_points = points
    return best_card


@kernel
def value_with(view: Any, card: int) -> int:
    """Return the best value in half points of a hand that keeps `card` and sheds another for it."""
    hand = view.hand | (1 << card)
    return value_of(view, hand & ~(1 << card_to_shed(view, hand, 0 + view.hand)))
