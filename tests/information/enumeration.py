"""Every deal that a seat must think possible, counted out card by card from its view, the rules and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tests.oracle.cards import is_31, is_three_aces
from trente_env import Rules
from trente_env.cards import card_text
from trente_env.core.layout import EVENT_NAMES, PHASE_NAMES

Hands = tuple[frozenset[str], ...]
"""Hands by seat; the viewer's own among them, empty for a seat without cards."""


def cards(bits: int) -> frozenset[str]:
    """Return a set of cards as texts."""
    return frozenset(card_text(card) for card in range(52) if int(bits) >> card & 1)


def possible_hands(view: np.void, rules: Rules) -> list[Hands]:
    """Return every way in which the cards that a seat cannot place may lie in the other hands."""
    seat = int(view["seat"])
    unseen = sorted(cards(view["unseen"]))
    proved = cards(view["held_by_others"])
    known = [cards(bits) for bits in view["known"][: rules.num_players]]
    hidden = [
        0 if other == seat else num_held(view, rules, other) - len(known[other]) for other in range(rules.num_players)
    ]
    assert len(unseen) == sum(hidden) + int(view["stock_size"])
    found = []
    for dealt in dealings(unseen, hidden):
        hands = tuple(
            cards(view["hand"]) if other == seat else known[other] | dealt[other] for other in range(rules.num_players)
        )
        others = [hands[other] for other in range(rules.num_players) if other != seat]
        if proved <= frozenset().union(*others) and all(
            other == seat or not is_undeclared(view, rules, other, hands[other]) for other in range(rules.num_players)
        ):
            found.append(hands)
    return found


def dealings(unseen: list[str], hidden: list[int]) -> Iterator[list[frozenset[str]]]:
    """Yield every way to give each seat its number of the unseen cards."""
    if not hidden:
        yield []
        return
    for dealt in combinations(unseen, hidden[0]):
        rest = [card for card in unseen if card not in dealt]
        for others in dealings(rest, hidden[1:]):
            yield [frozenset(dealt), *others]


def num_held(view: np.void, rules: Rules, seat: int) -> int:
    """Return how many cards a seat holds, as everybody can count."""
    phase = PHASE_NAMES[int(view["phase"])]
    if not int(view["in_game"]) >> seat & 1 or (phase == "DEALER_CHOICE" and seat != int(view["dealer"])):
        return 0
    is_mid_turn = phase in {"DISCARD", "LEAVE"} and seat == int(view["to_move"])
    return rules.hand_size + is_mid_turn


def is_undeclared(view: np.void, rules: Rules, seat: int, hand: frozenset[str]) -> bool:
    """R15, R44: whether a seat would hold a 31 (R48: or three aces) that it had to show before now."""
    if len(hand) > rules.hand_size:
        if int(view["taken"]) < 0:
            return False  # a 31 in mid-turn may have come with the card just drawn
        hand -= {card_text(int(view["taken"]))}  # the hand that the turn began with
    if not is_31(hand, rules) and not is_three_aces(hand, rules):
        return False
    return not may_have_made_it_in_last_lap(view, rules, seat)


def may_have_made_it_in_last_lap(view: np.void, rules: Rules, seat: int) -> bool:
    """R15: whether a seat has had its last turn, in which it changed its hand, where a 31 then need not be shown."""
    knocker, mover, seats = int(view["knocker"]), int(view["to_move"]), rules.num_players
    if rules.blitz_after_knock or knocker < 0 or seat in {knocker, mover}:
        return False
    had_last_turn = (seat - knocker) % seats < (mover - knocker) % seats
    return had_last_turn and not seen_to_keep_its_hand(view, seat)


def seen_to_keep_its_hand(view: np.void, seat: int) -> bool:
    """Return whether a seat's last turn was a pass, or giving back the upcard it had taken."""
    turn = [
        (EVENT_NAMES[event >> 10], event & 63)
        for event in view["events"].tolist()
        if event >= 0 and event >> 6 & 15 == seat
    ]
    done = [each for each in turn if each[0] != "reshuffle"][:2]
    if done and done[0][0] == "pass":
        return True
    return [kind for kind, _ in done] == ["discard", "take"] and done[0][1] == done[1][1]
