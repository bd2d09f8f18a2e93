"""Section C: who deals, who begins, what a deal leaves, and deals that are over at once (R7 to R9)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.play import DRAWING, EXCHANGE, FOR_LIVES, NAMES, THREE_CARD, all_cards, random_games, stand
from trente_env import Game, InvalidRulesError, Rules, preset
from trente_env.cards import card_text
from trente_env.rules import Scoring

ALMOST_ALL_31 = {"ranks": "AK", "hand_size": 2, "num_players": 2}
"""Two cards of A and K in four suits: a 21, the top of this deck, is dealt in more than a quarter of deals."""


def first_dealers(rules: Rules) -> dict[int, int]:
    """Return the first dealer of many seeds, but those whose first deal was over at once."""
    games = {seed: Game(rules, seed) for seed in range(400)}
    return {seed: game.dealer for seed, game in games.items() if game.round_number == 1}


@pytest.mark.parametrize("name", NAMES)
def test_r7_first_dealer_is_drawn_from_the_seed(name: str) -> None:
    """R7: the first dealer follows from the seed alone, and every seat is drawn about equally often."""
    dealers, in_quebec = first_dealers(preset(name)), first_dealers(preset("quebec"))
    assert all(in_quebec[seed] == dealer for seed, dealer in dealers.items() if seed in in_quebec)
    drawn = Counter(dealers.values())
    assert sum(drawn.values()) > 350
    assert all(60 <= drawn[seat] <= 140 for seat in range(4))


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r7_first_dealer_is_a_seat_that_is_in(name: str) -> None:
    """R7: a game that begins with seats out never has one of them for its first dealer."""
    rules = preset(name, num_players=5)
    dealers = {Game(rules, seed, lives=[None, 3, None, 3, 3]).dealer for seed in range(60)}
    assert dealers == {1, 3, 4}


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r7_first_live_seat_after_the_dealer_begins(name: str) -> None:
    """R7: the first turn is that of the next seat clockwise from the dealer that is not out."""
    game = Game(preset(name, num_players=4), seed=1, dealer=2, lives=[3, 3, 3, None])
    assert game.round_number == 1
    if name in EXCHANGE:
        game.apply("keep")
    assert game.seat_to_move == 0


def test_r7_in_the_points_game_the_dealers_left_begins() -> None:
    """R7: with everybody in, as always in the points game, the dealer's left begins."""
    assert Game(preset("quebec_points"), seed=1, dealer=3).seat_to_move == 0


@pytest.mark.parametrize(
    ("lives", "dealer", "next_dealer"),
    [
        ([3, 3, 3, 3], 0, 1),
        ([3, 3, 3, 3], 3, 0),
        ([3, None, 3, 3], 0, 2),
        ([3, None, None, 3], 0, 3),
        ([3, None, 3, None], 2, 0),
    ],
)
@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r7_next_dealer_is_the_next_seat_still_in(
    name: str, lives: list[int | None], dealer: int, next_dealer: int
) -> None:
    """R7: the deal passes clockwise to the next seat still in, over those that are out."""
    hands = ["As Ks 7s 2h", "", "", ""] if name == "four_card" else ["As Ks 7h", "", "", ""]
    fours = {1: "Ac 7c 7h 2c", 2: "Ad 7d 2d 3c", 3: "Kd Jd 3h 4h"}
    threes = {1: "Ac 7c Jh", 2: "Ad 7d Jc", 3: "Kd Jd Kh"}
    for seat, cards in (fours if name == "four_card" else threes).items():
        hands[seat] = cards if lives[seat] is not None else ""
    last = max(seat for seat in range(4) if lives[seat] is not None)
    cards = {"table": "Qs Qh Qd"} if name in EXCHANGE else {"upcard": "6d", "stock": "6c"}
    game = Game.set_up(preset(name), hands, dealer=dealer, knocker=0, to_move=last, lives=lives, **cards)
    stand(game)
    assert (game.round_number, game.dealer) == (2, next_dealer)


