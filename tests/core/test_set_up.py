"""Positions laid out by hand: what they hold, and which are refused."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.play import NAMES, TABLES, all_cards, legal_names, random_games, table_rules
from trente_env import Game, InvalidPositionError, preset

HANDS = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"]
EXCHANGE_HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h"]


def quebec(hands: Any = HANDS, **options: Any) -> Game:
    """Lay out a position of quebec at a table of three."""
    return Game.set_up(preset("quebec", num_players=3), hands, **({"upcard": "5d"} | options))


def exchange(hands: Any = EXCHANGE_HANDS, **options: Any) -> Game:
    """Lay out a position of the exchange game at a table of three."""
    return Game.set_up(preset("exchange", num_players=3), hands, **({"table": "9s 9h 8c"} | options))


def schwimmen(**options: Any) -> Game:
    """Lay out a position of Schwimmen at a table of three."""
    return Game.set_up(preset("schwimmen", num_players=3), EXCHANGE_HANDS, **({"table": "9s 9h 8c"} | options))


def points(**options: Any) -> Game:
    """Lay out a position of the points game at a table of three."""
    return Game.set_up(preset("quebec_points", num_players=3), HANDS, **({"upcard": "5d"} | options))


def test_everything_lies_where_it_was_put() -> None:
    """Hands, upcard, pile, lives, dealer, mover and seed are those given; the unnamed cards are the stock."""
    game = quebec(discard_pile="9h 9c", dealer=2, to_move=1, lives=[3, 2, 0], seed=7, stock="8d 8h")
    assert [set(hand) for hand in game.hands] == [set(hand.split()) for hand in HANDS]
    assert game.discard_pile == ("9h", "9c", "5d")
    assert (game.upcard, game.dealer, game.seat_to_move, game.lives, game.seed) == ("5d", 2, 1, (3, 2, 0), 7)
    assert game.stock_size == 52 - 9 - 3
    assert len(set(all_cards(game))) == 52
    assert (game.round_number, game.num_decisions, game.last_round, game.winner) == (1, 0, None, None)


def test_the_named_stock_comes_first() -> None:
    """The named cards of the stock are drawn first, in their order; the others follow in an order of the seed."""
    drawn = []
    for seed in (1, 1, 2):
        game = quebec(stock="8d 8h", seed=seed)
        cards = []
        for _ in range(6):
            seat = game.seat_to_move
            assert seat is not None
            before = set(game.hands[seat])
            game.apply("draw")
            cards += set(game.hands[seat]) - before
            game.apply(f"discard {cards[-1]}")
        drawn.append(cards)
    assert [cards[:2] for cards in drawn] == [["8d", "8h"]] * 3
    assert drawn[0] == drawn[1] != drawn[2]


def test_cards_may_be_given_in_any_form() -> None:
    """Cards are read from text with spaces or commas, symbols, ids, or lists, in upper or lower case."""
    plain = quebec()
    assert quebec([["Ks", "Qh", "2d"], "jc,7H,3D", "K♥ 7♣ 4♦"], upcard=["5d"]) == plain
    assert quebec([[50, 36, 13], "Jc 7h 3d", "Kh 7c 4d"], upcard="5♦") == plain


def test_a_turn_has_begun() -> None:
    """A position is that of a turn just started: it counts among the turns of the seat to move."""
    game = quebec(turns=2)
    assert (game.phase, game.turn_number) == ("DRAW", 7)
    assert [int(turns) for turns in game.seat_view(0)["turns"][:3]] == [3, 2, 2]
    assert quebec(turns=0).turn_number == 1


def test_a_position_in_mid_turn() -> None:
    """With one card more than a full hand, the seat to move is in mid-turn and must discard."""
    game = quebec(["Ks Qh 2d 9s", *HANDS[1:]], taken="9s")
    assert (game.phase, game.seat_to_move) == ("DISCARD", 0)
    assert legal_names(game) == {"discard Ks", "discard Qh", "discard 2d"}
    drawn = quebec(["Ks Qh 2d 9s", *HANDS[1:]])
    assert legal_names(drawn) == {"discard Ks", "discard Qh", "discard 2d", "discard 9s"}


def test_a_position_between_take_and_leave() -> None:
    """In the exchange game four cards in hand and two on the table are a position between take and leave."""
    game = exchange(["As Ks 7d 9c", *EXCHANGE_HANDS[1:]], table="9s 9h", taken="9c")
    assert (game.phase, legal_names(game)) == ("LEAVE", {"leave As", "leave Ks", "leave 7d"})


def test_known_cards() -> None:
    """Cards a seat is publicly known to hold are in everyone's view."""
    game = quebec(known=["", "Jc 7h", ""])
    assert [int(known).bit_count() for known in game.seat_view(2)["known"][:3]] == [0, 2, 0]


