"""Play by what a hand promises (`worth.py`), by numbers that simulation found (`tables.py`, `fit.py`).

The drawing game. Knock when the hand's value reaches the knock value of the context, the lap, and what the weakest
opponent is known to hold. Otherwise compare the best hand that the upcard makes with the average over every card that
could be drawn, each followed by the best discard; on a last turn the same with what a hand is worth at the showdown.
Discard for the hand worth most, less what the card may be worth to the next seat: `FEED` a point, `FEED_KNOWN` where
that seat is known to collect the suit.

The exchange game. The same, every swap of one or all compared, what is left on the table being what is fed.
"""

from __future__ import annotations

from typing import Any, Final

from agents.heuristic.by_value import choose_by_value
from agents.heuristic.hands import CARD_BITS, CARD_POINTS, value_of
from agents.heuristic.worth import LOCKED, SETTLED, context_of, num_opponents, sign_of, stage_of, state_of
from trente_env._jit import kernel, lowest_bit
from trente_env.core.actions import BUY_IN, CLOSE, DRAW, KNOCK, PASS, SWAP_ALL, TAKE
from trente_env.core.layout import (
    NOBODY,
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    STYLE_EXCHANGE,
)
from trente_env.core.scoring import suit_points

FEED: Final = 10
"""What a point thrown to the next seat costs, in thousandths of a life, heads-up; the more opponents, the less."""
FEED_KNOWN: Final = 25
"""The same where that seat is known to hold the suit."""
FEED_FROM_TABLE: Final = 5
"""As `FEED`, in the exchange game."""
FEED_KNOWN_FROM_TABLE: Final = 80
"""As `FEED_KNOWN`, in the exchange game."""
OPENING_MARGIN: Final = 120
"""Exchange game: by how many thousandths of a life opening below the knock value must beat every swap: it is final."""
STANDARD_TOP_HALF_POINTS: Final = 62


@kernel
def choose_adaptively(view: Any, legal: int, worth: Any, knock_at: Any) -> int:
    """Return the action of `adaptive`, in any phase."""
    phase = view.phase
    context = context_of(view)
    if phase == PHASE_DRAW:
        if (legal >> KNOCK) & 1 and reaches_knock_value(view, knock_at[context]):
            return KNOCK
        if not (legal >> DRAW) & 1:
            return choose_by_value(view, legal & ~(1 << KNOCK), 0)
        return take_or_draw(view, worth[context, stage_of(view)])
    if phase == PHASE_EXCHANGE:
        return swap_or_pass(view, legal, worth[context], worth[context + SETTLED], knock_at[context])
    if phase == PHASE_DEALER_CHOICE:
        return choose_by_value(view, legal, 0)
    if phase == PHASE_BUY_IN:
        return BUY_IN
    return card_to_throw(view, view.hand, legal & CARD_BITS, worth[context, stage_of(view)])


@kernel
def reaches_knock_value(view: Any, knock_at: Any) -> bool:
    """Return whether the hand is good enough to open the last lap."""
    value = value_of(view, view.hand) * STANDARD_TOP_HALF_POINTS // view.top_half_points
    return value >= knock_at[stage_of(view), sign_of(view)]


@kernel
def next_seat_of(view: Any) -> int:
    """Return the next seat still in."""
    seat = view.seat + 1
    while True:
        if seat >= view.num_players:
            seat = 0
        if (view.in_game >> seat) & 1:
            return seat
        seat += 1


@kernel
def feed_cost(view: Any, card: int, next_known: int) -> int:
    """Return what a card may be worth to the next seat, in thousandths of a life."""
    if view.last_turns == 1:  # R14: nobody plays after this turn
        return 0
    is_known = suit_points(next_known, card // 13) > 0
    if view.play_style == STYLE_EXCHANGE:
        rate = FEED_KNOWN_FROM_TABLE if is_known else FEED_FROM_TABLE
    else:
        rate = FEED_KNOWN if is_known else FEED
    return rate * CARD_POINTS[card] // num_opponents(view)


@kernel
def worth_after_shedding(view: Any, hand: int, may_shed: int, worth: Any) -> int:
    """Return what the best hand is worth that shedding one card of `may_shed` leaves."""
    best = -1_000_000
    while may_shed != 0:
        card = lowest_bit(may_shed)
        may_shed &= may_shed - 1
        best = max(best, 0 + worth[state_of(view, hand & ~(1 << card))])
    return best


@kernel
def take_or_draw(view: Any, worth: Any) -> int:
    """Take the upcard if that is worth more than the average card drawn."""
    hand = view.hand | (1 << view.upcard)
    may_shed = hand if view.may_return_upcard else view.hand
    take = worth_after_shedding(view, hand, may_shed, worth)
    draws = 0
    count = 0
    rest = view.unseen
    while rest != 0:
        hand = view.hand | (rest & -rest)
        rest &= rest - 1
        draws += worth_after_shedding(view, hand, hand, worth)
        count += 1
    return TAKE if take * count > draws else DRAW


@kernel
def card_to_throw(view: Any, hand: int, may_shed: int, worth: Any) -> int:
    """Return the card to shed: for the hand worth most, less what the card feeds the next seat."""
    best = -1_000_000
    best_card = -1
    next_known = view.known[next_seat_of(view)]
    while may_shed != 0:
        card = lowest_bit(may_shed)
        may_shed &= may_shed - 1
        score = worth[state_of(view, hand & ~(1 << card))] - feed_cost(view, card, next_known)
        if score > best:
            best = score
            best_card = card
    return best_card


@kernel
def swap_or_pass(view: Any, legal: int, worth: Any, settled: Any, knock_at: Any) -> int:
    """Open the last lap at the knock value; else make the best swap, or pass if none is worth as much as the hand."""
    may_open = view.knocker == NOBODY
    if may_open and reaches_knock_value(view, knock_at):
        return CLOSE if (legal >> CLOSE) & 1 else PASS
    table = legal & CARD_BITS
    if table == 0:  # R43: locked
        return PASS
    stage = stage_of(view)
    next_known = view.known[next_seat_of(view)]
    pass_opens = may_open and not view.separate_close
    state = state_of(view, view.hand)
    best = settled[stage, state] - OPENING_MARGIN if pass_opens else worth[stage, state]
    best_action = PASS
    state = state_of(view, view.table)
    all_worth = settled[LOCKED, state] if may_open else worth[stage, state]
    rest = view.hand
    while rest != 0:
        card = lowest_bit(rest)
        rest &= rest - 1
        all_worth -= feed_cost(view, card, next_known)
    if all_worth > best:
        best = all_worth
        best_action = SWAP_ALL
    while table != 0:
        card = lowest_bit(table)
        table &= table - 1
        hand = view.hand | (1 << card)
        left = card_to_throw(view, hand, view.hand, worth[stage])
        score = worth[stage, state_of(view, hand & ~(1 << left))] - feed_cost(view, left, next_known)
        if score > best:
            best = score
            best_action = card
    return best_action
