"""The state of a whole game as numbers, hidden cards included: for centralised critics, never for a policy that plays.

Seats are absolute here: place 0 of a per-seat section is seat 0, whoever is to move. The public part is the
observation's own sections, seen from seat 0.
"""

from __future__ import annotations

from typing import Any

from trente_env._jit import clear, kernel, put, row_at
from trente_env.cards import NUM_CARDS
from trente_env.core.layout import NO_CARD
from trente_env.core.scoring import hand_half_points
from trente_env.core.views import fill_view
from trente_env.encoding.encode import put_cards, write_events, write_numbers, write_pile, write_rules, write_seats


@kernel
def encode_state(game: Any, rules: Any, view: Any, places: Any, row: Any) -> None:
    """Write a whole game as numbers.

    Args:
        game: The game.
        rules: Its rules.
        view: Scratch for a view.
        places: Layout of the state (`state_spec(seats).lower()`).
        row: Where to write, from `row_at`; every number of it is written.
    """
    fill_view(game, rules, 0, view)
    clear(row, places.size)
    write_hidden(game, rules, places, row)
    write_pile(view, places, row)
    write_seats(view, places, row)
    write_numbers(view, places, row)
    write_events(view, places, row)
    write_rules(view, places, row)


@kernel
def write_hidden(game: Any, rules: Any, places: Any, row: Any) -> None:
    """Write the sections that no seat sees whole."""
    for seat in range(rules.num_players):
        hand = 0 + game.hands[seat]
        put_cards(row, places.hands + seat * NUM_CARDS, hand)
        put(row, places.hand_values + seat, hand_half_points(hand, rules.three_of_a_kind, rules.three_aces))
        put(row, places.may_buy_in + seat, (game.may_buy_in >> seat) & 1)
    for slot in range(game.num_drawn, game.deck_size):
        put(row, places.stock + game.deck[slot], 1)
    if game.taken != NO_CARD:
        put(row, places.taken + game.taken, 1)


@kernel
def encode_states(games: Any, rules: Any, views: Any, places: Any, out_BS: Any) -> None:
    """Write whole games as numbers, one row each: for callers outside compiled code. `views` is scratch, one row."""
    for row in range(len(games)):
        encode_state(games[row], rules[0], views[0], places[0], row_at(out_BS, row))
