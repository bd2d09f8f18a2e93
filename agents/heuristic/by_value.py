"""Play by hand value alone: what `greedy` and `knock@T` do, and what other heuristics fall back to.

The drawing game. At the start of a turn, in this order:

1. Knock, if it is allowed and the hand is worth at least the knock value. (At last call, R17, the upcard comes first.)
2. Take the upcard, if the best hand that holds it is worth more than the hand now.
3. Draw. On a last turn too (R14): a card drawn may be thrown again, so drawing can only help, and passing never does.
4. With an empty stock (R17): knock at the knock value, else pass.

Discard: the card whose loss leaves the best hand; of equals the one of least value (points), then of lowest id.

The exchange game. The dealer keeps the first three cards at `KEEP_HALF_POINTS` or more. At the start of a turn:

1. Before the last lap, with a hand worth at least the knock value: open it (pass; close where closing is separate).
2. Swap all three, if the table is worth more than any hand that swapping one card can make and at least the knock
   value: who has swapped all is locked (R43), so a lower table is left alone. On a last turn only "more" counts.
3. Swap one card for the best hand possible, if it is worth more than the hand now.
4. Before the last lap, in the first `NEUTRAL_TURNS` turns of a round: swap a card even if the value stays the same (a
   useless card for another), rather than open the last lap. Not longer, lest two players swap for ever.
5. Pass.

Of equal swaps the dearest card is taken, then the one of lowest id.

Asked to buy in (R24), buy in.
"""

from __future__ import annotations

from typing import Any, Final

from agents.heuristic.hands import CARD_BITS, CARD_POINTS, card_to_shed, value_of, value_with
from trente_env._jit import kernel, lowest_bit
from trente_env.core.actions import BUY_IN, CLOSE, DRAW, KEEP, KNOCK, PASS, REFUSE, SWAP_ALL, TAKE
from trente_env.core.layout import (
    NOBODY,
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DRAW,
    PHASE_EXCHANGE,
)

NEVER: Final = 1_000
"""A knock value, in half points, that no hand reaches."""
KEEP_HALF_POINTS: Final = 36
"""R40: the dealer keeps first cards worth at least this."""
NEUTRAL_TURNS: Final = 10
"""Turns of a round in which a card is swapped though the hand's value stays the same."""


@kernel
def choose_by_value(view: Any, legal: int, knock_at: int) -> int:
    """Return the action of a player who knocks at `knock_at` half points, in any phase."""
    phase = view.phase
    if phase == PHASE_DRAW:
        return begin_drawing_turn(view, legal, knock_at)
    if phase == PHASE_EXCHANGE:
        return begin_exchange_turn(view, legal, knock_at)
    if phase == PHASE_DEALER_CHOICE:
        return KEEP if value_of(view, view.hand) >= KEEP_HALF_POINTS else REFUSE
    if phase == PHASE_BUY_IN:
        return BUY_IN
    return card_to_shed(view, view.hand, legal & CARD_BITS)


@kernel
def upcard_gain(view: Any) -> int:
    """Return by how many half points the upcard can raise the hand; 0 or less if it cannot."""
    return value_with(view, view.upcard) - value_of(view, view.hand)


@kernel
def begin_drawing_turn(view: Any, legal: int, knock_at: int) -> int:
    """Knock, take, draw or pass."""
    would_knock = (legal >> KNOCK) & 1 != 0 and value_of(view, view.hand) >= knock_at
    may_draw = (legal >> DRAW) & 1 != 0
    if would_knock and may_draw:
        return KNOCK
    if upcard_gain(view) > 0:
        return TAKE
    if may_draw:
        return DRAW
    if would_knock:
        return KNOCK
    return PASS if (legal >> PASS) & 1 else TAKE


@kernel
def best_swap(view: Any, table: int) -> int:
    """Return the table card with which the hand becomes best; of equals the dearest, then lowest id."""
    best_card = -1
    best_value = -1
    rest = table
    while rest != 0:
        card = lowest_bit(rest)
        rest &= rest - 1
        value = value_with(view, card)
        if value > best_value or (value == best_value and CARD_POINTS[card] > CARD_POINTS[best_card]):
            best_card = card
            best_value = value
    return best_card


@kernel
def begin_exchange_turn(view: Any, legal: int, knock_at: int) -> int:
    """Open the last lap, swap one or all, or pass."""
    value = value_of(view, view.hand)
    is_last_turn = view.knocker != NOBODY
    opening = CLOSE if (legal >> CLOSE) & 1 else PASS
    if not is_last_turn and value >= knock_at:
        return opening
    table = legal & CARD_BITS
    if table == 0:  # R43: locked
        return PASS
    card = best_swap(view, table)
    value_of_one = value_with(view, card)
    value_of_all = value_of(view, view.table)
    if value_of_all > max(value, value_of_one) and (is_last_turn or value_of_all >= knock_at):
        return SWAP_ALL
    may_swap_idly = not is_last_turn and view.turns[view.seat] <= NEUTRAL_TURNS
    if value_of_one > value or (value_of_one == value and may_swap_idly):
        return card
    return PASS
