"""Action ids and names: one space for every rule set.

Ids 0-51 are the cards (discard it; in the exchange game take it from the table or leave it there, by phase); the ten
others follow. A set of legal actions is an int with bit `id` set.
"""

from __future__ import annotations

from typing import Final

from trente_env._jit import bit_writer
from trente_env.cards import NUM_CARDS, card_text, parse_card
from trente_env.core.layout import PHASE_DISCARD, PHASE_EXCHANGE, PHASE_LEAVE, PHASE_NAMES
from trente_env.errors import IllegalActionError, InvalidCardError

DRAW: Final = 52
TAKE: Final = 53
KNOCK: Final = 54
PASS: Final = 55
SWAP_ALL: Final = 56
KEEP: Final = 57
REFUSE: Final = 58
CLOSE: Final = 59
BUY_IN: Final = 60
DECLINE: Final = 61
NUM_ACTIONS: Final = 62

put_actions: Final = bit_writer(NUM_ACTIONS)
"""Write a set of actions into a row as a mask (row, place, bits)."""

ACTION_NAMES: Final = {
    DRAW: "draw",
    TAKE: "take",
    KNOCK: "knock",
    PASS: "pass",
    SWAP_ALL: "swap all",
    KEEP: "keep",
    REFUSE: "refuse",
    CLOSE: "close",
    BUY_IN: "buy in",
    DECLINE: "decline",
}
"""Names of the actions that are not cards."""
ACTION_MEANINGS: Final = {
    DRAW: "draw the top card of the stock, then discard (R11)",
    TAKE: "take the upcard, then discard (R11)",
    KNOCK: "knock: everyone else has one last turn (R13)",
    PASS: "pass: on a last turn (R14), at last call (R17), or in the exchange game (R41, R42)",
    SWAP_ALL: "swap all three hand cards for the three on the table (R41)",
    KEEP: "dealer's choice: keep the first three cards (R40)",
    REFUSE: "dealer's choice: put them on the table and take the next three (R40)",
    CLOSE: "close: open the last lap where passing does not (R48)",
    BUY_IN: "buy in again after going out (R24)",
    DECLINE: "decline to buy in (R24)",
}
"""What each of them does, with its clause."""
_ID_OF_NAME: Final = {name: action for action, name in ACTION_NAMES.items()}
_CARD_VERBS: Final = {PHASE_DISCARD: "discard", PHASE_EXCHANGE: "take table", PHASE_LEAVE: "leave"}


def action_name(action: int, phase: int) -> str:
    """Write an action as it reads in a phase: "draw", "discard 7h", "take table 9d", "leave 7h"."""
    if action in ACTION_NAMES:
        return ACTION_NAMES[action]
    if 0 <= action < NUM_CARDS:
        return f"{_CARD_VERBS.get(phase, 'card')} {card_text(action)}"
    return f"action {action}"


def parse_action(text: str, phase: int) -> int:
    """Read an action's name: one of `ACTION_NAMES`, or the phase's verb and a card.

    Raises:
        IllegalActionError: If the text names no action of this phase.
    """
    words = " ".join(text.strip().lower().replace("_", " ").split())
    if words in _ID_OF_NAME:
        return _ID_OF_NAME[words]
    verb = _CARD_VERBS.get(phase)
    if verb is not None and words.startswith(verb + " "):
        try:
            return parse_card(words[len(verb) + 1 :])
        except InvalidCardError as error:
            raise IllegalActionError(f"{text!r} names no action: {error}") from error
    kinds = ", ".join(repr(name) for name in ACTION_NAMES.values())
    verbs = f"{verb!r} and a card, or " if verb is not None else ""
    raise IllegalActionError(f"{text!r} names no action in phase {PHASE_NAMES[phase]}: write {verbs}one of {kinds}.")
