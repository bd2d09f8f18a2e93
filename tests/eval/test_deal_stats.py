"""Deals counted through the engine's dealing kernel and compared with the constants of R6."""

from __future__ import annotations

import math

import pytest

from eval.deal_stats import DECKS, DealStatistics, HandFigures, deal_statistics, deals_table, exact_figures, main
from trente_env import preset
from trente_env._jit import JIT_ENABLED
from trente_env.errors import InvalidOptionError

R6 = {
    "52 cards": (22_100, 24, 52, 13.1425),
    "40 cards": (9_880, 12, 40, 12.4502),
    "36 cards": (7_140, 24, 36, 15.3303),
    "32 cards": (4_960, 24, 32, 15.8040),
    "52 cards, hands of four": (270_725, 16, 2_509, 16.0779),
}
"""Hands, 31s, three of a kind, mean."""
NUM_DEALS = 100_000 if JIT_ENABLED else 2_000


def figures(*counts: int) -> HandFigures:
    """Return figures of hands worth 1, 2, … points, so many of each."""
    by_value = {2 * points: count for points, count in enumerate(counts, 1)}
    return HandFigures(num_hands=sum(counts), num_31=counts[-1], num_three_of_a_kind=0, counts=by_value)


@pytest.mark.parametrize("deck", R6)
def test_every_hand_counted_gives_the_constants_of_r6(deck: str) -> None:
    """R6: counted hand by hand, a deck has the known number of hands, 31s and three of a kind, and mean value."""
    exact = exact_figures(DECKS[deck])
    assert (exact.num_hands, exact.num_31, exact.num_three_of_a_kind, round(exact.mean, 4)) == R6[deck]


@pytest.mark.parametrize("deck", R6)
def test_deals_are_fair(deck: str) -> None:
    """R6: counts of 31s and of three of a kind, the mean, the counts by value and by card are within sampling error."""
    found = deal_statistics(DECKS[deck], NUM_DEALS, seed=3)
    assert found.dealt.num_hands == NUM_DEALS
    assert sum(found.card_counts) == NUM_DEALS * DECKS[deck].hand_size
    assert {name: z for name, z in found.z_scores.items() if abs(z) > 3.5} == {}


def test_deals_follow_from_the_seed() -> None:
    """The same seed counts the same deals, another seed others."""
    first, again, other = (deal_statistics(preset("quebec"), 1_000, seed) for seed in (5, 5, 6))
    assert first == again
    assert first.dealt != other.dealt


def test_z_scores_are_differences_in_standard_deviations() -> None:
    """Of two equally likely values, 60 of 100 is two deviations too many, for the count and for the mean."""
    found = DealStatistics(exact=figures(1, 1), dealt=figures(40, 60), card_counts=(100, 100, 100), seed=0)
    assert found.z_31 == pytest.approx(2)
    assert found.z_mean == pytest.approx(2)
    assert found.chi_square_of_values == pytest.approx(4)
    assert found.value_freedom == 1
    assert found.z_three_of_a_kind == 0  # impossible, and none: no difference


def test_chi_square_of_cards_allows_for_hands() -> None:
    """One card a hand is the ordinary chi-square; with two of three cards, which are less free, it is scaled up."""
    one = DealStatistics(exact=figures(1, 1), dealt=figures(30, 30), card_counts=(25, 20, 15), seed=0)
    assert one.chi_square_of_cards == pytest.approx(25 / 20 + 25 / 20)
    two = DealStatistics(exact=figures(1, 1), dealt=figures(30, 30), card_counts=(45, 40, 35), seed=0)
    assert two.chi_square_of_cards == pytest.approx((25 / 40 + 25 / 40) * 2)
    assert two.card_freedom == 2


def test_z_of_a_chi_square_is_near_zero_where_it_is_expected() -> None:
    """A chi-square at its median has a z near zero; one at the 99.87th percentile of 29 degrees has one near three."""
    counts = [100] * 30
    median = DealStatistics(exact=figures(*counts), dealt=_with_chi_square(counts, 28.336), card_counts=(1, 1), seed=0)
    assert median.z_values == pytest.approx(0, abs=0.01)
    high = DealStatistics(exact=figures(*counts), dealt=_with_chi_square(counts, 56.6), card_counts=(1, 1), seed=0)
    assert high.z_values == pytest.approx(3, abs=0.1)


def _with_chi_square(counts: list[int], chi_square: float) -> HandFigures:
    """Return a sample of the same size, one value more frequent and one less, with a given chi-square."""
    shift = math.sqrt(chi_square * counts[0] / 2)
    changed = {2: counts[0] + shift, 4: counts[1] - shift}
    by_value = {2 * points: changed.get(2 * points, count) for points, count in enumerate(counts, 1)}
    return HandFigures(num_hands=sum(counts), num_31=0, num_three_of_a_kind=0, counts=by_value)  # type: ignore[arg-type]


@pytest.mark.parametrize(("num_deals", "seed"), [(0, 1), (True, 1), (10, -1), (10, 2**63), (1.5, 1)])
def test_impossible_numbers_are_refused(num_deals: int, seed: int) -> None:
    """A number of deals below one, or a seed outside its range, is refused before anything is dealt."""
    with pytest.raises(InvalidOptionError, match="cannot be"):
        deal_statistics(preset("quebec"), num_deals, seed)


def test_main_prints_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    """The command prints a line a deck and, under the table, how to make it again."""
    main(["500", "4"])
    printed = capsys.readouterr().out
    assert printed == deals_table(500, 4) + "\n"
    assert all(f"| {deck} |" in printed for deck in DECKS)
    assert "python -m eval.deal_stats 500 4" in printed


@pytest.mark.parametrize("arguments", [["many"], ["1", "2", "3"], ["-5"]])
def test_main_refuses_what_is_no_number(arguments: list[str]) -> None:
    """Arguments that are no whole numbers, or too many, are refused with an example."""
    with pytest.raises(InvalidOptionError, match="as in 1000000 1"):
        main(arguments)
