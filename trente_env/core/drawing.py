"""The drawing game's decisions: draw, take, knock or pass; then discard (section D)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.core.actions import DRAW, KNOCK, PASS, TAKE
from trente_env.core.deal import add_discard, add_event, draw_card, stock_size, take_upcard
from trente_env.core.layout import (
    END_KNOCK_AT_LAST_CALL,
    END_LAST_CALL,
    EVENT_DISCARD,
    EVENT_DRAW,
    EVENT_KNOCK,
    EVENT_NO_CARD,
    EVENT_PASS,
    EVENT_TAKE,
    NO_CARD,
    NOBODY,
    PHASE_DISCARD,
)
from trente_env.core.turns import end_round, end_turn, end_turn_with_hand, open_last_lap


@kernel(inline=True)
def legal_in_draw(game: Any, rules: Any) -> int:
    """R11: draw or take; R13: or knock; R14: pass on a last turn; R17: no drawing but passing at last call."""
    legal = 1 << TAKE
    if stock_size(game) > 0:
        legal |= 1 << DRAW
    else:
        legal |= 1 << PASS
    if game.knocker == NOBODY:
        if rules.may_knock_on_first_turn or game.turns[game.to_move] > 1:
            legal |= 1 << KNOCK
    elif rules.may_pass_on_last_turn:
        legal |= 1 << PASS
    return legal


@kernel(inline=True)
def apply_in_draw(game: Any, rules: Any, action: int) -> None:
    """Begin a turn with one of the actions of R11, R13, R14, R17."""
    if action == KNOCK:
        apply_knock(game, rules)
    elif action == PASS:
        apply_pass(game, rules)
    else:
        seat = game.to_move
        if action == DRAW:
            game.hands[seat] |= 1 << draw_card(game)
            add_event(game, EVENT_DRAW, seat, EVENT_NO_CARD)
        else:
            card = take_upcard(game)
            game.hands[seat] |= 1 << card
            game.known[seat] |= 1 << card
            game.taken = card
            add_event(game, EVENT_TAKE, seat, card)
        game.phase = PHASE_DISCARD


@kernel
def apply_knock(game: Any, rules: Any) -> None:
    """R13, R14: open the last lap; R17: at last call nobody has a last turn."""
    seat = game.to_move
    add_event(game, EVENT_KNOCK, seat, EVENT_NO_CARD)
    if stock_size(game) == 0:
        game.knocker = seat
        end_round(game, END_KNOCK_AT_LAST_CALL, seat, 0)
    else:
        open_last_lap(game, rules, seat)


@kernel
def apply_pass(game: Any, rules: Any) -> None:
    """R14: let a last turn go by; R17: at last call, end the round with a showdown without knocker."""
    add_event(game, EVENT_PASS, game.to_move, EVENT_NO_CARD)
    if game.knocker == NOBODY:
        end_round(game, END_LAST_CALL, NOBODY, 0)
    else:
        end_turn(game, rules)


@kernel(inline=True)
def legal_in_discard(game: Any, rules: Any) -> int:
    """R11: any card held; R12: but the upcard just taken, where it may not be returned."""
    legal = game.hands[game.to_move]
    if game.taken != NO_CARD and not rules.may_return_upcard:
        legal &= ~(1 << game.taken)
    return legal


@kernel(inline=True)
def apply_in_discard(game: Any, rules: Any, card: int) -> None:
    """R11: put a card face up on the discard pile; R15: then a 31 is shown."""
    seat = game.to_move
    game.hands[seat] &= ~(1 << card)
    game.known[seat] &= ~(1 << card)
    game.held &= ~(1 << card)
    game.taken = NO_CARD
    add_discard(game, card)
    game.upcard = card
    add_event(game, EVENT_DISCARD, seat, card)
    end_turn_with_hand(game, rules)
