from __future__ import annotations

import numpy as np
import pytest

from eval import stats
from trente_env.errors import InvalidOptionError


def _clustered(generator: np.random.Generator, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Return events and trials by deal: deals differ in luck and in length, and their trials share the luck."""
    luck_D = generator.beta(2, 3, size=deals)
    trials_D = generator.integers(1, 12, size=deals)
    return generator.binomial(trials_D, luck_D).astype(float), trials_D.astype(float)


def test_interval_of_a_ratio_holds_the_truth_as_often_as_it_says() -> None:
    """Over many synthetic matches with correlated games, about 95 % of the intervals hold the true ratio."""
    generator = np.random.default_rng(1)
    trials, hits = 400, 0
    for trial in range(trials):
        estimate = stats.ratio(*_clustered(generator, 150), seed=trial, resamples=1_000)
        hits += not estimate.excludes(2 / 5)
    assert 0.92 <= hits / trials <= 0.98


def test_interval_that_ignores_deals_would_hold_the_truth_too_rarely() -> None:
    """The same games taken one by one, as if independent, give intervals that miss far more often: deals matter."""
    generator = np.random.default_rng(2)
    trials, hits = 200, 0
    for trial in range(trials):
        wins_D, games_D = _clustered(generator, 150)
        events = np.repeat([1.0, 0.0], [int(wins_D.sum()), int((games_D - wins_D).sum())])
        estimate = stats.ratio(events, np.ones(len(events)), seed=trial, resamples=1_000)
        hits += not estimate.excludes(2 / 5)
    assert hits / trials < 0.9


def test_paired_difference_holds_the_truth_and_is_narrower_than_two_intervals() -> None:
    """What two agents share on a deal cancels: about 95 % coverage at a fraction of the width."""
    generator = np.random.default_rng(3)
    trials, hits = 200, 0
    widths = []
    for trial in range(trials):
        luck_D = generator.normal(0, 1, size=120)
        first_D, second_D = luck_D + generator.normal(0.2, 0.2, 120), luck_D + generator.normal(0, 0.2, 120)
        difference = stats.paired_difference(first_D, second_D, seed=trial, resamples=1_000)
        hits += not difference.excludes(0.2)
        alone = stats.ratio(first_D, np.ones(120), seed=trial, resamples=1_000)
        widths.append((difference.high - difference.low) / (alone.high - alone.low))
    assert 0.92 <= hits / trials <= 0.98
    assert np.mean(widths) < 0.5


def test_sampling_different_rows_is_the_same_as_sampling_deals() -> None:
    """The multinomial over different rows has the mean and spread of drawing deals with replacement."""
    generator = np.random.default_rng(4)
    columns_DK = np.column_stack(_clustered(generator, 60))
    fast_RK = stats.resampled_sums(columns_DK, seed=1, resamples=20_000)
    naive_RK = columns_DK[generator.integers(60, size=(20_000, 60))].sum(axis=1)
    np.testing.assert_allclose(fast_RK.mean(axis=0), naive_RK.mean(axis=0), rtol=0.005)
    np.testing.assert_allclose(np.cov(fast_RK.T), np.cov(naive_RK.T), rtol=0.06)


def test_no_variation_between_deals_is_no_interval() -> None:
    """Equal policies score the same in every deal, and the interval is that number."""
    assert stats.share(np.full(50, 1.0), np.full(50, 2.0)) == stats.Estimate(0.5, 0.5, 0.5)


@pytest.mark.parametrize("wins", [0.0, 2.0])
def test_winning_everything_is_not_certainty(wins: float) -> None:
    """Where nothing varies because all was won or lost, the exact binomial bound over deals is the other end."""
    estimate = stats.share(np.full(50, wins), np.full(50, 2.0))
    bound = 0.025 ** (1 / 50)
    ends = (0.0, 1 - bound) if wins == 0 else (bound, 1.0)
    assert estimate.interval == pytest.approx(ends)


def test_the_same_seed_gives_the_same_interval() -> None:
    """An interval is a function of numbers and seed."""
    columns = _clustered(np.random.default_rng(5), 80)
    assert stats.ratio(*columns, seed=7) == stats.ratio(*columns, seed=7)
    assert stats.ratio(*columns, seed=7) != stats.ratio(*columns, seed=8)


def test_order_of_deals_does_not_matter() -> None:
    """Deals are a set: shuffling them changes no interval."""
    wins_D, games_D = _clustered(np.random.default_rng(6), 80)
    order = np.random.default_rng(7).permutation(80)
    assert stats.ratio(wins_D, games_D, seed=1) == stats.ratio(wins_D[order], games_D[order], seed=1)


def test_many_deals_are_no_slower_than_their_different_results() -> None:
    """A million deals with few different results are resampled within memory and a few seconds."""
    wins_D = np.random.default_rng(8).integers(0, 3, size=1_000_000).astype(float)
    estimate = stats.share(wins_D, np.full(1_000_000, 2.0))
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * np.sqrt(2 / 3) / 2 / 1_000, rel=0.1)


@pytest.mark.parametrize(
    ("numerators", "denominators", "resamples", "reason"),
    [
        ([1.0], [1.0], 2_000, "at least 2 deals"),
        ([1.0, 0.0], [1.0, 0.0], 2_000, "positive denominator"),
        ([1.0, 0.0], [1.0, 1.0], 10, "at least 1000"),
    ],
)
def test_intervals_that_would_mean_nothing_are_refused(
    numerators: list[float], denominators: list[float], resamples: int, reason: str
) -> None:
    """One deal, an empty deal, or a handful of resamples give an error that says what is missing."""
    with pytest.raises(InvalidOptionError, match=reason):
        stats.ratio(np.array(numerators), np.array(denominators), resamples=resamples)


def test_paired_difference_needs_the_same_deals() -> None:
    """Two matches of different length cannot be paired."""
    with pytest.raises(InvalidOptionError, match="same deals"):
        stats.paired_difference(np.ones(3), np.ones(4))