@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange"])
@pytest.mark.parametrize(("loser", "next_dealer"), [(0, 1), (1, 2)])
def test_r7_the_deal_passes_from_the_old_dealers_seat(name: str, loser: int, next_dealer: int) -> None:
    """R7: the next dealer is counted from the old one's seat, be it out by now, and is a seat still in."""
    last_life = 1 if name == "kawu" else 0
    hands = ["Ks Qs 6h", "Kh Qh 6d", "Kc Qc 6s"]
    hands[loser] = "7d 8d 9s"
    cards = {"table": "Js Jh Jc"} if name == "exchange" else {"upcard": "2d", "stock": "2c"}
    lives = [3, 3, 3]
    lives[loser] = last_life
    game = Game.set_up(preset(name, num_players=3), hands, knocker=2, to_move=1, lives=lives, **cards)
    stand(game)
    assert game.last_round is not None
    assert game.last_round.out == (loser,)
    assert game.dealer == next_dealer


@pytest.mark.parametrize(
    ("name", "outcome", "lives"),
    [
        ("kawu", "void", [1, 1]),
        ("classic", "playoff", [0, 0]),
        ("quebec", "void", [0, 0]),
        ("exchange", "void", [3, 3]),
    ],
)
def test_r7_the_deal_passes_after_voids_and_playoffs_too(name: str, outcome: str, lives: list[int]) -> None:
    """R7: a void round and a playoff move the deal on like any other."""
    rules = preset(name, num_players=2, round_limit=1)
    hands = ["Ks 7h 6d", "Kh 7s 6c"]
    cards = {"table": "Js Jh Jc"} if name == "exchange" else {"upcard": "2d", "stock": "2c"}
    game = Game.set_up(
        rules, hands, dealer=0, to_move=1, lives=lives, turns=[1, 0] if name != "exchange" else 0, **cards
    )
    for _ in range(2 if name == "exchange" else 1):
        stand(game)
    assert game.last_round is not None
    assert (game.last_round.outcome, game.dealer, game.round_number) == (outcome, 1, 2)


@pytest.mark.parametrize(
    ("fields", "most"),
    [
        ({"ranks": "A2345", "suits": "cd"}, 2),
        ({"ranks": "A2", "hand_size": 2}, 3),
        ({"ranks": "A234", "hand_size": 2, "suits": "cdh"}, 5),
        ({"hand_size": 4, "ranks": "6789TJQKA"}, 8),
        ({"play_style": "exchange", "ranks": "AKQJ"}, 4),
        ({"play_style": "exchange", "ranks": "A23", "suits": "cdhs"}, 3),
    ],
)
def test_r8_a_deal_must_leave_room_to_play(fields: dict[str, Any], most: int) -> None:
    """R8: players x hand + 2 cards (exchange game: + 3) must be there; with one player more the Rules are refused."""
    assert Rules(num_players=most, **fields).num_players == most
    with pytest.raises(InvalidRulesError, match=r"num_players.*R8.*at most") as caught:
        Rules(num_players=most + 1, **fields)
    assert f"seat at most {most}" in caught.value.remedy


@pytest.mark.parametrize("name", NAMES)
def test_r8_every_preset_seats_two_to_nine(name: str) -> None:
    """R8: each preset's deck is enough for two to nine players, and no preset takes one player or ten."""
    assert [preset(name, num_players=count).num_players for count in range(2, 10)] == list(range(2, 10))
    for count in (1, 10):
        with pytest.raises(InvalidRulesError, match="num_players"):
            preset(name, num_players=count)


@pytest.mark.parametrize("stock_exhaustion", ["reshuffle", "last_call"])
def test_r8_a_deck_with_no_card_to_spare_can_be_played(stock_exhaustion: str) -> None:
    """R8: with exactly two cards beside the hands, games are played to their end without a card lost."""
    rules = Rules(ranks="A2", hand_size=2, num_players=3, stock_exhaustion=stock_exhaustion, round_limit=30)
    deck = sorted(card_text(card) for card in rules.deck)
    ends = Counter[str]()
    for game, _ in random_games(rules, 3_000):
        assert all_cards(game) == deck
        if game.last_round is not None:
            ends[game.last_round.end] += 1
    assert {"knock", "31"} <= set(ends)


def test_r8_an_exchange_deck_with_no_card_to_spare_can_be_played() -> None:
    """R8: with exactly three cards beside the hands, they lie on the table and the game goes on."""
    rules = Rules(play_style="exchange", ranks="A23", num_players=3)
    deck = sorted(card_text(card) for card in rules.deck)
    finished = 0
    for game, action in random_games(rules, 1_000):
        assert all_cards(game) == deck
        after = game.clone()
        after.apply(action)
        finished += after.is_over
    assert finished >= 3


