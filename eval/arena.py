"""Judge policies on duplicate deals: `play_match`, `play_table`, `judge`.

A deal is one game seed: it fixes the first dealer and the cards of every round, however the rounds before were played.
Each deal is played in every seating (see `eval.seatings`), so that no side is better dealt than another. Two equal
policies therefore score exactly the same, and what is left of the luck is in the intervals, which are resampled by
deal.

Deal k of a match with seed s has the game seed `combine(combine(s, STREAM_DEALS), k)`. No game of a `GameBatch` or an
environment draws from that stream, so a policy is not judged on games that it was trained on, whatever the seeds of
both. Matches with one seed have the same deals and can be compared pair by pair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

import agents
from eval import stats
from eval.results import DealSums, MatchResult
from eval.runner import BATCH_SIZE, play_games
from eval.seatings import HEADS_UP, Seatings, match_seatings, table_seatings
from eval.stats import Estimate
from trente_env.core.rng import combine
from trente_env.errors import InvalidOptionError, UnknownNameError, is_list, is_name, is_whole
from trente_env.game import checked_seed
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["BASELINES", "DEALS", "EPISODES", "STREAM_DEALS", "judge", "mean_win_rate", "play_match", "play_table"]

STREAM_DEALS: Final = 101
"""Stream of the generator that the deals of matches are drawn from; trente_env's own streams are all below 100."""
DEALS: Final = 20_000
"""Deals of a match if not said otherwise."""
MAX_SEATS: Final = 40_000_000
"""Seats of all games of a match together; each takes about 40 bytes."""
EPISODES: Final = ("game", "round")
BASELINES: Final = ("random", "greedy", "adaptive", "seeds", *(f"knock@{value}" for value in range(22, 32)))
"""Whom a policy is judged against if not said otherwise."""

Progress = Callable[[str, int, int], object]
"""Called now and then with what is being played, games finished, and games in all."""


def deal_seeds(seed: int, deals: int) -> NDArray[np.int64]:
    """Return the game seeds of a match's deals: the k-th depends on `seed` and k alone."""
    key = combine(checked_seed(seed), STREAM_DEALS)
    return np.array([combine(key, number) for number in range(deals)], np.int64)


def play_match(
    first: str | Policy,
    second: str | Policy,
    rules: Rules,
    *,
    deals: int = DEALS,
    seed: int = 0,
    episode: str = "game",
    is_return_played: bool = True,
    batch_size: int = BATCH_SIZE,
    resamples: int = stats.RESAMPLES,
    progress: Progress | None = None,
) -> MatchResult:
    """Play two policies against each other on duplicate deals.

    Heads-up each deal is played in both seatings. At larger tables the first sits in each seat alone among the second,
    and the second in each seat alone among the first; the two are reported apart, each with its win rate beside 1/n.

    Args:
        first: A policy, or the name of one.
        second: Another, or the same.
        rules: What is played, and by how many.
        deals: How many deals, from 2.
        seed: What the deals follow from.
        episode: "game", or "round" for games of one round.
        is_return_played: Whether, at more than two seats, the second is also seated among the first. Without it the
            match takes half the time and `agents` has the first alone.
        batch_size: Games played at once; no result depends on it.
        resamples: Resamples of the intervals, from 1,000.
        progress: Told how far it is.

    Returns:
        Two agents (or one): first the first.

    Raises:
        UnknownNameError: If a name or the episode does not exist.
        InvalidOptionError: If a number cannot be, or a policy refuses these rules (its `check_rules(rules)` raises).
    """
    _check_rules(rules)
    policies = [load_policy(first, rules), load_policy(second, rules)]
    seatings = match_seatings(rules.num_players, is_return_played=is_return_played)
    return _play(
        policies, seatings, rules, deals=deals, seed=seed, episode=episode,
        batch_size=batch_size, resamples=resamples, progress=progress,
    )  # fmt: skip


