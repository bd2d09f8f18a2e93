"""The oracle's turns of the drawing game against the rule book (R11 to R14, R25)."""

from __future__ import annotations

import pytest

from tests.oracle.presets import preset
from tests.oracle.stacked import last, play, stacked_game, three_player_game


def test_a_turn_draws_or_takes_then_discards() -> None:
    """R11: the stock's top unseen or the upcard, then one card face up."""
    game = three_player_game(stock="Jc")
    assert game.legal() == {"draw", "take", "knock"}
    play(game, "draw")
    assert game.legal() == {"discard 10h", "discard 9h", "discard 8h", "discard Jc"}
    play(game, "discard Jc")
    assert game.discard_pile == ("4d", "Jc")
    assert game.seat_to_move == 2
    play(game, "take")
    assert game.discard_pile == ("4d",)


@pytest.mark.parametrize(("name", "may"), [("quebec", False), ("classic", True), ("kawu", True)])
def test_whether_the_upcard_goes_back(name: str, may: bool) -> None:
    """R12: the card taken may be discarded in classic and kawu, not in quebec; later it may anywhere."""
    game = play(three_player_game(name), "take")
    assert ("discard 4d" in game.legal()) is may
    play(game, "discard 8h", "draw", "discard 5s", "draw", "discard 2d", "draw")
    assert "discard 4d" in game.legal()


def test_no_knock_on_the_first_turn_in_classic() -> None:
    """R13: classic lets a seat knock from its own second turn on."""
    game = three_player_game("classic", stock="2c 3c 5c")
    for card in ("2c", "3c", "5c"):
        assert "knock" not in game.legal()
        play(game, "draw", f"discard {card}")
    assert "knock" in game.legal()


def test_nobody_knocks_twice_in_a_round() -> None:
    """R13: after a knock nobody else may."""
    game = play(three_player_game(), "knock")
    assert game.knocker == 1
    assert game.legal() == {"draw", "take"}


@pytest.mark.parametrize(("name", "may"), [("quebec", False), ("kawu", False), ("italian40", True)])
def test_passing_on_the_last_turn(name: str, may: bool) -> None:
    """R14: only the classic family may pass on a last turn."""
    game = stacked_game(preset(name, num_players=2, may_knock_on_first_turn=True), dealer=0)
    play(game, "knock")
    assert ("pass" in game.legal()) is may


def test_everyone_else_has_one_last_turn() -> None:
    """R14, R16: seats 2 and 0 play once more, then the lowest hand loses a life."""
    game = play(three_player_game(stock="2c 3c"), "knock", "draw", "discard 2c")
    assert not game.rounds
    play(game, "draw", "discard 3c")
    assert last(game) == ("knock", "charged", 1, (1, 0, 0))
    assert game.rounds[0].half_points == (34, 54, 50)
    assert game.lives == (2, 3, 3)
    assert game.round_number == 2


def test_an_illegal_action_changes_nothing() -> None:
    """R25: it is refused, and the game is as it was."""
    game = three_player_game()
    before = (game.hands, game.stock, game.legal(), game.knowledge(0))
    with pytest.raises(ValueError, match="'pass' is not legal"):
        game.apply("pass")
    assert (game.hands, game.stock, game.legal(), game.knowledge(0)) == before
