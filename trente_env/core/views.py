"""What one seat knows: the only way out of hidden state.

A view remembers everything that was public in the round as far as it still matters (the discard pile in order, the
cards each seat took openly and still holds, what a reshuffle proved, the last events) and the seat's own hand. It
never depends on a card the seat cannot see.
"""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.cards import NUM_CARDS
from trente_env.core.deal import pile_bits, stock_size
from trente_env.core.engine import legal_actions
from trente_env.core.layout import NO_CARD, NUM_EVENTS, STYLE_DRAW


@kernel
def fill_view(game: Any, rules: Any, seat: int, view: Any) -> None:
    """Write what `seat` knows into `view`, every field."""
    fill_cards(game, rules, seat, view)
    fill_pile(game, view)
    fill_table_talk(game, rules, seat, view)
    fill_rules(rules, view)


@kernel
def fill_cards(game: Any, rules: Any, seat: int, view: Any) -> None:
    """Write the cards: own, on the table, in the pile, known to be held, unseen."""
    hand = game.hands[seat]
    pile = pile_bits(game)
    placed = hand | pile | game.table
    others = 0
    for other in range(rules.num_players):
        view.known[other] = game.known[other]
        if other != seat:
            others |= game.known[other]
    for other in range(rules.num_players, 9):
        view.known[other] = 0
    # R17: with an empty stock, or by a reshuffle, a card that is nowhere in sight is in somebody's hand.
    if rules.play_style == STYLE_DRAW and stock_size(game) == 0:
        held = rules.deck_bits & ~placed
    else:
        held = (game.held & ~placed) | others
    view.hand = hand
    view.table = game.table
    view.pile = pile
    view.held_by_others = held
    view.unseen = rules.deck_bits & ~placed & ~others


@kernel
def fill_pile(game: Any, view: Any) -> None:
    """Write the discard pile in order, the upcard, the stock's size, and the public events, newest first."""
    size = 0 + game.num_discards
    for place in range(NUM_CARDS):
        view.discards[place] = game.discards[place] if place < size else NO_CARD
    view.num_discards = size
    view.stock_size = stock_size(game)
    view.upcard = NO_CARD
    if size > 0 and game.table == 0:
        view.upcard = game.discards[size - 1]
    newest = game.num_events - 1
    for back in range(NUM_EVENTS):
        view.events[back] = game.events[(newest - back) % NUM_EVENTS] if back <= newest else -1


@kernel
def fill_table_talk(game: Any, rules: Any, seat: int, view: Any) -> None:
    """Write what is said and seen at the table besides cards: lives, turns, who may do what."""
    for other in range(9):
        is_seat = other < rules.num_players
        view.turns[other] = game.turns[other] if is_seat else 0
        view.points[other] = game.points[other] if is_seat else 0
        view.lives[other] = game.lives[other] if is_seat else 0
        view.buy_ins[other] = game.buy_ins[other] if is_seat else 0
    view.legal = legal_actions(game, rules) if seat == game.to_move else 0
    view.decisions = game.decisions
    view.round = game.round
    view.turn = game.turn
    view.reshuffles = game.reshuffles
    view.in_game = game.in_game
    view.locked = game.locked
    view.seat = seat
    view.phase = game.phase
    view.to_move = game.to_move
    view.dealer = game.dealer
    view.knocker = game.knocker
    view.last_turns = game.last_turns
    view.taken = game.taken
    view.passes = game.passes
    view.is_playoff = game.is_playoff


@kernel
def fill_rules(rules: Any, view: Any) -> None:
    """Write the rules a policy may need."""
    view.play_style = rules.play_style
    view.num_players = rules.num_players
    view.hand_size = rules.hand_size
    view.three_of_a_kind = rules.three_of_a_kind
    view.three_aces = rules.three_aces
    view.may_knock_on_first_turn = rules.may_knock_on_first_turn
    view.may_pass_on_last_turn = rules.may_pass_on_last_turn
    view.may_return_upcard = rules.may_return_upcard
    view.blitz_after_knock = rules.blitz_after_knock
    view.failed_knock_penalty = rules.failed_knock_penalty
    view.knocker_tie = rules.knocker_tie
    view.stock_exhaustion = rules.stock_exhaustion
    view.scoring = rules.scoring
    view.starting_lives = rules.starting_lives
    view.grace = rules.grace
    view.all_out = rules.all_out
    view.rules_buy_ins = rules.buy_ins
    view.separate_close = rules.separate_close
    view.target_points = rules.target_points
    view.round_limit = rules.round_limit
    view.max_rounds = rules.max_rounds
    view.top_half_points = rules.top_half_points
    view.deck_bits = rules.deck_bits
