"""The match runner against the same games played one by one through `Game`."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pytest
from numpy.typing import NDArray

from eval.runner import WHOLE, Tallies, play_games
from trente_env import Game, Rules, preset
from trente_env.core.actions import CLOSE, KNOCK, PASS
from trente_env.errors import InvalidOptionError
from trente_env.policy import Policy, sample_actions


@dataclass(frozen=True)
class Weighted:
    """Play at random, some actions more often than others."""

    name: str
    knock_weight: float

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float64]:  # noqa: ARG002 - the protocol
        """Give each legal action its weight."""
        weights_BA = masks_BA.astype(np.float64)
        weights_BA[:, [KNOCK, PASS, CLOSE]] *= self.knock_weight
        return weights_BA / weights_BA.sum(axis=1, keepdims=True)


POLICIES = [Weighted("shy", 0.05), Weighted("bold", 3.0)]
SMALL_DECK = {"ranks": "TJQKA", "suits": "cdh"}
"""A deck in which rounds are often over at the deal."""
TABLES = [
    preset("quebec", num_players=2),
    preset("quebec", num_players=4),
    preset("quebec", num_players=3, **SMALL_DECK),
    preset("classic", num_players=3, **SMALL_DECK),
    preset("quebec_points", num_players=3, target_points=5),
    preset("exchange", num_players=3),
    preset("schwimmen", num_players=3),
    preset("buy_in", num_players=3),
    preset("quebec", num_players=2, max_rounds=3),
]


def _seatings(num_games: int, num_players: int) -> NDArray[np.int64]:
    """Seat the two policies anyhow."""
    return np.random.default_rng(1).integers(2, size=(num_games, num_players))


def _play_one_by_one(
    policies: list[Weighted], policies_GN: NDArray[np.int64], seeds_G: NDArray[np.int64], rules: Rules, *, single: bool
) -> Tallies:
    """Count what the runner counts, from what `Game` tells a person."""
    tallies = Tallies.zeros(len(seeds_G), rules.num_players)
    for index, seed in enumerate(seeds_G):
        game = Game(rules, int(seed), single_round=single)
        _count_rounds(tallies, index, game, dealt_in=None)
        while not game.is_over:
            seat, before, phase = game.seat_to_move, game.knocker, game.phase
            assert seat is not None
            dealt_in = None if phase == "BUY_IN" else game.in_game
            policy: Policy = policies[policies_GN[index, seat]]
            views, mask = game.views(seat), game.action_mask()[None]
            action = int(sample_actions(policy, views, mask, seeds_G[[index]])[0])
            name = game.action_name(action)
            opens = name in {"knock", "close"}
            opens |= name == "pass" and phase == "EXCHANGE" and before is None and not rules.separate_close
            game.apply(action)
            tallies.decisions_GN[index, seat] += 1
            tallies.knocks_GN[index, seat] += opens
            _count_rounds(tallies, index, game, dealt_in)
            knocker = seat if opens else before
            if game.rounds_ended == 1 and knocker is not None and dealt_in is not None:
                gain = game.rewards("lives")[knocker]
                tallies.judged_GN[index, knocker] += 1
                tallies.failed_GN[index, knocker] += gain == 0 if rules.scoring == "points" else gain < 0
        tallies.is_truncated_G[index] = game.is_truncated
        if single:
            gains = np.array(game.rewards("lives"))
            tallies.shares_GN[index] = np.where(gains == gains.max(), WHOLE // (gains == gains.max()).sum(), 0)
        elif game.winner is None:
            tallies.shares_GN[index] = WHOLE // rules.num_players
        else:
            tallies.shares_GN[index, game.winner] = WHOLE
    return tallies


def _count_rounds(tallies: Tallies, index: int, game: Game, dealt_in: tuple[bool, ...] | None) -> None:
    """Add the rounds just ended: the first with those in the game before, those over at the deal with the last's."""
    if not game.rounds_ended:
        return
    assert game.last_round is not None
    last = np.array([bool(hand) for hand in game.last_round.hands], np.int32)
    first = last if dealt_in is None else np.array(dealt_in, np.int32)
    tallies.rounds_GN[index] += first + (game.rounds_ended - 1) * last
    tallies.gains_GN[index] += np.array(game.rewards("lives"), np.int32)


def _assert_equal(first: Tallies, second: Tallies) -> None:
    for field in fields(Tallies):
        np.testing.assert_array_equal(getattr(first, field.name), getattr(second, field.name), err_msg=field.name)


@pytest.mark.parametrize("rules", TABLES, ids=lambda rules: f"{rules.fingerprint}-{rules.num_players}")
@pytest.mark.parametrize("single", [False, True])
def test_batched_games_are_the_games_played_one_by_one(rules: Rules, single: bool) -> None:
    """Wins, losses, rounds, decisions, knocks and their failures are those of `Game`, under every kind of rules."""
    seeds_G = np.arange(100, 160)
    policies_GN = _seatings(60, rules.num_players)
    tallies = play_games(POLICIES, policies_GN, seeds_G, rules, is_single_round=single, batch_size=25)
    _assert_equal(tallies, _play_one_by_one(POLICIES, policies_GN, seeds_G, rules, single=single))


def test_rounds_over_at_the_deal_are_counted() -> None:
    """R9: with a deck full of 31s, more rounds are counted than anybody decided in."""
    rules = preset("quebec", num_players=2, **SMALL_DECK)
    tallies = play_games(POLICIES, _seatings(300, 2), np.arange(300), rules)
    assert (tallies.rounds_GN.sum(axis=1) // 2 > tallies.judged_GN.sum(axis=1)).any()
    assert (tallies.gains_GN.sum(axis=1) <= -4).all()  # heads-up somebody has lost three lives and the grace


def test_no_result_depends_on_the_batch_size() -> None:
    """Batches of 64 and of 4,096 count exactly the same."""
    rules = preset("quebec", num_players=3)
    seeds_G, policies_GN = np.arange(2_000), _seatings(2_000, 3)
    small = play_games(POLICIES, policies_GN, seeds_G, rules, batch_size=64)
    large = play_games(POLICIES, policies_GN, seeds_G, rules, batch_size=4_096)
    _assert_equal(small, large)


def test_progress_ends_at_all_games_and_never_goes_back() -> None:
    """The count of finished games grows to the number of games, over several batches."""
    told: list[int] = []
    play_games(
        POLICIES,
        _seatings(50, 2),
        np.arange(50),
        preset("quebec", num_players=2),
        batch_size=20,
        on_progress=told.append,
    )
    assert told == sorted(told)
    assert told[-1] == 50


def test_a_policy_that_gives_no_distribution_is_named() -> None:
    """A wrong policy stops the match with its name, not with a wrong game."""

    class Broken:
        name = "broken"

        def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float64]:  # noqa: ARG002 - the protocol
            return np.zeros(masks_BA.shape)

    with pytest.raises(InvalidOptionError, match="'broken'"):
        play_games([Broken()], np.zeros((4, 2), np.int64), np.arange(4), preset("quebec", num_players=2))
