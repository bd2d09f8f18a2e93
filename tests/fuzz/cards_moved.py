"""Saved games in which cards lie elsewhere: each card still in one place, but not where the phase asks for it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from tests.fuzz.mutations import RECORD, joined, parts, spoil_fields
from trente_env.cards import cards_of
from trente_env.core.layout import NO_CARD

PLACES = ("stock", "pile", "table", *range(9))
"""Where a card can lie; a number is a seat's hand."""


def spoil_cards(dice: random.Random, data: bytes) -> bytes:
    """Move one to thirty cards of a saved game, or put another phase or seat over the same cards; sealed."""
    rules, record = parts(data)
    if len(record) != RECORD.itemsize:
        return spoil_fields(dice, data)
    array = np.frombuffer(record, RECORD).copy()
    row = array[0]
    if dice.random() < 0.4:
        for field, high in (("phase", 6), ("to_move", 9), ("dealer", 9), ("in_game", 512)):
            if dice.random() < 0.4:
                row[field] = dice.randrange(high)
    if dice.random() < 0.8:
        lie = lying(row)
        for _ in range(dice.choice((1, 1, 2, 3, 30))):
            source, target = (lie[dice.choice(PLACES)] for _ in range(2))
            if source:
                target.append(source.pop(dice.randrange(len(source))))
        lay(row, lie)
    if dice.random() < 0.3:
        row["taken"] = dice.choice([NO_CARD, *cards_of(int(row["hands"][max(0, int(row["to_move"]) % 9)]))])
    return joined(data, rules, array.tobytes())


def lying(row: Any) -> dict[object, list[int]]:
    """Return the cards by place."""
    return {
        "stock": row["deck"][int(row["num_drawn"]) : int(row["deck_size"])].tolist(),
        "pile": row["discards"][: max(0, int(row["num_discards"]))].tolist(),
        "table": list(cards_of(int(row["table"]))),
        **{seat: list(cards_of(int(hand))) for seat, hand in enumerate(row["hands"])},
    }


def lay(row: Any, lie: dict[object, list[int]]) -> None:
    """Write the cards by place, and what a record says of them besides."""
    stock, pile = lie["stock"], lie["pile"]
    row["deck"][: len(stock)] = stock
    row["num_drawn"], row["deck_size"] = 0, len(stock)
    row["num_fixed"] = min(int(row["num_fixed"]), len(stock))
    row["discards"] = NO_CARD
    row["discards"][: len(pile)] = pile
    row["num_discards"], row["pile"] = len(pile), sum(1 << card for card in pile)
    if int(row["upcard"]) != NO_CARD:
        row["upcard"] = pile[-1] if pile else NO_CARD
    row["table"] = sum(1 << card for card in lie["table"])
    for seat in range(9):
        hand = sum(1 << card for card in lie[seat])
        row["hands"][seat] = hand
        row["known"][seat] = int(row["known"][seat]) & hand
    held = sum(1 << card for seat in range(9) for card in lie[seat])
    row["held"] = int(row["held"]) & held
