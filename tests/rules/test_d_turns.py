"""Section D, a turn: the deal's order, draw, take, discard, knock, the last turns (R10 to R14)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import DRAWING, EXCHANGE, FOR_LIVES, THREE_CARD, legal_names, stand
from trente_env import Game, IllegalActionError, preset
from trente_env.cards import card_text

MAY_KNOCK_ON_FIRST_TURN = {"quebec": True, "quebec_points": True, "kawu": True} | dict.fromkeys(
    ("classic", "italian40", "four_card", "no_trips", "buy_in"), False
)
MAY_PASS_ON_LAST_TURN = {name: not may for name, may in MAY_KNOCK_ON_FIRST_TURN.items()}
MAY_RETURN_UPCARD = {"quebec": False, "quebec_points": False, "kawu": True} | dict.fromkeys(
    ("classic", "italian40", "four_card", "no_trips", "buy_in"), True
)


def hands_of_three(name: str, count: int = 3) -> list[str]:
    """Return plain hands, none a 31, of the size the preset deals."""
    hands = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d", "Kd 5s 6c"][:count]
    return (
        [f"{hand} {extra}" for hand, extra in zip(hands, ("2s", "3s", "4s", "6s"), strict=False)]
        if name == "four_card"
        else hands
    )


def position(name: str, **options: Any) -> Game:
    """Return a plain position at a table of three: seat 0 to move, upcard 5d, the stock 5h 6h 7s."""
    options = {"upcard": "5d", "stock": "5h 6h 7s", "dealer": 2} | options
    return Game.set_up(preset(name, num_players=3), hands_of_three(name), **options)


@pytest.mark.parametrize("num_players", [2, 4, 9])
@pytest.mark.parametrize("name", DRAWING)
def test_r10_cards_go_round_one_at_a_time(name: str, num_players: int) -> None:
    """R10: each seat gets its cards one at a time, clockwise from the dealer's left; the next card is turned up."""
    rules = preset(name, num_players=num_players)
    game = Game(rules, seed=11, dealer=1)
    assert game.round_number == 1
    row = game.to_array()[0]
    order = [card_text(int(card)) for card in row["deck"][: row["num_drawn"]]]
    assert len(order) == num_players * rules.hand_size + 1
    for place in range(num_players):
        seat = (1 + 1 + place) % num_players
        assert set(game.hands[seat]) == set(order[place:-1:num_players])
    assert game.discard_pile == (order[-1],)
    assert game.upcard == order[-1]


@pytest.mark.parametrize("name", FOR_LIVES)
def test_r10_seats_that_are_out_are_skipped(name: str) -> None:
    """R10: the cards go round the seats still in."""
    game = Game(preset(name, num_players=4), seed=11, dealer=3, lives=[3, None, 1, 3])
    row = game.to_array()[0]
    order = [card_text(int(card)) for card in row["deck"][: row["num_drawn"]]]
    assert [set(game.hands[seat]) for seat in (0, 2, 3)] == [set(order[place:-1:3]) for place in range(3)]
    assert game.hands[1] == ()


@pytest.mark.parametrize("name", DRAWING)
def test_r11_the_choices_of_a_turn(name: str) -> None:
    """R11: on its turn a seat may draw, take the upcard, or knock."""
    assert legal_names(position(name)) == {"draw", "take", "knock"}


@pytest.mark.parametrize("name", DRAWING)
def test_r11_draw_and_discard(name: str) -> None:
    """R11: drawing takes the top of the stock; then one card goes face up on the discard pile, and the turn passes."""
    game = position(name)
    before = set(game.hands[0])
    size = game.stock_size
    game.apply("draw")
    assert set(game.hands[0]) == before | {"5h"}
    assert (game.stock_size, game.seat_to_move, game.phase) == (size - 1, 0, "DISCARD")
    assert legal_names(game) == {f"discard {card}" for card in before | {"5h"}}
    game.apply("discard 2d")
    assert set(game.hands[0]) == (before | {"5h"}) - {"2d"}
    assert game.discard_pile == ("5d", "2d")
    assert (game.upcard, game.seat_to_move, game.phase) == ("2d", 1, "DRAW")