def test_r9_several_rounds_settled_in_one_step() -> None:
    """R9: deals that are over at once are settled one after another until somebody must decide."""
    rules = Rules(starting_lives=50, **ALMOST_ALL_31)
    settled = Counter[int]()
    for seed in range(60):
        game = Game.set_up(rules, ["As Kh", "Ad Kc"], upcard="Ah", seed=seed, lives=[50, 50])
        game.apply("knock")
        game.apply("take")
        game.apply("discard Kc")
        settled[game.rounds_ended] += 1
        assert game.round_number == 1 + game.rounds_ended
        assert 100 - sum(game.lives) == -sum(game.rewards("lives"))
        assert game.phase == "DRAW"
    assert {1, 2, 3} <= set(settled)


@pytest.mark.parametrize("name", [*THREE_CARD, *EXCHANGE])
def test_r9_a_31_at_the_next_deal(name: str) -> None:
    """R9: in every rule set, a second deal that is over at once is settled in the step that ended the first."""
    rules = preset(name, num_players=7)
    low = {"exchange": "6h", "schwimmen": "8h"}.get(name, "4h")
    hands = ["As Ks 7h", "Ac Kc 7d", "Ad Kd 7s", "Ah Kh 7c", "Js Jh Qd", "Jc Qh Qs", f"Qc Jd {low}"]
    cards = {"table": "9s 9h 9c"} if name in EXCHANGE else {"upcard": "2d", "stock": "2c"}
    for seed in range(2_000):
        game = Game.set_up(rules, hands, knocker=0, to_move=6, dealer=6, seed=seed, **cards)
        stand(game)
        if game.rounds_ended > 1:
            break
    assert game.rounds_ended == 2
    assert game.last_round is not None
    assert (game.last_round.number, game.last_round.end, game.last_round.clause[:2]) == (2, "31 at the deal", "R9")
    assert (game.round_number, game.dealer, game.turn_number) == (3, 1, 0 if name in EXCHANGE else 1)


@pytest.mark.parametrize("single_round", [False, True])
def test_r9_a_reset_never_returns_a_finished_game(single_round: bool) -> None:
    """R9: a new game (or single round) that would be over at the deal is dealt again, from the same generator."""
    rules = Rules(starting_lives=1, grace=False, **ALMOST_ALL_31)
    deals = Counter[int]()
    for seed in range(100):
        game = Game(rules, seed, single_round=single_round)
        deals[int(game.to_array()["deal"][0])] += 1
        assert (game.phase, game.num_decisions, game.lives) == ("DRAW", 0, (1, 1))
        assert game == Game(rules, seed, single_round=single_round)
    assert {1, 2, 3} <= set(deals)


def test_r9_a_new_game_keeps_what_an_opening_31_cost() -> None:
    """R9: a first deal that is over at once without ending the game counts: its loss stands when play begins."""
    rules = Rules(starting_lives=3, **ALMOST_ALL_31)
    games = [Game(rules, seed) for seed in range(100)]
    begun_late = [game for game in games if game.round_number > 1]
    assert begun_late
    assert all(sum(game.lives) <= 6 and game.last_round is not None for game in begun_late)
    assert any(sum(game.lives) == 5 for game in begun_late)


@pytest.mark.parametrize("name", DRAWING)
def test_r9_rounds_over_at_the_deal_count_no_turn(name: str) -> None:
    """R9: a round over at the deal leaves no turn behind: the next one's first turn is its first."""
    changes = {"target_points": 31} if preset(name).scoring == Scoring.POINTS else {"starting_lives": 50}
    rules = preset(name, num_players=2, hand_size=2, ranks="AK", **changes)
    games = [Game(rules, seed) for seed in range(60)]
    late = [game for game in games if game.round_number > 1]
    assert late
    for game in late:
        seat = game.seat_to_move
        assert seat is not None
        assert game.turn_number == 1
        assert [int(turns) for turns in game.seat_view(seat)["turns"][:2]] == [int(other == seat) for other in range(2)]
