"""What is legal: the only judge of it."""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel
from trente_env.core.actions import BUY_IN, DECLINE
from trente_env.core.drawing import legal_in_discard, legal_in_draw
from trente_env.core.exchange import LEGAL_IN_CHOICE, legal_in_exchange, legal_in_leave
from trente_env.core.layout import (
    PHASE_DEALER_CHOICE,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_OVER,
)

LEGAL_IN_BUY_IN: Final = (1 << BUY_IN) | (1 << DECLINE)


@kernel(inline=True)
def legal_actions(game: Any, rules: Any) -> int:
    """Return the legal actions of the seat to move as bits; 0 when the game is over.

    Whoever brings a game to a decision notes them in the record (`rounds.advance`), where they are read from then on.
    """
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
