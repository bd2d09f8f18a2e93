"""The tips printed with the rules of `classic` ("Conseils et stratégies"), as a policy.

1. *Commit to one suit early instead of dividing yourself between two.* The suit is the one with most points in hand.
   Only its cards are kept, and the upcard is taken only if it is one of them and raises their total. A hand that is
   already worth a knock, such as three of a kind, is kept whatever its suits.
2. *If an opponent picks up a high card of a suit, change suits or put them under pressure with a quick knock.* A suit
   of which an opponent openly took a card worth ten or more counts `CONTESTED_POINTS` fewer when the suit is chosen;
   and whenever an opponent holds such a card the knock comes one point earlier.
3. *Knock from 28 in most hands; against careful players 26 is often enough, against aggressive discarders 29 may be
   needed.* Of the last public events, the opponents' discards are looked at: with two or more in sight, aggressive is
   who threw cards worth ten or more at least half of the time, careful who threw none.
4. *Do not chase the 31.* A hand of 30 is always knocked.
5. *With one life left, play defensively, knock earlier and be content with small wins.* Two points earlier.

On a last turn, at last call, and asked to buy in, it plays by value. The tips say nothing of the exchange game: there
it plays like `knock@28`.
"""

from __future__ import annotations

from typing import Any, Final

from agents.heuristic.by_value import choose_by_value
from agents.heuristic.hands import CARD_BITS, CARD_POINTS, card_to_shed, value_of, value_with
from trente_env._jit import count_bits, kernel, lowest_bit
from trente_env.cards import NUM_RANKS
from trente_env.core.actions import DRAW, KNOCK, TAKE
from trente_env.core.layout import (
    EVENT_DISCARD,
    NOBODY,
    NUM_EVENTS,
    PHASE_DISCARD,
    PHASE_DRAW,
    SCORING_LIVES,
    STYLE_EXCHANGE,
)
from trente_env.core.scoring import SUIT_BITS, suit_points

KNOCK_POINTS: Final = 28
KNOCK_POINTS_IF_CAREFUL: Final = 26
KNOCK_POINTS_IF_AGGRESSIVE: Final = 29
HIGHEST_KNOCK_POINTS: Final = 30
SOONER_UNDER_PRESSURE: Final = 1
"""Points by which the knock comes earlier when an opponent openly took a high card."""
SOONER_WITH_ONE_LIFE: Final = 2
"""Points by which it comes earlier with one life left or none."""
CONTESTED_POINTS: Final = 4
"""Points by which a suit counts less that an opponent collects."""
HIGH_CARD_POINTS: Final = 10
TOP_POINTS: Final = 31


@kernel
def choose_by_tips(view: Any, legal: int) -> int:
    """Return the action of `seeds`, in any phase."""
    if view.play_style == STYLE_EXCHANGE:
        return choose_by_value(view, legal, 2 * KNOCK_POINTS)
    knock_at = knock_value(view)
    if view.knocker == NOBODY and (legal >> DRAW) & 1 and view.phase == PHASE_DRAW:
        return begin_turn_by_tips(view, legal, knock_at)
    if view.knocker == NOBODY and view.phase == PHASE_DISCARD:
        return throw_by_tips(view, legal & CARD_BITS, knock_at)
    return choose_by_value(view, legal, knock_at)


@kernel
def knock_value(view: Any) -> int:
    """Return the knock value in half points: tips 2 to 5."""
    thrown, high = count_opponents_discards(view)
    points = KNOCK_POINTS
    if thrown > 1 and 2 * high >= thrown:
        points = KNOCK_POINTS_IF_AGGRESSIVE
    elif thrown > 1 and high == 0:
        points = KNOCK_POINTS_IF_CAREFUL
    if high_cards_taken(view) != 0:
        points -= SOONER_UNDER_PRESSURE
    if view.scoring == SCORING_LIVES and view.lives[view.seat] <= 1:
        points -= SOONER_WITH_ONE_LIFE
    return min(points, HIGHEST_KNOCK_POINTS) * view.top_half_points // TOP_POINTS


@kernel
def count_opponents_discards(view: Any) -> tuple[int, int]:
    """Return how many cards the opponents threw among the events in sight, and how many of them were high."""
    thrown = 0
    high = 0
    for place in range(NUM_EVENTS):
        event = view.events[place]
        if event >= 0 and event >> 10 == EVENT_DISCARD and (event >> 6) & 15 != view.seat:
            thrown += 1
            if CARD_POINTS[event & 63] >= HIGH_CARD_POINTS:
                high += 1
    return thrown, high


@kernel
def high_cards_taken(view: Any) -> int:
    """Return the cards worth ten or more that opponents openly took and still hold."""
    high = 0
    for seat in range(view.num_players):
        if seat != view.seat:
            rest = view.known[seat]
            while rest != 0:
                card = lowest_bit(rest)
                rest &= rest - 1
                if CARD_POINTS[card] >= HIGH_CARD_POINTS:
                    high |= 1 << card
    return high


@kernel
def suit_to_collect(view: Any) -> int:
    """Return the suit with most points in hand, contested suits counting less; of equals the one of more cards."""
    contested = high_cards_taken(view)
    best_suit = 0
    best_score = -1_000
    for suit in range(4):
        cards = (view.hand >> (NUM_RANKS * suit)) & SUIT_BITS
        score = 10 * suit_points(view.hand, suit) + count_bits(cards)
        if (contested >> (NUM_RANKS * suit)) & SUIT_BITS != 0:
            score -= 10 * CONTESTED_POINTS
        if cards != 0 and score > best_score:
            best_suit = suit
            best_score = score
    return best_suit


@kernel
def begin_turn_by_tips(view: Any, legal: int, knock_at: int) -> int:
    """Knock, take a card of the suit collected that raises its total, or draw."""
    if (legal >> KNOCK) & 1 and value_of(view, view.hand) >= knock_at:
        return KNOCK
    if value_with(view, view.upcard) >= max(knock_at, value_of(view, view.hand) + 1):
        return TAKE
    suit = suit_to_collect(view)
    if view.upcard // NUM_RANKS != suit:
        return DRAW
    cards = view.hand & (SUIT_BITS << (NUM_RANKS * suit))
    if count_bits(cards) < view.hand_size:
        return TAKE
    return TAKE if CARD_POINTS[view.upcard] > CARD_POINTS[lowest_bit(cards)] else DRAW


@kernel
def throw_by_tips(view: Any, may_shed: int, knock_at: int) -> int:
    """Throw the least card outside the suit collected; of its own suit the lowest; none that makes a knock."""
    by_value = card_to_shed(view, view.hand, may_shed)
    if value_of(view, view.hand & ~(1 << by_value)) >= knock_at:
        return by_value
    suit = suit_to_collect(view)
    others = may_shed & ~(SUIT_BITS << (NUM_RANKS * suit))
    best_card = -1
    rest = others if others != 0 else may_shed
    while rest != 0:
        card = lowest_bit(rest)
        rest &= rest - 1
        if best_card < 0 or CARD_POINTS[card] < CARD_POINTS[best_card]:
            best_card = card
    return best_card
