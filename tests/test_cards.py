"""Cards: ids, text both ways, sets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from trente_env import InvalidCardError
from trente_env.cards import (
    ALL_CARDS,
    NUM_CARDS,
    POINTS,
    bits_of,
    card_text,
    cards_of,
    checked_card,
    hand_text,
    parse_card,
    parse_cards,
)

TEXTS = [rank + suit for suit in "cdhs" for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")]


def test_ids_are_suit_times_13_plus_rank() -> None:
    """Ids run from 0 (2c) through the suits clubs, diamonds, hearts, spades to 51 (As)."""
    assert [card_text(card) for card in range(NUM_CARDS)] == TEXTS
    assert len(POINTS) == 13


@pytest.mark.parametrize("card", range(NUM_CARDS))
def test_texts_read_back(card: int) -> None:
    """Every card is read back from its text, with letters or symbols, in upper or lower case."""
    text = card_text(card)
    for written in (
        text,
        text.lower(),
        text.upper(),
        f" {text} ",
        card_text(card, symbols=True),
        text.replace("10", "T"),
    ):
        assert parse_card(written) == card


def test_symbols() -> None:
    """Suits are written as symbols when asked for, and read with a variation selector behind them."""
    assert [card_text(card, symbols=True) for card in (0, 13, 26, 39)] == ["2♣", "2♦", "2♥", "2♠"]
    assert parse_card("A♥\ufe0f") == parse_card("Ah")


@pytest.mark.parametrize(
    "text", ["", "A", "s", "1s", "11h", "Ax", "AAs", "A s s", "joker", "0h", "sA", None, 5, ["As"]]
)
def test_what_is_no_card_is_refused(text: Any) -> None:
    """A text that names no card is refused, and the message says how cards are written."""
    with pytest.raises(InvalidCardError, match="is not a card: write a rank"):
        parse_card(text)


@pytest.mark.parametrize(
    "text",
    ["Ks Qs 9s", "Ks,Qs,9s", "  ks , qs 9S ", ["Ks", "Qs", "9s"], ("K♠", 49, "9s"), (card for card in (50, 49, 46))],
)
def test_several_cards_in_any_form(text: Any) -> None:
    """Several cards are read from text with spaces or commas, or from an iterable of texts and ids; order is kept."""
    assert parse_cards(text) == [50, 49, 46]


def test_no_cards() -> None:
    """An empty text is no cards."""
    assert parse_cards("") == parse_cards([]) == []


@pytest.mark.parametrize("text", ["Ks Qs Ks", [50, "Ks"], "10h Th"])
def test_a_card_twice_is_refused(text: Any) -> None:
    """Each card exists once, however it is written."""
    with pytest.raises(InvalidCardError, match="stands twice"):
        parse_cards(text)


@pytest.mark.parametrize("card", [-1, 52, 1000, True])
def test_ids_out_of_range_are_refused(card: int) -> None:
    """Ids run from 0 to 51, and a truth value is no id."""
    with pytest.raises(InvalidCardError, match="ids run from 0"):
        checked_card(card)
    with pytest.raises(InvalidCardError):
        parse_cards([card])


def test_ids_of_numpy() -> None:
    """A whole number of numpy is an id like any other, and comes back as a plain int."""
    assert type(checked_card(np.int8(7))) is int


@pytest.mark.parametrize("cards", [[], [0], [51], [3, 17, 50], list(range(NUM_CARDS))])
def test_sets_of_cards(cards: list[int]) -> None:
    """A set of cards is an int with a bit for each, and gives them back lowest first."""
    assert bits_of(cards) == sum(1 << card for card in cards)
    assert list(cards_of(bits_of(cards))) == sorted(cards)
    assert list(cards_of(np.int64(bits_of(cards)))) == sorted(cards)


def test_all_cards() -> None:
    """The full deck is 52 bits."""
    assert bits_of(range(NUM_CARDS)) == ALL_CARDS


def test_hands_are_written_by_suit_highest_first() -> None:
    """A set of cards is written spades first, highest first within a suit."""
    bits = bits_of(parse_cards("2d 9s Qs Ah Ks 10c"))
    assert hand_text(bits) == "Ks Qs 9s Ah 2d 10c"
    assert hand_text(bits, symbols=True) == "K♠ Q♠ 9♠ A♥ 2♦ 10♣"
    assert hand_text(0) == ""
