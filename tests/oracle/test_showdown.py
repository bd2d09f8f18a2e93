"""The oracle's 31s and showdowns against the rule book (R15, R16)."""

from __future__ import annotations

import pytest

from tests.oracle.presets import preset
from tests.oracle.stacked import HANDS, drawing_deal, last, play, stacked_game, three_player_game


def test_a_31_after_a_discard_ends_the_round() -> None:
    """R15: every other seat loses a life, whatever it holds."""
    game = three_player_game(stock="As", hands=["9s 8s 2d", "Ks Qs 5d", "10h 9h 8h"])
    play(game, "draw")
    assert not game.rounds
    play(game, "discard 5d")
    assert last(game) == ("31", "charged", None, (1, 0, 1))


def test_a_31_ends_the_round_in_classic_too_before_a_knock() -> None:
    """R15: nobody has knocked, so all others lose a life."""
    game = three_player_game("classic", stock="As", hands=["9s 8s 2d", "Ks Qs 5d", "10h 9h 8h"])
    play(game, "draw", "discard 5d")
    assert last(game) == ("31", "charged", None, (1, 0, 1))


def test_a_31_may_be_broken_up_in_mid_turn() -> None:
    """R15: four cards are no hand yet: who throws the ace plays on."""
    game = three_player_game(stock="As", hands=["9s 8s 2d", "Ks Qs 5d", "10h 9h 8h"])
    play(game, "draw", "discard As")
    assert not game.rounds


@pytest.mark.parametrize(
    ("name", "ends", "losses"), [("quebec", True, (1, 1, 0)), ("kawu", True, (1, 1, 0)), ("classic", False, (1, 0, 0))]
)
def test_a_31_after_a_knock(name: str, ends: bool, losses: tuple[int, ...]) -> None:
    """R15: it ends the round, the knocker losing one like the others; in classic it only counts at the showdown."""
    hands = ["9s 8s 2d", "10h 9h 8h", "Ks Qs 5d"]
    game = three_player_game(name, stock="As 3c", hands=hands, may_knock_on_first_turn=True)
    play(game, "knock", "draw", "discard 5d")
    assert bool(game.rounds) is ends
    if not ends:
        play(game, "draw", "discard 3c")
    assert game.rounds[0].losses == losses


def test_several_31s_at_the_deal() -> None:
    """R9, R15: all holders are safe, the others lose one; no turn is counted, and the next round is dealt."""
    first = drawing_deal(HANDS, "4d", "2c 3c")
    second = drawing_deal(["As Ks Qs", "Ah Kh 10h", "9c 8c 2d"], "4d", dealer=1)
    game = stacked_game(preset("quebec", num_players=3), first, second)
    play(game, "knock", "draw", "discard 2c", "draw", "discard 3c")
    assert last(game) == ("31 at the deal", "charged", None, (0, 0, 1))
    assert game.lives == (2, 3, 2)
    assert game.rewards("lives") == (-1.0, 0.0, -1.0)  # both rounds were settled by one decision
    assert (game.round_number, game.dealer, game.turn_number) == (3, 2, 1)


def test_everyone_dealt_a_31_loses_nothing() -> None:
    """R15: where all seats hold a 31, nobody loses, and the round counts as any other."""
    game = stacked_game(preset("quebec", num_players=2), drawing_deal(["As Ks Qs", "Ah Kh 10h"], "4d"))
    assert last(game) == ("31 at the deal", "charged", None, (0, 0))
    assert game.round_number == 2
    assert game.rewards("lives") == (0.0, 0.0)


@pytest.mark.parametrize(("penalty", "losses"), [(2, (0, 2, 0)), (1, (0, 1, 0))])
def test_a_knocker_strictly_lowest(penalty: int, losses: tuple[int, ...]) -> None:
    """R16: it loses `failed_knock_penalty` lives."""
    hands = [HANDS[1], HANDS[0], HANDS[2]]
    game = three_player_game(stock="2c 3c", hands=hands, failed_knock_penalty=penalty)
    play(game, "knock", "draw", "discard 2c", "draw", "discard 3c")
    assert last(game) == ("knock", "charged", 1, losses)


@pytest.mark.parametrize(("tie", "losses"), [("spared", (1, 0, 0)), ("doubled", (1, 2, 0)), ("shares", (1, 1, 0))])
def test_a_knocker_tied_for_lowest(tie: str, losses: tuple[int, ...]) -> None:
    """R16: it is spared, pays double, or shares; the other tied seat loses one each time."""
    game = three_player_game(stock="3c 3h", hands=["9s 8s 2d", "9h 8h 2c", "Ks Qs 5s"], knocker_tie=tie)
    play(game, "knock", "draw", "discard 3c", "draw", "discard 3h")
    assert last(game) == ("knock", "charged", 1, losses)


def test_everybody_tied_for_lowest_loses_one() -> None:
    """R16: without a knocker, three level hands lose a life each."""
    hands = ["9s 8s 2d", "9h 8h 2c", "9c 8c 3d"]
    game = three_player_game(stock="3c 3h 3s", hands=hands, round_limit=1)
    play(game, "draw", "discard 3c", "draw", "discard 3h", "draw", "discard 3s")
    assert last(game) == ("limit", "charged", None, (1, 1, 1))
