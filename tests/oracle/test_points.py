"""The oracle's points game against the rule book (R30 to R32)."""

from __future__ import annotations

import pytest

from tests.oracle.game import OracleGame
from tests.oracle.points import winner_on_points
from tests.oracle.presets import preset
from tests.oracle.stacked import HANDS, drawing_deal, play, stacked_game, three_player_game


def knocked(hands: list[str], **changes: object) -> OracleGame:
    """Play a round in which seat 1 knocks and nothing changes."""
    game = three_player_game("quebec_points", stock="2c 3c", hands=hands, **changes)
    return play(game, "knock", "draw", "discard 2c", "draw", "discard 3c")


def test_the_highest_hand_scores() -> None:
    """R30: one point, and nobody loses or goes out, a failed knocker neither."""
    game = knocked([HANDS[1], HANDS[0], HANDS[2]])
    settled = game.rounds[0]
    assert (settled.end, settled.outcome, settled.knocker) == ("knock", "charged", 1)
    assert (settled.points, settled.losses, settled.out) == ((1, 0, 0), (0, 0, 0), ())
    assert (game.points, game.lives, game.in_game) == ((1, 0, 0), (0, 0, 0), (True, True, True))
    assert game.rewards("lives") == (1.0, 0.0, 0.0)
    assert game.rewards("round") == (1.0, -0.5, -0.5)


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        (["9s 8s 2d", "Kh Qh 5h", "Ks Qs 5s"], (0, 0, 1)),
        (["Ks Qs 5s", "9s 8s 2d", "Kh Qh 5h"], (1, 0, 1)),
        (["9s 8s 2d", "Kh Qh 5h", "9h 8h 2c"], (0, 1, 0)),
        (["Ks Qs 5s", "Kh Qh 5h", "Kd Qd 5d"], (1, 0, 1)),
    ],
)
def test_a_tied_knocker_scores_nothing(hands: list[str], points: tuple[int, ...]) -> None:
    """R31: level with others it loses the tie, alone at the top it scores, and without it each scores."""
    hands = [hand.replace("2c", "4c") for hand in hands]
    assert knocked(hands).points == points


def test_a_31_scores_in_the_last_lap_too() -> None:
    """R30: it ends the round at once whatever R15 says, and its holder alone scores."""
    hands = ["9s 8s 2d", "Kh Qh Jh", "Ks Qs 5s"]
    game = three_player_game("quebec_points", stock="As", hands=hands, blitz_after_knock=False)
    play(game, "knock", "draw", "discard 5s")
    assert game.rounds[0].end == "31"
    assert game.points == (0, 0, 1)


def test_31s_at_the_deal_score_each() -> None:
    """R30, R9: two holders score before anyone has moved."""
    game = three_player_game("quebec_points", hands=["As Ks Qs", "Ah Kh 10h", "9c 8c 2d"])
    assert game.points == (1, 1, 0)
    assert game.round_number == 2


def test_the_target_must_be_reached_alone() -> None:
    """R32: level at the target they play on, and beyond it."""
    rules = preset("quebec_points", target_points=2)
    assert winner_on_points(rules, (2, 2, 0)) is None
    assert winner_on_points(rules, (3, 2, 0)) == 0
    assert winner_on_points(rules, (1, 0, 0)) is None


def test_the_points_game_is_won() -> None:
    """R32: with a target of one the first point wins; the others share the loss, and lose a stake each."""
    game = knocked(HANDS, target_points=1)
    assert game.winner == 1
    assert game.rewards("game") == (-0.5, 1.0, -0.5)
    assert game.rewards("pot") == (-1.0, 2.0, -1.0)


def test_no_lives_are_given_in_the_points_game() -> None:
    """R30: nobody has any."""
    with pytest.raises(ValueError, match="points game"):
        stacked_game(preset("quebec_points"), drawing_deal(["", ""]), lives=[1, 1, 1, 1])
