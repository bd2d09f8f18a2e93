"""The engine's chance in the form the oracle asks for: chance is no rule, so both are given the same.

Nothing but the generator is used (`trente_env.core.rng`): which stocks there are, who deals and what is drawn from
them is the business of the rules on either side.
"""

from __future__ import annotations

from collections.abc import Sequence

from trente_env.cards import parse_card
from trente_env.core.rng import STREAM_DEALER, combine, random_below, shuffle_key


class SeedChance:
    """What a game's seed brings.

    Args:
        seed: The game's seed.
        num_players: Seats at the table, those that are out included.
    """

    def __init__(self, seed: int, num_players: int) -> None:
        self.seed = seed
        self.num_players = num_players
        self.last_deal = 0
        """Number of the last deal whose stock was asked for."""

    def first_dealer(self, seats: Sequence[int]) -> int:
        """R7: a seat drawn out of all at the table, or the next one clockwise that is among `seats`."""
        dealer = int(random_below(combine(self.seed, STREAM_DEALER), 0, self.num_players))
        while dealer not in seats:
            dealer = (dealer + 1) % self.num_players
        return dealer

    def order(self, deal: int, reshuffle: int, cards: Sequence[str]) -> list[str]:
        """Return the stock made of `cards`, top first: a Fisher-Yates shuffle from the top, lowest card id first."""
        key = shuffle_key(self.seed, deal, reshuffle)
        stock = sorted(cards, key=parse_card)
        for slot in range(len(stock)):
            other = slot + int(random_below(key, slot, len(stock) - slot))
            stock[slot], stock[other] = stock[other], stock[slot]
        self.last_deal = deal
        return stock
