"""An observation in words: section by section, by name, as a person can check it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env.cards import NUM_CARDS, RANKS, SUITS, card_text
from trente_env.core.layout import EVENT_NAMES, PHASE_NAMES
from trente_env.encoding.sections import NUM_OBSERVED_EVENTS, OBSERVED_RULES, ObservationSpec, Section

__all__ = ["numbers_lines", "section_lines"]

NUMBERS_A_LINE: Final = 50


def section_lines(observation: NDArray[Any], spec: ObservationSpec) -> list[str]:
    """Return one line a section that has anything in it, and a last one that lists those that are all zero."""
    values = spec.split(observation)
    lines = [
        f"{section.name}: {_section_text(section, values[section.name], spec.seats)}"
        for section in spec.sections
        if values[section.name].any()
    ]
    zero = [section.name for section in spec.sections if not values[section.name].any()]
    return [*lines, f"all zero: {', '.join(zero) or 'none'}"]


def numbers_lines(observation: NDArray[Any]) -> list[str]:
    """Return the numbers as they are, each line headed by the place of its first."""
    starts = range(0, len(observation), NUMBERS_A_LINE)
    return [f"[{start}] {_numbers(observation[start : start + NUMBERS_A_LINE])}" for start in starts]


def _section_text(section: Section, values: NDArray[Any], seats: int) -> str:
    """Write a section by what it holds: cards by name, one-hots and events by meaning, the rest as numbers."""
    if section.name == "phase":
        return _named(values, PHASE_NAMES)
    if section.name == "rules":
        return ", ".join(f"{name} {value}" for name, value in zip(OBSERVED_RULES, values.tolist(), strict=True))
    if section.name == "events":
        return "; ".join(_event_text(event, seats) for event in values.reshape(NUM_OBSERVED_EVENTS, -1) if event.any())
    if section.per_seat == NUM_CARDS:
        return "; ".join(
            f"place {place} {_cards_text(cards, section)}"
            for place, cards in enumerate(values.reshape(seats, NUM_CARDS))
            if cards.any()
        )
    return _cards_text(values, section) if section.fixed == NUM_CARDS else _numbers(values)


def _cards_text(values: NDArray[Any], section: Section) -> str:
    """Write the cards whose numbers are not zero, with the numbers where they can be other than 1."""
    return " ".join(
        card_text(card) if section.high == 1 else f"{card_text(card)}={values[card]}"
        for card in np.flatnonzero(values).tolist()
    )


def _event_text(event: NDArray[Any], seats: int) -> str:
    """Write an event: "place 1 discard 7h"."""
    place, kind, suit = np.split(event[:-1], [seats, seats + len(EVENT_NAMES)])
    rank = int(event[-1])
    card = f" {RANKS[rank - 1]}{_named(suit, SUITS)}" if rank else ""
    return f"place {_named(place, range(seats))} {_named(kind, EVENT_NAMES)}{card}"


def _named(one_hot: NDArray[Any], names: Sequence[Any]) -> str:
    """Return the name of a one-hot's only 1."""
    (place,) = np.flatnonzero(one_hot).tolist()
    return str(names[place])


def _numbers(values: NDArray[Any]) -> str:
    return " ".join(map(str, values.tolist()))
