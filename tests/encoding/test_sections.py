"""What each section of the observation says, on positions laid out by hand and along random games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests import oracles
from tests.play import NAMES, TABLES, legal_names, observe, random_games, stand, table_rules
from trente_env import Game, preset
from trente_env.cards import card_text, parse_card
from trente_env.core.layout import EVENT_NAMES, PHASE_NAMES
from trente_env.encoding.sections import OBSERVED_RULES

HANDS = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"]
EXCHANGE_HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h"]


def cards(section: NDArray[Any]) -> set[str]:
    """Return the cards that a section of 52 names."""
    return {card_text(int(card)) for card in section.nonzero()[0]}


def classic(**options: Any) -> Game:
    """Return a position of classic at a table of three."""
    hands = options.pop("hands", HANDS)
    return Game.set_up(preset("classic", num_players=3), hands, **({"upcard": "5d"} | options))


def exchange(name: str = "exchange", **options: Any) -> Game:
    """Return a position of an exchange game at a table of three."""
    hands = options.pop("hands", EXCHANGE_HANDS)
    return Game.set_up(preset(name, num_players=3), hands, **({"table": "9s 9h 8c"} | options))


@pytest.mark.parametrize("seat", range(3))
def test_hand(seat: int) -> None:
    """`hand`: the cards that the observing seat holds, and nobody else's."""
    assert cards(observe(classic(), seat)["hand"]) == set(HANDS[seat].split())
    assert cards(observe(exchange(), seat)["hand"]) == set(EXCHANGE_HANDS[seat].split())


def test_upcard() -> None:
    """`upcard`: the top of the discard pile; none in the exchange game, or while the pile is empty."""
    assert cards(observe(classic(discard_pile="6d"), 1)["upcard"]) == {"5d"}
    assert cards(observe(exchange(), 1)["upcard"]) == set()
    game = classic()
    game.apply("take")
    assert cards(observe(game, 1)["upcard"]) == set()


def test_discard_pile() -> None:
    """`discard_pile`: all its cards, the upcard among them; in Schwimmen the cards out of play."""
    assert cards(observe(classic(discard_pile="6d 9c"), 1)["discard_pile"]) == {"5d", "6d", "9c"}
    game = exchange("schwimmen", passes=2)
    game.apply("pass")
    assert cards(observe(game, 1)["discard_pile"]) == {"9s", "9h", "8c"}


def test_table() -> None:
    """`table`: the three table cards, two between take and leave; nothing in the drawing game."""
    game = exchange()
    assert cards(observe(game, 2)["table"]) == {"9s", "9h", "8c"}
    game.apply("take table 9s")
    assert cards(observe(game, 2)["table"]) == {"9h", "8c"}
    assert not observe(classic(), 0)["table"].any()


def test_known_cards() -> None:
    """`known_cards`: for each seat what everyone knows it holds, counted from the observer; gone when thrown away."""
    game = classic()
    game.apply("take")
    for observer in range(3):
        known = observe(game, observer)["known_cards"].reshape(3, 52)
        assert [cards(known[place]) for place in range(3)] == [
            {"5d"} if (observer + place) % 3 == 0 else set() for place in range(3)
        ]
    game.apply("discard 5d")
    assert not observe(game, 1)["known_cards"].any()


def test_known_cards_of_a_swap_of_all() -> None:
    """`known_cards`: who swaps all three is known to hold the table's cards."""
    game = exchange()
    game.apply("swap all")
    assert cards(observe(game, 2)["known_cards"].reshape(3, 52)[1]) == {"9s", "9h", "8c"}


def test_held_by_others_by_taking() -> None:
    """`held_by_others`: cards that another seat took openly; never one's own."""
    game = classic()
    game.apply("take")
    game.apply("discard 2d")
    assert cards(observe(game, 1)["held_by_others"]) == {"5d"}
    assert cards(observe(game, 0)["held_by_others"]) == set()


def test_held_by_others_by_a_reshuffle() -> None:
    """`held_by_others`: what a reshuffle proves to be in the other hands, until it is thrown away."""
    hands = {card for hand in HANDS for card in hand.split()}
    game = Game.set_up(preset("quebec", num_players=3), HANDS, upcard="5d", discard_pile="rest")
    for seat in range(3):
        assert cards(observe(game, seat)["held_by_others"]) == hands - set(HANDS[seat].split())
    game.apply("draw")
    game.apply("discard Ks")
    assert cards(observe(game, 1)["held_by_others"]) == hands - set(HANDS[1].split()) - {"Ks"}


