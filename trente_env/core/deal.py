"""Cards on the move: the stock, the deal, the reshuffle; and who comes next (section C, R10, R17, R40)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import count_bits, kernel, lowest_bit
from trente_env.cards import NUM_CARDS
from trente_env.core.layout import (
    EVENT_NO_CARD,
    EVENT_RESHUFFLE,
    NO_CARD,
    NOBODY,
    NUM_EVENTS,
    PHASE_BEGIN,
    PHASE_DEAL_REST,
    PHASE_DEALER_CHOICE,
    STYLE_DRAW,
    push_event,
)
from trente_env.core.rng import random_below, shuffle_key
from trente_env.core.scoring import ends_round
from trente_env.rules import MAX_PLAYERS


@kernel(inline=True)
def next_seat(game: Any, rules: Any, seat: int) -> int:  # noqa: ARG001
    """R7: the next seat still in, clockwise."""
    later = game.in_game >> (seat + 1)
    return seat + 1 + lowest_bit(later) if later != 0 else lowest_bit(game.in_game)


@kernel(inline=True)
def stock_size(game: Any) -> int:
    """Return how many cards the stock still has."""
    return 0 + game.deck_size - game.num_drawn


@kernel(inline=True)
def settle_slots(game: Any, count: int) -> None:
    """Shuffle as far as the next `count` cards of the stock (Fisher-Yates, one step a card)."""
    key = 0 + game.key
    size = 0 + game.deck_size
    last = game.num_drawn + count
    for slot in range(max(0 + game.num_drawn, 0 + game.num_fixed), last):
        other = slot + random_below(key, slot, size - slot)
        card = game.deck[other]
        game.deck[other] = game.deck[slot]
        game.deck[slot] = card


@kernel(inline=True)
def draw_card(game: Any) -> int:
    """Take the top card of the stock, which is shuffled as it is drawn."""
    slot = 0 + game.num_drawn
    settle_slots(game, 1)
    game.num_drawn = slot + 1
    return 0 + game.deck[slot]


@kernel
def draw_three(game: Any) -> int:
    """Take the top three cards of the stock, as a set."""
    slot = 0 + game.num_drawn
    settle_slots(game, 3)
    game.num_drawn = slot + 3
    return (1 << game.deck[slot]) | (1 << game.deck[slot + 1]) | (1 << game.deck[slot + 2])


@kernel(inline=True)
def add_event(game: Any, kind: int, seat: int, card: int) -> None:
    """Remember a public event of this round."""
    push_event(game, (kind << 10) | (seat << 6) | card)


@kernel(inline=True)
def add_discard(game: Any, card: int) -> None:
    """Put a card on the discard pile."""
    game.discards[game.num_discards] = card
    game.num_discards += 1
    game.pile |= 1 << card


@kernel(inline=True)
def take_upcard(game: Any) -> int:
    """Take the top card off the discard pile."""
    card = 0 + game.upcard
    size = game.num_discards - 1
    game.num_discards = size
    game.discards[size] = NO_CARD
    game.pile &= ~(1 << card)
    game.upcard = game.discards[size - 1] if size > 0 else NO_CARD
    return card


@kernel
def clear_pile(game: Any) -> None:
    """Take the discard pile away."""
    for place in range(NUM_CARDS):
        game.discards[place] = NO_CARD
    game.num_discards = 0
    game.pile = 0


@kernel
def reshuffle(game: Any, rules: Any) -> None:
    """R17: the discard pile but its top card becomes the stock. All other cards are then in hands, and known to be."""
    top = 0 + game.upcard
    game.held = rules.deck_bits & ~game.pile
    rest = game.pile & ~(1 << top)
    size = 0
    while rest != 0:
        game.deck[size] = lowest_bit(rest)
        rest &= rest - 1
        size += 1
    game.deck_size = size
    game.num_drawn = 0
    game.num_fixed = 0
    clear_pile(game)
    add_discard(game, top)
    game.reshuffles += 1
    game.key = shuffle_key(game.seed, game.deal, game.reshuffles)
    add_event(game, EVENT_RESHUFFLE, game.to_move, EVENT_NO_CARD)


@kernel
def clear_round(game: Any, rules: Any) -> None:
    """Gather and shuffle the cards for the next deal."""
    game.round += 1
    game.deal += 1
    game.reshuffles = 0
    game.key = shuffle_key(game.seed, game.deal, 0)
    for slot in range(NUM_CARDS):
        game.deck[slot] = rules.deck[slot]
    game.deck_size = rules.deck_size
    game.num_drawn = 0
    game.num_fixed = 0
    clear_pile(game)
    game.upcard = NO_CARD
    for seat in range(MAX_PLAYERS):
        game.hands[seat] = 0
        game.known[seat] = 0
        game.turns[seat] = 0
    game.table = 0
    game.held = 0
    game.turn = 0
    for place in range(NUM_EVENTS):
        game.events[place] = -1
    game.knocker = NOBODY
    game.last_turns = 0
    game.taken = NO_CARD
    game.passes = 0
    game.locked = 0


@kernel
def deal_hands(game: Any, rules: Any) -> None:
    """R10: the hands one card at a time clockwise from the dealer's left, then the upcard."""
    count = count_bits(game.in_game)
    first = 0 + game.num_drawn
    settle_slots(game, count * rules.hand_size)
    seat = 0 + game.dealer
    for place in range(count):
        seat = next_seat(game, rules, seat)
        hand = 0
        for lap in range(rules.hand_size):
            hand |= 1 << game.deck[first + lap * count + place]
        game.hands[seat] = hand
    game.num_drawn = first + count * rules.hand_size
    game.upcard = draw_card(game)
    add_discard(game, game.upcard)


@kernel
def deal_to_dealer(game: Any, rules: Any) -> None:
    """R40: the dealer looks at the first three cards; R44: a 31 (R48: or three aces) is kept without a decision."""
    dealer = game.dealer
    game.hands[dealer] = draw_three(game)
    if ends_round(game, rules, dealer):
        game.phase = PHASE_DEAL_REST
    else:
        game.to_move = dealer
        game.phase = PHASE_DEALER_CHOICE


@kernel
def deal_to_others(game: Any, rules: Any) -> None:
    """R40: the table where the dealer kept, then three cards at once to each other seat, clockwise."""
    if game.table == 0:
        game.table = draw_three(game)
    seat = next_seat(game, rules, game.dealer)
    while seat != game.dealer:
        game.hands[seat] = draw_three(game)
        seat = next_seat(game, rules, seat)
    game.phase = PHASE_BEGIN


@kernel
def deal_cards(game: Any, rules: Any) -> None:
    """Gather the cards and deal a round."""
    clear_round(game, rules)
    deal_stock(game, rules)


@kernel
def deal_stock(game: Any, rules: Any) -> None:
    """Deal a round from a full stock; in the exchange game as far as the dealer's choice."""
    if rules.play_style == STYLE_DRAW:
        deal_hands(game, rules)
        game.phase = PHASE_BEGIN
    else:
        deal_to_dealer(game, rules)
