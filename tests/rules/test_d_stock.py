"""Section D, the empty stock: reshuffle or last call (R17)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import DRAWING, all_cards, legal_names, stand
from trente_env import Game, Rules, preset
from trente_env.cards import card_text

RESHUFFLING = ("quebec", "kawu", "quebec_points")
CALLING = tuple(name for name in DRAWING if name not in RESHUFFLING)
LAST_CALL = tuple(name for name in CALLING if name != "four_card")
HANDS = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"]


def empty_stock(rules: Rules, **options: Any) -> Game:
    """Return a position at a table of three whose stock is empty: upcard 5d, all other cards below it."""
    hands = (
        [f"{hand} {extra}" for hand, extra in zip(HANDS, ("2s", "3s", "4s"), strict=True)]
        if rules.hand_size == 4
        else HANDS
    )
    return Game.set_up(rules, hands, **{"upcard": "5d", "discard_pile": "rest", "stock": "", "turns": 3} | options)


@pytest.mark.parametrize("name", RESHUFFLING)
def test_r17_reshuffle_at_the_start_of_a_turn(name: str) -> None:
    """R17: in quebec and kawu, before anything else in a turn, the discard pile but its top card becomes the stock."""
    game = empty_stock(preset(name, num_players=3))
    assert game.discard_pile == ("5d",)
    assert game.stock_size == 52 - 9 - 1
    assert len(set(all_cards(game))) == 52
    assert legal_names(game) == {"draw", "take", "knock"}


@pytest.mark.parametrize("name", RESHUFFLING)
def test_r17_never_in_mid_turn(name: str) -> None:
    """R17: who draws the last card discards first; the next seat's turn begins with the reshuffle, that card on top."""
    game = empty_stock(preset(name, num_players=3), stock="6h")
    pile = len(game.discard_pile)
    assert game.stock_size == 1
    game.apply("draw")
    assert (game.stock_size, len(game.discard_pile)) == (0, pile)
    game.apply("discard 2d")
    assert (game.stock_size, game.discard_pile, game.seat_to_move) == (pile, ("2d",), 1)
    assert "5d" in game.stock


@pytest.mark.parametrize("name", RESHUFFLING)
def test_r17_the_new_stock_is_in_the_games_own_order(name: str) -> None:
    """R17: the reshuffle is drawn from the game's generator: the same for the same seed, another for another."""
    draws = []
    for seed in (1, 1, 2, 3):
        game = empty_stock(preset(name, num_players=3), seed=seed)
        drawn = []
        for _ in range(6):
            seat = game.seat_to_move
            assert seat is not None
            before = set(game.hands[seat])
            game.apply("draw")
            drawn += set(game.hands[seat]) - before
            game.apply(f"discard {drawn[-1]}")
        draws.append(drawn)
    assert draws[0] == draws[1]
    assert len({tuple(drawn) for drawn in draws}) == 3


@pytest.mark.parametrize("name", RESHUFFLING)
def test_r17_also_in_the_last_lap(name: str) -> None:
    """R17: a last turn that finds the stock empty reshuffles too, and is an ordinary last turn."""
    game = empty_stock(preset(name, num_players=3), knocker=0, to_move=1)
    assert legal_names(game) == {"draw", "take"}
    assert game.stock_size == 42
    stand(game)
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", 0)


@pytest.mark.parametrize("taking", [False, True])
def test_r17_a_stock_of_one_card(taking: bool) -> None:
    """R17: where only one card is left to reshuffle, it is the stock, and the round goes on and on."""
    rules = Rules(ranks="A2", hand_size=2, num_players=3, round_limit=40)
    game = Game.set_up(rules, ["As 2h", "Ah 2d", "Ad 2c"], upcard="2s", stock="Ac")
    deck = sorted(card_text(card) for card in rules.deck)
    turns = 0
    while game.round_number == 1:
        assert (game.stock_size, len(game.discard_pile)) == (1, 1)
        game.apply("take" if taking and turns % 3 == 0 else "draw")
        assert all_cards(game) == deck
        seat = game.seat_to_move
        assert seat is not None
        taken = game.seat_view(seat)["taken"]
        hand = [card for card in game.hands[seat] if taken < 0 or card != card_text(int(taken))]
        keep_apart = [card for card in hand if len({other[-1] for other in game.hands[seat] if other != card}) == 2]
        game.apply(f"discard {(keep_apart or hand)[0]}")
        assert all_cards(game) == deck
        turns += 1
    assert turns > 100
    assert game.last_round is not None
    assert game.last_round.end == "limit"


