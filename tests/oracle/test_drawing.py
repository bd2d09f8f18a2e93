"""The oracle's drawing game against the rule book (R7 to R17, R25, R50)."""

from __future__ import annotations

import pytest

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import StackedChance, drawing_deal, play, stacked_game

HANDS = ["9s 8s 2d", "10h 9h 8h", "Ks Qs 5s"]
"""17, 27 and 25."""
SMALL = {"ranks": "QKA", "suits": "cdh", "num_players": 2}
"""Nine cards: two hands, the upcard, and two of stock."""
SMALL_DEAL = drawing_deal(["Kc Qd Ah", "Ac Kd Qh"], "Qc", "Kh Ad")
"""11 each; seat 1 begins."""


def three_player_game(name: str = "quebec", stock: str = "", hands: list[str] = HANDS, **changes: object) -> OracleGame:
    """Return a game of three: seat 0 deals, seat 1 begins, 4d is turned up."""
    return stacked_game(preset(name, num_players=3, **changes), drawing_deal(hands, "4d", stock))


def last(game: OracleGame) -> tuple[str, str, int | None, tuple[int, ...]]:
    """Return how the last round ended, its outcome, its knocker, and what was charged."""
    settled = game.rounds[-1]
    return settled.end, settled.outcome, settled.knocker, settled.losses


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


def test_a_31_after_a_discard_ends_the_round() -> None:
    """R15: every other seat loses a life, whatever it holds."""
    game = three_player_game(stock="As", hands=["9s 8s 2d", "Ks Qs 5d", "10h 9h 8h"])
    play(game, "draw")
    assert not game.rounds
    play(game, "discard 5d")
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


def test_an_illegal_action_changes_nothing() -> None:
    """R25: it is refused, and the game is as it was."""
    game = three_player_game()
    before = (game.hands, game.stock, game.legal(), game.knowledge(0))
    with pytest.raises(ValueError, match="'pass' is not legal"):
        game.apply("pass")
    assert (game.hands, game.stock, game.legal(), game.knowledge(0)) == before
