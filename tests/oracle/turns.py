"""What turns of both games have in common: how they start, and the last lap (R14, R17, R42, R50)."""

from __future__ import annotations

from typing import Any

from tests.oracle.chance import Chance, in_deck_order
from tests.oracle.table import DRAW, EXCHANGE, Ending, Event, Table


def start_turn(rules: Any, chance: Chance, table: Table, seat: int) -> Ending | None:
    """Give the turn to a seat, unless it would be one too many (R50).

    Decided here: the limit comes before a reshuffle (R17), for a turn that does not start needs no stock.
    """
    if sum(table.turns) >= rules.round_limit * len(table.seats):
        return Ending("limit")  # R50: without knocker, in a last lap too
    table.to_move = seat
    table.turns[seat] += 1
    table.taken = None
    table.phase = DRAW if rules.play_style == "draw" else EXCHANGE
    if table.phase == DRAW and not table.stock and rules.stock_exhaustion == "reshuffle":
        reshuffle(chance, table, seat)
    return None


def reshuffle(chance: Chance, table: Table, seat: int) -> None:
    """R17: the discard pile but its top card becomes the stock, before anything else in the turn."""
    table.reshuffles += 1
    table.stock = chance.order(table.deal, table.reshuffles, in_deck_order(table.pile[:-1]))
    table.pile = table.pile[-1:]
    table.history.append(Event("reshuffle", seat))


def open_last_lap(table: Table) -> None:
    """R14, R42: the seat to move has knocked; every other seat of the round has one last turn."""
    table.knocker = table.mover()
    table.last_turns = len(table.seats) - 1


def finish_turn(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """Pass the turn on, or end the round after the last of the last turns (R14, R42)."""
    if table.knocker is not None and table.to_move != table.knocker:
        table.last_turns -= 1
        if table.last_turns == 0:
            return Ending("knock", knocker=table.knocker)
    return start_turn(rules, chance, table, table.next_seat(table.mover()))
