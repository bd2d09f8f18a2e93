"""Worlds a seat cannot tell apart: what `redeal` keeps and what it deals anew (how evenly: tests/information)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.play import NAMES, TABLES, all_cards, random_games, table_rules, value
from trente_env import Game, InvalidPositionError, preset
from trente_env.cards import card_text, parse_card
from trente_env.core.worlds import redeal


def hidden_from(game: Game, seat: int) -> set[str]:
    """Return the cards a seat cannot place: the stock's and those in other hands that nobody has seen go there."""
    row = game.to_array()[0]
    cards = set(game.stock)
    for other in range(game.rules.num_players):
        if other != seat:
            bits = int(row["hands"][other]) & ~int(row["known"][other])
            cards |= {card_text(card) for card in range(52) if bits >> card & 1}
    return cards


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_the_cards_are_conserved(name: str, num_players: int) -> None:
    """Another world has the same cards, hands of the same size, and the same stock size."""
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 25)):
        other = redeal(game, number % num_players, number)
        assert all_cards(other) == all_cards(game)
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in game.hands]
        assert other.stock_size == game.stock_size


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_are_dealt_anew(name: str) -> None:
    """In another world the cards a seat cannot place lie elsewhere, later deals differ; one seed gives one world."""
    game = Game(preset(name, num_players=3), seed=3)
    if game.phase == "DEALER_CHOICE":
        game.apply("keep")
    worlds = [redeal(game, 0, seed) for seed in range(20)]
    assert len({world.seed for world in worlds}) == 20
    assert len({world.hands for world in worlds}) > 15
    assert redeal(game, 0, 7) == redeal(game, 0, 7)
    assert all(world.hands[0] == game.hands[0] for world in worlds)


def test_the_game_itself_is_not_changed() -> None:
    """`redeal` returns another game and leaves the one it was given alone."""
    game = Game(preset("quebec", num_players=3), seed=3)
    before = game.to_bytes()
    redeal(game, 1, 5)
    assert game.to_bytes() == before


def test_the_stock_is_shuffled_anew() -> None:
    """The cards drawn next differ from world to world, also where a position named them."""
    game = Game.set_up(preset("quebec", num_players=2), ["Ks Qh 2d", "Jc 7h 3d"], upcard="5d", stock="9d 9c")
    drawn = Counter[str]()
    for seed in range(200):
        world = redeal(game, 0, seed)
        world.apply("draw")
        (card,) = set(world.hands[0]) - {"Ks", "Qh", "2d"}
        drawn[card] += 1
    assert len(drawn) > 35


@pytest.mark.parametrize("name", ["quebec", "kawu", "exchange", "schwimmen", "italian40"])
def test_no_world_holds_a_31_that_was_not_shown(name: str) -> None:
    """Before a knock no other seat has a 31 in any world: it would have been shown."""
    rules = preset(name, num_players=4)
    for number, (game, _) in enumerate(random_games(rules, 40)):
        if game.knocker is not None or game.phase in {"BUY_IN", "DEALER_CHOICE"}:
            continue
        for seed in range(8):
            world = redeal(game, 0, 1_000 * number + seed)
            for seat in range(1, 4):
                if len(world.hands[seat]) == 3:
                    assert value(str(world.hands[seat]), rules) < 62


def test_a_31_is_possible_where_it_need_not_be_shown() -> None:
    """In classic a seat that has had its last turn may hold a 31 in another world."""
    rules = preset("classic", num_players=3, ranks="AKQJ", three_of_a_kind=0)
    game = Game.set_up(rules, ["Kc Qd Jh", "Kd Qh Jc", "Kh Qs Js"], upcard="Jd", knocker=0, to_move=2)
    held = Counter[bool]()
    for seed in range(600):
        world = redeal(game, 2, seed)
        held[value(str(world.hands[1]), rules) == 62] += 1
        assert value(str(world.hands[0]), rules) < 62
    assert held[True] >= 5


