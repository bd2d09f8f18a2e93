"""What a hand promises: the situations and states by which the tables of `adaptive` are indexed.

A **context** is a kind of game: play style, scoring, number of opponents, and what a failed knock costs. A **stage** is
how far the round has gone, measured in turns of each opponent who has not knocked. A **state** is what matters of a
hand of three: how many cards its best suit lacks, and that suit's points. Two cards of 20 points promise as much as a
complete 26, so points alone would mislead.
"""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import count_bits, kernel
from trente_env.core.layout import NOBODY, SCORING_POINTS, STYLE_EXCHANGE
from trente_env.core.scoring import SUIT_BITS, SUIT_TOTALS, has_three_aces, has_three_of_a_kind, suit_points

NUM_CONTEXTS: Final = 21
"""Drawing game for lives: one opponent at a cost of 1, 2, 3, then two, three, more opponents at 1, 2 (0-8);
drawing game for points by opponents (9-12); exchange game by opponents, without (13-16) and with (17-20) a separate
close."""
SETTLED: Final = 8
"""What is added to a context of the exchange game for hands that will not change again: with which the last lap was
opened, by stage, and after swapping all three (R43)."""
STAGE_OF_LAP: Final = (0, 1, 2, 3, 3, 4, 4, 4, 5)
"""Stage of each lap; the last goes for all that follow."""
NUM_STAGES: Final = 7
NUM_KNOCK_STAGES: Final = 6
"""Stages before a knock."""
LAST_TURN: Final = 6
"""Stage of a last turn after a knock."""
LOCKED: Final = 6
"""Among settled hands: the stage of one after swapping all three."""
NUM_STATES: Final = 33
LONE_CARDS: Final = (0, 7, 11)
"""First state, least and most points of hands whose best suit is a single card (or lacks more than one)."""
PAIRS: Final = (5, 10, 21)
"""The same where it lacks one card."""
COMPLETE: Final = (17, 17, 31)
"""The same where it lacks none; the last is a 31."""
THREE_OF_A_KIND: Final = 32
SIGN_BOUNDS: Final = (1, 12, 19, 22, 25)
"""Points of one suit that the weakest opponent is known to hold, from which on the next sign goes."""
NUM_SIGNS: Final = 6
CARD_TOP: Final = 10
"""Points by which a hand's best total falls with each card that it lacks."""
STANDARD_TOP: Final = 31
"""Points of a 31 in the games that the tables were made for; others are scaled to it."""


@kernel
def num_opponents(view: Any) -> int:
    """Return how many other seats are still in."""
    return count_bits(0 + view.in_game) - 1


@kernel
def cost_of_failing(view: Any) -> int:
    """Return what a failed knock costs, a plain loss counting 1 (R16, R21).

    On the last life or in grace no knock costs more than one loss. Heads-up against an opponent on the last loss a
    player with lives to spare is winning, and two losses hurt three times as much as one.
    """
    cost = max(1, min(view.failed_knock_penalty, view.lives[view.seat]))
    if view.is_playoff:
        cost = 1
    if cost > 1 and num_opponents(view) == 1:
        for seat in range(view.num_players):
            last_loss = 0 if view.grace else 1
            if seat != view.seat and (view.in_game >> seat) & 1 and view.lives[seat] <= last_loss:
                cost += 1
    return cost


@kernel
def context_of(view: Any) -> int:
    """Return the kind of game."""
    opponents = min(4, num_opponents(view))
    if view.play_style == STYLE_EXCHANGE:
        return opponents + (16 if view.separate_close else 12)
    if view.scoring == SCORING_POINTS:
        return 8 + opponents
    cost = cost_of_failing(view)
    return cost - 1 if opponents == 1 else 2 * opponents - 2 + cost


@kernel
def stage_of(view: Any) -> int:
    """Return how far the round has gone, by how many turns each opponent has had in it."""
    if view.knocker != NOBODY:
        return LAST_TURN
    lap = (view.turn - view.turns[view.seat]) // num_opponents(view)
    return 0 + STAGE_OF_LAP[min(lap, len(STAGE_OF_LAP) - 1)]


@kernel
def scaled_points(view: Any, points: int, missing: int) -> int:
    """Return one suit's points in a hand that lacks `missing` cards of it as points of a game whose best hand is 31."""
    top = view.top_half_points // 2 - CARD_TOP * missing
    return points * (STANDARD_TOP - CARD_TOP * missing) // max(1, top)


@kernel
def sign_of(view: Any) -> int:
    """Return a class of what the weakest opponent is known to hold, by points of one suit: the more, the higher."""
    weakest = 100
    for seat in range(view.num_players):
        if seat != view.seat and (view.in_game >> seat) & 1:
            cards = view.known[seat]
            points = 0
            for suit in range(4):
                points = max(points, suit_points(cards, suit))
            weakest = min(weakest, points)
    points = scaled_points(view, weakest, 0)
    sign = 0
    for bound in SIGN_BOUNDS:
        if points >= bound:
            sign += 1
    return sign


@kernel
def state_in(points: int, first: int, least: int, most: int) -> int:
    """Return the state of some points among those of one number of missing cards."""
    return first + min(max(points, least), most) - least


@kernel
def state_of(view: Any, hand: int) -> int:
    """Return the state of a hand of full size."""
    best = -1
    size = 0
    for suit in range(4):
        cards = (hand >> (13 * suit)) & SUIT_BITS
        points = 0 + SUIT_TOTALS[cards]
        if points > best:
            best = points
            size = count_bits(cards)
    if view.three_aces > 0 and has_three_aces(hand):
        return COMPLETE[0] + COMPLETE[2] - COMPLETE[1]
    if 2 * best < view.three_of_a_kind and has_three_of_a_kind(hand):
        return THREE_OF_A_KIND
    missing = min(2, view.hand_size - size)
    points = scaled_points(view, best, missing)
    if missing == 0:
        return state_in(points, COMPLETE[0], COMPLETE[1], COMPLETE[2])
    if missing == 1:
        return state_in(points, PAIRS[0], PAIRS[1], PAIRS[2])
    return state_in(points, LONE_CARDS[0], LONE_CARDS[1], LONE_CARDS[2])
