"""Cards: ids 0-51, ranks, suits, and text both ways.

A card's id is `suit * 13 + rank`, with rank 0 = two … 8 = ten, 9 = jack, 10 = queen, 11 = king, 12 = ace and suit
0 = clubs, 1 = diamonds, 2 = hearts, 3 = spades. A set of cards is an int with bit `id` set for each card.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from trente_env.errors import InvalidCardError, is_whole

NUM_RANKS: Final = 13
NUM_SUITS: Final = 4
NUM_CARDS: Final = 52
RANKS: Final = "23456789TJQKA"
"""One letter a rank, lowest first; ten is T here and also read, and written, as 10."""
SUITS: Final = "cdhs"
"""One letter a suit: clubs, diamonds, hearts, spades."""
SUIT_SYMBOLS: Final = "♣♦♥♠"
ALL_CARDS: Final = (1 << NUM_CARDS) - 1
POINTS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11)
"""Points of each rank (R1)."""

_SUIT_OF_LETTER = {letter: suit for suit, letter in enumerate(SUITS)} | {
    symbol: suit for suit, symbol in enumerate(SUIT_SYMBOLS)
}
_RANK_OF_TEXT = {letter: rank for rank, letter in enumerate(RANKS)} | {"10": RANKS.index("T")}


def parse_card(text: str) -> int:
    """Read one card: "As", "10h", "Th", "7♦"; upper or lower case.

    Returns:
        The card's id, 0 to 51.

    Raises:
        InvalidCardError: If the text is no card.
    """
    if isinstance(text, str):
        stripped = text.strip().replace("\ufe0f", "")
        suit = _SUIT_OF_LETTER.get(stripped[-1:].lower())
        rank = _RANK_OF_TEXT.get(stripped[:-1].upper())
        if suit is not None and rank is not None:
            return suit * NUM_RANKS + rank
    raise InvalidCardError(
        f"{text!r} is not a card: write a rank (2 to 10, J, Q, K, A) and a suit (c, d, h, s or ♣ ♦ ♥ ♠), "
        "as in 'As' or '10h'."
    )


def parse_cards(text: str | Iterable[str | int]) -> list[int]:
    """Read several cards: "Ks Qs 9s" (spaces or commas), or an iterable of texts and ids; the order is kept.

    Raises:
        InvalidCardError: If a part is no card or a card stands twice.
    """
    parts: Iterable[str | int] = text.replace(",", " ").split() if isinstance(text, str) else text
    cards: list[int] = []
    for part in parts:
        card = checked_card(part) if isinstance(part, int) else parse_card(part)
        if card in cards:
            raise InvalidCardError(f"{card_text(card)} stands twice in {text!r}: each card exists once.")
        cards.append(card)
    return cards


def checked_card(card: int) -> int:
    """Return a card id as a plain int.

    Raises:
        InvalidCardError: If it is not in 0 to 51.
    """
    if not is_whole(card, 0, NUM_CARDS - 1):
        raise InvalidCardError(f"{card!r} is not a card id: ids run from 0 (2c) to 51 (As).")
    return int(card)


def card_text(card: int, *, symbols: bool = False) -> str:
    """Write a card: "10h", or "10♥" with `symbols`."""
    suit, rank = divmod(card, NUM_RANKS)
    letter = RANKS[rank]
    return ("10" if letter == "T" else letter) + (SUIT_SYMBOLS if symbols else SUITS)[suit]


def cards_of(bits: int) -> Iterator[int]:
    """Yield the card ids of a set of cards, lowest id first."""
    bits = int(bits)
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def bits_of(cards: Iterable[int]) -> int:
    """Return the set of the given card ids as an int."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def hand_text(bits: int, *, symbols: bool = False) -> str:
    """Write a set of cards, grouped by suit and highest first within a suit: "Ks Qs 9s"."""
    ordered = sorted(cards_of(bits), key=lambda card: (-(card // NUM_RANKS), -(card % NUM_RANKS)))
    return " ".join(card_text(card, symbols=symbols) for card in ordered)