def test_held_by_others_by_an_empty_stock() -> None:
    """`held_by_others`: with the stock empty every card out of sight is in another hand."""
    game = classic(discard_pile="rest")
    assert cards(observe(game, 1)["held_by_others"]) == set(" ".join([HANDS[0], HANDS[2]]).split())


@pytest.mark.parametrize("name", ["classic", "quebec"])
def test_value_without(name: str) -> None:
    """`value_without`: in mid-turn, for each card that may be discarded, the value of the rest; else nothing."""
    game = Game.set_up(preset(name, num_players=3), HANDS, upcard="5d")
    assert not observe(game, 0)["value_without"].any()
    game.apply("take")
    expected = {"Ks": 20, "Qh": 20, "2d": 20} | ({"5d": 20} if name == "classic" else {})
    seen = observe(game, 0)["value_without"]
    assert {card: int(seen[parse_card(card)]) for card in cards(seen)} == expected
    assert not observe(game, 1)["value_without"].any()


def test_value_without_between_take_and_leave() -> None:
    """`value_without`: in the exchange game, for each card that may be left, not the one just taken."""
    game = exchange(table="Qs 9h 8c")
    game.apply("take table Qs")
    seen = observe(game, 0)["value_without"]
    assert {card: int(seen[parse_card(card)]) for card in cards(seen)} == {"As": 40, "Ks": 42, "7d": 62}


@pytest.mark.parametrize(
    ("name", "hand", "half_points"),
    [("classic", "Ks Kh Kd", 61), ("kawu", "Ks Kh Kd", 60), ("no_trips", "Ks Kh Kd", 20), ("classic", "Ks Qs 2s", 44)],
)
def test_hand_value(name: str, hand: str, half_points: int) -> None:
    """`hand_value`: the hand's value in half points under these rules."""
    game = Game.set_up(preset(name, num_players=2), [hand, "7c 5d 3h"], upcard="4d")
    assert observe(game, 0)["hand_value"].tolist() == [half_points]


def test_suit_totals() -> None:
    """`suit_totals`: the points held in clubs, diamonds, hearts, spades."""
    assert observe(classic(hands=["Ks Qs 2d", *HANDS[1:]]), 0)["suit_totals"].tolist() == [0, 2, 0, 20]
    assert observe(classic(), 1)["suit_totals"].tolist() == [10, 3, 7, 0]


@pytest.mark.parametrize(("upcard", "half_points"), [("Js", 40), ("5d", 20), ("Qd", 24)])
def test_reachable_value_by_taking(upcard: str, half_points: int) -> None:
    """`reachable_value`: at a turn's start, the best hand with the upcard, or the hand as it lies."""
    assert observe(classic(upcard=upcard), 0)["reachable_value"].tolist() == [half_points]


def test_reachable_value_by_discarding() -> None:
    """`reachable_value`: in mid-turn, the value after the best discard allowed."""
    game = Game.set_up(preset("quebec", num_players=3), HANDS, upcard="2h")
    game.apply("take")
    assert observe(game, 0)["reachable_value"].tolist() == [24]


@pytest.mark.parametrize(
    ("name", "hand", "table", "half_points"),
    [
        ("exchange", "As Ks 7d", "Qs 9h 8c", 62),
        ("exchange", "Ks 8d 7c", "9h 8h 6h", 46),
        ("exchange", "As Ks 7d", "8h 9d 6c", 42),
        ("schwimmen", "As Ah 7d", "Ad 9h 8c", 66),
    ],
)
def test_reachable_value_by_swapping(name: str, hand: str, table: str, half_points: int) -> None:
    """`reachable_value`: in the exchange game, the best of swapping one card, swapping all, or staying."""
    game = exchange(name, hands=[hand, "Qh Jh 7s", "Kd Jc 7h"], table=table)
    assert observe(game, 0)["reachable_value"].tolist() == [half_points]


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_values_along_games(name: str, num_players: int) -> None:
    """Along random games, the values of the hand, now and after each choice, are those of a plain reading."""
    rules = table_rules(name, num_players)
    for number, (game, _) in enumerate(random_games(rules, 40)):
        for seat in {number % num_players, game.seat_to_move}:
            assert seat is not None
            seen, hand = observe(game, seat), list(game.hands[seat])
            assert int(seen["hand_value"][0]) == oracles.value(rules, hand)
            totals = [sum(oracles.points(card) for card in hand if card[-1] == suit) for suit in "cdhs"]
            assert seen["suit_totals"].tolist() == totals
            left = {}
            if len(hand) > rules.hand_size:
                left = {
                    action.split()[1]: oracles.value(rules, [card for card in hand if card != action.split()[1]])
                    for action in legal_names(game)
                }
            given = seen["value_without"]
            assert {card: int(given[parse_card(card)]) for card in cards(given)} == left
            assert int(seen["reachable_value"][0]) == (max(left.values()) if left else reachable(game, hand))


