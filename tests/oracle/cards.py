"""Cards as text ("As", "10h") and what hands of them are worth, in half points (R1 to R5, R48)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

RANK_ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_ORDER = "cdhs"


def rank_of(card: str) -> str:
    """Return a card's rank: "10" of "10h"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """Return a card's suit: "h" of "10h"."""
    return card[-1]


def points_of_rank(rank: str) -> int:
    """R1: an ace is worth 11; a king, queen, jack or ten 10; every other card its number."""
    if rank == "A":
        return 11
    if rank in {"K", "Q", "J", "10"}:
        return 10
    return int(rank)


def ranks_in(rules: Any) -> list[str]:
    """Return the ranks of the deck, lowest first (`Rules.ranks` writes the ten as T)."""
    return [rank for rank in RANK_ORDER if ("T" if rank == "10" else rank) in rules.ranks]


def deck(rules: Any) -> list[str]:
    """R5: every card of the chosen ranks and suits, once; clubs, diamonds, hearts, spades, low ranks first."""
    return [rank + suit for suit in SUIT_ORDER if suit in rules.suits for rank in ranks_in(rules)]


def suited_total(hand: Iterable[str]) -> int:
    """R2: the points of the hand's best suit; cards of the other suits add nothing."""
    totals = dict.fromkeys(SUIT_ORDER, 0)
    for card in hand:
        totals[suit_of(card)] += points_of_rank(rank_of(card))
    return max(totals.values())


def top_total(rules: Any) -> int:
    """R4: the largest total that a full hand of one suit can have in this deck: 31 in the usual game."""
    points = sorted((points_of_rank(rank) for rank in ranks_in(rules)), reverse=True)
    return sum(points[: rules.hand_size])


def is_31(hand: Iterable[str], rules: Any) -> bool:
    """R4: whether a full hand is a "31", the largest total that the deck allows."""
    cards = list(hand)
    return len(cards) == rules.hand_size and suited_total(cards) == top_total(rules)


def is_three_aces(hand: Iterable[str], rules: Any) -> bool:
    """R48: whether a hand is three aces where they count apart."""
    return rules.three_aces > 0 and [rank_of(card) for card in hand] == ["A", "A", "A"]


def three_of_a_kind(rules: Any) -> int:
    """R3: what three of a kind is worth; R4: nothing where it would reach the top (two cards or suits have none)."""
    return 0 if rules.three_of_a_kind >= 2 * top_total(rules) else int(rules.three_of_a_kind)


def half_points(hand: Iterable[str], rules: Any) -> int:
    """Return the value of a hand in half points: the best of R2, R3 and (exchange game) R48."""
    cards = list(hand)
    value = 2 * suited_total(cards)
    ranks = [rank_of(card) for card in cards]
    if any(ranks.count(rank) >= 3 for rank in ranks):  # R4: four of a kind in a hand of four count the same
        value = max(value, three_of_a_kind(rules))
    if is_three_aces(cards, rules):
        value = max(value, int(rules.three_aces))
    return value