@pytest.mark.parametrize("name", DRAWING)
def test_r11_take_and_discard(name: str) -> None:
    """R11: taking takes the upcard and leaves the stock alone; the card below it may be next turn's upcard no more."""
    game = position(name, discard_pile="6d 7d")
    size = game.stock_size
    game.apply("take")
    assert "5d" in game.hands[0]
    assert (game.stock_size, game.discard_pile) == (size, ("6d", "7d"))
    game.apply("discard Qh")
    assert game.discard_pile == ("6d", "7d", "Qh")
    assert (game.upcard, game.seat_to_move) == ("Qh", 1)


@pytest.mark.parametrize("name", DRAWING)
def test_r11_the_stock_is_drawn_in_order(name: str) -> None:
    """R11: seat after seat draws the next card of the stock."""
    game = position(name)
    drawn = []
    for _ in range(3):
        seat = game.seat_to_move
        assert seat is not None
        before = set(game.hands[seat])
        game.apply("draw")
        drawn += set(game.hands[seat]) - before
        game.apply(f"discard {drawn[-1]}")
    assert drawn == ["5h", "6h", "7s"]
    assert game.seat_to_move == 0


@pytest.mark.parametrize("name", DRAWING)
def test_r12_returning_the_upcard(name: str) -> None:
    """R12: the card just taken may be discarded at once in classic, kawu and their kin, and not in quebec."""
    game = position(name)
    game.apply("take")
    assert ("discard 5d" in legal_names(game)) is MAY_RETURN_UPCARD[name]
    assert legal_names(game) - {"discard 5d"} == {f"discard {card}" for card in game.hands[0] if card != "5d"}


@pytest.mark.parametrize("name", DRAWING)
def test_r12_only_in_the_same_turn(name: str) -> None:
    """R12: a card taken in an earlier turn may be discarded like any other."""
    game = position(name)
    game.apply("take")
    game.apply("discard 2d")
    stand(game)
    stand(game)
    game.apply("draw")
    assert "discard 5d" in legal_names(game)


@pytest.mark.parametrize("name", DRAWING)
def test_r12_a_drawn_card_may_always_be_discarded(name: str) -> None:
    """R12: the card just drawn from the stock may be thrown away at once."""
    game = position(name)
    game.apply("draw")
    game.apply("discard 5h")
    assert game.upcard == "5h"


@pytest.mark.parametrize("name", DRAWING)
def test_r13_knocking_on_the_first_turn(name: str) -> None:
    """R13: on its first turn of a deal a seat may knock in quebec, its points game and kawu, and not in classic."""
    assert ("knock" in legal_names(position(name, turns=0))) is MAY_KNOCK_ON_FIRST_TURN[name]
    assert "knock" in legal_names(position(name, turns=1))


@pytest.mark.parametrize("name", DRAWING)
def test_r13_each_seat_has_its_own_first_turn(name: str) -> None:
    """R13: what counts is that seat's first turn, not the round's."""
    game = position(name, turns=[1, 0, 1])
    assert "knock" in legal_names(game)
    stand(game)
    assert ("knock" in legal_names(game)) is MAY_KNOCK_ON_FIRST_TURN[name]
    stand(game)
    assert "knock" in legal_names(game)


@pytest.mark.parametrize("name", DRAWING)
def test_r13_every_deal_has_first_turns(name: str) -> None:
    """R13: the next deal begins with first turns again."""
    game = position(name, turns=5)
    game.apply("knock")
    stand(game)
    stand(game)
    assert game.round_number == 2
    for _ in range(3):
        assert ("knock" in legal_names(game)) is MAY_KNOCK_ON_FIRST_TURN[name]
        stand(game)
    assert "knock" in legal_names(game)


@pytest.mark.parametrize("name", ["classic", "italian40", "no_trips", "buy_in", "four_card"])
def test_r13_a_playoff_deal_has_first_turns(name: str) -> None:
    """R13: in a playoff nobody may knock on the first turn either."""
    hands = ["Ks 7h 6d", "Kh 7s 6c"]
    if name == "four_card":
        hands = ["Ks 7h 6d 2c", "Kh 7s 6c 2d"]
    game = Game.set_up(
        preset(name, num_players=2, round_limit=2), hands, upcard="5d", to_move=1, lives=[0, 0], turns=[2, 1]
    )
    stand(game)
    assert game.is_playoff
    assert "knock" not in legal_names(game)