def play_table(
    table: Sequence[str | Policy],
    rules: Rules,
    *,
    deals: int = DEALS,
    seed: int = 0,
    episode: str = "game",
    batch_size: int = BATCH_SIZE,
    resamples: int = stats.RESAMPLES,
    progress: Progress | None = None,
) -> MatchResult:
    """Play one table of policies on duplicate deals.

    Each deal is played in every distinct arrangement of the table if there are at most 24, else in the n rotations of
    the order given. The same name (or object) in several seats is one side; its win rate is that of one seat.

    Args:
        table: Policies or names, one a seat.
        rules: What is played; `num_players` must be the table's.
        deals: How many deals, from 2.
        seed: What the deals follow from.
        episode: "game", or "round" for games of one round.
        batch_size: Games played at once; no result depends on it.
        resamples: Resamples of the intervals, from 1,000.
        progress: Told how far it is.

    Returns:
        One agent for each different policy, in the order of the table.

    Raises:
        UnknownNameError: If a name or the episode does not exist.
        InvalidOptionError: If a number cannot be, or a policy refuses these rules.
    """
    _check_rules(rules)
    if not is_list(table):
        raise InvalidOptionError(f"A table is a list of policies or their names, one a seat, not {table!r}.")
    if len(table) != rules.num_players:
        raise InvalidOptionError(
            f"The table {', '.join(_name(each) for each in table)} has {len(table)} seats, the rules have "
            f"{rules.num_players}: name as many policies as there are players."
        )
    made = [load_policy(each, rules) for each in table]
    different = list(dict.fromkeys(table))
    policies = [made[table.index(each)] for each in different]
    return _play(
        policies, table_seatings([different.index(each) for each in table]), rules, deals=deals, seed=seed,
        episode=episode, batch_size=batch_size, resamples=resamples, progress=progress,
    )  # fmt: skip


def judge(
    policy: str | Policy,
    baselines: Sequence[str | Policy] = BASELINES,
    *,
    rules: Rules,
    deals: int = DEALS,
    seed: int = 0,
    batch_size: int = BATCH_SIZE,
    progress: Progress | None = None,
) -> list[MatchResult]:
    """Play one policy against each of several, all on the same deals.

    At more than two seats the policy sits alone among the baseline, in each seat; see `play_match` for the return.

    Args:
        policy: Who is judged.
        baselines: Against whom.
        rules: What is played.
        deals: Deals of each match.
        seed: What they follow from.
        batch_size: Games played at once.
        progress: Told how far all of it is.

    Returns:
        A match for each baseline, in order; `agents[0]` is the policy.

    Raises:
        UnknownNameError: If a name does not exist; nothing has been played then.
        InvalidOptionError: If a number cannot be, or a policy refuses these rules.
    """
    _check_rules(rules)
    deals = _checked("deals", deals, stats.MIN_DEALS)
    if not is_list(baselines):
        raise InvalidOptionError(f"baselines are a list of policies or their names, not {baselines!r}.")
    judged = load_policy(policy, rules)
    opponents = [load_policy(baseline, rules) for baseline in baselines]
    games = deals * len(match_seatings(rules.num_players, is_return_played=False).sides_SN)
    return [
        play_match(
            judged, opponent, rules, deals=deals, seed=seed, is_return_played=False, batch_size=batch_size,
            progress=_part_of(progress, before=number * games, total=len(opponents) * games),
        )
        for number, opponent in enumerate(opponents)
    ]  # fmt: skip


def _part_of(progress: Progress | None, *, before: int, total: int) -> Progress | None:
    """Return what tells of one match as a part of several."""
    if progress is None:
        return None
    return lambda label, done, _: progress(label, before + done, total)


