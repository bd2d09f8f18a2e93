"""The oracle's lives, playoffs and buy-ins against the rule book (R20 to R24)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import HANDS, drawing_deal, last, play, stacked_game

LEVEL = ["9s 8s 2d", "9h 8h 2c", "9c 8c 3h"]
"""17 each."""
LOWEST_0, LOWEST_1, LOWEST_2 = HANDS, [HANDS[1], HANDS[0], HANDS[2]], [HANDS[1], HANDS[2], HANDS[0]]


def short_game(
    name: str, *deals: Sequence[str], lives: Sequence[int | None] | None = None, single: bool = False, **changes: object
) -> OracleGame:
    """Return a game of short rounds: one turn a seat, then a showdown without knocker (R50).

    Args:
        name: A rule set in which the upcard taken may go back.
        deals: The hands of each round; seat 0 deals first, and 4d is always turned up.
        lives: Lives to start with.
        single: Whether one round is all.
        changes: Other fields of the rules.
    """
    seats = len(deals[0])
    tops = [drawing_deal(hands, "4d", dealer=number % seats) for number, hands in enumerate(deals)]
    rules = preset(name, num_players=seats, round_limit=1, may_return_upcard=True, **changes)
    return stacked_game(rules, *tops, lives=lives, single_round=single)


def play_round(game: OracleGame) -> OracleGame:
    """Let every seat take the upcard and give it back, until the round is settled."""
    settled = len(game.rounds)
    while len(game.rounds) == settled:
        play(game, "take", "discard 4d")
    return game


def test_everyone_starts_with_three_lives() -> None:
    """R20: three, or as many as the rules say."""
    assert short_game("quebec", LOWEST_0).lives == (3, 3, 3)
    assert short_game("quebec", LOWEST_0, starting_lives=5).lives == (5, 5, 5)


def test_grace_lasts_until_the_next_loss() -> None:
    """R21: the last life lost, seat 0 is in grace, stays so while others lose, and is out by its next loss."""
    game = play_round(short_game("quebec", LOWEST_0, LOWEST_1, LOWEST_0, lives=[1, 3, 3]))
    assert (game.lives[0], game.in_game[0]) == (0, True)
    play_round(game)
    assert (game.lives, game.in_game) == ((0, 2, 3), (True, True, True))
    play_round(game)
    assert (game.lives, game.in_game) == ((0, 2, 3), (False, True, True))
    assert game.rounds[-1].losses == (1, 0, 0)
    assert game.rounds[-1].out == (0,)
    assert not game.hands[0]  # R22


def test_two_lives_lost_with_one_left_lead_into_grace() -> None:
    """R21: the knocker is charged two and keeps none, but is not out."""
    deal = drawing_deal(["10h 9h 8h", "9s 8s 2d"], "4d", "5d")
    game = play(stacked_game(preset("quebec", num_players=2), deal, lives=[3, 1]), "knock", "draw", "discard 5d")
    assert last(game) == ("knock", "charged", 1, (0, 2))
    assert (game.lives, game.in_game) == ((3, 0), (True, True))


@pytest.mark.parametrize(("lives", "is_in"), [(1, False), (2, True)])
def test_without_grace_a_seat_without_a_life_is_out(lives: int, is_in: bool) -> None:
    """R21: in kawu the last life lost puts a seat out."""
    game = play_round(short_game("kawu", LOWEST_0, lives=[lives, 3, 3]))
    assert (game.lives[0], game.in_game[0]) == (lives - 1, is_in)


def test_the_last_seat_in_wins_even_in_grace() -> None:
    """R22: seat 0 goes out, seat 1 is in grace and has won; seat 2 never took part, and is paid nothing."""
    game = play_round(short_game("classic", ["9s 8s 2d", "10h 9h 8h", ""], lives=[0, 0, None]))
    assert game.is_over
    assert not game.is_truncated
    assert game.winner == 1
    assert game.phase == "OVER"
    assert game.rewards("game") == game.rewards("pot") == (-1.0, 1.0, 0.0)
    assert game.rewards("lives") == (-1.0, 0.0, 0.0)
    assert game.rewards("round") == (-1.0, 1.0, 0.0)


def test_the_losers_share() -> None:
    """R22: the winner is paid 1, the two others half of -1 each; nothing before the end."""
    game = play_round(short_game("classic", LOWEST_0, ["", *LOWEST_1[1:]], lives=[0, 0, 3]))
    assert game.rewards("game") == (0.0, 0.0, 0.0)
    assert game.rewards("round") == (-1.0, 0.5, 0.5)
    play_round(game)
    assert game.winner == 2
    assert game.rewards("game") == (-0.5, -0.5, 1.0)
    assert game.rewards("round") == (0.0, -1.0, 1.0)
    assert game.rewards("pot") == (-1.0, -1.0, 2.0)


def test_everyone_out_at_once_is_void_in_quebec() -> None:
    """R23: nobody loses anything, and the next deal follows, with the deal going round."""
    game = play_round(short_game("quebec", LEVEL, LOWEST_0, lives=[0, 0, 0]))
    assert last(game) == ("limit", "void", None, (0, 0, 0))
    assert game.rounds[-1].out == ()
    assert game.in_game == (True, True, True)
    assert (game.dealer, game.is_playoff) == (1, False)


def test_a_tied_knock_can_be_void_in_kawu() -> None:
    """R23: doubled, the knocker would lose its last two lives, the other its last one."""
    deal = drawing_deal(["9s 8s 2d", "9h 8h 2c"], "4d", "5d")
    game = play(stacked_game(preset("kawu", num_players=2), deal, lives=[1, 2]), "knock", "draw", "discard 5d")
    assert last(game) == ("knock", "void", 1, (0, 0))
    assert game.lives == (1, 2)


def test_not_everyone_out_is_no_void() -> None:
    """R23: two of three on their last loss go out, and the third has won."""
    game = play_round(short_game("quebec", LEVEL, lives=[0, 0, 1]))
    assert last(game) == ("limit", "charged", None, (1, 1, 1))
    assert game.winner == 2


def test_a_playoff_goes_on_until_one_is_left() -> None:
    """R23: the opening round charges nothing; level again, they play again; then the lowest is out, one at a time."""
    game = play_round(short_game("classic", LEVEL, LEVEL, LOWEST_0, ["", *LOWEST_2[1:]], lives=[0, 0, 0]))
    assert last(game) == ("limit", "playoff", None, (0, 0, 0))
    assert (game.dealer, game.seat_to_move, game.is_playoff) == (1, 2, True)
    play_round(game)
    assert last(game) == ("limit", "playoff", None, (0, 0, 0))
    play_round(game)
    assert last(game) == ("limit", "charged", None, (1, 0, 0))
    assert game.in_game == (False, True, True)
    assert game.is_playoff


def test_a_playoff_among_some_leaves_those_out_alone() -> None:
    """R23, R22: seat 1 is out before; the playoff between 0 and 2 ends with one deal."""
    game = play_round(short_game("classic", [LEVEL[0], "", LEVEL[2]], lives=[0, None, 0]))
    assert game.is_playoff
    assert not game.hands[1]
    assert game.dealer == 2


def test_a_failed_knock_costs_one_in_a_playoff() -> None:
    """R23: the knocker is out, charged 1 and not the penalty."""
    playoff = drawing_deal(["9s 8s 2d", "10h 9h 8h"], "4d", dealer=1)
    rules = preset("classic", num_players=2, round_limit=2, may_knock_on_first_turn=True)
    game = stacked_game(rules, drawing_deal(LEVEL[:2], "4d"), playoff, lives=[0, 0])
    while not game.rounds:
        play(game, "take", "discard 4d")
    play(game, "knock", "pass")
    assert last(game) == ("knock", "charged", 0, (1, 0))
    assert game.rounds[-1].out == (0,)
    assert game.winner == 1


def test_31s_at_the_deal_of_a_playoff() -> None:
    """R23: seat 2 is out, and the two holders play on among themselves."""
    game = play_round(short_game("classic", LEVEL, ["As Ks Qs", "Ah Kh 10h", "9c 8c 2d"], lives=[0, 0, 0]))
    assert last(game) == ("31 at the deal", "charged", None, (0, 0, 1))
    assert game.in_game == (True, True, False)
    assert game.is_playoff
    assert game.round_number == 3


def test_a_playoff_without_grace_leaves_lives_alone() -> None:
    """R23: without grace seats come into a playoff with a life, and keep it, in or out."""
    rules = {"grace": False, "lives": [1, 1]}
    game = play_round(short_game("classic", LEVEL[:2], HANDS[:2], **rules))
    assert game.lives == (1, 1)
    play_round(game)
    assert (game.winner, game.in_game) == (1, (False, True))
    assert game.lives == (1, 1)


def test_buying_in() -> None:
    """R24: seat 0 goes out and is asked before a winner is found; it has full lives again, and another stake."""
    game = play_round(short_game("buy_in", LOWEST_0[:2], LOWEST_1[:2], lives=[0, 0]))
    assert game.seat_to_move == 0
    assert game.phase == "BUY_IN"
    assert game.legal() == {"buy in", "decline"}
    assert game.in_game == (False, True)
    assert game.winner is None
    assert game.round_number == 1
    play(game, "buy in")
    assert (game.lives, game.buy_ins, game.in_game) == ((3, 0), (1, 0), (True, True))
    assert game.rewards("lives") == (0.0, 0.0)
    play_round(game)
    play(game, "decline")
    assert game.winner == 0
    assert game.rewards("pot") == (1.0, -1.0)


def test_a_winner_takes_the_stakes_of_buy_ins() -> None:
    """R24: seat 0 has bought in and goes out at last, with no buy-in left: two stakes lost; nobody is asked."""
    hands = [*LOWEST_0[:2]]
    game = short_game("buy_in", hands, hands, hands, lives=[0, 3], starting_lives=1)
    play(play_round(game), "buy in")
    play_round(play_round(game))
    assert game.winner == 1
    assert game.rewards("pot") == (-2.0, 2.0)


def test_who_is_asked_first() -> None:
    """R24: clockwise from the dealer's left: seat 2, then seat 0, which deals."""
    hands = [LEVEL[0], HANDS[1], LEVEL[2]]
    game = play_round(short_game("buy_in", hands, lives=[0, 3, 0]))
    assert game.seat_to_move == 2
    play(game, "decline")
    assert game.seat_to_move == 0
    play(game, "buy in")
    assert game.in_game == (True, True, False)
    assert game.dealer == 1  # R7, after the buy-ins