@pytest.mark.parametrize("name", DRAWING)
def test_r13_one_knock_a_round(name: str) -> None:
    """R13: once somebody has knocked, nobody else may."""
    game = position(name)
    game.apply("knock")
    for _ in range(2):
        assert "knock" not in legal_names(game)
        stand(game)


@pytest.mark.parametrize("name", DRAWING)
def test_r13_no_knock_in_mid_turn(name: str) -> None:
    """R13: a knock stands in place of drawing: after drawing or taking it is too late."""
    for start in ("draw", "take"):
        game = position(name)
        game.apply(start)
        with pytest.raises(IllegalActionError, match="Knock is not legal"):
            game.apply("knock")


@pytest.mark.parametrize("name", DRAWING)
@pytest.mark.parametrize("knocker", [0, 1, 2])
def test_r14_every_other_seat_has_one_last_turn(name: str, knocker: int) -> None:
    """R14: after a knock the others, clockwise, have exactly one turn each; then the hands are shown."""
    game = position(name, to_move=knocker)
    game.apply("knock")
    movers = []
    while game.round_number == 1:
        movers.append(game.seat_to_move)
        stand(game)
    assert movers == [(knocker + 1) % 3, (knocker + 2) % 3]
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", knocker)


@pytest.mark.parametrize("name", FOR_LIVES)
def test_r14_seats_that_are_out_have_no_last_turn(name: str) -> None:
    """R14: only seats still in, grace included, have a last turn."""
    hands = hands_of_three(name, 4)
    hands[2] = ""
    lives = [3, 1 if name == "kawu" else 0, None, 2]
    game = Game.set_up(preset(name, num_players=4), hands, upcard="5d", stock="5h 6h", to_move=3, lives=lives)
    game.apply("knock")
    assert game.seat_to_move == 0
    stand(game)
    assert game.seat_to_move == 1
    stand(game)
    assert game.last_round is not None
    assert game.last_round.hands[2] == ()


@pytest.mark.parametrize("name", DRAWING)
def test_r14_passing_on_the_last_turn(name: str) -> None:
    """R14: on its last turn a seat may pass in classic and its kin, and must draw or take in quebec and kawu."""
    game = position(name, knocker=2, to_move=0)
    assert legal_names(game) == {"draw", "take"} | ({"pass"} if MAY_PASS_ON_LAST_TURN[name] else set())


@pytest.mark.parametrize("name", [name for name in DRAWING if MAY_PASS_ON_LAST_TURN[name]])
def test_r14_a_pass_changes_no_card(name: str) -> None:
    """R14: who passes on the last turn keeps its hand, and the turn passes on."""
    game = position(name, knocker=2, to_move=0)
    hands = game.hands
    game.apply("pass")
    assert (game.seat_to_move, game.hands, game.upcard) == (1, hands, "5d")


@pytest.mark.parametrize("name", DRAWING)
def test_r14_no_passing_before_a_knock(name: str) -> None:
    """R14: while nobody has knocked and the stock lasts, a turn cannot be passed."""
    assert "pass" not in legal_names(position(name))


@pytest.mark.parametrize("name", THREE_CARD)
def test_r14_last_turns_are_whole_turns(name: str) -> None:
    """R14: on its last turn a seat may improve its hand, which then counts at the showdown."""
    game = Game.set_up(preset(name, num_players=2), ["Ks 7s 2d", "Qh 2h 3c"], upcard="Kh", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 3c")
    assert game.last_round is not None
    assert game.last_round.half_points == (34, 44)


def test_r14_the_exchange_game_has_other_names() -> None:
    """R14: draw, take and knock are no actions of the exchange game."""
    for name in EXCHANGE:
        game = Game(preset(name), seed=1)
        game.apply("keep")
        assert not legal_names(game) & {"draw", "take", "knock"}