def mean_win_rate(results: Sequence[MatchResult]) -> Estimate:
    """Return the first agent's mean win rate over matches on the same deals, with an interval by deal.

    Raises:
        InvalidOptionError: If there are no matches, or their deals differ.
    """
    if not is_list(results, MatchResult):
        raise InvalidOptionError(f"A mean is taken over the results that judge() returns, not {results!r}.")
    if not results or len({(result.seed, result.deals) for result in results}) > 1:
        raise InvalidOptionError("A mean over matches needs at least one, all with the same seed and number of deals.")
    shares_D = np.mean([result.shares_DA[:, 0] for result in results], axis=0)
    return stats.share(shares_D, np.ones(len(shares_D)), seed=results[0].seed)


def load_policy(policy: str | Policy, rules: Rules) -> Policy:
    """Return a policy by name, or as it is, once it has accepted the rules.

    A policy that was learned under some rules and one layout of observations has a method `check_rules(rules)`, which
    raises `InvalidOptionError` where it cannot play.
    """
    try:
        made = agents.make(policy)
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"Policy {_name(policy)!r} needs the package {error.name!r}, which is not installed: "
            "pip install 'trente-env[train]'."
        ) from error
    check = getattr(made, "check_rules", None)
    if check is not None:
        check(rules)
    return made


def _check_rules(rules: Rules) -> None:
    if not isinstance(rules, Rules):
        raise InvalidOptionError(
            f"rules must be Rules, not {type(rules).__name__}: use preset('quebec') or Rules(...)."
        )


def _name(policy: str | Policy) -> str:
    return policy if isinstance(policy, str) else str(getattr(policy, "name", policy))


def _checked(name: str, value: int, least: int) -> int:
    if not is_whole(value, least, 2**62):
        raise InvalidOptionError(f"{name} cannot be {value!r}: give a whole number from {least}.")
    return int(value)


def _play(
    policies: Sequence[Policy],
    seatings: Seatings,
    rules: Rules,
    *,
    deals: int,
    seed: int,
    episode: str,
    batch_size: int,
    resamples: int,
    progress: Progress | None,
) -> MatchResult:
    """Play every deal in every seating and sum up."""
    count = len(seatings.sides_SN)
    deals = _checked("deals", deals, stats.MIN_DEALS)
    most = MAX_SEATS // seatings.sides_SN.size
    if deals > most:
        raise InvalidOptionError(
            f"deals cannot be {deals}: in {count} seatings of {rules.num_players} at most {most} are kept in memory. "
            "Play several matches with different seeds."
        )
    batch_size = _checked("batch_size", batch_size, 1)
    resamples = _checked("resamples", resamples, stats.MIN_RESAMPLES)
    if not is_name(episode, EPISODES):
        raise UnknownNameError("episode", episode, list(EPISODES))
    names = [policy.name for policy in policies]
    seeds_D = deal_seeds(seed, deals)
    label = " - ".join(names)
    start = time.perf_counter()
    tallies = play_games(
        policies,
        np.tile(seatings.policies_SN.astype(np.int8), (deals, 1)),
        np.repeat(seeds_D, count),
        rules,
        is_single_round=episode == "round",
        batch_size=batch_size,
        on_progress=None if progress is None else lambda done: progress(label, done, deals * count),
    )
    sums = DealSums(tallies, seatings, deals)
    reported = [index for index, side in enumerate(seatings.sides) if side.is_reported]
    shares_DA = np.column_stack([sums.win_rates(side) for side in reported])
    difference = None
    if len(reported) == len(policies) == HEADS_UP:
        difference = stats.paired_difference(shares_DA[:, 0], shares_DA[:, 1], seed=seed, resamples=resamples)
    return MatchResult(
        agents=tuple(sums.agent(side, names, rules, seed=seed, resamples=resamples) for side in reported),
        rules=rules,
        episode=episode,
        seed=int(seed),
        deals=deals,
        seatings=tuple(tuple(names[policy] for policy in row) for row in seatings.policies_SN),
        truncated=float(tallies.is_truncated_G.mean()),
        difference=None if difference is None else difference.value,
        difference_ci=None if difference is None else difference.interval,
        shares_DA=shares_DA,
        seconds=time.perf_counter() - start,
    )