def test_nobody_is_asked_in_a_playoff_or_a_void_round() -> None:
    """R24: neither the round that opens a playoff nor the playoff itself asks anyone; nor does a void round."""
    game = play_round(short_game("buy_in", LEVEL, LOWEST_0, lives=[0, 0, 0]))
    assert game.is_playoff
    play_round(game)
    assert game.in_game == (False, True, True)
    assert game.phase == "DRAW"
    assert play_round(short_game("quebec", LEVEL, lives=[0, 0, 0], buy_ins=1)).phase == "DRAW"


def test_buy_ins_come_before_truncation() -> None:
    """R24, R50: the last round that `max_rounds` allows asks too; declined by all but one, the game is won."""
    game = play_round(short_game("buy_in", HANDS[:2], lives=[0, 0], max_rounds=1))
    assert game.phase == "BUY_IN"
    play(game, "decline")
    assert (game.winner, game.is_truncated) == (1, False)


def test_a_single_round_ends_the_game() -> None:
    """R9, R24: a single round is over when settled; nobody is asked, and nobody has won, even the last seat in."""
    game = play_round(short_game("quebec", LOWEST_0, single=True))
    assert (game.is_over, game.is_truncated, game.winner) == (True, False, None)
    assert game.rewards("game") == (0.0, 0.0, 0.0)
    assert game.rewards("lives") == (-1.0, 0.0, 0.0)
    assert play_round(short_game("quebec", LOWEST_0[:2], single=True, lives=[0, 3])).winner is None
    game = play_round(short_game("buy_in", LOWEST_0[:2], single=True, lives=[0, 3]))
    assert (game.is_over, game.phase, game.winner) == (True, "OVER", None)


@pytest.mark.parametrize("lives", [[3], [3, None], [-1, 0], [0, 0, 0]])
def test_lives_that_make_no_game(lives: list[int | None]) -> None:
    """R21: two seats must be in; without grace one with no life is not."""
    with pytest.raises(ValueError, match="lives"):
        stacked_game(preset("kawu", num_players=2 if len(lives) < 3 else 3), lives=lives)
