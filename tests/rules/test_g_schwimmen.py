"""Section G, Schwimmen: closing, the renewed table, three aces (R48)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import legal_names, value
from trente_env import Game, InvalidRulesError, Rules, preset
from trente_env.cards import card_text

HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h"]
"""21, 20 and 10."""
TABLE = "9s 9h 8c"


def position(hands: list[str] | None = None, **options: Any) -> Game:
    """Return a position at a table of three: seat 0 to move."""
    setting = {"table": TABLE, "dealer": 2, "stock": "10s 10h 10d 8s 8h 8d"} | options
    return Game.set_up(preset("schwimmen", num_players=3), hands or HANDS, **setting)


def test_r48_passing_opens_nothing() -> None:
    """R48: a pass lets the turn go by; nobody has closed, and the seat has its next turn as ever."""
    game = position()
    game.apply("pass")
    assert (game.knocker, game.seat_to_move) == (None, 1)
    assert {"pass", "close", "swap all"} <= legal_names(game)


@pytest.mark.parametrize("closer", [0, 1, 2])
def test_r48_closing_opens_the_last_lap(closer: int) -> None:
    """R48: after a close everyone else plays once more; then the hands are shown, without a penalty."""
    game = position(to_move=closer)
    game.apply("close")
    assert game.knocker == closer
    movers = []
    while game.round_number == 1:
        assert "close" not in legal_names(game)
        movers.append(game.seat_to_move)
        game.apply("pass")
    assert movers == [(closer + 1) % 3, (closer + 2) % 3]
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker, game.last_round.losses) == ("knock", closer, (0, 0, 1))


def test_r48_closing_on_the_very_first_turn() -> None:
    """R48: a seat may close on its first turn."""
    assert "close" in legal_names(position(turns=0))


def test_r48_a_locked_seat_may_pass_or_close() -> None:
    """R48: a seat that has swapped all three may do either."""
    game = position(locked=[0])
    assert legal_names(game) == {"pass", "close"}
    passed = game.clone()
    passed.apply("pass")
    assert passed.knocker is None
    game.apply("close")
    assert game.knocker == 0


def test_r48_the_table_is_renewed_when_all_have_passed() -> None:
    """R48: when every seat in turn has passed, three cards of the stock replace the table's; the next seat goes on."""
    game = position()
    size = game.stock_size
    for _ in range(2):
        game.apply("pass")
        assert set(game.table) == set(TABLE.split())
    game.apply("pass")
    assert set(game.table) == {"10s", "10h", "10d"}
    assert (game.stock_size, game.seat_to_move, game.last_round) == (size - 3, 0, None)
    assert set(game.discard_pile) == set(TABLE.split())
    for _ in range(2):
        game.apply("pass")
        assert set(game.table) == {"10s", "10h", "10d"}
    game.apply("pass")
    assert set(game.table) == {"8s", "8h", "8d"}
    assert game.seat_to_move == 0


def test_r48_the_lowest_card_of_a_deck_is_renewed_too() -> None:
    """R48: whichever three cards lie on the table, the two of clubs of a full deck among them, go out of play."""
    rules = preset("schwimmen", num_players=3, ranks="23456789TJQKA")
    game = Game.set_up(rules, HANDS, table="2c 9h Ac", dealer=2, passes=2)
    game.apply("pass")
    assert game.discard_pile == ("2c", "Ac", "9h")


@pytest.mark.parametrize("swap", ["one", "all"])
def test_r48_a_swap_breaks_the_row_of_passes(swap: str) -> None:
    """R48: the table is renewed only when everyone has passed in a row: a swap begins the count anew."""
    game = position()
    game.apply("pass")
    game.apply("pass")
    if swap == "all":
        game.apply("swap all")
    else:
        game.apply("take table 9s")
        game.apply("leave 7h")
    lying = game.table
    game.apply("pass")
    game.apply("pass")
    assert game.table == lying
    game.apply("pass")
    assert set(game.table) == {"10s", "10h", "10d"}


def test_r48_the_row_of_passes_is_as_long_as_the_seats_in() -> None:
    """R48: seats that are out do not count."""
    game = position(["As Ks 7d", "", "Kd Jc 7h"], lives=[3, None, 3], dealer=0)
    game.apply("pass")
    game.apply("pass")
    assert set(game.table) == {"10s", "10h", "10d"}


def test_r48_a_locked_seats_pass_counts() -> None:
    """R48: the passes of locked seats are part of the row."""
    game = position(passes=2, locked=[0])
    game.apply("pass")
    assert set(game.table) == {"10s", "10h", "10d"}


def test_r48_passes_after_a_close_renew_nothing() -> None:
    """R48: once somebody has closed, passing only lets the last turns go by."""
    game = position(passes=2)
    game.apply("close")
    game.apply("pass")
    assert set(game.table) == set(TABLE.split())


def used_up(hands: list[str], stock: str) -> Game:
    """Return a position before the last pass of a lap, with just these cards left in the stock."""
    named = " ".join([*hands, TABLE, stock]).split()
    rest = [card_text(card) for card in preset("schwimmen").deck if card_text(card) not in named]
    return position(hands, passes=2, stock=stock, discard_pile=rest)


@pytest.mark.parametrize(("num_left", "is_renewed"), [(3, True), (2, False), (0, False)])
def test_r48_the_stock_can_be_too_small(num_left: int, is_renewed: bool) -> None:
    """R48: with fewer than three cards left the round ends with a showdown, nobody the closer."""
    stock = ["10s", "10h", "10d"][:num_left]
    game = used_up(HANDS, " ".join(stock))
    assert game.stock_size == num_left
    game.apply("pass")
    if is_renewed:
        assert (game.last_round, set(game.table), game.stock_size) == (None, set(stock), 0)
        return
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("table exhausted", None)
    assert (game.last_round.losses, game.last_round.clause) == ((0, 0, 1), "R48")


