"""Intervals for numbers that come from deals: bootstrap with the deal as the unit.

Games of one deal share their cards, so they are not independent; deals are. So deals, with all their games, are what
is drawn again (the cluster bootstrap: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, section
3.8), and ratios such as lives per round are ratios of sums over the deals drawn. Intervals are percentiles.

Deals with the same numbers are interchangeable, and a match has few different ones (a heads-up deal is won 0, 1 or 2
times). So instead of drawing every deal, how often each *different* row is drawn is sampled from one multinomial: the
same distribution, at a cost that hardly depends on the number of deals.

Axis letters: D deals, K columns, R resamples, U different rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env.errors import InvalidOptionError

__all__ = ["CONFIDENCE", "RESAMPLES", "Estimate", "paired_difference", "ratio", "resampled_sums", "share"]

CONFIDENCE: Final = 0.95
"""How often an interval should hold the truth."""
RESAMPLES: Final = 2_000
"""Resamples of an interval: its ends then vary by a few hundredths of its width from seed to seed."""
MIN_RESAMPLES: Final = 1_000
MIN_DEALS: Final = 2
_MAX_DRAWN_AT_ONCE: Final = 4_000_000
"""Counts held in memory at once while resampling."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval."""

    value: float
    low: float
    high: float

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends."""
        return self.low, self.high

    def excludes(self, number: float) -> bool:
        """Return whether the whole interval lies on one side of a number."""
        return number < self.low or number > self.high


def resampled_sums(columns_DK: Floats, *, seed: int, resamples: int = RESAMPLES) -> Floats:
    """Draw as many deals as there are, with replacement, and sum their rows; again and again.

    Args:
        columns_DK: Sums over each deal's games, one column a quantity.
        seed: Seeds the drawing.
        resamples: How often, at least `MIN_RESAMPLES`.

    Returns:
        (R, K) sums.

    Raises:
        InvalidOptionError: If there are fewer than two deals, or too few resamples.
    """
    num_deals, num_columns = columns_DK.shape
    if num_deals < MIN_DEALS:
        raise InvalidOptionError(f"An interval needs at least {MIN_DEALS} deals, not {num_deals}: play more.")
    if resamples < MIN_RESAMPLES:
        raise InvalidOptionError(f"resamples cannot be {resamples}: give at least {MIN_RESAMPLES}.")
    different_UK, counts_U = np.unique(columns_DK, axis=0, return_counts=True)
    shares_U = counts_U / num_deals
    generator = np.random.default_rng(seed)
    sums_RK = np.empty((resamples, num_columns))
    at_once = max(1, _MAX_DRAWN_AT_ONCE // len(different_UK))
    for start in range(0, resamples, at_once):
        size = min(at_once, resamples - start)
        sums_RK[start : start + size] = generator.multinomial(num_deals, shares_U, size=size) @ different_UK
    return sums_RK


def _estimate(
    columns_DK: Floats, statistic: Callable[[Any], Any], *, seed: int, resamples: int, confidence: float
) -> Estimate:
    """Return a statistic of the column sums and the percentiles of it over resamples."""
    sums_RK = resampled_sums(columns_DK, seed=seed, resamples=resamples)
    tail = (1 - confidence) / 2
    low, high = np.quantile(statistic(sums_RK.T), [tail, 1 - tail])
    return Estimate(float(statistic(columns_DK.sum(axis=0))), float(low), float(high))


def ratio(
    numerators_D: Floats,
    denominators_D: Floats,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate a ratio of two sums over deals, such as lives lost per round.

    Raises:
        InvalidOptionError: If a deal's denominator is not positive, or there are too few deals or resamples.
    """
    columns_DK = np.column_stack([numerators_D, denominators_D]).astype(np.float64)
    if not (columns_DK[:, 1] > 0).all():
        raise InvalidOptionError("A ratio by deal needs a positive denominator in every deal.")
    return _estimate(columns_DK, lambda sums: sums[0] / sums[1], seed=seed, resamples=resamples, confidence=confidence)


def share(
    parts_D: Floats,
    wholes_D: Floats,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate a share in 0 to 1, such as a win rate: a ratio whose interval is honest at the ends too.

    Where everything was won, or nothing, resampling shows no variation, and would claim certainty. There the interval
    is the exact binomial one (Clopper and Pearson, 1934) with the deal as the trial.
    """
    estimate = ratio(parts_D, wholes_D, seed=seed, resamples=resamples, confidence=confidence)
    room = 1 - ((1 - confidence) / 2) ** (1 / len(parts_D))
    if estimate.value <= 0:
        return Estimate(0.0, 0.0, room)
    if estimate.value >= 1:
        return Estimate(1.0, 1 - room, 1.0)
    return estimate


def paired_difference(
    first_D: Floats,
    second_D: Floats,
    wholes_D: Floats | None = None,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Estimate by how much the first is ahead of the second, both measured on the same deals.

    What the deals have in common cancels, so this interval is narrower than two separate ones suggest.

    Args:
        first_D: Sums of the first by deal.
        second_D: Sums of the second on the same deals.
        wholes_D: What both are divided by; 1 a deal if None.
        seed: Seeds the resampling.
        resamples: How many.
        confidence: How often the interval should hold the truth.
    """
    if len(first_D) != len(second_D):
        raise InvalidOptionError(f"A paired difference needs the same deals: got {len(first_D)} and {len(second_D)}.")
    wholes_D = np.ones(len(first_D)) if wholes_D is None else wholes_D
    difference_D = np.asarray(first_D, np.float64) - second_D
    return ratio(difference_D, wholes_D, seed=seed, resamples=resamples, confidence=confidence)
