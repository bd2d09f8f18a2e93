"""What a match returns: frozen records, plain JSON values on request; and how they are summed up from tallies.

Axis letters: D deals, S seatings, N seats, G games (deal by deal, each in every seating), A agents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval import stats
from eval.runner import WHOLE, Tallies
from eval.seatings import Seatings
from eval.stats import Estimate
from trente_env.rules import Rules, Scoring

__all__ = ["AgentResult", "DealSums", "MatchResult"]

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class AgentResult:
    """How one side of a match did. Intervals are 95 %, resampled by deal."""

    name: str
    """The policy's name."""
    against: tuple[str, ...]
    """Who sat in the other seats of its table."""
    win_rate: float
    """Share of games won by one of its seats, 1/n for equal players. A truncated game counts 1/n for each (R50). With
    `episode="round"`: share of rounds in which it lost the least (scored the most), shared with those tied."""
    win_rate_ci: Interval
    """Its interval."""
    lives_per_round: float | None
    """Lives charged in a round it was dealt into; the loss that puts it out counts. None in the points game."""
    lives_per_round_ci: Interval | None
    """Its interval."""
    points_per_round: float | None
    """Points scored in a round; None in the lives game."""
    points_per_round_ci: Interval | None
    """Its interval."""
    seat_win_rates: tuple[float | None, ...]
    """The win rate by seat; None for a seat it never had."""
    seats: int
    """Seats it held at once."""
    games: int
    """Games it played; with several seats at a table each of them counts."""
    rounds: int
    """Rounds it was dealt into."""
    decisions: int
    """Decisions it took."""
    knock_rate: float
    """Share of its rounds in which it knocked (exchange game: opened the last lap)."""
    failed_knock_rate: float | None
    """Share of its knocks that cost it a life in the round, or brought no point; None if it never knocked. Rounds
    followed by one that was over at the deal are left out: their end is not seen apart."""

    @property
    def per_round(self) -> Estimate:
        """What rounds cost or bring it: lives in the lives game, points in the points game."""
        if self.lives_per_round is not None and self.lives_per_round_ci is not None:
            return Estimate(self.lives_per_round, *self.lives_per_round_ci)
        return Estimate(self.points_per_round or 0.0, *(self.points_per_round_ci or (0.0, 0.0)))

    @property
    def unit(self) -> str:
        """What that is: "lives" or "points"."""
        return "points" if self.lives_per_round is None else "lives"

    @property
    def wins(self) -> Estimate:
        """Its win rate with the interval."""
        return Estimate(self.win_rate, *self.win_rate_ci)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values under the names of the fields."""
        return {name: _plain(value) for name, value in asdict(self).items()}


def _plain(value: Any) -> Any:
    """Turn tuples into the lists they are in JSON."""
    return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match: who played what, and how it ended."""

    agents: tuple[AgentResult, ...]
    """Each side that is reported. Two policies: first the first, then the second."""
    rules: Rules
    """The rules played."""
    episode: str
    """What a game was: "game", or "round" for a single round."""
    seed: int
    """What the deals follow from."""
    deals: int
    """Game seeds played, each in all seatings."""
    seatings: tuple[tuple[str, ...], ...]
    """Names by seat, of each seating that every deal was played with."""
    truncated: float
    """Share of games stopped by `max_rounds` (R50)."""
    difference: float | None
    """Of two policies: win rate of the first minus that of the second."""
    difference_ci: Interval | None
    """Its interval, paired by deal."""
    shares_DA: NDArray[np.float64] = field(repr=False, compare=False)
    """Win rate of each reported side in each deal, for pairing with other matches on the same seed."""
    seconds: float = field(repr=False, compare=False, default=0.0)
    """How long it took; not part of the result."""

    @property
    def games(self) -> int:
        """Games played."""
        return self.deals * len(self.seatings)

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values: the same for the same match, so without times."""
        return {
            "agents": [agent.to_json() for agent in self.agents],
            "deals": self.deals,
            "games": self.games,
            "truncated": self.truncated,
            "difference": self.difference,
            "difference_ci": _plain(self.difference_ci),
            "seatings": [list(names) for names in self.seatings],
            "episode": self.episode,
            "seed": self.seed,
            "num_players": self.rules.num_players,
            "rules": self.rules.to_dict(),
            "rules_fingerprint": self.rules.fingerprint,
        }


@dataclass(frozen=True, slots=True)
class DealSums:
    """Tallies summed by deal and by side."""

    tallies: Tallies
    seatings: Seatings
    deals: int

    def sums(self, values_GN: NDArray[np.int32], side: int) -> NDArray[np.float64]:
        """Return the sums over all seats of a side, by deal."""
        is_side_SN = self.seatings.sides_SN == side
        values_DSN = values_GN.reshape(self.deals, *is_side_SN.shape)
        sums_D: NDArray[np.float64] = values_DSN[:, is_side_SN].sum(axis=1, dtype=np.float64)
        return sums_D

    def win_rates(self, side: int) -> NDArray[np.float64]:
        """Return the win rate of one seat of a side, by deal."""
        return self.sums(self.tallies.shares_GN, side) / (WHOLE * self.seatings.games_of(side))

    def seat_win_rates(self, side: int) -> tuple[float | None, ...]:
        """Return the win rate of a side by seat; None for a seat it never has."""
        is_side_SN = self.seatings.sides_SN == side
        shares_DSN = self.tallies.shares_GN.reshape(self.deals, *is_side_SN.shape)
        return tuple(
            float(shares_DSN[:, is_side_S, seat].mean()) / WHOLE if is_side_S.any() else None
            for seat, is_side_S in enumerate(is_side_SN.T)
        )

    def agent(self, side: int, names: Sequence[str], rules: Rules, *, seed: int, resamples: int) -> AgentResult:
        """Sum up one side; `names` are those of the policies."""
        tallies, seatings = self.tallies, self.seatings
        rounds_D, gains_D = self.sums(tallies.rounds_GN, side), self.sums(tallies.gains_GN, side)
        judged = self.sums(tallies.judged_GN, side).sum()
        wins_D = self.sums(tallies.shares_GN, side)
        games = seatings.games_of(side)
        wins = stats.share(wins_D, np.full(self.deals, WHOLE * games), seed=seed, resamples=resamples)
        has_lives = rules.scoring == Scoring.LIVES
        gained = stats.ratio(0.0 - gains_D if has_lives else gains_D, rounds_D, seed=seed, resamples=resamples)
        return AgentResult(
            name=names[seatings.sides[side].policy],
            against=tuple(names[policy] for policy in seatings.sides[side].against),
            win_rate=wins.value,
            win_rate_ci=wins.interval,
            lives_per_round=gained.value if has_lives else None,
            lives_per_round_ci=gained.interval if has_lives else None,
            points_per_round=None if has_lives else gained.value,
            points_per_round_ci=None if has_lives else gained.interval,
            seat_win_rates=self.seat_win_rates(side),
            seats=seatings.seats_of(side),
            games=games * self.deals,
            rounds=int(rounds_D.sum()),
            decisions=int(self.sums(tallies.decisions_GN, side).sum()),
            knock_rate=float(self.sums(tallies.knocks_GN, side).sum() / rounds_D.sum()),
            failed_knock_rate=float(self.sums(tallies.failed_GN, side).sum() / judged) if judged else None,
        )
