"""The exchange game's decisions: the dealer's choice, swapping with the table, passing, closing (section G)."""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import count_bits, kernel, lowest_bit
from trente_env.core.actions import CLOSE, KEEP, PASS, REFUSE, SWAP_ALL
from trente_env.core.deal import add_discard, add_event, draw_three, stock_size
from trente_env.core.layout import (
    END_TABLE_EXHAUSTED,
    EVENT_KEEP,
    EVENT_KNOCK,
    EVENT_LEAVE,
    EVENT_NO_CARD,
    EVENT_PASS,
    EVENT_REFRESH,
    EVENT_REFUSE,
    EVENT_SWAP_ALL,
    EVENT_TAKE_TABLE,
    NO_CARD,
    NOBODY,
    PHASE_DEAL_REST,
    PHASE_LEAVE,
)
from trente_env.core.turns import end_round, end_turn, end_turn_with_hand, open_last_lap

TABLE_SIZE: Final = 3
LEGAL_IN_CHOICE: Final = (1 << KEEP) | (1 << REFUSE)


@kernel
def apply_in_choice(game: Any, action: int) -> None:
    """R40: keep the first three cards, or put them on the table and take the next three unseen."""
    dealer = game.dealer
    if action == REFUSE:
        game.table = game.hands[dealer]
        game.hands[dealer] = draw_three(game)
        add_event(game, EVENT_REFUSE, dealer, EVENT_NO_CARD)
    else:
        add_event(game, EVENT_KEEP, dealer, EVENT_NO_CARD)
    game.phase = PHASE_DEAL_REST


@kernel
def legal_in_exchange(game: Any, rules: Any) -> int:
    """R41: pass, take a table card, swap all; R43: only passing once locked; R48: or close, until somebody has."""
    legal = 1 << PASS
    if not (game.locked >> game.to_move) & 1:
        legal |= game.table | (1 << SWAP_ALL)
    if rules.separate_close and game.knocker == NOBODY:
        legal |= 1 << CLOSE
    return legal


@kernel
def apply_in_exchange(game: Any, rules: Any, action: int) -> None:
    """Begin a turn of the exchange game with one of the actions of R41 to R43, R48."""
    seat = game.to_move
    if action == PASS:
        apply_exchange_pass(game, rules, seat)
    elif action == CLOSE:
        game.passes = 0
        add_event(game, EVENT_KNOCK, seat, EVENT_NO_CARD)
        open_last_lap(game, rules, seat)
    elif action == SWAP_ALL:
        hand = game.hands[seat]
        game.hands[seat] = game.table
        game.known[seat] = game.table
        game.table = hand
        game.locked |= 1 << seat
        game.passes = 0
        add_event(game, EVENT_SWAP_ALL, seat, EVENT_NO_CARD)
        end_turn_with_hand(game, rules)
    else:
        game.table &= ~(1 << action)
        game.hands[seat] |= 1 << action
        game.known[seat] |= 1 << action
        game.taken = action
        game.passes = 0
        add_event(game, EVENT_TAKE_TABLE, seat, action)
        game.phase = PHASE_LEAVE


@kernel
def apply_exchange_pass(game: Any, rules: Any, seat: int) -> None:
    """R42: the first pass opens the last lap; R48: or only counts, and after a lap of passes the table is renewed."""
    add_event(game, EVENT_PASS, seat, EVENT_NO_CARD)
    if game.knocker != NOBODY:
        end_turn(game, rules)
    elif not rules.separate_close:
        open_last_lap(game, rules, seat)
    else:
        game.passes += 1
        if game.passes < count_bits(game.in_game):
            end_turn(game, rules)
        elif stock_size(game) >= TABLE_SIZE:
            refresh_table(game)
            end_turn(game, rules)
        else:
            end_round(game, END_TABLE_EXHAUSTED, NOBODY, 0)


@kernel
def refresh_table(game: Any) -> None:
    """R48: the three table cards go out of play, face up, and three from the stock take their place."""
    rest = game.table
    while rest != 0:
        add_discard(game, lowest_bit(rest))
        rest &= rest - 1
    game.table = draw_three(game)
    game.passes = 0
    add_event(game, EVENT_REFRESH, game.to_move, EVENT_NO_CARD)


@kernel
def legal_in_leave(game: Any) -> int:
    """R41: any hand card but the one just taken."""
    return game.hands[game.to_move] & ~(1 << game.taken)


@kernel
def apply_in_leave(game: Any, rules: Any, card: int) -> None:
    """R41: leave a hand card on the table for the one taken; R44: then a 31 ends the round."""
    seat = game.to_move
    game.hands[seat] &= ~(1 << card)
    game.known[seat] &= ~(1 << card)
    game.table |= 1 << card
    game.taken = NO_CARD
    add_event(game, EVENT_LEAVE, seat, card)
    end_turn_with_hand(game, rules)
