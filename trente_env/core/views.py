"""What one seat knows: the only way out of hidden state.

A view remembers everything that was public in the round as far as it still matters (the discard pile in order, the
cards each seat took openly and still holds, what a reshuffle proved, the last events) and the seat's own hand. It
never depends on a card the seat cannot see.
"""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel
from trente_env.core.deal import stock_size
from trente_env.core.layout import STYLE_DRAW, copy_rules, copy_table


@kernel
def fill_view(game: Any, rules: Any, seat: int, view: Any) -> None:
    """Write what `seat` knows into `view`, every field."""
    copy_table(game, view)
    copy_rules(rules, view)
    hand = game.hands[seat]
    placed = hand | game.pile | game.table
    others = 0
    for other in range(rules.num_players):
        if other != seat:
            others |= game.known[other]
    # R17: with an empty stock, or by a reshuffle, a card that is nowhere in sight is in somebody's hand.
    stock = stock_size(game)
    held = (game.held & ~placed) | others
    if rules.play_style == STYLE_DRAW and stock == 0:
        held = rules.deck_bits & ~placed
    view.hand = hand
    view.held_by_others = held
    view.unseen = rules.deck_bits & ~placed & ~others
    view.legal = game.legal if seat == game.to_move else 0
    view.seat = seat
    view.stock_size = stock