def reachable(game: Game, hand: list[str]) -> int:
    """Return the best value of a hand after taking the upcard, swapping, or nothing at all."""
    rules = game.rules
    hands = [hand]
    if hand:
        for card in [*([game.upcard] if game.upcard else []), *game.table]:
            hands += [[*(held for held in hand if held != thrown), card] for thrown in hand]
        if game.table:
            hands.append(list(game.table))
    return max(oracles.value(rules, each) for each in hands)


@pytest.mark.parametrize("name", NAMES)
def test_phase(name: str) -> None:
    """`phase`: the kind of decision the table is at, one-hot, for every seat alike."""
    seen = set()
    for game, _ in random_games(table_rules(name, 3), 150):
        for seat in range(3):
            one_hot = observe(game, seat)["phase"]
            assert one_hot.tolist() == [int(each == game.phase) for each in PHASE_NAMES]
        seen.add(game.phase)
    assert len(seen) >= 2


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_seats_are_counted_from_the_observer(name: str, num_players: int) -> None:
    """Per-seat sections, from `to_move` to `buy_ins`: place 0 is the observer, the others follow clockwise."""
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 40)):
        observer = number % num_players
        row = game.to_array()[0]
        seen = observe(game, observer)
        order = [(observer + place) % num_players for place in range(num_players)]
        assert seen["to_move"].tolist() == [int(seat == game.seat_to_move) for seat in order]
        assert seen["dealer"].tolist() == [int(seat == game.dealer) for seat in order]
        assert seen["knocker"].tolist() == [int(seat == game.knocker) for seat in order]
        assert seen["in_game"].tolist() == [int(game.in_game[seat]) for seat in order]
        assert seen["lives"].tolist() == [game.lives[seat] for seat in order]
        assert seen["points"].tolist() == [game.points[seat] for seat in order]
        assert seen["buy_ins"].tolist() == [game.buy_ins[seat] for seat in order]
        assert seen["turns"].tolist() == [min(127, int(row["turns"][seat])) for seat in order]
        assert seen["locked"].tolist() == [int(row["locked"]) >> seat & 1 for seat in order]


def test_numbers() -> None:
    """Sections of one number, from `stock_size` to `reshuffles`: as they stand, the same for all seats."""
    knocked = classic(knocker=0, to_move=1, is_playoff=True)
    passed = exchange("schwimmen", passes=2)
    shuffled = Game.set_up(preset("quebec", num_players=3), HANDS, upcard="5d", discard_pile="rest")
    for seat in range(3):
        seen = observe(knocked, seat)
        assert [int(seen[name][0]) for name in ("stock_size", "last_turns", "is_playoff", "round")] == [42, 2, 1, 1]
        assert int(observe(passed, seat)["passes"][0]) == 2
        assert int(observe(shuffled, seat)["reshuffles"][0]) == 1
    stand(knocked)
    assert int(observe(knocked, 0)["last_turns"][0]) == 1


def test_large_numbers_are_capped() -> None:
    """`turns`: at most 127 is shown."""
    rules = preset("classic", num_players=2, round_limit=1_000)
    game = Game.set_up(rules, HANDS[:2], upcard="5d", turns=500)
    assert observe(game, 0)["turns"].tolist() == [127, 127]


