"""Deals consistent with what one seat knows, drawn uniformly: for search, and to prove that nothing leaks.

Every card the seat can place stays where it is. The others are dealt anew: first the hands, with the cards that must
be in some hand (R17) in one of them, then the stock; reshuffles and deals to come are other ones too. A deal in which a
seat would hold a 31 that it had to show (R15, R44) is thrown away. What a seat's discards say about the hand it threw
them from is not asked.
"""

from __future__ import annotations

from typing import Any, Final, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import count_bits, kernel
from trente_env.core.calls import new_views
from trente_env.core.layout import (
    EVENT_DISCARD,
    EVENT_PASS,
    EVENT_RESHUFFLE,
    EVENT_TAKE,
    GAME,
    NO_CARD,
    NOBODY,
    NUM_EVENTS,
    PHASE_BUY_IN,
    PHASE_OVER,
    from_array,
    lower,
    to_array,
)
from trente_env.core.legality import legal_actions
from trente_env.core.rng import STREAM_WORLD, combine, random_below
from trente_env.core.scoring import hand_half_points
from trente_env.core.views import fill_view
from trente_env.errors import InvalidPositionError
from trente_env.rules import Rules

MAX_TRIES: Final = 10_000
"""Deals thrown away before giving up. Far more than any position has been seen to need."""


@kernel
def pick_bit(bits: int, number: int) -> int:
    """Return the `number`-th set bit, lowest first, as a set of one."""
    rest = bits
    for _ in range(number):
        rest &= rest - 1
    return rest & -rest


@kernel
def num_hidden(game: Any, rules: Any, seat: int) -> int:
    """Return how many cards the other seats hold that `seat` cannot name."""
    count = 0
    for other in range(rules.num_players):
        if other != seat:
            count += count_bits(game.hands[other]) - count_bits(game.known[other])
    return count


@kernel
def deal_world(game: Any, rules: Any, seat: int, unseen: int, must_hold: int, key: int) -> None:
    """Deal the unseen cards anew to the hidden places of the hands, then to the stock; not yet checked for 31s.

    Reshuffles and deals to come follow from another seed too.
    """
    draws = 0
    hidden = num_hidden(game, rules, seat)
    in_hands = must_hold
    stock = unseen & ~must_hold
    for _ in range(hidden - count_bits(must_hold)):
        card = pick_bit(stock, random_below(key, draws, count_bits(stock)))
        draws += 1
        stock &= ~card
        in_hands |= card
    for other in range(rules.num_players):
        if other == seat:
            continue
        places = count_bits(game.hands[other]) - count_bits(game.known[other])
        game.hands[other] = game.known[other]
        for _ in range(places):
            card = pick_bit(in_hands, random_below(key, draws, count_bits(in_hands)))
            draws += 1
            in_hands &= ~card
            game.hands[other] |= card
    for slot in range(game.num_drawn, game.deck_size):
        place = 0
        card = stock & -stock
        stock &= ~card
        while card > 1:
            card >>= 1
            place += 1
        game.deck[slot] = place
    game.num_fixed = game.num_drawn
    game.key = combine(key, draws)
    game.seed = combine(key, draws + 1)
    game.legal = legal_actions(game, rules)


@kernel
def kept_its_hand(game: Any, seat: int) -> bool:
    """Return whether a seat's last turn is seen to have left its hand as it was: a pass, or the upcard put back."""
    discarded = NO_CARD
    for back in range(NUM_EVENTS):  # pragma: no branch - a last turn is among them
        event = 0 + game.events[back]
        if event < 0:
            break
        kind = event >> 10
        if (event >> 6) & 15 != seat or kind == EVENT_RESHUFFLE:
            continue
        if kind != EVENT_DISCARD:
            return kind == EVENT_PASS or (kind == EVENT_TAKE and event & 63 == discarded)
        discarded = event & 63
    return False


@kernel
def may_hold_31(game: Any, rules: Any, seat: int) -> bool:
    """R15: whether a full hand of the seat could be a 31 that it did not have to show."""
    if game.knocker == NOBODY or rules.blitz_after_knock or seat == game.knocker:
        return False
    # Seats that have had their last turn lie clockwise between the knocker and the seat to move.
    after_knock = (seat - game.knocker + rules.num_players) % rules.num_players
    until_mover = (game.to_move - game.knocker + rules.num_players) % rules.num_players
    return after_knock < until_mover and not kept_its_hand(game, seat)


@kernel
def should_have_shown(game: Any, rules: Any, seat: int) -> bool:
    """R15, R44: whether a seat holds a 31 that it had to show; in mid-turn, one that it began the turn with."""
    hand = game.hands[seat]
    if count_bits(hand) != rules.hand_size:
        if game.taken == NO_CARD:  # it has drawn, and may have drawn any card of a 31
            return False
        hand &= ~(1 << game.taken)
    is_31 = hand_half_points(hand, rules.three_of_a_kind, rules.three_aces) >= rules.top_half_points
    return is_31 and not may_hold_31(game, rules, seat)


@kernel
def is_consistent(game: Any, rules: Any, seat: int) -> bool:
    """Return whether no other seat holds a 31 that it had to show."""
    if game.phase in (PHASE_OVER, PHASE_BUY_IN):
        return True
    for other in range(rules.num_players):
        if other != seat and game.hands[other] != 0 and should_have_shown(game, rules, other):
            return False
    return True


@kernel
def redeal_game(game: Any, rules: Any, seat: int, view: Any, key: int) -> int:
    """Put a game into another world that `seat` cannot tell from this one. `view` is scratch.

    Returns:
        How many deals it took, or -1 if none of `MAX_TRIES` was consistent; the game is then not to be used.
    """
    fill_view(game, rules, seat, view)
    unseen = view.unseen
    must_hold = view.held_by_others & view.unseen
    for number in range(MAX_TRIES):
        deal_world(game, rules, seat, unseen, must_hold, combine(combine(key, STREAM_WORLD), number))
        if is_consistent(game, rules, seat):
            return number + 1
    return -1


@kernel
def redeal_at(games: Any, rules: Any, index: int, seat: int, views: Any, key: int) -> int:
    """Redeal game `index`."""
    return redeal_game(games[index], rules[0], seat, views[0], key)


class _HoldsGame(Protocol):
    """A `trente_env.Game`, seen from below."""

    rules: Rules

    def to_array(self) -> NDArray[np.void]: ...

    @classmethod
    def from_array(cls, rules: Rules, array: NDArray[np.void]) -> Self: ...


G = TypeVar("G", bound=_HoldsGame)


def redeal(game: G, seat: int, seed: int) -> G:
    """Return a game in another world that a seat cannot tell from this one, drawn uniformly.

    Args:
        game: A `trente_env.Game`; it is not changed.
        seat: The seat whose knowledge is kept.
        seed: 0 to 2**63 - 1; chooses the world.

    Raises:
        InvalidPositionError: If no such world is found, as in a position that play cannot reach.
    """
    rows = from_array(game.to_array())
    if redeal_at(rows, lower([game.rules]), 0, seat, new_views(1), seed) < 0:
        raise InvalidPositionError(
            f"No deal of {MAX_TRIES:,} agrees with what seat {seat} knows: others would hold a 31 that they had to "
            "show (R15). Give a position that play can reach."
        )
    return type(game).from_array(game.rules, to_array(rows, GAME))
