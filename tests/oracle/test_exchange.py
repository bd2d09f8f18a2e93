"""The oracle's exchange game against the rule book (R40 to R48)."""

from __future__ import annotations

import pytest

from tests.oracle.game import OracleGame
from tests.oracle.presets import preset
from tests.oracle.stacked import last, play, stacked_game

NINES, CLUBS, LEVEL = "9s 8s 7d", "Kc Qc 8c", "9h 8h 7c"
"""17, 28 and 17."""
TABLE = "6c 7h 9d"


def exchange_game(
    hands: list[str], table: str = TABLE, stock: str = "", name: str = "exchange", **options: object
) -> OracleGame:
    """Return a game whose dealer, seat 0, has kept: the dealer's hand, the table, then the others' from its left."""
    rules = preset(name, num_players=len(hands))
    game = stacked_game(rules, " ".join([hands[0], table, *hands[1:], stock]), **options)
    return play(game, "keep") if game.phase == "DEALER_CHOICE" else game


def test_the_dealer_keeps() -> None:
    """R40: the next three go to the table, then three at once to each other seat, clockwise; the left begins."""
    game = stacked_game(preset("exchange", num_players=3), "9s 8s 7d 6c 7h 9d Kc Qc 8c 9h 8h 7c 10c", dealer=1)
    assert game.seat_to_move == 1
    assert game.phase == "DEALER_CHOICE"
    assert game.legal() == {"keep", "refuse"}
    assert game.hands == (set(), {"9s", "8s", "7d"}, set())
    assert len(game.stock) == 33
    assert game.turn_number == 0
    play(game, "keep")
    assert game.hands == ({"9h", "8h", "7c"}, {"9s", "8s", "7d"}, {"Kc", "Qc", "8c"})
    assert game.table == {"6c", "7h", "9d"}
    assert game.stock[0] == "10c"
    assert (game.seat_to_move, game.turn_number) == (2, 1)


def test_the_dealer_refuses() -> None:
    """R40: the first three go to the table, the next three to the dealer, which may still swap all three."""
    game = stacked_game(preset("exchange", num_players=2), "9s 8s 7d 6c 7h 9d Kc Qc 8c")
    play(game, "refuse")
    assert game.hands == ({"6c", "7h", "9d"}, {"Kc", "Qc", "8c"})
    assert game.table == {"9s", "8s", "7d"}
    play(game, "pass")
    assert "swap all" in game.legal()


def test_a_dealer_dealt_a_31_is_not_asked() -> None:
    """R44: it is kept, the round ends with a showdown, and the lowest alone loses."""
    settled = stacked_game(preset("exchange", num_players=3), "As Ks Qs 6c 7h 9d Kc Qc 8c 9h 8h 7c").rounds[0]
    assert (settled.end, settled.outcome, settled.losses) == ("31 at the deal", "charged", (0, 0, 1))


def test_hands_are_checked_when_all_are_dealt() -> None:
    """R44: another seat's 31 ends the round before the first turn, after the dealer's choice."""
    game = stacked_game(preset("exchange", num_players=3), "9s 8s 7d 6c 7h 9d Kc Qc Ac 9h 8h 7c")
    assert game.phase == "DEALER_CHOICE"
    play(game, "keep")
    assert last(game) == ("31 at the deal", "charged", None, (1, 0, 1))


def test_a_31_on_the_table_does_nothing() -> None:
    """R44: play goes on; who swaps for it ends the round."""
    game = exchange_game([NINES, CLUBS, LEVEL], "As Ks Qs")
    assert not game.rounds
    play(game, "swap all")
    assert last(game) == ("31", "charged", None, (1, 0, 1))


def test_swapping_one_card() -> None:
    """R41: first which card to take, then which to leave, not the one just taken; no 31 is looked for in between."""
    game = exchange_game([NINES, "Ac Kc 8d", LEVEL], "10c 7h 9d")
    assert game.legal() == {"pass", "swap all", "take table 10c", "take table 7h", "take table 9d"}
    play(game, "take table 10c")
    assert game.phase == "LEAVE"
    assert game.legal() == {"leave Ac", "leave Kc", "leave 8d"}
    assert game.table == {"7h", "9d"}
    assert not game.rounds
    play(game, "leave Kc")
    assert game.table == {"7h", "9d", "Kc"}
    assert game.hands[1] == {"Ac", "10c", "8d"}
    assert game.seat_to_move == 2


def test_a_31_after_a_swap_is_a_showdown() -> None:
    """R44: the lowest loses a coin, not everybody else; in the last lap too."""
    game = play(exchange_game([NINES, CLUBS, "Ad Qd 8h"], "Kd 7h 9c"), "pass", "take table Kd", "leave 8h")
    assert last(game) == ("31", "charged", None, (1, 0, 0))


def test_the_first_pass_opens_the_last_lap() -> None:
    """R42, R45: the others play once more; the two lowest lose one each, and the knocker is neither hurt nor spared."""
    game = play(exchange_game([NINES, CLUBS, LEVEL]), "pass")
    assert game.knocker == 1
    play(game, "take table 9d", "leave 7c", "take table 7c", "leave 7d")
    assert last(game) == ("knock", "charged", 1, (1, 0, 1))
    game = play(exchange_game([NINES, LEVEL, CLUBS]), "pass", "pass", "pass")
    assert last(game) == ("knock", "charged", 1, (1, 1, 0))
    game = play(exchange_game([CLUBS, NINES, "9h 8h Ac"]), "pass", "pass", "pass")
    assert last(game) == ("knock", "charged", 1, (0, 1, 1))


