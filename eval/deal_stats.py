"""Deals counted and compared with chance (R6).

`exact_figures` goes through every hand of a deck, `deal_statistics` through deals of the engine's own dealing kernel.
Both value a hand with the engine's own scoring kernel.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env import Rules, preset
from trente_env._jit import kernel
from trente_env.cards import NUM_CARDS
from trente_env.core import calls
from trente_env.core.deal import deal_cards, deal_to_others
from trente_env.core.layout import STYLE_EXCHANGE, ints, lower
from trente_env.core.rng import MAX_SEED, STREAM_BATCH, combine
from trente_env.core.scoring import has_three_of_a_kind, seat_value
from trente_env.errors import InvalidOptionError, is_whole
from trente_env.text import half_points_text

__all__ = ["DECKS", "DealStatistics", "HandFigures", "deal_statistics", "deals_table", "exact_figures", "main"]

DECKS: Final[Mapping[str, Rules]] = {
    "52 cards": preset("quebec"),
    "40 cards": preset("italian40"),
    "36 cards": preset("exchange"),
    "32 cards": preset("schwimmen", three_aces=0),
    "52 cards, hands of four": preset("four_card"),
}
"""The decks of R6, three of a kind counting 30½ and three aces nothing of their own."""

DEALS_PER_GAME: Final = 10
"""Deals counted of each game seed: both the seed and the number of the deal must make the cards anew."""
NUM_VALUES: Final = 128
"""More than the largest value of a hand in half points."""


@dataclass(frozen=True, slots=True)
class HandFigures:
    """What a number of hands are worth."""

    num_hands: int
    """How many hands."""
    num_31: int
    """Those that are a 31 in the sense of R4 (41 in hands of four)."""
    num_three_of_a_kind: int
    """Those with three or four cards of one rank (R3)."""
    counts: Mapping[int, int]
    """How many have each value, by half points, lowest first; values that no hand has are left out."""

    @property
    def mean(self) -> float:
        """Mean value in points."""
        return sum(half_points * count for half_points, count in self.counts.items()) / (2 * self.num_hands)

    @property
    def deviation(self) -> float:
        """Standard deviation of the value of one hand, in points."""
        squares = sum(half_points**2 * count for half_points, count in self.counts.items()) / (4 * self.num_hands)
        return math.sqrt(squares - self.mean**2)


@dataclass(frozen=True, slots=True)
class DealStatistics:
    """One hand of each of many deals, beside what chance would give.

    A z-score is the difference from the expected figure in standard deviations of that figure; those of the
    chi-squares are by Wilson and Hilferty's cube root. Where the deals are fair, one in 370 is beyond ±3.
    """

    exact: HandFigures
    """Every hand of the deck once."""
    dealt: HandFigures
    """The hands counted, one a deal."""
    card_counts: tuple[int, ...]
    """How many of those hands held each card of the deck, lowest id first."""
    seed: int
    """What the deals were drawn from."""

    @property
    def z_31(self) -> float:
        """z-score of the number of 31s."""
        return self._z_of_count(self.dealt.num_31, self.exact.num_31)

    @property
    def z_three_of_a_kind(self) -> float:
        """z-score of the number of hands with three of a kind."""
        return self._z_of_count(self.dealt.num_three_of_a_kind, self.exact.num_three_of_a_kind)

    @property
    def z_mean(self) -> float:
        """z-score of the mean value."""
        return (self.dealt.mean - self.exact.mean) * math.sqrt(self.dealt.num_hands) / self.exact.deviation

    @property
    def value_freedom(self) -> int:
        """Degrees of freedom of `chi_square_of_values`."""
        return len(self.exact.counts) - 1

    @property
    def chi_square_of_values(self) -> float:
        """Chi-square of the counts by value."""
        scale = self.dealt.num_hands / self.exact.num_hands
        return sum(
            (self.dealt.counts.get(half_points, 0) - scale * count) ** 2 / (scale * count)
            for half_points, count in self.exact.counts.items()
        )

    @property
    def z_values(self) -> float:
        """z-score of `chi_square_of_values`."""
        return _z_of_chi_square(self.chi_square_of_values, self.value_freedom)

    @property
    def card_freedom(self) -> int:
        """Degrees of freedom of `chi_square_of_cards`."""
        return len(self.card_counts) - 1

    @property
    def chi_square_of_cards(self) -> float:
        """Chi-square of how often each card was dealt to the hand, allowing for a hand holding no card twice."""
        deck, held = len(self.card_counts), sum(self.card_counts)
        expected = held / deck
        hand_size = held / self.dealt.num_hands
        variance = expected * (deck - hand_size) / (deck - 1)
        return sum((count - expected) ** 2 for count in self.card_counts) / variance

    @property
    def z_cards(self) -> float:
        """z-score of `chi_square_of_cards`."""
        return _z_of_chi_square(self.chi_square_of_cards, self.card_freedom)

    @property
    def z_scores(self) -> dict[str, float]:
        """Every z-score by name."""
        return {
            "31s": self.z_31, "three of a kind": self.z_three_of_a_kind, "mean": self.z_mean,
            "values": self.z_values, "cards": self.z_cards,
        }  # fmt: skip

    def _z_of_count(self, count: int, exact: int) -> float:
        chance = exact / self.exact.num_hands
        spread = math.sqrt(self.dealt.num_hands * chance * (1 - chance))
        return (count - self.dealt.num_hands * chance) / spread if spread else 0.0


def _z_of_chi_square(chi_square: float, freedom: int) -> float:
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


@kernel
def count_hands(games: Any, rules: Any, hands: Any, counts: Any) -> int:
    """Count given hands by value, as if seat 0 held them; return how many have three of a kind."""
    num_three_of_a_kind = 0
    game = games[0]
    for index in range(len(hands)):
        game.hands[0] = hands[index]
        counts[seat_value(game, rules[0], 0)] += 1
        if has_three_of_a_kind(game.hands[0]):
            num_three_of_a_kind += 1
    return num_three_of_a_kind


@kernel
def count_deals(games: Any, rules: Any, key: int, num_deals: int, counts: Any, cards: Any) -> int:
    """Deal and count one hand of each deal, dealer and seat changing in turn; return how many have three of a kind."""
    num_three_of_a_kind = 0
    game = games[0]
    num_players = 0 + rules[0].num_players
    game.in_game = (1 << num_players) - 1
    for number in range(num_deals):
        game.seed = combine(key, number // DEALS_PER_GAME)
        game.deal = number % DEALS_PER_GAME
        game.round = 0
        game.dealer = number // num_players % num_players
        deal_cards(game, rules[0])
        if rules[0].play_style == STYLE_EXCHANGE and game.table == 0:
            deal_to_others(game, rules[0])  # the dealer keeps
        seat = number % num_players
        counts[seat_value(game, rules[0], seat)] += 1
        if has_three_of_a_kind(game.hands[seat]):
            num_three_of_a_kind += 1
        for card in range(NUM_CARDS):
            cards[card] += (game.hands[seat] >> card) & 1
    return num_three_of_a_kind


def exact_figures(rules: Rules) -> HandFigures:
    """Return the figures of every hand of a deck, each counted once (R6)."""
    columns = np.array(list(itertools.combinations(rules.deck, rules.hand_size)), np.int64).T
    hands: NDArray[np.int64] = np.zeros(columns.shape[1], np.int64)
    for column in columns:
        hands |= np.int64(1) << column
    counts = ints(np.zeros(NUM_VALUES, np.int64))
    three = count_hands(calls.new_games(1), lower([rules]), ints(hands), counts)
    return _figures(rules, counts, int(three))


def deal_statistics(rules: Rules, num_deals: int = 1_000_000, seed: int = 1) -> DealStatistics:
    """Deal many times with the engine's own kernel, and count one hand of each deal.

    Args:
        rules: The rule set: its deck, its number of players, its values.
        num_deals: How many deals, ten of each game seed.
        seed: What the game seeds follow from, 0 to 2**63 - 1.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """
    if not is_whole(num_deals, 1, 2**40):
        raise InvalidOptionError(f"num_deals cannot be {num_deals!r}: give a whole number from 1.")
    if not is_whole(seed, 0, MAX_SEED):
        raise InvalidOptionError(f"seed cannot be {seed!r}: give a whole number from 0 to 2**63 - 1.")
    counts, cards = ints(np.zeros(NUM_VALUES, np.int64)), ints(np.zeros(NUM_CARDS, np.int64))
    key = combine(int(seed), STREAM_BATCH)
    three = count_deals(calls.new_games(1), lower([rules]), key, int(num_deals), counts, cards)
    return DealStatistics(
        exact=exact_figures(rules),
        dealt=_figures(rules, counts, int(three)),
        card_counts=tuple(int(cards[card]) for card in rules.deck),
        seed=int(seed),
    )


def _figures(rules: Rules, counts: Sequence[int], num_three_of_a_kind: int) -> HandFigures:
    by_value = {half_points: int(count) for half_points, count in enumerate(counts) if count}
    return HandFigures(
        num_hands=sum(by_value.values()),
        num_31=sum(count for half_points, count in by_value.items() if half_points >= rules.top_half_points),
        num_three_of_a_kind=num_three_of_a_kind,
        counts=by_value,
    )


def deals_table(num_deals: int = 1_000_000, seed: int = 1) -> str:
    """Return the deals of each deck of R6 beside the exact figures, with z-scores, as Markdown."""
    titles = (
        "deck", "31s: dealt, expected, z", "three of a kind: dealt, expected, z", "mean: dealt, exact, z",
        "values: χ² (df), z", "cards: χ² (df), z",
    )  # fmt: skip
    lines = [f"| {' | '.join(titles)} |", "| --- |" + " ---: |" * (len(titles) - 1)]
    for name, rules in DECKS.items():
        found = deal_statistics(rules, num_deals, seed)
        scale = num_deals / found.exact.num_hands
        three, exact_three = found.dealt.num_three_of_a_kind, found.exact.num_three_of_a_kind
        cells = [
            name,
            f"{found.dealt.num_31:,}, {found.exact.num_31 * scale:,.1f}, {found.z_31:+.2f}",
            f"{three:,}, {exact_three * scale:,.1f}, {found.z_three_of_a_kind:+.2f}",
            f"{found.dealt.mean:.4f}, {found.exact.mean:.4f}, {found.z_mean:+.2f}",
            f"{found.chi_square_of_values:.1f} ({found.value_freedom}), {found.z_values:+.2f}",
            f"{found.chi_square_of_cards:.1f} ({found.card_freedom}), {found.z_cards:+.2f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    command = f"python -m eval.deal_stats {num_deals} {seed}"
    return "\n".join([*lines, "", f"{num_deals:,} deals of each deck, seed {seed}: `{command}`"])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print `deals_table`. Arguments: the number of deals, and the seed.

    Raises:
        InvalidOptionError: If they are no whole numbers in range, or too many.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) > 2 or not all(text.isdecimal() for text in given):  # noqa: PLR2004 - deals and seed
        raise InvalidOptionError(f"Give a number of deals and a seed, as in 1000000 1, not {' '.join(given)!r}.")
    sys.stdout.write(deals_table(*map(int, given)) + "\n")


def constants_table() -> str:
    """Return R6's constants as Markdown: a line a deck, then the hands of three cards from 52 by value."""
    lines = ["| deck | hands | a 31 | three of a kind | mean |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, rules in DECKS.items():
        exact = exact_figures(rules)
        lines.append(
            f"| {name} | {exact.num_hands:,} | {exact.num_31} | {exact.num_three_of_a_kind:,} | {exact.mean:.4f} |"
        )
    counts = exact_figures(DECKS["52 cards"]).counts
    pairs = [f"{half_points_text(half_points)}: {count:,}" for half_points, count in counts.items()]
    by_value = [" · ".join(pairs[start : start + 10]) for start in range(0, len(pairs), 10)]
    return "\n".join([*lines, "", "Hands of three cards from 52, by value:", " ·\n".join(by_value)])


if __name__ == "__main__":
    main()
