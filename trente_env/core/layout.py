"""The records: one game, one rule set, one seat's view. Everything a kernel reads or writes is a field here.

A game is one row of a structured numpy array; a kernel takes the row. Uncompiled (`TRENTE_JIT=0`) the same kernels
run on `PlainRow` objects generated from the same dtypes, whose fields are Python ints and lists: numpy's own records
would overflow on small ints.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import JIT_ENABLED, block_copier, shifter
from trente_env.cards import NUM_CARDS
from trente_env.rules import MAX_PLAYERS, AllOut, KnockerTie, PlayStyle, Rules, Scoring, StockExhaustion

Rows = Any
"""A structured array, or (uncompiled) a list of `PlainRow`: what kernels index. Numba gives it no static type."""

MAX_HAND: Final = 5
"""Most cards a seat can hold: four and the one just drawn."""
NUM_EVENTS: Final = 20
"""Public events of the round that are remembered: a lap of nine seats and a little more."""
NOBODY: Final = -1
NO_CARD: Final = -1
NO_EVENT: Final = -1
OUT: Final = -1
"""In a list of lives given by hand: a seat that is out (0 is a seat in grace where there is grace)."""

# Phases: whose decision it is, and of what kind.
PHASE_DRAW: Final = 0
"""Start of a turn in the drawing game."""
PHASE_DISCARD: Final = 1
PHASE_DEALER_CHOICE: Final = 2
PHASE_EXCHANGE: Final = 3
"""Start of a turn in the exchange game."""
PHASE_LEAVE: Final = 4
PHASE_BUY_IN: Final = 5
PHASE_OVER: Final = 6
PHASE_NAMES: Final = ("DRAW", "DISCARD", "DEALER_CHOICE", "EXCHANGE", "LEAVE", "BUY_IN", "OVER")
# From the end of one round to the first turn of the next nobody decides: phases never seen outside the kernels.
PHASE_SETTLE: Final = 7
PHASE_BETWEEN: Final = 8
PHASE_DEAL: Final = 9
PHASE_DEAL_REST: Final = 10
"""Exchange game: the dealer has chosen, the others get their cards."""
PHASE_BEGIN: Final = 11
"""All cards are dealt: 31s are looked for, or the first turn starts."""

# How a round ended.
END_NONE: Final = 0
END_KNOCK: Final = 1
END_BLITZ: Final = 2
END_BLITZ_AT_DEAL: Final = 3
END_LAST_CALL: Final = 4
END_LIMIT: Final = 5
END_TABLE_EXHAUSTED: Final = 6
END_KNOCK_AT_LAST_CALL: Final = 7
END_NAMES: Final = ("none", "knock", "31", "31 at the deal", "last call", "limit", "table exhausted", "knock")

# What came of it.
OUTCOME_CHARGED: Final = 0
OUTCOME_VOID: Final = 1
OUTCOME_PLAYOFF: Final = 2
OUTCOME_NAMES: Final = ("charged", "void", "playoff")

# Public events, packed as kind * 1024 + seat * 64 + card (card 63: none).
EVENT_DRAW: Final = 0
EVENT_TAKE: Final = 1
EVENT_DISCARD: Final = 2
EVENT_KNOCK: Final = 3
EVENT_PASS: Final = 4
EVENT_TAKE_TABLE: Final = 5
EVENT_LEAVE: Final = 6
EVENT_SWAP_ALL: Final = 7
EVENT_KEEP: Final = 8
EVENT_REFUSE: Final = 9
EVENT_RESHUFFLE: Final = 10
EVENT_REFRESH: Final = 11
NUM_EVENT_KINDS: Final = 12
EVENT_NAMES: Final = (
    "draw", "take", "discard", "knock", "pass", "take table", "leave", "swap all", "keep", "refuse",
    "reshuffle", "refresh",
)  # fmt: skip
EVENT_NO_CARD: Final = 63

# Enum fields of Rules as ints.
STYLE_DRAW: Final = 0
STYLE_EXCHANGE: Final = 1
TIE_SPARED: Final = 0
TIE_DOUBLED: Final = 1
TIE_SHARES: Final = 2
STOCK_RESHUFFLE: Final = 0
STOCK_LAST_CALL: Final = 1
SCORING_LIVES: Final = 0
SCORING_POINTS: Final = 1
ALL_OUT_VOID: Final = 0
ALL_OUT_PLAYOFF: Final = 1
_CODES: Final[dict[Any, int]] = {
    PlayStyle.DRAW: STYLE_DRAW,
    PlayStyle.EXCHANGE: STYLE_EXCHANGE,
    KnockerTie.SPARED: TIE_SPARED,
    KnockerTie.DOUBLED: TIE_DOUBLED,
    KnockerTie.SHARES: TIE_SHARES,
    StockExhaustion.RESHUFFLE: STOCK_RESHUFFLE,
    StockExhaustion.LAST_CALL: STOCK_LAST_CALL,
    Scoring.LIVES: SCORING_LIVES,
    Scoring.POINTS: SCORING_POINTS,
    AllOut.VOID: ALL_OUT_VOID,
    AllOut.PLAYOFF: ALL_OUT_PLAYOFF,
}

_SEATS: Final = (MAX_PLAYERS,)


def _record(*blocks: Sequence[Any]) -> np.dtype[Any]:
    """Return a dtype of blocks of fields, aligned and without gaps: equal records have equal bytes.

    Within a block the largest fields come first, and a block fills whole words: it is laid out alike in every record
    that has it, and copied from one to another as it lies (`block_copier`).
    """
    fields: list[Any] = []
    for number, block in enumerate(blocks):
        fields += sorted(block, key=lambda field: -np.dtype(field[1]).itemsize)
        gap = -np.dtype(fields).itemsize % 8
        fields += [(f"padding{number}", "i1", (gap,))] if gap else []
    dtype = np.dtype(fields, align=True)
    assert dtype.itemsize == np.dtype(fields).itemsize  # noqa: S101 - cannot be otherwise
    return dtype


RULE_FIELDS: Final = (
    ("play_style", "i1"), ("num_players", "i1"), ("hand_size", "i1"), ("three_of_a_kind", "i1"), ("three_aces", "i1"),
    ("may_knock_on_first_turn", "i1"), ("may_pass_on_last_turn", "i1"), ("may_return_upcard", "i1"),
    ("blitz_after_knock", "i1"), ("failed_knock_penalty", "i1"), ("knocker_tie", "i1"), ("stock_exhaustion", "i1"),
    ("scoring", "i1"), ("starting_lives", "i1"), ("grace", "i1"), ("all_out", "i1"), ("buy_ins", "i1"),
    ("separate_close", "i1"), ("target_points", "i2"), ("round_limit", "i4"), ("max_rounds", "i4"),
)  # fmt: skip
"""The fields of `Rules` that kernels read as they are, with their types."""

_RULES_BLOCK: Final = (
    ("deck_bits", "i8"),  # the deck as a set
    *RULE_FIELDS,
    ("top_half_points", "i1"),  # value of a 31
)
"""What a policy may need of the rules."""

RULES: Final = _record(
    _RULES_BLOCK,
    [
        ("deck_size", "i1"),
        ("deck", "i1", (NUM_CARDS,)),  # card ids, lowest first; -1 behind the last
    ],
)
"""One rule set, lowered to ints."""

_TABLE_BLOCK: Final = (
    ("table", "i8"),  # exchange game: the cards on the table
    ("pile", "i8"),  # the discard pile as a set
    ("known", "i8", _SEATS),  # cards each seat is publicly known to hold
    ("decisions", "i4"),  # decisions taken in this game
    ("round", "i4"),  # deals of this game so far, the present one included
    ("turn", "i4"),  # turns started in this round
    ("reshuffles", "i4"),  # reshuffles in this round
    ("turns", "i4", _SEATS),  # turns each seat has started in this round
    ("points", "i2", _SEATS),
    ("events", "i2", (NUM_EVENTS,)),  # public events of this round, newest first; -1 where there is none
    ("in_game", "i2"),  # seats not out, as bits
    ("locked", "i2"),  # exchange game: seats that swapped all three
    ("lives", "i1", _SEATS),
    ("buy_ins", "i1", _SEATS),  # buy-ins each seat has made
    ("phase", "i1"),
    ("to_move", "i1"),
    ("dealer", "i1"),
    ("knocker", "i1"),  # who opened the last lap
    ("last_turns", "i1"),  # last turns still to be played after a knock
    ("taken", "i1"),  # card taken in this turn from the discard pile or the table
    ("passes", "i1"),  # exchange game: passes in a row
    ("is_playoff", "i1"),
    ("upcard", "i1"),  # top of the discard pile in the drawing game, or NO_CARD
    ("num_discards", "i1"),
    ("discards", "i1", (NUM_CARDS,)),  # the discard pile, bottom first; NO_CARD above the top
)
"""What lies open: everybody at the table sees it, and nothing in it depends on a hidden card."""

GAME: Final = _record(
    _TABLE_BLOCK,
    [
        ("legal", "i8"),  # legal actions of the seat to move, as bits; 0 when the game is over
        ("key", "i8"),  # generator key of the present stock (rng.py)
        ("held", "i8"),  # cards that a reshuffle proved to be in somebody's hand
        ("hands", "i8", _SEATS),
        ("step_rounds", "i2"),  # rounds settled since the last decision
        ("deck_size", "i1"),
        ("num_drawn", "i1"),  # cards taken off the deck since its last shuffle
        ("num_fixed", "i1"),  # deck slots whose card is settled; the rest is shuffled as it is drawn
        ("deck", "i1", (NUM_CARDS,)),
    ],
    [
        ("seed", "i8"),  # the game's seed, 0 to 2**63 - 1
        ("last_hands", "i8", _SEATS),  # hands at the end of the last round
        ("step_relative", "f8", _SEATS),  # step_deltas, each round relative to the mean of the other seats
        ("deal", "i4"),  # deals drawn from the seed so far: chance is keyed by it
        ("last_round", "i4"),  # number of the last settled round, 0 before
        ("may_buy_in", "i2"),  # seats waiting to be asked
        ("last_in_game", "i2"),  # seats dealt into the last round
        ("last_holders", "i2"),  # seats whose 31 ended it without a showdown
        ("last_out", "i2"),  # seats it put out
        ("last_values", "i2", _SEATS),  # hand values in half points
        ("last_deltas", "i2", _SEATS),  # lives lost (negative) or points gained
        ("step_deltas", "i2", _SEATS),  # deltas of the rounds settled since the last decision, summed
        ("opening_lives", "i1", _SEATS),  # what the game began with; OUT for a seat that was never in
        ("opening_dealer", "i1"),  # the first dealer, or NOBODY to draw one from the seed
        ("is_single_round", "i1"),  # whether the game ends after one round
        ("is_truncated", "i1"),
        ("winner", "i1"),
        ("last_end", "i1"),
        ("last_outcome", "i1"),
        ("last_knocker", "i1"),
    ],
)
"""One game: what lies open, what is hidden, and what is touched once a round."""

SEAT_VIEW: Final = _record(
    _TABLE_BLOCK,  # known[seat] is what the others know of this one
    [
        ("hand", "i8"),
        ("held_by_others", "i8"),  # cards that must be in the others' hands, by what a reshuffle proved
        ("unseen", "i8"),  # cards of the deck that this seat cannot place: in the stock or in a hidden hand
        ("legal", "i8"),  # legal actions as bits; 0 when the seat is not to move
        ("seat", "i1"),
        ("stock_size", "i1"),
    ],
    [("rules_buy_ins" if name == "buy_ins" else name, kind) for name, kind in _RULES_BLOCK],
)
"""What one seat knows: the only thing a policy is given. Seats are absolute; `seat` is whose view it is."""

copy_table = block_copier(GAME, SEAT_VIEW, [(field[0], field[0]) for field in _TABLE_BLOCK])
"""Copy what lies open from a game into a view."""
push_event = shifter(GAME, "events")
"""Remember a public event: the newest comes first."""
copy_rules = block_copier(
    RULES, SEAT_VIEW, [(name, "rules_buy_ins" if name == "buy_ins" else name) for name, _ in _RULES_BLOCK]
)
"""Copy the rules into a view."""


class PlainRow:
    """A record as a plain object: Python ints and lists under the dtype's field names."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        """Make a row of zeros."""
        for name in dtype.names or ():
            kind, shape = dtype[name].base, dtype[name].shape
            zero: Any = 0.0 if kind.kind == "f" else 0
            setattr(self, name, [zero] * shape[0] if shape else zero)