def events(game: Game, observer: int) -> list[tuple[int, str, str | None]]:
    """Return the observed events: place of the seat, kind, card."""
    found = []
    for event in observe(game, observer)["events"].reshape(8, -1):
        num_seats = game.rules.num_players
        if not event.any():
            break
        kind = event[num_seats : num_seats + len(EVENT_NAMES)]
        suit, rank = event[-5:-1], int(event[-1])
        assert event[:num_seats].sum() == kind.sum() == 1
        assert suit.sum() == (rank > 0)
        card = f"{['', *'23456789', '10', *'JQKA'][rank]}{'cdhs'[int(suit.argmax())]}" if rank else None
        found.append((int(event[:num_seats].argmax()), EVENT_NAMES[int(kind.argmax())], card))
    return found


def test_events_of_the_drawing_game() -> None:
    """`events`: newest first, who did what with which card; a drawn card stays hidden, from its drawer's place too."""
    game = classic(stock="9s", turns=2)
    assert events(game, 0) == []
    game.apply("take")
    game.apply("discard Ks")
    game.apply("draw")
    assert events(game, 0) == [(1, "draw", None), (0, "discard", "Ks"), (0, "take", "5d")]
    assert events(game, 1) == [(0, "draw", None), (2, "discard", "Ks"), (2, "take", "5d")]
    game.apply("discard 9s")
    game.apply("knock")
    game.apply("pass")
    assert events(game, 2)[:3] == [(1, "pass", None), (0, "knock", None), (2, "discard", "9s")]


def test_events_of_the_exchange_game() -> None:
    """`events`: the dealer's choice, swaps of one and of all, passes and closes."""
    game = Game.set_up(
        preset("schwimmen", num_players=3), ["", "", "As Ks 7d"], stock="9s 9h 8c", dealer=2, to_move=2, seed=4
    )
    game.apply("refuse")
    assert events(game, 2) == [(0, "refuse", None)]
    card = game.table[0]
    game.apply(f"take table {card}")
    thrown = min(legal_names(game))
    game.apply(thrown)
    game.apply("swap all")
    game.apply("close")
    assert events(game, 0) == [
        (2, "knock", None),
        (1, "swap all", None),
        (0, "leave", thrown.split()[1]),
        (0, "take table", card),
        (2, "refuse", None),
    ]


def test_events_of_a_reshuffle_and_a_refresh() -> None:
    """`events`: a reshuffled stock and a renewed table are told too."""
    shuffled = Game.set_up(preset("quebec", num_players=3), HANDS, upcard="5d", discard_pile="rest")
    assert events(shuffled, 0) == [(0, "reshuffle", None)]
    renewed = exchange("schwimmen", passes=2)
    renewed.apply("pass")
    assert events(renewed, 0) == [(0, "refresh", None), (0, "pass", None)]


def test_only_the_last_eight_events() -> None:
    """`events`: the eight newest of the round, and none of the round before."""
    game = classic(turns=3)
    for _ in range(6):
        game.apply("take")
        game.apply(min(legal_names(game)))
    assert len(events(game, 0)) == 8
    game.apply("knock")
    game.apply("pass")
    game.apply("pass")
    assert events(game, 0) == []


@pytest.mark.parametrize("name", NAMES)
def test_rules(name: str) -> None:
    """`rules`: every rule field but the limits, as a number, the same for every seat."""
    game = Game(preset(name, num_players=3), seed=1)
    codes: dict[Any, int] = {
        "draw": 0, "exchange": 1, "spared": 0, "doubled": 1, "shares": 2, "reshuffle": 0, "last_call": 1,
        "lives": 0, "points": 1, "void": 0, "playoff": 1,
    }  # fmt: skip
    fields = game.rules.to_dict()
    expected = [codes.get(fields[each], fields[each]) for each in OBSERVED_RULES]
    for seat in range(3):
        assert observe(game, seat)["rules"].tolist() == expected


def test_a_seat_that_is_out_sees_the_table() -> None:
    """A seat that is out observes the same public sections, with no hand of its own."""
    game = classic(hands=["", *HANDS[1:]], lives=[None, 2, 1], to_move=1, dealer=2)
    seen = observe(game, 0)
    assert not seen["hand"].any()
    assert seen["hand_value"].tolist() == [0]
    assert seen["lives"].tolist() == [0, 2, 1]
    assert cards(seen["upcard"]) == {"5d"}


def test_an_observation_is_written_whole() -> None:
    """Nothing is left of what stood in the row before."""
    game = classic()
    before = np.concatenate(list(observe(game, 0).values()))
    assert (before != 99).all()
