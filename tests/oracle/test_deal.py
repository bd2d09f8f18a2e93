"""The oracle's seats and deals against the rule book (R7 to R10)."""

from __future__ import annotations

import pytest

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import StackedChance, drawing_deal, play, stacked_game


def test_cards_are_dealt_one_by_one_from_the_dealers_left() -> None:
    """R10, R7: seat 2 deals, so 0 and 1 are served before it; the tenth card is turned up, the left begins."""
    game = stacked_game(preset("quebec", num_players=3), "2c 3c 4c 5c 6c 7c 8d 9d 10d Jd Qd", dealer=2)
    assert game.hands == ({"2c", "5c", "8d"}, {"3c", "6c", "9d"}, {"4c", "7c", "10d"})
    assert game.discard_pile == ("Jd",)
    assert game.stock[0] == "Qd"
    assert len(game.stock) == 42
    assert game.seat_to_move == 0


def test_four_cards_are_dealt_in_the_four_card_game() -> None:
    """R10: four cards each."""
    game = stacked_game(preset("four_card", num_players=2), "2c 3c 4c 5c 6c 7c 8d 9d 10d")
    assert game.hands == ({"3c", "5c", "7c", "9d"}, {"2c", "4c", "6c", "8d"})


def test_a_deal_leaves_room_to_play() -> None:
    """R8: two hands of three need eight cards; six of one suit and four ranks are too few."""
    with pytest.raises(ValueError, match="need 8 cards"):
        stacked_game(preset("quebec", num_players=2, ranks="QKA", suits="cd"))


def test_the_deal_goes_round_past_seats_that_are_out() -> None:
    """R7: seat 2 is out, so from seat 1 the deal goes to seat 3, and seat 0 begins."""
    rules = preset("quebec")
    hands = ["9s 8s 2d", "10h 9h 8h", "", "Ks Qs 5s"]
    game = stacked_game(rules, drawing_deal(hands, "4d", "2c 3c", dealer=1), dealer=1, lives=[3, 3, None, 3])
    assert game.seat_to_move == 3
    play(game, "knock", "draw", "discard 2c", "draw", "discard 3c")
    assert game.dealer == 3
    assert game.seat_to_move == 0
    assert not game.hands[2]


def test_a_new_game_over_at_the_deal_is_dealt_again() -> None:
    """R9: seat 0 would be out at once; everything is put back, and the second deal is the first round."""
    chance = StackedChance({(1, 0): drawing_deal(["9c 8c 2d", "As Ks Qs"], "4d"), (2, 0): "2c 3c 4c 5c 6c 7c 8c"})
    game = OracleGame(preset("quebec", num_players=2), chance, lives=[0, 3])
    assert game.lives == (0, 3)
    assert game.in_game == (True, True)
    assert game.rounds == []
    assert game.round_number == 1
    assert game.dealer == 0
    assert game.hands == ({"3c", "5c", "7c"}, {"2c", "4c", "6c"})


def test_a_single_round_over_at_the_deal_is_dealt_again() -> None:
    """R9: an episode of one round likewise, though nobody goes out."""
    deal = drawing_deal(["9c 8c 2d", "As Ks Qs"], "4d")
    game = stacked_game(preset("quebec", num_players=2), deal, "2c 3c 4c 5c 6c 7c 8c", single_round=True)
    assert game.lives == (3, 3)
    assert game.hands == ({"3c", "5c", "7c"}, {"2c", "4c", "6c"})
