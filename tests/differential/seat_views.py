"""A seat's view in words: every field of the engine's record that says what the seat knows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from trente_env.cards import NUM_CARDS, card_text, cards_of
from trente_env.core.actions import NUM_ACTIONS, action_name
from trente_env.core.layout import EVENT_NAMES, EVENT_NO_CARD, NOBODY, PHASE_NAMES, SEAT_VIEW

Event = tuple[str, int, str | None]
Fields = dict[str, Any]
CARDS: Final = tuple(card_text(card) for card in range(NUM_CARDS))
_PARTS: Final = tuple(
    (
        shift,
        tuple(
            frozenset(CARDS[shift + card] for card in cards_of(byte)) for byte in range(1 << min(8, NUM_CARDS - shift))
        ),
    )
    for shift in range(0, NUM_CARDS, 8)
)
"""The cards of each eight bits of a set, by their value: sets are read by the million."""
ECHO = (
    "deck_bits", "play_style", "num_players", "hand_size", "three_of_a_kind", "three_aces",
    "may_knock_on_first_turn", "may_pass_on_last_turn", "may_return_upcard", "blitz_after_knock",
    "failed_knock_penalty", "knocker_tie", "stock_exhaustion", "scoring", "starting_lives", "grace", "all_out",
    "rules_buy_ins", "separate_close", "target_points", "round_limit", "max_rounds", "top_half_points", "padding",
)  # fmt: skip
"""Fields of a view that repeat the rules."""


@functools.lru_cache(maxsize=1 << 16)
def cards(bits: int) -> frozenset[str]:
    """Return a set of cards as texts."""
    return frozenset().union(*(part[bits >> shift & 0xFF] for shift, part in _PARTS))


@functools.lru_cache(maxsize=1 << 12)
def event(packed: int) -> Event:
    """Return a public event as (kind, seat, card)."""
    card = packed & 63
    return EVENT_NAMES[packed >> 10], packed >> 6 & 15, None if card == EVENT_NO_CARD else card_text(card)


@functools.lru_cache(maxsize=1 << 16)
def actions(bits: int, phase: int) -> frozenset[str]:
    """Return a set of actions by name."""
    return frozenset(action_name(action, phase) for action in range(NUM_ACTIONS) if bits >> action & 1)


def _card(card: int) -> str | None:
    return CARDS[card] if card >= 0 else None


def _seats(bits: int, num_players: int) -> tuple[bool, ...]:
    return tuple(bool(bits >> seat & 1) for seat in range(num_players))


def _somebody(seat: int) -> int | None:
    return None if seat == NOBODY else seat


PUBLIC: dict[str, Callable[[Fields, int], object]] = {
    "table": lambda view, _: cards(view["table"]),
    "discard_pile": lambda view, _: tuple(CARDS[card] for card in view["discards"] if card >= 0),
    "upcard": lambda view, _: _card(view["upcard"]),
    "stock_size": lambda view, _: view["stock_size"],
    "known_cards": lambda view, seats: tuple(cards(bits) for bits in view["known"][:seats]),
    "lives": lambda view, seats: tuple(view["lives"][:seats]),
    "points": lambda view, seats: tuple(view["points"][:seats]),
    "buy_ins": lambda view, seats: tuple(view["buy_ins"][:seats]),
    "in_game": lambda view, seats: _seats(view["in_game"], seats),
    "dealer": lambda view, _: view["dealer"],
    "knocker": lambda view, _: _somebody(view["knocker"]),
    "to_move": lambda view, _: _somebody(view["to_move"]),
    "phase": lambda view, _: PHASE_NAMES[view["phase"]],
    "turn": lambda view, _: view["turn"],
    "turns": lambda view, seats: tuple(view["turns"][:seats]),
    "round": lambda view, _: view["round"],
    "reshuffles": lambda view, _: view["reshuffles"],
    "last_turns": lambda view, _: view["last_turns"],
    "passes": lambda view, _: view["passes"],
    "locked": lambda view, seats: _seats(view["locked"], seats),
    "is_playoff": lambda view, _: bool(view["is_playoff"]),
    "taken": lambda view, _: _card(view["taken"]),
    "pile": lambda view, _: cards(view["pile"]),
    "num_discards": lambda view, _: view["num_discards"],
    "decisions": lambda view, _: view["decisions"],
    "events": lambda view, _: tuple(event(packed) for packed in view["events"] if packed >= 0),
}
"""How what everybody at the table knows is read from a view, by the name it has in `compare.known`."""

PRIVATE: dict[str, Callable[[Fields], object]] = {
    "seat": lambda view: view["seat"],
    "hand": lambda view: cards(view["hand"]),
    "held_by_others": lambda view: cards(view["held_by_others"]),
    "unseen": lambda view: cards(view["unseen"]),
    "legal": lambda view: actions(view["legal"], view["phase"]),
}
"""How the rest is read, which is each seat's own."""


_PLACES: Final = tuple((SEAT_VIEW.fields[name][1], SEAT_VIEW[name].itemsize) for name in PRIVATE)


def knowledge(view: np.void, num_players: int) -> dict[str, object]:
    """Return what a view says its seat knows, by the names of `compare.known`."""
    values: Fields = {name: int(view[name]) for name in (*PRIVATE, "phase")}
    shared = bytearray(view.tobytes())
    for offset, size in _PLACES:
        shared[offset : offset + size] = bytes(size)
    return _public(bytes(shared), num_players) | {name: read(values) for name, read in PRIVATE.items()}


@functools.lru_cache(maxsize=16)
def _public(record: bytes, num_players: int) -> dict[str, object]:
    """Read what everybody knows, once for all seats whose views agree on it to the byte."""
    values = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in zip(SEAT_VIEW.names or (), np.frombuffer(record, SEAT_VIEW)[0].tolist(), strict=True)
    }
    return {name: read(values, num_players) for name, read in PUBLIC.items()}
