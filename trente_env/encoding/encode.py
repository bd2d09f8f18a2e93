"""A seat's view as numbers. Written from the view and nothing else: zero the row, then set what is there."""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel, lowest_bit
from trente_env.cards import NUM_RANKS
from trente_env.core.layout import (
    EVENT_NO_CARD,
    NO_CARD,
    NUM_EVENT_KINDS,
    PHASE_LEAVE,
)
from trente_env.core.scoring import hand_half_points, suit_points, value_after_best_discard
from trente_env.encoding.sections import EVENT_EXTRA, MAX_INT8, NUM_OBSERVED_EVENTS, SECTION_INDEX

HAND: Final = SECTION_INDEX["hand"]
UPCARD: Final = SECTION_INDEX["upcard"]
DISCARD_PILE: Final = SECTION_INDEX["discard_pile"]
TABLE: Final = SECTION_INDEX["table"]
HELD_BY_OTHERS: Final = SECTION_INDEX["held_by_others"]
KNOWN_CARDS: Final = SECTION_INDEX["known_cards"]
VALUE_WITHOUT: Final = SECTION_INDEX["value_without"]
HAND_VALUE: Final = SECTION_INDEX["hand_value"]
REACHABLE_VALUE: Final = SECTION_INDEX["reachable_value"]
SUIT_TOTALS: Final = SECTION_INDEX["suit_totals"]
PHASE: Final = SECTION_INDEX["phase"]
TO_MOVE: Final = SECTION_INDEX["to_move"]
DEALER: Final = SECTION_INDEX["dealer"]
KNOCKER: Final = SECTION_INDEX["knocker"]
IN_GAME: Final = SECTION_INDEX["in_game"]
LIVES: Final = SECTION_INDEX["lives"]
POINTS: Final = SECTION_INDEX["points"]
TURNS: Final = SECTION_INDEX["turns"]
LOCKED: Final = SECTION_INDEX["locked"]
BUY_INS: Final = SECTION_INDEX["buy_ins"]
STOCK_SIZE: Final = SECTION_INDEX["stock_size"]
LAST_TURNS: Final = SECTION_INDEX["last_turns"]
PASSES: Final = SECTION_INDEX["passes"]
IS_PLAYOFF: Final = SECTION_INDEX["is_playoff"]
ROUND: Final = SECTION_INDEX["round"]
RESHUFFLES: Final = SECTION_INDEX["reshuffles"]
EVENTS: Final = SECTION_INDEX["events"]
RULES: Final = SECTION_INDEX["rules"]


@kernel
def encode_view(view: Any, seats: int, offsets: Any, out_BS: Any, row: int) -> None:
    """Write a view as an observation.

    Args:
        view: What the seat knows.
        seats: Places of the per-seat sections, at least the number of players.
        offsets: Where each section begins (`ObservationSpec.offsets`).
        out_BS: Observations; only row `row` is written, every number of it.
        row: Which row.
    """
    for place in range(out_BS.shape[1]):
        out_BS[row, place] = 0
    write_cards(view, offsets, out_BS, row)
    write_values(view, offsets, out_BS, row)
    write_seats(view, seats, offsets, out_BS, row)
    write_numbers(view, offsets, out_BS, row)
    write_events(view, seats, offsets, out_BS, row)
    write_rules(view, offsets, out_BS, row)


@kernel
def write_set(cards: int, start: int, out_BS: Any, row: int) -> None:
    """Set the places of a set of cards."""
    rest = cards
    while rest != 0:
        out_BS[row, start + lowest_bit(rest)] = 1
        rest &= rest - 1


@kernel
def write_cards(view: Any, offsets: Any, out_BS: Any, row: int) -> None:
    """Write the sections that are sets of cards."""
    write_set(view.hand, offsets[HAND], out_BS, row)
    if view.upcard != NO_CARD:
        out_BS[row, offsets[UPCARD] + view.upcard] = 1
    write_set(view.pile, offsets[DISCARD_PILE], out_BS, row)
    write_set(view.table, offsets[TABLE], out_BS, row)
    write_set(view.held_by_others, offsets[HELD_BY_OTHERS], out_BS, row)


@kernel
def may_discard(view: Any) -> int:
    """Return the cards that may be discarded or left by a seat with a card too many (R12, R41)."""
    if view.taken != NO_CARD and (view.phase == PHASE_LEAVE or not view.may_return_upcard):
        return view.hand & ~(1 << view.taken)
    return 0 + view.hand


@kernel
def has_extra_card(view: Any) -> bool:
    """Return whether the seat holds one card more than a full hand: mid-turn."""
    hand = view.hand
    for _ in range(view.hand_size):
        hand &= hand - 1
    return hand != 0