@pytest.mark.parametrize(("name", "num_players"), [("kawu", 2), ("kawu", 7), ("quebec", 9), ("quebec_points", 4)])
def test_r17_several_reshuffles_in_one_round(name: str, num_players: int) -> None:
    """R17: however often the pile is reshuffled in a round, each card exists once, at every step."""
    rules = preset(name, num_players=num_players, round_limit=200)
    game = Game(rules, seed=4)
    deck = sorted(card_text(card) for card in rules.deck)
    start = game.round_number
    while game.round_number == start and int(game.seat_view(0)["reshuffles"]) < 5:
        game.apply("draw")
        assert all_cards(game) == deck
        seat = game.seat_to_move
        assert seat is not None
        hand = game.hands[seat]
        game.apply("discard " + next(card for card in hand if card[-1] == max("cdhs", key="".join(hand).count)))
        assert all_cards(game) == deck
    assert int(game.seat_view(0)["reshuffles"]) == 5
    assert int(game.seat_view(0)["turns"][0]) > 10


@pytest.mark.parametrize("name", CALLING)
def test_r17_last_call(name: str) -> None:
    """R17: in classic and its kin an empty stock lets a seat take the upcard, knock, or pass."""
    game = empty_stock(preset(name, num_players=3))
    assert legal_names(game) == {"take", "knock", "pass"}
    assert game.stock_size == 0


@pytest.mark.parametrize("name", CALLING)
def test_r17_no_knock_on_a_first_turn_at_last_call(name: str) -> None:
    """R17: at last call too a seat knocks only if it may (R13): not on its first turn in classic."""
    assert legal_names(empty_stock(preset(name, num_players=3), turns=0)) == {"take", "pass"}


def test_r17_a_knock_on_a_first_turn_where_it_may() -> None:
    """R17: with first-turn knocks allowed, last call offers one even then."""
    rules = preset("classic", num_players=3, may_knock_on_first_turn=True)
    assert legal_names(empty_stock(rules, turns=0)) == {"take", "pass", "knock"}


@pytest.mark.parametrize("name", CALLING)
def test_r17_never_a_last_call_in_mid_turn(name: str) -> None:
    """R17: who draws the last card discards as ever; last call begins with the next seat's turn."""
    game = empty_stock(preset(name, num_players=3), stock="6h")
    assert legal_names(game) == {"draw", "take", "knock"}
    game.apply("draw")
    game.apply("discard 6h")
    assert (game.seat_to_move, legal_names(game)) == (1, {"take", "knock", "pass"})


@pytest.mark.parametrize("name", LAST_CALL)
def test_r17_a_pass_ends_the_round_without_a_knocker(name: str) -> None:
    """R17: a pass at last call ends the round at once with a showdown without knocker: the passer pays no penalty."""
    game = Game.set_up(
        preset(name, num_players=3), ["2s 3h 4c", "Ks Qs 2d", "Kh Qh 3d"], upcard="5d", discard_pile="rest", turns=2
    )
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("last call", None)
    assert (game.last_round.losses, game.last_round.clause) == ((1, 0, 0), "R17")


@pytest.mark.parametrize("name", LAST_CALL)
def test_r17_a_pass_spares_nobody(name: str) -> None:
    """R17: without a knocker all who are tied for lowest lose one."""
    game = Game.set_up(
        preset(name, num_players=3), ["Ks 3h 4c", "Kc 2s 4d", "Kh Qh 3d"], upcard="5d", discard_pile="rest", turns=2
    )
    game.apply("pass")
    assert game.last_round is not None
    assert game.last_round.losses == (1, 1, 0)