def test_r48_an_exhausted_table_with_all_equal_is_void() -> None:
    """R48: the showdown of an exhausted table is one like any other: all equal, it is void (R45)."""
    game = used_up(["Kh Js 7c", "Kc Jd Qs", "Kd Jc 7h"], "")
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.outcome) == ("table exhausted", "void")


def test_r48_three_aces_are_worth_33() -> None:
    """R48: three aces count 33, above 31; other three of a kind 30½; in the exchange game aces are no exception."""
    rules = preset("schwimmen")
    assert value("As Ah Ad", rules) == 66
    assert value("Ks Kh Kd", rules) == 61
    assert value("As Ks Qs", rules) == 62
    assert value("As Ah Kd", rules) == 22
    assert value("As Ah Ad", preset("exchange")) == 61


@pytest.mark.parametrize("knocker", [None, 2])
@pytest.mark.parametrize("start", ["take table Ad", "swap all"])
def test_r48_three_aces_end_the_round(start: str, knocker: int | None) -> None:
    """R48: three aces made by a swap, after a close too, end the round; every other seat loses a life."""
    if start == "swap all":
        game = position(["9d 9c 7c", *HANDS[1:]], table="As Ah Ad", knocker=knocker)
        game.apply("swap all")
    else:
        game = position(["As Ah 7d", *HANDS[1:]], table="Ad 9h 8c", knocker=knocker)
        game.apply(start)
        assert game.last_round is None
        game.apply("leave 7d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.half_points[0]) == ("31", 66)
    assert game.last_round.losses == (0, 1, 1)


def test_r48_three_aces_may_be_broken_up() -> None:
    """R48: like a 31, three aces are looked for only when a card has been left."""
    game = position(["As Ah 7d", *HANDS[1:]], table="Ad 9h 8c")
    game.apply("take table Ad")
    game.apply("leave As")
    assert (game.last_round, game.seat_to_move) == (None, 1)


def test_r48_three_aces_at_the_deal() -> None:
    """R48: three aces dealt to a seat end the round before the first turn; every other seat loses a life."""
    game = position(["7c 8s 9d", "As Ah Ad", "Kd Jc 7h"], turns=0, stock="10s 10h 10d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31 at the deal", (1, 0, 1))


def test_r48_three_aces_against_a_31_at_the_deal() -> None:
    """R48: three aces are above a 31: with both dealt, the 31 loses a life with the others."""
    game = position(["Ac Kc Qc", "As Ah Ad", "Kd Jc 7h"], turns=0)
    assert game.last_round is not None
    assert game.last_round.losses == (1, 0, 1)


def test_r48_three_aces_dealt_to_the_dealer_first_are_kept() -> None:
    """R48: three aces among the dealer's first three are kept without a decision, and end the round."""
    rules = Rules(play_style="exchange", ranks="AKQJ", num_players=2, separate_close=True, three_aces=66)
    for seed in range(4_000):
        game = Game.set_up(rules, ["As Kh Jd", "Kd Jc Qs"], table="Ks Qh Jh", knocker=1, to_move=0, seed=seed, dealer=1)
        game.apply("pass")
        shown = game.last_round
        assert shown is not None
        if game.rounds_ended == 2 and shown.half_points[0] == 66:  # seat 0 dealt the second round
            assert (shown.number, shown.end, shown.losses) == (2, "31 at the deal", (0, 1))
            assert (game.dealer, game.round_number) == (1, 3)
            return
    pytest.fail("no deal gave the dealer three aces")


def test_r48_three_aces_on_the_table_do_nothing() -> None:
    """R48: three aces lying on the table end nothing, dealt there or renewed."""
    dealt = position(["9d 9c 7c", *HANDS[1:]], table="As Ah Ad", turns=0)
    assert (dealt.last_round, dealt.seat_to_move) == (None, 0)
    renewed = position(["9d 9c 7c", *HANDS[1:]], stock="As Ah Ad", passes=2)
    renewed.apply("pass")
    assert (renewed.last_round, set(renewed.table)) == (None, {"As", "Ah", "Ad"})


def test_r48_a_31_in_schwimmen_is_a_showdown() -> None:
    """R48: a plain 31 ends the round as in the exchange game: the lowest hand alone loses (R44)."""
    game = position(table="Qs 9h 8c")
    game.apply("take table Qs")
    game.apply("leave 7d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31", (0, 0, 1))


@pytest.mark.parametrize("field", [{"separate_close": True}, {"three_aces": 66}])
def test_r48_fields_of_the_exchange_game_only(field: dict[str, Any]) -> None:
    """R48: a separate close, or three aces apart, are refused in the drawing game."""
    with pytest.raises(InvalidRulesError, match="R48"):
        preset("quebec", **field)


@pytest.mark.parametrize(
    ("fields", "has_close"), [({"separate_close": False}, False), ({"separate_close": True}, True)]
)
def test_r48_the_close_is_a_field(fields: dict[str, Any], has_close: bool) -> None:
    """R48: `separate_close` alone parts passing from closing, in either preset."""
    for name in ("exchange", "schwimmen"):
        game = Game.set_up(preset(name, num_players=3, **fields), HANDS, table=TABLE)
        assert ("close" in legal_names(game)) is has_close
        game.apply("pass")
        assert game.knocker == (None if has_close else 0)