def test_a_knock_leaves_the_last_turns() -> None:
    """With a knocker, the seats from the one to move to the knocker have their last turns."""
    assert [int(quebec(knocker=0, to_move=seat).seat_view(0)["last_turns"]) for seat in (1, 2)] == [2, 1]


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_positions_of_play_can_be_laid_out_again(name: str, num_players: int) -> None:
    """A position met in play, laid out from what is on the table, has the same legal actions and cards."""
    rules = table_rules(name, num_players)
    checked = 0
    for game, _ in random_games(rules, 60):
        if game.phase not in {"DRAW", "EXCHANGE"} or game.is_playoff:
            continue
        pile = game.discard_pile
        row = game.to_array()[0]
        lives = [left if is_in else None for left, is_in in zip(game.lives, game.in_game, strict=True)]
        view = game.seat_view(0)
        turns = [int(count) for count in view["turns"][:num_players]]
        seat = game.seat_to_move
        assert seat is not None
        turns[seat] -= 1
        again = Game.set_up(
            rules,
            game.hands,
            upcard=pile[-1:] if rules.play_style == "draw" else "",
            discard_pile=pile[:-1] if rules.play_style == "draw" else pile,
            table=game.table,
            dealer=game.dealer,
            to_move=seat,
            knocker=game.knocker,
            lives=None if rules.scoring == "points" else lives,
            points=game.points if rules.scoring == "points" else None,
            turns=turns,
            locked=[other for other in range(num_players) if int(row["locked"]) >> other & 1],
            passes=int(row["passes"]),
            buy_ins=game.buy_ins,
        )
        assert (legal_names(again), all_cards(again)) == (legal_names(game), all_cards(game))
        assert (again.stock, again.turn_number, again.in_game) == (game.stock, game.turn_number, game.in_game)
        checked += 1
    assert checked >= 10