NINE_HANDS = ["Ks 9h 6d", "Kh 9c 6s", "Kc 9d 6h", "Kd 9s 6c", "Qs 8h 7d", "Qh 8c 7s", "Qc 8d 7h", "Qd 8s 7c"]
"""10 each."""


@pytest.mark.parametrize("lowest", [0, 8])
def test_r17_without_a_knocker_no_seat_is_taken_for_one(lowest: int) -> None:
    """R17: at a table of nine, the first or the last seat, alone lowest after a pass, loses one life like any other."""
    hands = [*NINE_HANDS[:lowest], "2s 3h 4d", *NINE_HANDS[lowest:]]
    game = Game.set_up(preset("classic", num_players=9), hands, upcard="5d", discard_pile="rest", turns=3)
    game.apply("pass")
    assert game.last_round is not None
    assert game.last_round.losses == tuple(int(seat == lowest) for seat in range(9))


@pytest.mark.parametrize("name", LAST_CALL)
@pytest.mark.parametrize(
    ("hand", "losses"), [("2s 3h 4c", (2, 0, 0)), ("Kc 3h 5s", (0, 1, 0)), ("Kc Qc 2c", (0, 1, 0))]
)
def test_r17_a_knock_ends_the_round_with_a_knocker(name: str, hand: str, losses: tuple[int, ...]) -> None:
    """R17: a knock at last call ends the round at once, without last turns; the knocker is judged as one."""
    game = Game.set_up(
        preset(name, num_players=3), [hand, "Ks 6h 2d", "Kh Qh 3d"], upcard="5d", discard_pile="rest", turns=2
    )
    game.apply("knock")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", 0)
    assert game.last_round.losses == losses


@pytest.mark.parametrize("name", LAST_CALL)
def test_r17_a_take_goes_on(name: str) -> None:
    """R17: who takes the upcard at last call discards, and the next seat has last call; a 31 so made is shown."""
    game = Game.set_up(
        preset(name, num_players=3), ["As 3h Ks", "Kc 6h 2d", "Kh Qh 3d"], upcard="Qs", discard_pile="rest"
    )
    game.apply("take")
    on = game.clone()
    on.apply("discard Ks")
    assert (on.last_round, on.seat_to_move, legal_names(on)) == (None, 1, {"take", "knock", "pass"})
    game.apply("discard 3h")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31", (0, 1, 1))


@pytest.mark.parametrize("may_return", [False, True])
def test_r17_returning_the_upcard_at_last_call(may_return: bool) -> None:
    """R17: at last call the upcard is discarded again as R12 says."""
    game = empty_stock(preset("classic", num_players=3, may_return_upcard=may_return))
    game.apply("take")
    assert ("discard 5d" in legal_names(game)) is may_return


@pytest.mark.parametrize("may_pass", [False, True])
def test_r17_with_an_earlier_knock_the_last_turns_go_on(may_pass: bool) -> None:
    """R17: if somebody knocked before the stock ran out, the last turns go on, with passing allowed in any case."""
    rules = preset("classic", num_players=3, may_pass_on_last_turn=may_pass)
    game = empty_stock(rules, knocker=0, to_move=1)
    assert legal_names(game) == {"take", "pass"}
    game.apply("pass")
    assert (game.last_round, game.seat_to_move) == (None, 2)
    game.apply("take")
    game.apply("discard 4d")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", 0)


def test_r17_an_earlier_knock_and_the_last_card() -> None:
    """R17: where passing on a last turn is not allowed, it becomes so when the stock runs out in the last lap."""
    rules = preset("quebec", num_players=3, stock_exhaustion="last_call")
    game = empty_stock(rules, stock="6h", knocker=0, to_move=1)
    assert legal_names(game) == {"draw", "take"}
    stand(game)
    assert legal_names(game) == {"take", "pass"}


def test_r17_last_call_in_the_points_game() -> None:
    """R17: with last call in the points game a pass ends the round too; the highest hand scores."""
    rules = preset("quebec_points", num_players=3, stock_exhaustion="last_call")
    game = Game.set_up(rules, ["2s 3h 4c", "Ks Qs 2d", "Kh 9h 3d"], upcard="5d", discard_pile="rest")
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.points) == ("last call", (0, 1, 0))
