from __future__ import annotations

import json
from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from eval import arena
from eval.arena import deal_seeds, judge, mean_win_rate, play_match, play_table
from eval.results import AgentResult
from trente_env import GameBatch, Rules, preset
from trente_env.core.actions import CLOSE, KNOCK
from trente_env.core.rng import next_game_seed
from trente_env.errors import InvalidOptionError, UnknownNameError

HEADS_UP = preset("quebec", num_players=2)
THREE = preset("quebec", num_players=3)


@dataclass(frozen=True)
class Shy:
    """Play at random, but hardly ever knock: better than random, which knocks with nothing in its hand."""

    name: str = "shy"

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float64]:  # noqa: ARG002 - the protocol
        """Give knocking little weight."""
        weights_BA = masks_BA.astype(np.float64)
        weights_BA[:, [KNOCK, CLOSE]] *= 0.01
        return weights_BA / weights_BA.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class Trained(Shy):
    """Refuse all rules but its own, as a learned policy does."""

    name: str = "trained"

    def check_rules(self, rules: Rules) -> None:
        """Accept heads-up quebec only."""
        if rules != HEADS_UP:
            raise InvalidOptionError("trained under other rules")


@pytest.mark.parametrize("name", ["quebec", "classic", "exchange", "quebec_points"])
@pytest.mark.parametrize("num_players", [2, 3, 5])
def test_equal_policies_score_exactly_equal(name: str, num_players: int) -> None:
    """On duplicate deals two policies that decide alike win exactly 1/n, with no interval, and lose the same lives."""
    result = play_match("random", "random", preset(name, num_players=num_players), deals=40)
    for agent in result.agents:
        assert agent.win_rate == 1 / num_players
        assert agent.win_rate_ci == (1 / num_players, 1 / num_players)
    assert result.difference == 0
    assert result.difference_ci == (0, 0)
    first, second = result.agents
    assert replace(first, against=second.against) == second


def test_a_better_policy_is_ahead_with_its_whole_interval() -> None:
    """Hardly ever knocking beats knocking at random heads-up, and the two win rates make one."""
    heads_up = play_match(Shy(), "random", HEADS_UP, deals=400)
    assert heads_up.agents[0].win_rate_ci[0] > 0.5 > heads_up.agents[1].win_rate_ci[1]
    assert heads_up.agents[0].win_rate + heads_up.agents[1].win_rate == pytest.approx(1)


def test_the_difference_of_two_is_that_of_their_win_rates() -> None:
    """At larger tables the two stand alone in different games; their difference is paired by deal."""
    result = play_match("random", Shy(), THREE, deals=100)
    assert result.difference == pytest.approx(result.agents[0].win_rate - result.agents[1].win_rate)
    assert result.difference_ci is not None
    assert result.difference_ci[0] < result.difference < result.difference_ci[1]


def test_results_do_not_depend_on_the_batch_size() -> None:
    """A match in batches of 64 and of 4,096 is the same match."""
    small = play_match("random", Shy(), THREE, deals=300, batch_size=64)
    assert small == play_match("random", Shy(), THREE, deals=300, batch_size=4_096)


def test_a_match_is_its_seed_and_the_first_deals_of_a_longer_one() -> None:
    """The same seed is the same match, another seed another, and deal k does not depend on how many there are."""
    match = play_match("random", Shy(), HEADS_UP, deals=50, seed=3)
    assert match == play_match("random", Shy(), HEADS_UP, deals=50, seed=3)
    assert match != play_match("random", Shy(), HEADS_UP, deals=50, seed=4)
    longer = play_match("random", Shy(), HEADS_UP, deals=80, seed=3)
    np.testing.assert_array_equal(match.shares_DA, longer.shares_DA[:50])


def test_deals_are_never_those_of_training() -> None:
    """The seeds of a match are not those of a batch with the same seed, nor of the games that follow them."""
    deals = set(deal_seeds(5, 2_000).tolist())
    batch = GameBatch(HEADS_UP, 2_000, seed=5)
    trained = {*batch.seeds.tolist(), *(next_game_seed(seed, 0) for seed in batch.seeds.tolist()), *range(2_000)}
    assert len(deals) == 2_000
    assert not deals & trained


def test_larger_tables_report_both_settings_apart() -> None:
    """The first alone among the second and the second alone among the first: n games a deal each, in every seat."""
    result = play_match("random", Shy(), THREE, deals=30)
    assert [(agent.name, agent.against) for agent in result.agents] == [
        ("random", ("shy", "shy")),
        ("shy", ("random", "random")),
    ]
    assert [agent.games for agent in result.agents] == [90, 90]
    assert result.games == 180
    assert all(None not in agent.seat_win_rates for agent in result.agents)


def test_a_table_reports_each_policy_by_the_seat() -> None:
    """The win rates of a table, times the seats each policy holds, add up to one."""
    result = play_table(["random", Shy(), Shy()], THREE, deals=40)
    assert [(agent.name, agent.seats, agent.games) for agent in result.agents] == [("random", 1, 120), ("shy", 2, 240)]
    assert sum(agent.win_rate * agent.seats for agent in result.agents) == pytest.approx(1)
    assert result.seatings == (("random", "shy", "shy"), ("shy", "random", "shy"), ("shy", "shy", "random"))
    assert result.difference is None or len(result.agents) == 2


