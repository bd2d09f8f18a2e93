"""Every card of the deck is in exactly one place, at every decision."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.play import TABLES, all_cards, any_rules, random_games, table_rules
from trente_env.cards import bits_of, card_text, parse_cards


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_cards_are_conserved(name: str, num_players: int) -> None:
    """Through draws, swaps, reshuffles and new deals, each card of the deck lies in one place, and no other."""
    rules = table_rules(name, num_players)
    deck = sorted(card_text(card) for card in rules.deck)
    for game, _ in random_games(rules, 120):
        assert all_cards(game) == deck


@pytest.mark.parametrize("part", range(3))
def test_cards_are_conserved_under_any_rules(part: int) -> None:
    """The same with small decks and other hand sizes, where the stock runs out all the time."""
    dice = random.Random(part)
    for _ in range(25):
        rules = any_rules(dice)
        deck = sorted(card_text(card) for card in rules.deck)
        for game, _ in random_games(rules, 60):
            assert all_cards(game) == deck


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_hands_have_their_size(name: str, num_players: int) -> None:
    """A seat in the round holds a full hand, the seat in mid-turn one card more, a seat that is out none."""
    rules = table_rules(name, num_players)
    for game, _ in random_games(rules, 100):
        if game.phase in {"DEALER_CHOICE", "BUY_IN"}:
            continue
        for seat in range(num_players):
            is_mid_turn = seat == game.seat_to_move and game.phase in {"DISCARD", "LEAVE"}
            assert len(game.hands[seat]) == (rules.hand_size + is_mid_turn if game.in_game[seat] else 0)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_what_is_known_of_a_hand_is_in_it(name: str, num_players: int) -> None:
    """Cards that everyone knows a seat holds are held by it, and what a view cannot place is hidden somewhere."""
    for game, _ in random_games(table_rules(name, num_players), 50):
        row: Any = game.to_array()[0]
        for seat in range(num_players):
            assert int(row["known"][seat]) & ~int(row["hands"][seat]) == 0
        view = game.seat_view(0)
        hidden = bits_of(parse_cards(game.stock))
        for other in range(1, num_players):
            hidden |= int(row["hands"][other]) & ~int(row["known"][other])
        assert int(view["unseen"]) == hidden