REFUSED = [
    (quebec, {"hands": ["Ks Qh 2d", "Ks 7h 3d", "Kh 7c 4d"]}, "Ks stands twice"),
    (quebec, {"hands": ["Ks Ks 2d", "Jc 7h 3d", "Kh 7c 4d"]}, "Ks stands twice"),
    (quebec, {"upcard": "Ks"}, "Ks stands twice, in the hand of seat 0 and in the upcard"),
    (quebec, {"stock": "5d"}, "5d stands twice"),
    (quebec, {"stock": "6d 6d"}, "6d stands twice"),
    (quebec, {"discard_pile": "Jc"}, "Jc stands twice"),
    (quebec, {"discard_pile": "5d"}, "5d stands twice"),
    (quebec, {"hands": ["Ks Qh", "Jc 7h 3d", "Kh 7c 4d"]}, "seat 0 holds 2 cards"),
    (quebec, {"hands": ["Ks Qh 2d", "Jc 7h 3d 9s", "Kh 7c 4d"]}, "seat 1 holds 4 cards"),
    (quebec, {"hands": ["Ks Qh 2d 9s 9h", "Jc 7h 3d", "Kh 7c 4d"]}, "seat 0 holds 5 cards"),
    (quebec, {"hands": ["", "Jc 7h 3d", "Kh 7c 4d"]}, "seat 0 holds 0 cards"),
    (quebec, {"hands": ["Ks Qh 2d", "Jc 7h 3d"]}, "hands must be 3 texts"),
    (quebec, {"hands": "Ks Qh 2d"}, "hands must be 3 texts"),
    (quebec, {"hands": ["Ks Qh 2x", "Jc 7h 3d", "Kh 7c 4d"]}, "'2x' is not a card"),
    (quebec, {"hands": ["Ks Qh", "Jc 7h 3d", ["Kh", 52, "4d"]]}, "52 is not a card|seat 0 holds 2"),
    (quebec, {"upcard": ""}, "upcard"),
    (quebec, {"upcard": "5d 6d"}, "the upcard is one card"),
    (quebec, {"table": "9s 9h 8c"}, "no table cards"),
    (quebec, {"lives": [3, None, 3]}, "seat 1 is out and cannot hold 3 cards"),
    (quebec, {"lives": [3, 3]}, "lives must be 3 numbers"),
    (quebec, {"lives": [3, 4, 3]}, "seat 1 cannot have 4 lives"),
    (quebec, {"lives": [3, -2, 3]}, "seat 1 cannot have -2 lives"),
    (quebec, {"lives": [3, True, 3]}, "seat 1 cannot have True lives"),
    (quebec, {"lives": [3, 1.5, 3]}, "seat 1 cannot have 1.5 lives"),
    (quebec, {"hands": ["Ks Qh 2d", "", ""], "lives": [3, None, None]}, "fewer than two seats"),
    (
        quebec,
        {"hands": ["", *HANDS[1:]], "lives": [None, 3, 3], "dealer": 1},
        "to_move cannot be seat 0: that seat is out",
    ),
    (quebec, {"hands": ["", *HANDS[1:]], "lives": [None, 3, 3], "to_move": 1}, "dealer cannot be seat 0"),
    (
        quebec,
        {"hands": ["", *HANDS[1:]], "lives": [None, 3, 3], "to_move": 1, "dealer": 1, "knocker": 0},
        "knocker cannot be seat 0",
    ),
    (quebec, {"to_move": 3}, "to_move cannot be 3"),
    (quebec, {"to_move": -1}, "to_move cannot be -1"),
    (quebec, {"dealer": "0"}, "dealer cannot be '0'"),
    (quebec, {"knocker": 0, "to_move": 0}, "seat 0 knocked"),
    (quebec, {"knocker": 0, "to_move": 1, "hands": ["As Ks Qs", *HANDS[1:]], "upcard": "5d"}, "ended the round"),
    (quebec, {"knocker": 0, "to_move": 2, "hands": [HANDS[0], "Ac Kc Qc", HANDS[2]]}, "ended the round"),
    (quebec, {"points": [1, 2, 3]}, "points make no sense"),
    (quebec, {"seed": -1}, "seed cannot be -1"),
    (quebec, {"seed": 2**63}, "seed cannot be"),
    (quebec, {"seed": 1.5}, "seed cannot be 1.5"),
    (quebec, {"turns": -1}, "turns must be"),
    (quebec, {"turns": 101}, "turns must be"),
    (quebec, {"turns": [1, 1]}, "turns must be"),
    (quebec, {"taken": "9s", "hands": ["Ks Qh 2d 9c", *HANDS[1:]]}, "taken must be"),
    (quebec, {"taken": "9c Ks", "hands": ["Ks Qh 2d 9c", *HANDS[1:]]}, "taken must be"),
    (quebec, {"known": ["", "9s", ""]}, "seat 1 does not hold all of '9s'"),
    (quebec, {"known": ["", "", "", "9s"]}, "seat 3 does not hold"),
    (quebec, {"buy_ins": [1, 0, 0]}, "buy_ins must be"),
    (quebec, {"buy_ins": [0, 0]}, "buy_ins must be"),
    (points, {"lives": [3, 3, 3]}, "lives make no sense"),
    (points, {"points": [1, 2]}, "points must be 3"),
    (points, {"points": [1, 2, -1]}, "points must be 3"),
    (exchange, {"hands": ["As Ks 5d", *EXCHANGE_HANDS[1:]]}, "5d is not in this deck of 36 cards"),
    (exchange, {"table": "9s 9h"}, "three cards lie on the table"),
    (exchange, {"table": "9s 9h 8c 8d"}, "three cards lie on the table"),
    (exchange, {"table": ""}, "three cards lie on the table"),
    (exchange, {"table": "9s 9h As"}, "As stands twice"),
    (exchange, {"hands": ["As Ks 7d 9c", *EXCHANGE_HANDS[1:]], "taken": "9c"}, "three cards lie on the table"),
    (exchange, {"hands": ["As Ks 7d 9c", *EXCHANGE_HANDS[1:]], "table": "9s 9h"}, "taken must be"),
    (exchange, {"hands": ["", "As Ks 7d", ""], "table": "", "dealer": 0, "to_move": 1}, "dealer's choice"),
    (exchange, {"hands": ["", "As Ks 7d", ""], "table": "", "dealer": 1, "to_move": 0}, "dealer's choice"),
    (exchange, {"hands": ["", "As Ks", ""], "table": "", "dealer": 1, "to_move": 1}, "3 cards"),
    (exchange, {"locked": [3]}, "locked cannot be 3"),
]
"""Positions that cannot arise, and what the refusal says."""