def test_lives_per_round_of_a_match_add_up() -> None:
    """Heads-up without truncation or a void, a round costs lives, and the loser of a game has lost four or five."""
    result = play_match("random", Shy(), HEADS_UP, deals=200)
    lost = sum((agent.lives_per_round or 0) * agent.rounds for agent in result.agents)
    assert 4 * result.games <= lost <= 9 * result.games


def test_truncated_games_are_shared_and_told() -> None:
    """R50: a truncated game counts 1/n for each seat, and the share of such games is in the result."""
    rules = HEADS_UP.replace(max_rounds=1)
    result = play_match("random", Shy(), rules, deals=50)
    assert result.truncated == 1
    assert [agent.win_rate for agent in result.agents] == [0.5, 0.5]


def test_single_rounds_are_won_by_those_who_lose_least() -> None:
    """With `episode="round"` each game is one round, and whoever is not charged shares it."""
    result = play_match("random", Shy(), THREE, deals=100, episode="round")
    assert all(agent.rounds == agent.games for agent in result.agents)
    assert result.truncated == 0


def test_the_points_game_reports_points() -> None:
    """In the points game there are points per round and no lives."""
    agent = play_match("random", Shy(), preset("quebec_points", num_players=2, target_points=3), deals=20).agents[0]
    assert agent.lives_per_round is None
    assert agent.points_per_round is not None
    assert agent.unit == "points"


def test_judging_plays_the_same_deals_against_each_baseline() -> None:
    """Every baseline is met on the same deals, in order, and the mean has an interval of its own."""
    told: list[tuple[str, int, int]] = []
    results = judge(
        Shy(), ["random", Shy("other")], rules=THREE, deals=30, seed=2, progress=lambda *state: told.append(state)
    )
    assert [result.agents[0].against[0] for result in results] == ["random", "other"]
    assert all(len(result.agents) == 1 and result.games == 90 for result in results)
    assert results[1].agents[0].win_rate == 1 / 3
    mean = mean_win_rate(results)
    assert mean.value == pytest.approx((results[0].agents[0].win_rate + 1 / 3) / 2)
    assert mean.low <= mean.value <= mean.high
    assert told[-1] == ("shy - other", 180, 180)


def test_a_result_is_plain_json() -> None:
    """`to_json` has the promised keys and survives the journey through text."""
    document = play_match("random", Shy(), HEADS_UP, deals=10).to_json()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert {"agents", "deals", "truncated", "seed", "rules", "rules_fingerprint"} <= document.keys()
    assert set(document["agents"][0]) == set(AgentResult.__slots__)
    assert {"name", "win_rate", "win_rate_ci", "lives_per_round"} <= set(document["agents"][0])


def test_a_policy_may_refuse_the_rules() -> None:
    """A policy learned under some rules is asked before anything is played, and its refusal stands."""
    assert play_match(Trained(), "random", HEADS_UP, deals=2).agents[0].name == "trained"
    with pytest.raises(InvalidOptionError, match="trained under other rules"):
        play_match("random", Trained(), THREE, deals=2)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A policy whose library is not installed says which one, and how to get it."""

    def make(_: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr(arena.agents, "make", make)
    with pytest.raises(InvalidOptionError, match=r"'torch'.*trente-env\[train\]"):
        play_match("file:x", "random", HEADS_UP, deals=2)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"deals": 1}, InvalidOptionError, "deals cannot be 1"),
        ({"deals": 2.5}, InvalidOptionError, "deals cannot be 2.5"),
        ({"deals": 10**9}, InvalidOptionError, "at most"),
        ({"seed": -1}, InvalidOptionError, "seed cannot be -1"),
        ({"batch_size": 0}, InvalidOptionError, "batch_size cannot be 0"),
        ({"resamples": 10}, InvalidOptionError, "resamples cannot be 10"),
        ({"episode": "day"}, UnknownNameError, "game, round"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    options: dict[str, object], error: type[Exception], reason: str
) -> None:
    """A typed error names the option, its value and what would do."""
    with pytest.raises(error, match=reason):
        play_match("random", "random", HEADS_UP, **({"deals": 10} | options))  # type: ignore[arg-type]


def test_an_unknown_policy_lists_those_there_are() -> None:
    """A wrong name is answered with the right ones."""
    with pytest.raises(UnknownNameError, match="random"):
        play_match("nobody", "random", HEADS_UP)


def test_a_table_of_another_size_than_the_rules_is_refused() -> None:
    """As many policies as players, no more and no fewer."""
    with pytest.raises(InvalidOptionError, match="has 2 seats"):
        play_table(["random", "random"], THREE)


def test_a_mean_needs_the_same_deals() -> None:
    """Matches on different deals have no interval of their mean."""
    matches = [play_match("random", Shy(), HEADS_UP, deals=10, seed=seed) for seed in (0, 1)]
    with pytest.raises(InvalidOptionError, match="same seed"):
        mean_win_rate(matches)
