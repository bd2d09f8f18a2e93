"""Everything that chance decides, as a parameter: who deals first, and the order of the cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tests.oracle.cards import RANK_ORDER, SUIT_ORDER, rank_of, suit_of


class Chance(Protocol):
    """What a game asks of chance."""

    def first_dealer(self, seats: Sequence[int]) -> int:
        """Choose the first dealer among the seats in the game (R7)."""

    def order(self, deal: int, reshuffle: int, cards: Sequence[str]) -> list[str]:
        """Return the order, top first, of a stock made of `cards`.

        Args:
            deal: Number of the deal in this game, from 1; those that R9 deals again are counted too.
            reshuffle: 0 at the deal, 1 and on after each reshuffle of that deal (R17).
            cards: The cards, clubs to spades and low ranks first.
        """


@dataclass
class RandomChance:
    """Fair chance from a seed."""

    seed: int

    def first_dealer(self, seats: Sequence[int]) -> int:
        """Choose any seat."""
        return random.Random(f"{self.seed} dealer").choice(list(seats))

    def order(self, deal: int, reshuffle: int, cards: Sequence[str]) -> list[str]:
        """Shuffle the cards."""
        ordered = list(cards)
        random.Random(f"{self.seed} {deal} {reshuffle}").shuffle(ordered)
        return ordered


def in_deck_order(cards: Sequence[str]) -> list[str]:
    """Return cards in the order of the deck: clubs to spades, low ranks first."""
    return sorted(cards, key=lambda card: (SUIT_ORDER.index(suit_of(card)), RANK_ORDER.index(rank_of(card))))
