"""Stacked decks and moves in a row, for positions laid out by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset

HANDS = ["9s 8s 2d", "10h 9h 8h", "Ks Qs 5s"]
"""17, 27 and 25."""


@dataclass
class StackedChance:
    """A stacked deck: the cards named come first, in that order, the others follow in the order of the deck."""

    tops: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Cards on top by (deal, reshuffle), as in {(1, 0): "As Ks Qs"}."""
    dealer: int = 0

    def first_dealer(self, seats: Sequence[int]) -> int:
        """Choose the dealer named.

        Raises:
            ValueError: If that seat is not in the game.
        """
        if self.dealer not in seats:
            raise ValueError(f"seat {self.dealer} is not among {list(seats)}")
        return self.dealer

    def order(self, deal: int, reshuffle: int, cards: Sequence[str]) -> list[str]:
        """Put the cards named on top."""
        top = self.tops.get((deal, reshuffle), "").split()
        strangers = [card for card in top if card not in cards]
        if strangers:
            raise ValueError(f"deal {deal}, reshuffle {reshuffle}: {strangers} are not among {list(cards)}")
        return top + [card for card in cards if card not in top]


def drawing_deal(hands: Sequence[str], upcard: str = "", stock: str = "", *, dealer: int = 0) -> str:
    """Return the order of a deck that deals these hands (R10), then the upcard, then the stock.

    Args:
        hands: By seat; empty for a seat that is out.
        upcard: The first discard.
        stock: What is drawn after it.
        dealer: Who deals: the next seat with a hand is served first.
    """
    split = [hand.split() for hand in hands]
    served = [split[(dealer + 1 + step) % len(split)] for step in range(len(split))]
    rounds = zip(*(hand for hand in served if hand), strict=True)
    return " ".join([*(card for one_round in rounds for card in one_round), upcard, stock])


def stacked_game(rules: Any, *deals: str, dealer: int = 0, **options: Any) -> OracleGame:
    """Return a game whose deals begin with these cards."""
    tops = {(number, 0): top for number, top in enumerate(deals, start=1)}
    return OracleGame(rules, StackedChance(tops, dealer), **options)


def play(game: OracleGame, *names: str) -> OracleGame:
    """Apply actions in a row; return the same game."""
    for name in names:
        game.apply(name)
    return game


def three_player_game(name: str = "quebec", stock: str = "", hands: list[str] = HANDS, **changes: object) -> OracleGame:
    """Return a game of three: seat 0 deals, seat 1 begins, 4d is turned up."""
    return stacked_game(preset(name, num_players=3, **changes), drawing_deal(hands, "4d", stock))


def last(game: OracleGame) -> tuple[str, str, int | None, tuple[int, ...]]:
    """Return how the last round ended, its outcome, its knocker, and what was charged."""
    settled = game.rounds[-1]
    return settled.end, settled.outcome, settled.knocker, settled.losses