def allocate(count: int, dtype: np.dtype[Any]) -> Rows:
    """Return `count` zeroed rows in the form that kernels take."""
    if not JIT_ENABLED:
        return [PlainRow(dtype) for _ in range(count)]
    return np.zeros(count * dtype.itemsize, np.uint8).view(dtype)  # numpy would zero field by field


def copy_rows(array: NDArray[np.void]) -> NDArray[np.void]:
    """Return a fresh contiguous copy of rows. As bytes: numpy copies records field by field."""
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    copy: NDArray[np.void] = array.view(np.uint8).copy().view(array.dtype)
    return copy


def to_array(rows: Rows, dtype: np.dtype[Any]) -> NDArray[np.void]:
    """Return rows as a fresh structured array."""
    if JIT_ENABLED:
        return copy_rows(rows)
    array = np.zeros(len(rows), dtype)
    for index, row in enumerate(rows):
        for name in dtype.names or ():
            array[name][index] = getattr(row, name)
    return array


def from_array(array: NDArray[np.void]) -> Rows:
    """Return fresh rows in the form that kernels take from a structured array."""
    if JIT_ENABLED:
        return copy_rows(array)
    rows = allocate(len(array), array.dtype)
    for index, row in enumerate(rows):
        for name in array.dtype.names or ():
            setattr(row, name, array[name][index].tolist())
    return rows