@pytest.mark.parametrize(("lay_out", "options", "message"), REFUSED)
def test_impossible_positions_are_refused(lay_out: Any, options: dict[str, Any], message: str) -> None:
    """A position that cannot arise is refused, and the message says what is wrong with it."""
    with pytest.raises(InvalidPositionError, match=message):
        lay_out(**options)


def test_rest_leaves_the_table_alone() -> None:
    """`discard_pile="rest"` is every card not named elsewhere, the table's being named."""
    game = schwimmen(discard_pile="rest", stock="10s 10h 10d")
    assert (set(game.table), game.stock_size) == ({"9s", "9h", "8c"}, 3)


def test_rest_is_every_card_not_named() -> None:
    """`discard_pile="rest"` leaves just the named cards in the stock."""
    game = quebec(discard_pile="rest", stock="9h 9c")
    assert (game.stock, game.stock_size, game.upcard) == (frozenset({"9h", "9c"}), 2, "5d")
    assert len(game.discard_pile) == 52 - 9 - 2


UNREACHABLE = {
    "another seat's 31, which ended the round, while a seat is in mid-turn": lambda: quebec(
        ["Ks Qh 2d 9s", "Ac Kc Qc", HANDS[2]]
    ),
    "a game that a seat has already won": lambda: points(points=[40, 0, 0]),
    "a locked seat in the drawing game": lambda: quebec(locked=[1]),
    "a card taken by a seat that is not in mid-turn": lambda: quebec(taken="Ks"),
    "a playoff under rules without one": lambda: quebec(is_playoff=True),
    "a playoff that is neither so nor not": lambda: quebec(is_playoff=2),
    "passes in a row in the drawing game": lambda: quebec(passes=1),
    "more passes in a row than seats": lambda: schwimmen(passes=5),
    "a negative number of passes": lambda: schwimmen(passes=-1),
    "an upcard in the exchange game": lambda: exchange(upcard="6c"),
}


@pytest.mark.parametrize("what", UNREACHABLE)
def test_unreachable_positions_are_refused(what: str) -> None:
    """A position that no play leads to is refused rather than half played."""
    with pytest.raises(InvalidPositionError):
        UNREACHABLE[what]()


def test_a_dealer_with_a_31_is_not_asked() -> None:
    """A 31 among the dealer's first three is kept without a decision (R44), laid out as dealt."""
    game = exchange(["As Ks Qs", "", ""], table="", stock="9s 9h 8c 7d 8d 9d 6d 6c 7c")
    assert (game.phase, game.dealer, game.last_round is None) == ("DEALER_CHOICE", 1, False)


@pytest.mark.parametrize("name", NAMES)
def test_set_up_leaves_the_rules_and_arguments_alone(name: str) -> None:
    """Laying out a position changes none of the lists it is given."""
    rules = preset(name, num_players=2)
    game = Game(rules, seed=1)
    if game.phase == "DEALER_CHOICE":
        game.apply("keep")
    hands, lives = [list(hand) for hand in game.hands], [3, 2]
    given = ([list(hand) for hand in hands], list(lives))
    options: dict[str, Any] = {"table": list(game.table)} if game.table else {"upcard": [game.upcard]}
    if rules.scoring == "lives":
        options["lives"] = lives
    Game.set_up(rules, hands, **options)
    assert (hands, lives) == given


def test_every_seat_can_be_dealer_mover_and_knocker() -> None:
    """Any seats still in can be dealer, seat to move and knocker, as long as the knocker is not to move."""
    for dealer, to_move, knocker in itertools.product(range(3), range(3), (None, 0, 1, 2)):
        if to_move != knocker:
            game = quebec(dealer=dealer, to_move=to_move, knocker=knocker)
            assert (game.dealer, game.seat_to_move, game.knocker) == (dealer, to_move, knocker)