def test_a_seat_that_swapped_all_may_only_pass() -> None:
    """R43: its pass is a decision with one legal action, and opens the last lap if it is the first."""
    game = play(exchange_game([NINES, LEVEL]), "swap all")
    assert game.hands[1] == set(TABLE.split())
    assert game.table == set(LEVEL.split())
    play(game, "take table 7c", "leave 7d")
    assert game.legal() == {"pass"}
    play(game, "pass")
    assert game.knocker == 1
    assert game.knowledge(0).locked == (False, True)


def test_all_equal_is_void() -> None:
    """R45, R47: nobody loses, even with all on their last loss."""
    game = play(exchange_game([NINES, LEVEL], lives=[0, 0]), "pass", "pass")
    assert last(game) == ("knock", "void", 1, (0, 0))
    assert game.in_game == (True, True)
    assert game.lives == (0, 0)


def test_the_fourth_loss_puts_out_and_the_winner_takes_all_coins() -> None:
    """R46: three coins and grace; each loser loses three coins, the winner gains them."""
    game = play(exchange_game([NINES, LEVEL, CLUBS], lives=[0, 0, 3]), "pass", "pass", "pass")
    assert game.winner == 2
    assert game.rounds[-1].out == (0, 1)
    assert game.rewards("pot") == (-3.0, -3.0, 6.0)
    assert game.rewards("game") == (-0.5, -0.5, 1.0)


def test_everyone_with_a_31_is_void() -> None:
    """R44, R45: all hands are equal."""
    game = stacked_game(preset("exchange", num_players=2), "As Ks Qs 6c 7h 9d Ah Kh Qh")
    assert last(game) == ("31 at the deal", "void", None, (0, 0))


def test_a_lap_of_passes_renews_the_table() -> None:
    """R48: passing opens nothing; when all have passed three cards of the stock replace those on the table."""
    game = exchange_game([NINES, CLUBS, LEVEL], "10c 7h 9d", "Js Jh 10d", name="schwimmen")
    assert {"pass", "close"} <= game.legal()
    play(game, "pass", "pass", "take table 9d", "leave 7d", "pass", "pass")
    assert game.table == {"10c", "7h", "7d"}  # a swap is among them
    play(game, "pass")
    assert game.table == {"Js", "Jh", "10d"}
    assert game.discard_pile == ("10c", "7d", "7h")
    assert game.knocker is None
    assert game.seat_to_move == 1
    assert game.knowledge(0).passes == 0


def test_swapping_all_ends_a_row_of_passes() -> None:
    """R48: one pass before it and two after it are no lap."""
    game = exchange_game([NINES, CLUBS, LEVEL], "10c 7h 9d", "Js Jh 10d", name="schwimmen")
    play(game, "pass", "swap all", "pass", "pass")
    assert game.table == set(LEVEL.split())


def test_a_table_that_cannot_be_renewed() -> None:
    """R48: with one card of stock a lap of passes ends the round with a showdown that nobody has closed."""
    rules = preset("schwimmen", num_players=4, ranks="JQKA")
    game = stacked_game(rules, "As Ks Jh Qs Js Qh Ah Kh Jc Kc Qc Ad Kd Qd Ac")
    play(game, "keep", "pass", "pass", "pass", "pass")
    assert last(game) == ("table exhausted", "charged", None, (0, 0, 1, 1))


def test_closing_opens_the_last_lap() -> None:
    """R48: open to a locked seat too; afterwards nobody closes again, and passes renew nothing."""
    game = exchange_game([NINES, LEVEL, CLUBS], "10c 7h 9d", "Js Jh 10d", name="schwimmen")
    play(game, "swap all", "pass", "pass")
    assert game.legal() == {"pass", "close"}
    play(game, "close")
    assert game.knocker == 1
    assert "close" not in game.legal()
    play(game, "pass")
    assert game.knowledge(1).passes == 0
    play(game, "pass")
    assert last(game) == ("knock", "charged", 1, (0, 1, 0))


def test_three_aces_after_a_swap() -> None:
    """R48: 33 points; every other seat loses a life, whatever it holds."""
    game = exchange_game([NINES, "As Ah 8c", "Kc Qc 9c"], "Ad 7h 9d", name="schwimmen")
    play(game, "take table Ad", "leave 8c")
    assert last(game) == ("31", "charged", None, (1, 0, 1))
    assert game.rounds[0].half_points == (34, 66, 58)


def test_three_aces_beat_a_31_in_the_same_deal() -> None:
    """R48: the 31 loses a life too; dealt to the dealer first, the aces are kept without a decision."""
    game = stacked_game(preset("schwimmen", num_players=3), "As Ah Ad Kd 7h 9d Ac Kc 10c 9s 8s 7d")
    assert last(game) == ("31 at the deal", "charged", None, (0, 1, 1))


def test_three_aces_on_the_table_do_nothing() -> None:
    """R48: nobody holds them."""
    assert not exchange_game([NINES, CLUBS, LEVEL], "As Ah Ad", name="schwimmen").rounds


def test_three_aces_are_a_plain_three_of_a_kind_in_the_exchange_game() -> None:
    """R3: 30½, and the round goes on."""
    game = exchange_game([NINES, "As Ah 8c", LEVEL], "Ad 7h 9d")
    play(game, "take table Ad", "leave 8c")
    assert not game.rounds


@pytest.mark.parametrize("name", ["exchange", "schwimmen"])
def test_the_limit_holds_in_the_exchange_game(name: str) -> None:
    """R50: after one turn each, swaps only, there is a showdown without knocker."""
    rules = preset(name, num_players=2, round_limit=1)
    game = play(stacked_game(rules, f"{NINES} 10c 7h 9d {CLUBS}"), "keep", "take table 7h", "leave 8c")
    play(game, "take table 8c", "leave 7d")
    assert last(game) == ("limit", "charged", None, (1, 0))