def test_a_31_is_possible_only_where_a_last_turn_changed_the_hand() -> None:
    """R15: in classic, of two seats that have had their last turn, who drew may hold a 31 and who passed may not."""
    rules = preset("classic", num_players=4, ranks="AKQJ", three_of_a_kind=0)
    hands = ["Kc Qd Jh", "Kd Qh Jc", "Kh Qs Js", "Ac Qc Ks"]
    game = Game.set_up(rules, hands, upcard="Jd", knocker=0, to_move=1, stock="Ad")
    for name in ("draw", "discard Ad", "pass"):
        game.apply(name)
    held = Counter[int]()
    for seed in range(600):
        world = redeal(game, 3, seed)
        held.update(seat for seat in range(3) if value(str(world.hands[seat]), rules) == 62)
    assert held[1] >= 5
    assert held[0] == held[2] == 0


def test_a_finished_game_stays_as_it_ended() -> None:
    """In every world of a game that is over the hands that were shown, lives and winner are the same."""
    *_, (game, _) = random_games(table_rules("quebec", 2).replace(max_rounds=1), 400)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    worlds = [redeal(game, 0, seed) for seed in range(50)]
    ends = {(world.hands, world.winner, world.lives, world.last_round) for world in worlds}
    assert ends == {(game.hands, game.winner, game.lives, game.last_round)}
    assert len({world.to_bytes() for world in worlds}) == 50


def test_known_cards_stay() -> None:
    """Cards that everyone saw a seat take stay in its hand in every world."""
    game = Game.set_up(preset("quebec", num_players=3), ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"], upcard="5d")
    game.apply("take")
    game.apply("discard 2d")
    for seed in range(30):
        assert "5d" in redeal(game, 1, seed).hands[0]


def test_cards_proved_to_be_held_stay_in_hands() -> None:
    """After a reshuffle, the cards that were in no pile are in some hand in every world, never in the stock (R17)."""
    hands = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"]
    game = Game.set_up(preset("quebec", num_players=3), hands, upcard="5d", discard_pile="rest")
    held = {card for hand in hands for card in hand.split()}
    seen = set()
    for seed in range(30):
        world = redeal(game, 1, seed)
        assert {card for hand in world.hands for card in hand} == held
        seen.add(world.hands[0])
    assert len(seen) > 5


def test_hidden_cards_are_what_the_view_calls_unseen() -> None:
    """The cards that move between worlds are the view's `unseen` ones, and only those."""
    for number, (game, _) in enumerate(random_games(table_rules("kawu", 3), 60)):
        seat = number % 3
        unseen = int(game.seat_view(seat)["unseen"])
        assert {card_text(card) for card in range(52) if unseen >> card & 1} == hidden_from(game, seat)


def test_worlds_can_be_played_on() -> None:
    """A game in another world plays to its end."""
    dice = random.Random(1)
    for game, _ in random_games(table_rules("classic", 3), 20):
        world = redeal(game, 0, 4)
        while not world.is_over and world.num_decisions < game.num_decisions + 40:
            world.apply(dice.choice(world.legal_actions()))


def test_what_no_deal_agrees_with_is_refused() -> None:
    """R15: where another seat is known to hold a 31 that it had to show, no world is made up, and the error says so."""
    game = Game.set_up(preset("quebec", num_players=2), ["Qh 7d 2d", "As Ks 2s"], upcard="5d", known=["", "As Ks 2s"])
    record = game.to_array()
    two, queen = 1 << parse_card("2s"), 1 << parse_card("Qs")
    for held in ("hands", "known"):
        record[held][0][1] ^= two | queen
    deck = record["deck"][0]
    deck[deck == parse_card("Qs")] = parse_card("2s")
    with pytest.raises(InvalidPositionError, match=r"others would hold a 31"):
        redeal(Game.from_array(game.rules, record), 0, 1)
