"""The kernel everything goes through: what an action does."""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.core.drawing import apply_in_discard, apply_in_draw
from trente_env.core.exchange import apply_in_choice, apply_in_exchange, apply_in_leave
from trente_env.core.layout import (
    PHASE_BUY_IN,
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
)
from trente_env.core.rounds import advance, apply_in_buy_in, clear_step


@kernel
def apply_action(game: Any, rules: Any, action: int) -> None:
    """Take one decision and everything that follows from it. The only mutator of a game under way.

    The action must be legal: nothing is checked here.
    """
    if game.step_rounds != 0:
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