def ints(array: NDArray[np.int64]) -> Any:
    """Return an array of ints in the form that kernels take: plain Python would overflow on numpy's scalars."""
    return array if JIT_ENABLED else array.tolist()


def copied(rows: Rows) -> Rows:
    """Return fresh rows like those given, in the form that kernels take."""
    return copy_rows(rows) if JIT_ENABLED else from_array(to_array(rows, GAME))


def copy_row(source: Rows, index: int, target: Rows, target_index: int) -> None:
    """Copy one row into another place."""
    if JIT_ENABLED:
        target[target_index : target_index + 1].view(np.uint8)[:] = source[index : index + 1].view(np.uint8)
        return
    for name, value in vars(source[index]).items():
        setattr(target[target_index], name, list(value) if isinstance(value, list) else value)


def lower(table: Sequence[Rules]) -> Rows:
    """Return a table of rule sets in the form that kernels take."""
    array = np.zeros(len(table), RULES)
    for row, rules in zip(array, table, strict=True):
        for name, _ in RULE_FIELDS:
            value = getattr(rules, name)
            row[name] = _CODES.get(value, value) if isinstance(value, str) else value
        deck = rules.deck
        row["deck_bits"] = sum(1 << card for card in deck)
        row["top_half_points"] = rules.top_half_points
        row["deck_size"] = len(deck)
        row["deck"] = NO_CARD
        row["deck"][: len(deck)] = deck
    return from_array(array)
