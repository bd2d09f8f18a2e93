"""Games in words: a table that a person likes to read, whole or as one seat sees it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env.cards import NUM_CARDS, card_text, cards_of, hand_text
from trente_env.core import calls
from trente_env.core.layout import EVENT_NAMES, EVENT_NO_CARD, NOBODY, PHASE_BUY_IN, PHASE_NAMES, PHASE_OVER
from trente_env.rules import PlayStyle, Rules, Scoring

HIDDEN: Final = "??"
NUM_SHOWN_EVENTS: Final = 6


def half_points_text(half_points: int) -> str:
    """Write a value: 61 half points are "30½"."""
    return f"{half_points // 2}{'½' if half_points % 2 else ''}"


def event_text(event: int) -> str:
    """Write one packed public event: "seat 1 takes 5d"."""
    kind, seat, card = event >> 10, event >> 6 & 15, event & 63
    what = "" if card == EVENT_NO_CARD else f" {card_text(card, symbols=True)}"
    return f"seat {seat}: {EVENT_NAMES[kind]}{what}"


def _hand(bits: int, rules: Rules) -> str:
    value = calls.value_of(bits, rules.three_of_a_kind, rules.three_aces)
    return f"{hand_text(bits, symbols=True)}  ({half_points_text(int(value))})"


def _notes(row: Any, seat: int, rules: Rules) -> str:
    """Write what stands beside a seat: dealer, knocker, grace, out, locked."""
    is_in = int(row["in_game"]) >> seat & 1
    notes = []
    if rules.scoring == Scoring.POINTS:
        notes.append(f"{int(row['points'][seat])} pts")
    elif not is_in:
        notes.append("out")
    elif row["lives"][seat] == 0:
        notes.append("grace")
    else:
        notes.append("●" * int(row["lives"][seat]) if row["lives"][seat] <= 9 else f"{int(row['lives'][seat])} lives")  # noqa: PLR2004
    if seat == row["dealer"]:
        notes.append("dealer")
    if seat == row["knocker"]:
        notes.append("knocked")
    if int(row["locked"]) >> seat & 1:
        notes.append("locked")
    return ", ".join(notes)


def describe_view(view: Any, rules: Rules, *, winner: int = NOBODY, is_truncated: bool = False) -> str:
    """Write the table as the seat of a view sees it: its own hand, and of the others what is known."""
    seat = int(view["seat"])
    held = []
    for other in range(rules.num_players):
        known = int(view["known"][other])
        if other == seat:
            held.append(_hand(int(view["hand"]), rules))
        elif not int(view["in_game"]) >> other & 1:
            held.append("")
        else:
            held.append(" ".join([*(card_text(card, symbols=True) for card in cards_of(known)), HIDDEN]))
    return _table(view, rules, held, viewer=seat, winner=winner, is_truncated=is_truncated)


def describe_game(array: NDArray[np.void], view: Any, rules: Rules) -> str:
    """Write the table as a spectator who sees every hand."""
    held = [
        _hand(int(hand), rules) if int(array[0]["in_game"]) >> seat & 1 else ""
        for seat, hand in enumerate(array[0]["hands"][: rules.num_players])
    ]
    return _table(
        view, rules, held, viewer=None, winner=int(array[0]["winner"]), is_truncated=bool(array[0]["is_truncated"])
    )


def _table(
    view: Any,
    rules: Rules,
    held: list[str],
    *,
    viewer: int | None,
    winner: int = NOBODY,
    is_truncated: bool = False,
) -> str:
    """Write the head line, one line a seat, the cards in the middle, and what happened last."""
    phase = int(view["phase"])
    mover = int(view["to_move"])
    lines = [f"Round {int(view['round'])}, turn {int(view['turn'])}{', playoff' if view['is_playoff'] else ''}"]
    if viewer is not None:
        lines[0] += f", as seat {viewer} sees it"
    width = max((len(_notes(view, seat, rules)) for seat in range(rules.num_players)), default=0)
    for seat in range(rules.num_players):
        mark = ">" if seat == mover else " "
        lines.append(f" {mark} seat {seat}  {_notes(view, seat, rules):<{width}}  {held[seat]}".rstrip())
    lines.append(_middle(view, rules))
    recent = [event_text(int(event)) for event in view["events"][:NUM_SHOWN_EVENTS] if event >= 0]
    if recent:
        lines.append("   last: " + " · ".join(reversed(recent)))
    if phase == PHASE_OVER:
        end = "The game is truncated." if is_truncated else "The game is over."
        lines.append(f"   {end}" if winner == NOBODY else f"   Seat {winner} wins.")
    else:
        what = "to buy in or decline" if phase == PHASE_BUY_IN else PHASE_NAMES[phase].lower().replace("_", " ")
        lines.append(f"   seat {mover} to move: {what}")
    return "\n".join(lines)


def _middle(view: Any, rules: Rules) -> str:
    if rules.play_style == PlayStyle.EXCHANGE:
        table = hand_text(int(view["table"]), symbols=True) or "not yet dealt"
        return f"   table {table}   stock {int(view['stock_size'])}"
    upcard = card_text(int(view["upcard"]), symbols=True) if 0 <= view["upcard"] < NUM_CARDS else "none"
    return f"   upcard {upcard}   pile {int(view['num_discards'])}   stock {int(view['stock_size'])}"
