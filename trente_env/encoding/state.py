"""The state of a whole game as numbers, hidden cards included: for centralised critics, never for a policy that plays.

Seats are absolute here: place 0 of a per-seat section is seat 0, whoever is to move. The public part is the
observation's own sections, seen from seat 0.
"""

from __future__ import annotations

import functools
from typing import Any, Final

from trente_env._jit import kernel
from trente_env.cards import NUM_CARDS
from trente_env.core.layout import NO_CARD
from trente_env.core.scoring import hand_half_points
from trente_env.core.views import fill_view
from trente_env.encoding.encode import write_events, write_numbers, write_rules, write_seats, write_set
from trente_env.encoding.sections import MAX_INT8, SECTION_INDEX, SECTIONS, ObservationSpec, Section

PUBLIC_SECTIONS: Final = (
    "upcard", "discard_pile", "table", "known_cards", "phase", "to_move", "dealer", "knocker", "in_game", "lives",
    "points", "turns", "locked", "buy_ins", "stock_size", "last_turns", "passes", "is_playoff", "round", "reshuffles",
    "events", "rules",
)  # fmt: skip
"""Sections of the observation that are the same for every seat, but for where the seats are counted from."""
HIDDEN_SECTIONS: Final = (
    Section("hands", NUM_CARDS, 0, 0, 1, "for each seat, the cards it holds, by card id"),
    Section("hand_values", 1, 0, 0, MAX_INT8, "for each seat, the value of its hand as it lies, in half points"),
    Section("stock", 0, NUM_CARDS, 0, 1, "the cards left in the stock, by card id"),
    Section("taken", 0, NUM_CARDS, 0, 1, "the card taken in this turn from the discard pile or the table, by card id"),
    Section("may_buy_in", 1, 0, 0, 1, "seats that are out and will be asked to buy in"),
)
STATE_SECTIONS: Final = HIDDEN_SECTIONS + tuple(section for section in SECTIONS if section.name in PUBLIC_SECTIONS)
"""What `state()` holds, in order."""

# Offsets are given by section of the observation, then by hidden section; private sections have no place.
HANDS: Final = len(SECTIONS)
HAND_VALUES: Final = len(SECTIONS) + 1
STOCK: Final = len(SECTIONS) + 2
TAKEN: Final = len(SECTIONS) + 3
MAY_BUY_IN: Final = len(SECTIONS) + 4
UPCARD: Final = SECTION_INDEX["upcard"]
DISCARD_PILE: Final = SECTION_INDEX["discard_pile"]
TABLE: Final = SECTION_INDEX["table"]


@functools.cache
def state_spec(seats: int) -> ObservationSpec:
    """Return the layout of the state for a number of seats."""
    return ObservationSpec(seats, STATE_SECTIONS)


def state_offsets(seats: int) -> list[int]:
    """Return where each section begins, in the order that `encode_state` takes."""
    spec = state_spec(seats)
    names = [section.name for section in (*SECTIONS, *HIDDEN_SECTIONS)]
    known = {section.name for section in STATE_SECTIONS}
    return [spec.place(name).start if name in known else -1 for name in names]


@kernel
def encode_state(game: Any, rules: Any, view: Any, seats: int, offsets: Any, out_BS: Any, row: int) -> None:
    """Write a whole game as numbers.

    Args:
        game: The game.
        rules: Its rules.
        view: Scratch for a view.
        seats: Places of the per-seat sections, at least the number of players.
        offsets: Where each section begins (`state_offsets`).
        out_BS: States; only row `row` is written, every number of it.
        row: Which row.
    """
    fill_view(game, rules, 0, view)
    for place in range(out_BS.shape[1]):
        out_BS[row, place] = 0
    write_hidden(game, rules, offsets, out_BS, row)
    if view.upcard != NO_CARD:
        out_BS[row, offsets[UPCARD] + view.upcard] = 1
    write_set(view.pile, offsets[DISCARD_PILE], out_BS, row)
    write_set(view.table, offsets[TABLE], out_BS, row)
    write_seats(view, seats, offsets, out_BS, row)
    write_numbers(view, offsets, out_BS, row)
    write_events(view, seats, offsets, out_BS, row)
    write_rules(view, offsets, out_BS, row)


@kernel
def write_hidden(game: Any, rules: Any, offsets: Any, out_BS: Any, row: int) -> None:
    """Write the sections that no seat sees whole."""
    for seat in range(rules.num_players):
        hand = 0 + game.hands[seat]
        write_set(hand, offsets[HANDS] + seat * NUM_CARDS, out_BS, row)
        value = hand_half_points(hand, rules.three_of_a_kind, rules.three_aces)
        out_BS[row, offsets[HAND_VALUES] + seat] = value
        out_BS[row, offsets[MAY_BUY_IN] + seat] = (game.may_buy_in >> seat) & 1
    for slot in range(game.num_drawn, game.deck_size):
        out_BS[row, offsets[STOCK] + game.deck[slot]] = 1
    if game.taken != NO_CARD:
        out_BS[row, offsets[TAKEN] + game.taken] = 1
