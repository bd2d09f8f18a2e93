"""Hand values in half points (section B)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trente_env._jit import JIT_ENABLED, kernel
from trente_env.cards import NUM_RANKS, POINTS
from trente_env.core.layout import STYLE_EXCHANGE

SUIT_BITS: Final = (1 << NUM_RANKS) - 1
ACE_BITS: Final = sum(1 << (suit * NUM_RANKS + NUM_RANKS - 1) for suit in range(4))


def _suit_totals() -> Any:
    """R1: the points of every set of ranks of one suit."""
    totals = [sum(POINTS[rank] for rank in range(NUM_RANKS) if ranks >> rank & 1) for ranks in range(SUIT_BITS + 1)]
    return np.array(totals, np.int8) if JIT_ENABLED else totals


SUIT_TOTALS: Final = _suit_totals()
"""Points of each set of ranks of one suit, by the set's 13 bits."""


@kernel(inline=True)
def suit_points(hand: int, suit: int) -> int:
    """R1: the points of one suit's cards in a hand."""
    return 0 + SUIT_TOTALS[(hand >> (suit * NUM_RANKS)) & SUIT_BITS]


@kernel(inline=True)
def has_three_of_a_kind(hand: int) -> bool:
    """R3: whether three or four cards share a rank, suits irrelevant."""
    clubs = hand & SUIT_BITS
    diamonds = (hand >> NUM_RANKS) & SUIT_BITS
    hearts = (hand >> (2 * NUM_RANKS)) & SUIT_BITS
    spades = (hand >> (3 * NUM_RANKS)) & SUIT_BITS
    return ((clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))) != 0


@kernel(inline=True)
def has_three_aces(hand: int) -> bool:
    """R48: whether a hand holds three aces."""
    aces = hand & ACE_BITS
    rest = aces & (aces - 1)
    return (rest & (rest - 1)) != 0


@kernel
def hand_half_points(hand: int, three_of_a_kind: int, three_aces: int) -> int:
    """R2: a hand is worth its best total in one suit; R3, R48: or what its three of a kind counts.

    Args:
        hand: The cards held, as a set. More than a full hand is valued as it lies.
        three_of_a_kind: What three of a kind counts, in half points.
        three_aces: What three aces count, in half points (0: no special value).
    """
    best = max(suit_points(hand, 0), suit_points(hand, 1), suit_points(hand, 2), suit_points(hand, 3))
    value = 2 * best
    if value < three_of_a_kind and has_three_of_a_kind(hand):
        value = three_of_a_kind
    if three_aces > 0 and has_three_aces(hand):
        value = three_aces
    return value


@kernel(inline=True)
def three_within(hand: int, three_of_a_kind: int) -> int:
    """Return what three of a kind counts for hands within `hand`: 0 if there is none in it, so looked for just once."""
    return three_of_a_kind if has_three_of_a_kind(hand) else 0


@kernel(inline=True)
def seat_value(game: Any, rules: Any, seat: int) -> int:
    """Return the value of a seat's hand in half points."""
    return hand_half_points(game.hands[seat], rules.three_of_a_kind, rules.three_aces)


@kernel
def value_after_best_discard(hand: int, may_discard: int, three_of_a_kind: int, three_aces: int) -> int:
    """Return the best value left after discarding one of `may_discard` from a hand one card too large.

    Args:
        hand: The cards held, as a set.
        may_discard: Those that may be discarded; 0 gives -1.
        three_of_a_kind: See `hand_half_points`.
        three_aces: See `hand_half_points`.
    """
    best = -1
    three = three_within(hand, three_of_a_kind)
    rest = may_discard
    while rest != 0:
        card = rest & -rest
        rest ^= card
        best = max(best, hand_half_points(hand ^ card, three, three_aces))
    return best


@kernel(inline=True)
def ends_round(game: Any, rules: Any, seat: int) -> bool:
    """R15, R44, R48: whether a seat's full hand is a 31 (or three aces where they count more)."""
    return seat_value(game, rules, seat) >= rules.top_half_points


@kernel
def shows_all_losing(rules: Any, half_points: int) -> bool:
    """R15: whether a 31 costs every other seat a life. In the exchange game only three aces do (R44, R48)."""
    return rules.play_style != STYLE_EXCHANGE or half_points > rules.top_half_points
