"""Cards on the move: the stock, the deal, the reshuffle; and who comes next (section C, R10, R17, R40)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel, lowest_bit
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
def draw_card(game: Any) -> int:
    """Take the top card of the stock. The stock is shuffled as it is drawn (Fisher-Yates, one step a card)."""
    slot = 0 + game.num_drawn
    if slot >= game.num_fixed:
        other = slot + random_below(game.key, slot, game.deck_size - slot)
        card = game.deck[other]
        game.deck[other] = game.deck[slot]
        game.deck[slot] = card
    game.num_drawn = slot + 1
    return 0 + game.deck[slot]


@kernel
def draw_three(game: Any) -> int:
    """Take the top three cards of the stock, as a set."""
    cards = 1 << draw_card(game)
    cards |= 1 << draw_card(game)
    return cards | (1 << draw_card(game))


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
    for seat in range(rules.num_players):
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
    for _ in range(rules.hand_size):
        seat = game.dealer + 0
        for _ in range(rules.num_players):  # pragma: no branch - the dealer is in
            seat = next_seat(game, rules, seat)
            game.hands[seat] |= 1 << draw_card(game)
            if seat == game.dealer:
                break
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
