"""Turns of the drawing game (section D)."""

from __future__ import annotations

from typing import Any

from tests.oracle.cards import is_31
from tests.oracle.chance import Chance
from tests.oracle.table import DISCARD, Ending, Event, Table
from tests.oracle.turns import finish_turn, open_last_lap, start_turn


def deal(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R10: cards go round one by one from the dealer's left; the next one is turned up."""
    for _ in range(rules.hand_size):
        for seat in table.seats:
            table.hands[seat].add(table.stock.pop(0))
    table.pile.append(table.stock.pop(0))
    table.history.append(Event("deal", table.dealer, table.pile[0]))
    holders = frozenset(seat for seat in table.seats if is_31(table.hands[seat], rules))
    if holders:
        return Ending("31 at the deal", holders=holders)  # R9, R15, R30
    return start_turn(rules, chance, table, table.seats[0])


def legal(rules: Any, table: Table) -> set[str]:
    """Return what the seat to move may do."""
    if table.phase == DISCARD:
        return {f"discard {card}" for card in table.hands[table.mover()] if may_discard(rules, table, card)}
    names = {"take"}  # R11; also at last call (R17)
    if table.stock:
        names.add("draw")  # R11
    if may_knock(rules, table):
        names.add("knock")
    if may_pass(rules, table):
        names.add("pass")
    return names


def may_discard(rules: Any, table: Table, card: str) -> bool:
    """R12: the card just taken from the discard pile goes back only where the rules let it."""
    return bool(rules.may_return_upcard) or card != table.taken


def may_knock(rules: Any, table: Table) -> bool:
    """R13: once in a round, and on a seat's first turn of the deal only where the rules allow it."""
    is_first_turn = table.turns[table.mover()] == 1
    return table.knocker is None and (bool(rules.may_knock_on_first_turn) or not is_first_turn)


def may_pass(rules: Any, table: Table) -> bool:
    """R14: on a last turn where the rules allow it; R17: at last call, last turns included."""
    if not table.stock:
        return True  # a turn that reshuffles has a stock by now
    return table.knocker is not None and bool(rules.may_pass_on_last_turn)


def apply(rules: Any, chance: Chance, table: Table, name: str) -> Ending | None:
    """Do what the seat to move has chosen; return how the round ends, if it does."""
    if table.phase == DISCARD:
        return discard(rules, chance, table, name.removeprefix("discard "))
    if name == "knock":
        return knock(rules, chance, table)
    if name == "pass":
        return pass_turn(rules, chance, table)
    get_card(table, name)
    return None


def get_card(table: Table, name: str) -> None:
    """R11: the top of the stock, unseen, or the upcard."""
    if name == "draw":
        card = table.stock.pop(0)
        table.record("draw")
    else:
        card = table.taken = table.pile.pop()
        table.record("take", card)
    table.hands[table.mover()].add(card)
    table.phase = DISCARD


def discard(rules: Any, chance: Chance, table: Table, card: str) -> Ending | None:
    """R11: one card goes face up on the pile; R15: what is left may be a 31."""
    seat = table.mover()
    table.hands[seat].remove(card)
    table.pile.append(card)
    table.record("discard", card)
    if is_31(table.hands[seat], rules) and ends_the_round(rules, table):
        return Ending("31", holders=frozenset({seat}))
    return finish_turn(rules, chance, table)


def ends_the_round(rules: Any, table: Table) -> bool:
    """R15: a 31 ends the round before a knock, and after it by `blitz_after_knock`; R30: for points always."""
    return table.knocker is None or bool(rules.blitz_after_knock) or rules.scoring == "points"


def knock(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R13: open the last lap; R17: at last call, end the round at once as its knocker."""
    table.record("knock")
    if not table.stock:
        table.knocker = table.mover()
        return Ending("knock", knocker=table.knocker)
    open_last_lap(table)
    return finish_turn(rules, chance, table)


def pass_turn(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R14: let a last turn go; R17: at last call with nobody having knocked, end the round without knocker."""
    table.record("pass")
    if table.knocker is None:
        return Ending("last call")
    return finish_turn(rules, chance, table)
