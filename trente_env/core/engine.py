"""The two kernels everything goes through: what is legal, and what an action does."""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.core.drawing import apply_in_discard, apply_in_draw, legal_in_discard, legal_in_draw
from trente_env.core.exchange import (
    LEGAL_IN_CHOICE,
    apply_in_choice,
    apply_in_exchange,
    apply_in_leave,
    legal_in_exchange,
    legal_in_leave,
)
from trente_env.core.layout import (
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_OVER,
)
from trente_env.core.rounds import LEGAL_IN_BUY_IN, advance, apply_in_buy_in, clear_step


@kernel
def legal_actions(game: Any, rules: Any) -> int:
    """Return the legal actions of the seat to move as bits; 0 when the game is over. The only judge of legality."""
    phase = game.phase
    if phase == PHASE_DRAW:
        return legal_in_draw(game, rules)
    if phase == PHASE_DISCARD:
        return legal_in_discard(game, rules)
    if phase == PHASE_EXCHANGE:
        return legal_in_exchange(game, rules)
    if phase == PHASE_LEAVE:
        return legal_in_leave(game)
    if phase == PHASE_DEALER_CHOICE:
        return LEGAL_IN_CHOICE
    return 0 if phase == PHASE_OVER else LEGAL_IN_BUY_IN


@kernel
def apply_action(game: Any, rules: Any, action: int) -> None:
    """Take one decision and everything that follows from it. The only mutator of a game under way.

    The action must be legal: nothing is checked here.
    """
    clear_step(game, rules)
    game.decisions += 1
    phase = game.phase
    if phase == PHASE_DRAW:
        apply_in_draw(game, rules, action)
    elif phase == PHASE_DISCARD:
        apply_in_discard(game, rules, action)
    elif phase == PHASE_EXCHANGE:
        apply_in_exchange(game, rules, action)
    elif phase == PHASE_LEAVE:
        apply_in_leave(game, rules, action)
    elif phase == PHASE_DEALER_CHOICE:
        apply_in_choice(game, action)
    elif phase == PHASE_BUY_IN:  # pragma: no branch - no other phase has a legal action
        apply_in_buy_in(game, rules, action)
    advance(game, rules)
