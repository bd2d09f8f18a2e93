"""Turns of the exchange game (section G)."""

from __future__ import annotations

from typing import Any

from tests.oracle.cards import is_31, is_three_aces
from tests.oracle.chance import Chance, in_deck_order
from tests.oracle.table import DEALER_CHOICE, LEAVE, Ending, Event, Table
from tests.oracle.turns import finish_turn, open_last_lap, start_turn

THREE = 3
"""Cards of a hand, and on the table (R40)."""


def deal(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R40: the dealer gets three cards and chooses; R44, R48: a 31 or three aces are kept without a decision."""
    table.hands[table.dealer].update(top_of_stock(table))
    if is_top_hand(table.hands[table.dealer], rules):
        table.open_cards = top_of_stock(table)
        table.history.append(Event("deal", table.dealer, laid_open=tuple(table.open_cards)))
        return deal_to_others(rules, chance, table)
    table.history.append(Event("deal", table.dealer))
    table.phase = DEALER_CHOICE
    table.to_move = table.dealer
    return None


def top_of_stock(table: Table) -> list[str]:
    """Take the next three cards off the stock."""
    cards, table.stock = table.stock[:THREE], table.stock[THREE:]
    return cards


def choose(rules: Any, chance: Chance, table: Table, name: str) -> Ending | None:
    """R40: keep the first three, the next three go to the table; or refuse, and it is the other way round."""
    next_three = top_of_stock(table)
    if name == "keep":
        table.open_cards = next_three
    else:
        table.open_cards = in_deck_order(list(table.hands[table.dealer]))
        table.hands[table.dealer] = set(next_three)
    table.record(name, laid_open=tuple(table.open_cards))
    return deal_to_others(rules, chance, table)


def deal_to_others(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R40: three cards at once to each other seat, clockwise; R44: hands are checked when all are dealt."""
    for seat in table.seats:
        if seat != table.dealer:
            table.hands[seat].update(top_of_stock(table))
    ending = decisive_hands(rules, table, "31 at the deal")
    return ending or start_turn(rules, chance, table, table.seats[0])


def is_top_hand(hand: set[str], rules: Any) -> bool:
    """R44, R48: whether a hand ends the round."""
    return is_31(hand, rules) or is_three_aces(hand, rules)


def decisive_hands(rules: Any, table: Table, word: str) -> Ending | None:
    """R48: three aces cost everybody else a life, a 31 in the same deal too; R44: a 31 brings a showdown."""
    aces = frozenset(seat for seat in table.seats if is_three_aces(table.hands[seat], rules))
    if aces:
        return Ending(word, holders=aces)
    if any(is_31(table.hands[seat], rules) for seat in table.seats):
        return Ending(word)
    return None


def legal(rules: Any, table: Table) -> set[str]:
    """Return what the seat to move may do."""
    seat = table.mover()
    if table.phase == DEALER_CHOICE:
        return {"keep", "refuse"}
    if table.phase == LEAVE:
        return {f"leave {card}" for card in table.hands[seat] if card != table.taken}  # R41
    names = {"pass"}
    if rules.separate_close and table.knocker is None:
        names.add("close")  # R48: a locked seat too
    if seat not in table.locked:  # R43
        names.add("swap all")
        names.update(f"take table {card}" for card in table.open_cards)
    return names


def apply(rules: Any, chance: Chance, table: Table, name: str) -> Ending | None:
    """Do what the seat to move has chosen; return how the round ends, if it does."""
    if table.phase == DEALER_CHOICE:
        return choose(rules, chance, table, name)
    if name == "pass":
        return pass_turn(rules, chance, table)
    if name == "close":
        return close(rules, chance, table)
    if name == "swap all":
        return swap_all(rules, chance, table)
    if table.phase == LEAVE:
        return leave(rules, chance, table, name.removeprefix("leave "))
    take(table, name.removeprefix("take table "))
    return None


def take(table: Table, card: str) -> None:
    """R41: first which card of the table to take."""
    table.open_cards.remove(card)
    table.hands[table.mover()].add(card)
    table.taken = card
    table.passes = 0
    table.record("take table", card)
    table.phase = LEAVE


def leave(rules: Any, chance: Chance, table: Table, card: str) -> Ending | None:
    """R41: then which card of the hand to leave; R44: now a 31 is looked for."""
    table.hands[table.mover()].remove(card)
    table.open_cards.append(card)
    table.record("leave", card)
    return decisive_hands(rules, table, "31") or finish_turn(rules, chance, table)


def swap_all(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R41: swap all three; R43: never again in this round."""
    seat = table.mover()
    hand = in_deck_order(list(table.hands[seat]))
    table.hands[seat] = set(table.open_cards)
    table.open_cards = hand
    table.locked.add(seat)
    table.passes = 0
    table.record("swap all", laid_open=tuple(hand))
    return decisive_hands(rules, table, "31") or finish_turn(rules, chance, table)


def pass_turn(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R42: the first pass opens the last lap; R48: not where closing does, but a lap of passes renews the table.

    `passes` counts those of R48 alone: in a row, where closing is separate, and before anybody has closed. Decided
    here: what a lap of passes brings comes before the limit (R50), which is looked at when the next turn would start.
    """
    table.record("pass")
    if table.knocker is None and rules.separate_close:
        table.passes += 1
        if table.passes == len(table.seats):
            if len(table.stock) < THREE:
                return Ending("table exhausted")
            renew(table)
    elif table.knocker is None:
        open_last_lap(table)
    return finish_turn(rules, chance, table)


def renew(table: Table) -> None:
    """R48: the cards on the table go out of play, three of the stock take their place."""
    table.pile += in_deck_order(table.open_cards)
    table.open_cards = top_of_stock(table)
    table.passes = 0
    table.record("refresh", laid_open=tuple(table.open_cards))


def close(rules: Any, chance: Chance, table: Table) -> Ending | None:
    """R48: open the last lap where passing does not. Decided here: it ends a row of passes."""
    table.passes = 0
    table.record("knock")
    open_last_lap(table)
    return finish_turn(rules, chance, table)