@kernel
def reachable_value(view: Any) -> int:
    """Return the best hand value within sight, in half points (see the section of that name)."""
    three, aces = view.three_of_a_kind, view.three_aces
    value = hand_half_points(view.hand, three, aces)
    if view.hand == 0:
        return value
    if has_extra_card(view):
        return value_after_best_discard(view.hand, may_discard(view), three, aces)
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
def write_values(view: Any, offsets: Any, out_BS: Any, row: int) -> None:
    """Write what the hand is worth, now and after the choices at hand."""
    out_BS[row, offsets[HAND_VALUE]] = hand_half_points(view.hand, view.three_of_a_kind, view.three_aces)
    out_BS[row, offsets[REACHABLE_VALUE]] = reachable_value(view)
    for suit in range(4):
        out_BS[row, offsets[SUIT_TOTALS] + suit] = suit_points(view.hand, suit)
    if has_extra_card(view):
        rest = may_discard(view)
        while rest != 0:
            card = lowest_bit(rest)
            rest &= rest - 1
            left = hand_half_points(view.hand & ~(1 << card), view.three_of_a_kind, view.three_aces)
            out_BS[row, offsets[VALUE_WITHOUT] + card] = left


@kernel
def write_seats(view: Any, seats: int, offsets: Any, out_BS: Any, row: int) -> None:  # noqa: ARG001
    """Write the per-seat sections, the observer first, then clockwise."""
    seat = 0 + view.seat
    for place in range(view.num_players):
        write_set(view.known[seat], offsets[KNOWN_CARDS] + place * 52, out_BS, row)
        out_BS[row, offsets[TO_MOVE] + place] = 1 if seat == view.to_move else 0
        out_BS[row, offsets[DEALER] + place] = 1 if seat == view.dealer else 0
        out_BS[row, offsets[KNOCKER] + place] = 1 if seat == view.knocker else 0
        out_BS[row, offsets[IN_GAME] + place] = (view.in_game >> seat) & 1
        out_BS[row, offsets[LOCKED] + place] = (view.locked >> seat) & 1
        out_BS[row, offsets[LIVES] + place] = view.lives[seat]
        out_BS[row, offsets[POINTS] + place] = min(MAX_INT8, 0 + view.points[seat])
        out_BS[row, offsets[TURNS] + place] = min(MAX_INT8, 0 + view.turns[seat])
        out_BS[row, offsets[BUY_INS] + place] = view.buy_ins[seat]
        seat += 1
        if seat == view.num_players:
            seat = 0


@kernel
def write_numbers(view: Any, offsets: Any, out_BS: Any, row: int) -> None:
    """Write the sections of one number, and the phase."""
    out_BS[row, offsets[PHASE] + view.phase] = 1
    out_BS[row, offsets[STOCK_SIZE]] = view.stock_size
    out_BS[row, offsets[LAST_TURNS]] = view.last_turns
    out_BS[row, offsets[PASSES]] = view.passes
    out_BS[row, offsets[IS_PLAYOFF]] = view.is_playoff
    out_BS[row, offsets[ROUND]] = min(MAX_INT8, 0 + view.round)
    out_BS[row, offsets[RESHUFFLES]] = min(MAX_INT8, 0 + view.reshuffles)


@kernel
def write_events(view: Any, seats: int, offsets: Any, out_BS: Any, row: int) -> None:
    """Write the last public events, newest first."""
    start = 0 + offsets[EVENTS]
    for back in range(NUM_OBSERVED_EVENTS):
        event = 0 + view.events[back]
        if event < 0:
            break
        place = ((event >> 6) & 15) - view.seat
        if place < 0:
            place += view.num_players
        out_BS[row, start + place] = 1
        out_BS[row, start + seats + (event >> 10)] = 1
        card = event & 63
        if card != EVENT_NO_CARD:
            out_BS[row, start + seats + NUM_EVENT_KINDS + card // NUM_RANKS] = 1
            out_BS[row, start + seats + NUM_EVENT_KINDS + 4] = 1 + card % NUM_RANKS
        start += seats + EVENT_EXTRA


@kernel
def write_rules(view: Any, offsets: Any, out_BS: Any, row: int) -> None:
    """Write the rules, in the order of `OBSERVED_RULES`."""
    start = 0 + offsets[RULES]
    out_BS[row, start + 0] = view.play_style
    out_BS[row, start + 1] = view.num_players
    out_BS[row, start + 2] = view.hand_size
    out_BS[row, start + 3] = view.three_of_a_kind
    out_BS[row, start + 4] = view.three_aces
    out_BS[row, start + 5] = view.may_knock_on_first_turn
    out_BS[row, start + 6] = view.may_pass_on_last_turn
    out_BS[row, start + 7] = view.may_return_upcard
    out_BS[row, start + 8] = view.blitz_after_knock
    out_BS[row, start + 9] = view.failed_knock_penalty
    out_BS[row, start + 10] = view.knocker_tie
    out_BS[row, start + 11] = view.stock_exhaustion
    out_BS[row, start + 12] = view.scoring
    out_BS[row, start + 13] = view.starting_lives
    out_BS[row, start + 14] = view.grace
    out_BS[row, start + 15] = view.all_out
    out_BS[row, start + 16] = view.rules_buy_ins
    out_BS[row, start + 17] = view.separate_close
    out_BS[row, start + 18] = min(MAX_INT8, 0 + view.target_points)
