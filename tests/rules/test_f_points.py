"""Section F: the points game (R30 to R32)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.play import random_games, stand
from trente_env import Game, InvalidRulesError, preset

HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h", "Qd Ad 7c"]
"""21, 20, 10 and 21."""


def show(hands: Sequence[str], knocker: int, **options: Any) -> Game:
    """Return a game just after the showdown of a knock."""
    rules = preset("quebec_points", num_players=len(hands))
    mover = (knocker - 1) % len(hands)
    game = Game.set_up(rules, hands, upcard="2d", stock="3d", knocker=knocker, to_move=mover, **options)
    stand(game)
    assert game.last_round is not None
    assert not any(game.last_round.losses)
    return game


@pytest.mark.parametrize("knocker", [0, 1, 2])
def test_r30_the_highest_hand_scores_one(knocker: int) -> None:
    """R30: after a knock the highest hand scores 1, whoever knocked; nobody loses anything."""
    game = show(HANDS[:3], knocker)
    assert (game.points, game.lives, game.in_game) == ((1, 0, 0), (0, 0, 0), (True, True, True))


def test_r30_no_penalty_for_a_caught_knocker() -> None:
    """R30: a knocker with the lowest hand loses nothing."""
    game = show(HANDS[:3], 2)
    assert game.points == (1, 0, 0)
    assert game.rewards("lives") == (1.0, 0.0, 0.0)


@pytest.mark.parametrize("knocker", [None, 0])
def test_r30_a_31_scores_one_and_ends_the_round(knocker: int | None) -> None:
    """R30: a 31 scores 1 and ends the round at once, in the last lap too; its holder alone scores."""
    hands = ["As Ks 7d", "Ah Qh 2c", "Kd Qd Jd"]
    game = Game.set_up(preset("quebec_points", num_players=3), hands, upcard="Jh", knocker=knocker, to_move=1)
    game.apply("take")
    game.apply("discard 2c")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.points, game.points) == ("31", (0, 1, 0), (0, 1, 0))


@pytest.mark.parametrize(("holders", "points"), [([1], (0, 1, 0)), ([0, 2], (1, 0, 1)), ([0, 1, 2], (1, 1, 1))])
def test_r30_31s_at_the_deal(holders: list[int], points: tuple[int, ...]) -> None:
    """R30: a 31 at the deal scores 1; several score 1 each."""
    shown = ["As Js Qs", "Ah Jh Qh", "Ad Jd Qd"]
    plain = ["Ks 6h 2d", "Jc 7h 3d", "Kh 7c 4d"]
    hands = [shown[seat] if seat in holders else plain[seat] for seat in range(3)]
    game = Game.set_up(preset("quebec_points", num_players=3), hands, upcard="5d", turns=0)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.points, game.points) == ("31 at the deal", points, points)


@pytest.mark.parametrize(
    ("field", "value"), [("buy_ins", 1), ("target_points", 0), ("target_points", -1), ("play_style", "exchange")]
)
def test_r30_fields_of_the_lives_game_make_no_sense(field: str, value: object) -> None:
    """R30: buy-ins, no target, or the exchange game are refused for points."""
    with pytest.raises(InvalidRulesError):
        preset("quebec_points", **{field: value})


def test_r31_tied_for_highest_without_the_knocker() -> None:
    """R31: several seats tied for highest score 1 each when the knocker is not among them."""
    assert show([*HANDS[:2], HANDS[3]], 1).points == (1, 0, 1)
    assert show([*HANDS], 2).points == (1, 0, 0, 1)


def test_r31_the_knocker_loses_the_tie() -> None:
    """R31: a knocker tied for highest scores nothing; each of the others tied scores 1."""
    assert show([*HANDS[:2], HANDS[3]], 0).points == (0, 0, 1)
    assert show([*HANDS], 3).points == (1, 0, 0, 0)
    assert show(["As Ks 7d", "Ac Kc 7h", "Qd Ad 7c"], 1).points == (1, 0, 1)


def test_r31_a_knocker_alone_highest_scores() -> None:
    """R31: only a tie costs the knocker its point."""
    assert show(HANDS[:3], 0).points == (1, 0, 0)


def test_r31_without_a_knock_all_tied_score() -> None:
    """R31: at a showdown without knocker, everyone tied for highest scores."""
    rules = preset("quebec_points", num_players=3, round_limit=4)
    game = Game.set_up(rules, [*HANDS[:2], HANDS[3]], upcard="2d", stock="3d", turns=[3, 4, 4])
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.end, game.points) == ("limit", (1, 0, 1))


@pytest.mark.parametrize(
    ("before", "after", "winner"),
    [
        ((30, 0, 0), (31, 0, 0), 0),
        ((30, 31, 31), (31, 31, 31), None),
        ((31, 31, 0), (32, 31, 0), 0),
        ((29, 30, 30), (30, 30, 30), None),
        ((5, 31, 31), (6, 31, 31), None),
        ((32, 33, 33), (33, 33, 33), None),
    ],
)
def test_r32_over_when_one_seat_alone_leads_at_the_target(
    before: tuple[int, ...], after: tuple[int, ...], winner: int | None
) -> None:
    """R32: the game is over when exactly one seat has the highest score, at 31 or more; a tie there plays on."""
    game = show(HANDS[:3], 0, points=before)
    assert (game.points, game.winner, game.is_over) == (after, winner, winner is not None)


def test_r32_two_reach_the_target_together() -> None:
    """R32: two seats that reach the target in one round play on, beyond it."""
    game = show([*HANDS[:2], HANDS[3]], 1, points=(30, 12, 30))
    assert (game.points, game.is_over, game.round_number) == ((31, 12, 31), False, 2)


@pytest.mark.parametrize("target", [1, 5, 31])
def test_r32_the_target_is_an_option(target: int) -> None:
    """R32: `target_points` is what has to be reached, 31 by default."""
    rules = preset("quebec_points", num_players=3, target_points=target)
    game = Game.set_up(rules, HANDS[:3], upcard="2d", stock="3d", knocker=0, to_move=2, points=[target - 1, 0, 0])
    stand(game)
    assert (game.is_over, game.winner) == (True, 0)
    assert preset("quebec_points").target_points == 31


def test_r32_whole_games() -> None:
    """R32: played to the end, a points game is won by the one seat with most points, and not a round too late."""
    finished = 0
    for game, action in random_games(preset("quebec_points", num_players=3, target_points=3), 1_500):
        best = max(game.points)
        assert best < 3 or game.points.count(best) > 1
        after = game.clone()
        after.apply(action)
        if after.is_over:
            finished += 1
            assert after.winner == after.points.index(max(after.points))
            assert max(after.points) >= 3
            assert after.points.count(max(after.points)) == 1
    assert finished >= 3
