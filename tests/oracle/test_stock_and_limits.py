"""The oracle's empty stock and its limits against the rule book (R17, R50)."""

from __future__ import annotations

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import HANDS, StackedChance, drawing_deal, last, play, stacked_game, three_player_game

SMALL = {"ranks": "QKA", "suits": "cdh", "num_players": 2}
"""Nine cards: two hands, the upcard, and two of stock."""
SMALL_DEAL = drawing_deal(["Kc Qd Ah", "Ac Kd Qh"], "Qc", "Kh Ad")
"""11 each; seat 1 begins."""


def test_an_empty_stock_is_shuffled_before_the_turn() -> None:
    """R17: all discards but the top one become the stock, and the seat decides as ever."""
    chance = StackedChance({(1, 0): SMALL_DEAL, (1, 1): "Kh Qc"})
    game = play(OracleGame(preset("quebec", **SMALL), chance), "draw", "discard Kh", "draw")
    assert game.stock == ()  # in mid-turn nothing happens
    play(game, "discard Ad")
    assert game.stock == ("Kh", "Qc")
    assert game.discard_pile == ("Ad",)
    assert game.legal() == {"draw", "take", "knock"}


def test_an_empty_stock_is_shuffled_in_the_last_lap_too() -> None:
    """R17: seat 2 draws the last card on its last turn; seat 0 has a stock of the one card that was under it."""
    game = tiny_game("quebec")
    play(game, "knock", "draw", "discard Ac")
    assert game.stock == ("Ks",)
    assert game.legal() == {"draw", "take"}


def empty_stock(**changes: object) -> OracleGame:
    """Return a game of classic in which seat 1 starts its second turn with the stock gone."""
    game = stacked_game(preset("classic", **SMALL, **changes), SMALL_DEAL)
    return play(game, "draw", "discard Kh", "draw", "discard Ad")


def test_last_call_ends_with_a_pass() -> None:
    """R17: no drawing; a pass ends the round with a showdown without knocker: both are level and lose one."""
    game = empty_stock()
    assert game.legal() == {"take", "knock", "pass"}
    play(game, "pass")
    assert last(game) == ("last call", "charged", None, (1, 1))


def test_last_call_ends_with_a_knock() -> None:
    """R17: a knock ends the round at once, and the showdown judges the knocker: level, it is spared."""
    assert last(play(empty_stock(), "knock")) == ("knock", "charged", 1, (1, 0))


def test_last_call_goes_on_with_the_upcard() -> None:
    """R17, R12: who takes the upcard discards; the next seat has a last call of its own."""
    game = play(empty_stock(), "take", "discard Ad")
    assert game.seat_to_move == 0
    assert game.legal() == {"take", "knock", "pass"}


def tiny_game(name: str, **changes: object) -> OracleGame:
    """Return a game of three with hands of two, the upcard and a stock of one: eight cards; seat 1 begins."""
    rules = preset(name, num_players=3, ranks="KA", hand_size=2, **changes)
    return stacked_game(rules, drawing_deal(["Kc Ad", "Kd Ah", "Kh As"], "Ks", "Ac"))


def test_at_last_call_a_first_turn_knock_still_needs_the_rule() -> None:
    """R17, R13: seat 2 meets last call on its first turn and may not knock."""
    game = play(tiny_game("classic"), "draw", "discard Ac")
    assert game.legal() == {"take", "pass"}


def test_last_turns_go_on_with_the_stock_gone() -> None:
    """R17: after a knock the last lap goes on, with passing allowed whatever R14 says."""
    game = tiny_game("classic", may_pass_on_last_turn=False, may_knock_on_first_turn=True)
    play(game, "knock")
    assert game.legal() == {"draw", "take"}
    play(game, "draw", "discard Ac")
    assert game.legal() == {"take", "pass"}
    play(game, "pass")
    assert last(game) == ("knock", "charged", 1, (1, 0, 1))


def test_the_limit_ends_a_round() -> None:
    """R50: with two turns a seat, the seventh turn of three seats is a showdown without knocker instead."""
    game = three_player_game("classic", round_limit=2)
    for _ in range(6):
        assert not game.rounds
        play(game, "take", "discard 4d")
    assert last(game) == ("limit", "charged", None, (1, 0, 0))


def test_the_limit_cuts_a_last_lap_short() -> None:
    """R50: seat 2 knocks on the fifth of six turns; seat 1 has no last turn, and nobody is judged as the knocker."""
    game = three_player_game("classic", round_limit=2, hands=[HANDS[1], HANDS[2], HANDS[0]])
    for _ in range(4):
        play(game, "take", "discard 4d")
    play(game, "knock", "pass")
    assert last(game) == ("limit", "charged", None, (0, 0, 1))


def test_a_game_too_long_is_truncated() -> None:
    """R50: after `max_rounds` rounds nobody has won, and nothing is paid."""
    game = three_player_game(stock="2c 3c", max_rounds=1)
    play(game, "knock", "draw", "discard 2c", "draw", "discard 3c")
    assert game.is_over
    assert game.is_truncated
    assert game.winner is None
    assert game.seat_to_move is None
    assert game.legal() == set()
    assert game.rewards("game") == game.rewards("pot") == (0.0, 0.0, 0.0)
    assert game.rewards("lives") == (-1.0, 0.0, 0.0)
