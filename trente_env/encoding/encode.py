"""A seat's view as numbers. Written from the view and nothing else: zero the row, then set what is there."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trente_env._jit import JIT_ENABLED, bit_writer, clear, count_bits, field_writer, kernel, lowest_bit, put, row_at
from trente_env.cards import NUM_CARDS, NUM_RANKS
from trente_env.core.layout import (
    EVENT_NO_CARD,
    NO_CARD,
    NOBODY,
    NUM_EVENT_KINDS,
    PHASE_LEAVE,
    SCORING_POINTS,
    SEAT_VIEW,
)
from trente_env.core.scoring import hand_half_points, suit_points, three_within, value_after_best_discard
from trente_env.encoding.sections import EVENT_EXTRA, MAX_INT8, NUM_OBSERVED_EVENTS, OBSERVED_RULES

put_cards: Final = bit_writer(NUM_CARDS)
"""Write a set of cards, one number a card."""
put_ones: Final = bit_writer(32)
_BYTE_RULES: Final = tuple("rules_buy_ins" if name == "buy_ins" else name for name in OBSERVED_RULES[:-1])
put_rules: Final = field_writer(SEAT_VIEW, _BYTE_RULES)
"""Write the rules but the last one, `target_points`, which is no byte."""

_RANK: Final = NUM_EVENT_KINDS + 4
_IS_EVENT: Final = _RANK + 4
_EVENT_ONES: Final = (1 << _RANK) - 1


def _event_codes() -> Any:
    """Return the numbers of every kind and card of an event as bits: kind and suit one-hot, rank, and a 1.

    The last place is for no event (-1): all 0.
    """
    codes = [0] * (1 << 10)
    for kind in range(NUM_EVENT_KINDS):
        for card in (*range(NUM_CARDS), EVENT_NO_CARD):
            code = 1 << _IS_EVENT | 1 << kind
            if card != EVENT_NO_CARD:
                code |= 1 << (NUM_EVENT_KINDS + card // NUM_RANKS) | (1 + card % NUM_RANKS) << _RANK
            codes[kind << 6 | card] = code
    return np.array(codes, np.int32) if JIT_ENABLED else codes


EVENT_CODES: Final = _event_codes()


@kernel
def encode_view(view: Any, places: Any, row: Any) -> None:
    """Write a view as an observation.

    Args:
        view: What the seat knows.
        places: Layout of the observation (`ObservationSpec.lower`).
        row: Where to write, from `row_at`; every number of it is written.
    """
    clear(row, places.size)
    put_cards(row, places.hand, view.hand)
    put_cards(row, places.held_by_others, view.held_by_others)
    write_pile(view, places, row)
    write_values(view, places, row)
    write_seats(view, places, row)
    write_numbers(view, places, row)
    write_events(view, places, row)
    write_rules(view, places, row)


@kernel
def encode_views(views_B: Any, places: Any, out_BS: Any) -> None:
    """Write views as observations, one row each: for callers outside compiled code.

    Args:
        views_B: What seats know.
        places: Layout of the observation, an array of one (`ObservationSpec.lower`).
        out_BS: Where to write, C-contiguous int8.
    """
    for row in range(len(views_B)):
        encode_view(views_B[row], places[0], row_at(out_BS, row))


@kernel
def write_pile(view: Any, places: Any, row: Any) -> None:
    """Write the cards that lie open."""
    if view.upcard != NO_CARD:
        put(row, places.upcard + view.upcard, 1)
    put_cards(row, places.discard_pile, view.pile)
    put_cards(row, places.table, view.table)


@kernel
def may_discard(view: Any) -> int:
    """Return the cards that may be discarded or left by a seat with a card too many (R12, R41)."""
    if view.taken != NO_CARD and (view.phase == PHASE_LEAVE or not view.may_return_upcard):
        return view.hand & ~(1 << view.taken)
    return 0 + view.hand


@kernel
def best_swap(view: Any) -> int:
    """Return the best hand value within sight at the start of a turn, in half points."""
    three, aces = view.three_of_a_kind, view.three_aces
    value = hand_half_points(view.hand, three, aces)
    if view.hand == 0:
        return value
    if view.upcard != NO_CARD:
        taken = value_after_best_discard(view.hand | (1 << view.upcard), view.hand, three, aces)
        return max(value, taken)
    rest = view.table
    while rest != 0:
        card = rest & -rest
        rest ^= card
        value = max(value, value_after_best_discard(view.hand | card, view.hand, three, aces))
    return max(value, hand_half_points(view.table, three, aces))


@kernel
def write_values(view: Any, places: Any, row: Any) -> None:
    """Write what the hand is worth, now and after the choices at hand."""
    hand = 0 + view.hand
    put(row, places.hand_value, hand_half_points(hand, view.three_of_a_kind, view.three_aces))
    for suit in range(4):
        put(row, places.suit_totals + suit, suit_points(hand, suit))
    if count_bits(hand) > view.hand_size:  # mid-turn, one card more than a full hand
        best = -1
        three = three_within(hand, view.three_of_a_kind)
        rest = may_discard(view)
        while rest != 0:
            card = lowest_bit(rest)
            rest &= rest - 1
            left = hand_half_points(hand & ~(1 << card), three, view.three_aces)
            best = max(best, left)
            put(row, places.value_without + card, left)
        put(row, places.reachable_value, best)
    else:
        put(row, places.reachable_value, best_swap(view))


@kernel
def write_seats(view: Any, places: Any, row: Any) -> None:
    """Write the per-seat sections, the observer first, then clockwise. What is 0 for everyone is left as it is."""
    count = 0 + view.num_players
    seat = 0 + view.seat
    for place in range(count):
        put_cards(row, places.known_cards + place * NUM_CARDS, view.known[seat])
        put(row, places.in_game + place, (view.in_game >> seat) & 1)
        put(row, places.lives + place, view.lives[seat])
        put(row, places.turns + place, min(MAX_INT8, 0 + view.turns[seat]))
        if view.locked != 0:
            put(row, places.locked + place, (view.locked >> seat) & 1)
        if view.scoring == SCORING_POINTS:
            put(row, places.points + place, min(MAX_INT8, 0 + view.points[seat]))
        if view.rules_buy_ins != 0:
            put(row, places.buy_ins + place, view.buy_ins[seat])
        seat = seat + 1 if seat + 1 < count else 0
    write_seat(view.to_move, view.seat, count, places.to_move, row)
    write_seat(view.dealer, view.seat, count, places.dealer, row)
    write_seat(view.knocker, view.seat, count, places.knocker, row)


@kernel(inline=True)
def write_seat(seat: int, observer: int, count: int, start: int, row: Any) -> None:
    """Write one seat, or nobody, one-hot from the observer on."""
    if seat != NOBODY:
        place = 0 + seat - observer
        put(row, start + (place if place >= 0 else place + count), 1)


@kernel
def write_numbers(view: Any, places: Any, row: Any) -> None:
    """Write the sections of one number, and the phase."""
    put(row, places.phase + view.phase, 1)
    put(row, places.stock_size, view.stock_size)
    put(row, places.last_turns, view.last_turns)
    put(row, places.passes, view.passes)
    put(row, places.is_playoff, view.is_playoff)
    put(row, places.round, min(MAX_INT8, 0 + view.round))
    put(row, places.reshuffles, min(MAX_INT8, 0 + view.reshuffles))


@kernel
def write_events(view: Any, places: Any, row: Any) -> None:
    """Write the last public events, newest first. To be called before `write_rules`.

    Without branches, which would be guessed wrong: the one-hot numbers of an event are bits first, and what the
    `put_ones` of one event writes past its end, the next one or the rules write over.
    """
    start = 0 + places.events
    kinds = 0 + places.seats
    width = kinds + EVENT_EXTRA
    rank = start + width - 1
    observer = 0 + view.seat
    count = 0 + view.num_players
    for back in range(NUM_OBSERVED_EVENTS):
        event = 0 + view.events[back]
        code = 0 + EVENT_CODES[((event >> 4) & 0x3C0) | (event & 63)]
        place = ((event >> 6) & 15) - observer
        place += count if place < 0 else 0
        put_ones(row, start, ((code & _EVENT_ONES) << kinds) | ((code >> _IS_EVENT) << place))
        put(row, rank, (code >> _RANK) & 15)
        start += width
        rank += width


@kernel
def write_rules(view: Any, places: Any, row: Any) -> None:
    """Write the rules, in the order of `OBSERVED_RULES`."""
    put_rules(view, row, places.rules)
    put(row, places.rules + len(_BYTE_RULES), min(MAX_INT8, 0 + view.target_points))
