"""The observation, declared once: its named sections, their sizes, ranges and meanings.

Everything is relative to the observing seat: place 0 of a per-seat section is the observer, place 1 the next seat
clockwise, and so on. Offsets, the Box, `docs/observation.md` and the kernels' writes all come from this table.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env.cards import NUM_CARDS
from trente_env.core.layout import NUM_EVENT_KINDS, PHASE_NAMES, RULE_FIELDS, Rows, from_array
from trente_env.errors import InvalidOptionError, is_whole
from trente_env.rules import MAX_PLAYERS

NUM_OBSERVED_EVENTS: Final = 8
NUM_PHASES: Final = len(PHASE_NAMES)
EVENT_EXTRA: Final = NUM_EVENT_KINDS + 4 + 1
"""Numbers of an observed event besides its seat: kind and suit one-hot, rank."""
OBSERVED_RULES: Final = tuple(name for name, _ in RULE_FIELDS if name not in {"round_limit", "max_rounds"})
MAX_INT8: Final = 127


@dataclass(frozen=True, slots=True)
class Section:
    """One named piece of the observation."""

    name: str
    per_seat: int
    """Numbers for each seat."""
    fixed: int
    """Numbers besides those."""
    low: int
    high: int
    meaning: str

    def size(self, seats: int) -> int:
        """Return how many numbers the section takes at a table of `seats`."""
        return self.per_seat * seats + self.fixed


SECTIONS: Final = (
    Section("hand", 0, NUM_CARDS, 0, 1, "the cards held, by card id"),
    Section("upcard", 0, NUM_CARDS, 0, 1, "the top of the discard pile, by card id; none in the exchange game"),
    Section("discard_pile", 0, NUM_CARDS, 0, 1, "the discard pile (exchange game: cards out of play), by card id"),
    Section("table", 0, NUM_CARDS, 0, 1, "exchange game: the cards on the table, by card id"),
    Section(
        "held_by_others", 0, NUM_CARDS, 0, 1,
        "cards that must be in the other hands: taken openly, or in the drawing game proved by a reshuffle or an empty "
        "stock, by card id",
    ),
    Section(
        "known_cards", NUM_CARDS, 0, 0, 1,
        "for each seat, the cards everyone knows it holds, by card id; place 0 is what the others know of the observer",
    ),
    Section(
        "value_without", 0, NUM_CARDS, 0, MAX_INT8,
        "in mid-turn: for each card that may be discarded or left, the value of the rest in half points",
    ),
    Section("hand_value", 0, 1, 0, MAX_INT8, "value of the hand as it lies, in half points"),
    Section(
        "reachable_value", 0, 1, 0, MAX_INT8,
        "best hand value within sight, in half points: after the best discard, taking the upcard, or swapping",
    ),
    Section("suit_totals", 0, 4, 0, 51, "points held in clubs, diamonds, hearts, spades"),
    Section("phase", 0, NUM_PHASES, 0, 1, "kind of decision the table is at, one-hot: " + ", ".join(PHASE_NAMES)),
    Section("to_move", 1, 0, 0, 1, "seat to move, one-hot; all zero when the game is over"),
    Section("dealer", 1, 0, 0, 1, "dealer, one-hot"),
    Section("knocker", 1, 0, 0, 1, "who opened the last lap, one-hot; all zero before"),
    Section("in_game", 1, 0, 0, 1, "seats that are not out"),
    Section(
        "lives", 1, 0, 0, 100,
        "lives left; 0 for a seat in grace and for one that is out, but a playoff takes no lives (R23)"
    ),
    Section("points", 1, 0, 0, MAX_INT8, "points game: points scored, at most 127 shown"),
    Section("turns", 1, 0, 0, MAX_INT8, "turns each seat has started in this round, at most 127 shown"),
    Section("locked", 1, 0, 0, 1, "exchange game: seats that have swapped all three"),
    Section("buy_ins", 1, 0, 0, 100, "times each seat has bought in again"),
    Section("stock_size", 0, 1, 0, NUM_CARDS, "cards left in the stock"),
    Section("last_turns", 0, 1, 0, MAX_PLAYERS, "last turns still to be played after a knock"),
    Section(
        "passes", 0, 1, 0, MAX_PLAYERS, "exchange game with a separate close: passes in a row towards a new table (R48)"
    ),
    Section("is_playoff", 0, 1, 0, 1, "whether this deal is a playoff"),
    Section("round", 0, 1, 0, MAX_INT8, "number of the round, at most 127 shown"),
    Section("reshuffles", 0, 1, 0, MAX_INT8, "reshuffles in this round, at most 127 shown"),
    Section(
        "events", NUM_OBSERVED_EVENTS, NUM_OBSERVED_EVENTS * EVENT_EXTRA, 0, 13,
        "the last public events of the round, newest first; each: seat one-hot, kind one-hot "
        "(draw, take, discard, knock, pass, take table, leave, swap all, keep, refuse, reshuffle, refresh), "
        "suit one-hot and rank (1 for two to 13 for ace) of its card",
    ),
    Section(
        "rules", 0, len(OBSERVED_RULES), 0, MAX_INT8,
        "the rules as numbers: " + ", ".join(OBSERVED_RULES) + " (points at most 127 shown)",
    ),
)  # fmt: skip
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

PLACES: Final = np.dtype(
    [("seats", "i8"), ("size", "i8"), *((section.name, "i8") for section in (*SECTIONS, *HIDDEN_SECTIONS))]
)
"""A layout as kernels take it: places of the per-seat sections, size, and where each section begins (-1: nowhere)."""


@dataclass(frozen=True, slots=True)
class ObservationSpec:
    """The layout of an observation at a table of `seats`: where each section lies."""

    seats: int
    """Places of the per-seat sections: the number of players, or more for padded observations."""
    sections: tuple[Section, ...] = SECTIONS
    """The sections, in order: `SECTIONS`, or for the state of a whole game `STATE_SECTIONS`."""

    def __post_init__(self) -> None:
        """Refuse a table that does not exist."""
        if not is_whole(self.seats, 2, MAX_PLAYERS):
            raise InvalidOptionError(f"max_players cannot be {self.seats!r}: give 2 to {MAX_PLAYERS}.")

    @property
    def size(self) -> int:
        """Numbers in an observation."""
        return sum(section.size(self.seats) for section in self.sections)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """Where each section begins, in the order of the sections."""
        sizes = [section.size(self.seats) for section in self.sections]
        return np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)

    def place(self, name: str) -> slice:
        """Return where a section lies.

        Raises:
            InvalidOptionError: If there is no such section.
        """
        start = 0
        for section in self.sections:
            size = section.size(self.seats)
            if section.name == name:
                return slice(start, start + size)
            start += size
        known = ", ".join(section.name for section in self.sections)
        raise InvalidOptionError(f"There is no section {name!r}. Known: {known}.")

    def __getitem__(self, name: str) -> slice:
        """Return where a section lies: `row[spec["lives"]]`."""
        return self.place(name)

    def split(self, observation: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Return the sections of one observation, or of a batch along the last axis, as views by name."""
        return {section.name: observation[..., self.place(section.name)] for section in self.sections}

    def lower(self) -> Rows:
        """Return the layout in the form that kernels take, a row of `PLACES`."""
        array = np.full(1, -1, np.int64).repeat(len(PLACES.names or ())).view(PLACES)
        array["seats"], array["size"] = self.seats, self.size
        for section in self.sections:
            array[section.name] = self.place(section.name).start
        return from_array(array)

    @property
    def lows(self) -> NDArray[np.int8]:
        """Least value of each number."""
        return np.concatenate([np.full(section.size(self.seats), section.low, np.int8) for section in self.sections])

    @property
    def highs(self) -> NDArray[np.int8]:
        """Greatest value of each number."""
        return np.concatenate([np.full(section.size(self.seats), section.high, np.int8) for section in self.sections])

    @property
    def fingerprint(self) -> str:
        """Stable hex name of the layout, stored with anything learned under it."""
        text = repr([(s.name, s.size(self.seats), s.low, s.high, s.meaning) for s in self.sections])
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@functools.lru_cache(maxsize=None, typed=True)
def state_spec(seats: int) -> ObservationSpec:
    """Return the layout of the state for a number of seats."""
    return ObservationSpec(seats, STATE_SECTIONS)


@functools.lru_cache(maxsize=None, typed=True)
def observation_spec(seats: int) -> ObservationSpec:
    """Return the layout for a number of seats."""
    return ObservationSpec(seats)
