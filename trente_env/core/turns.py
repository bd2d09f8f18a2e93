"""The start and the end of a turn, the same in both play styles (R14, R17, R50)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import count_bits, kernel
from trente_env.core.deal import next_seat, reshuffle, stock_size
from trente_env.core.layout import (
    END_BLITZ,
    END_BLITZ_AT_DEAL,
    END_KNOCK,
    END_LIMIT,
    NOBODY,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_SETTLE,
    STOCK_RESHUFFLE,
    STYLE_DRAW,
)
from trente_env.core.scoring import ends_round, seat_value, shows_all_losing


@kernel
def end_round(game: Any, end: int, knocker: int, holders: int) -> None:
    """End the round; `settle` does the rest.

    Args:
        game: The game.
        end: How the round ended, one of `END_*`.
        knocker: The seat that opened the last lap as far as the showdown cares, or NOBODY.
        holders: Seats whose 31 ends the round without a showdown, as bits; 0 for a showdown.
    """
    game.last_end = end
    game.last_knocker = knocker
    game.last_holders = holders
    game.phase = PHASE_SETTLE


@kernel(inline=True)
def start_turn(game: Any, rules: Any, seat: int) -> None:
    """Begin a seat's turn; R50: or end the round, if it has lasted too long; R17: reshuffle before anything else."""
    if game.turn >= rules.round_limit * count_bits(game.in_game):
        end_round(game, END_LIMIT, NOBODY, 0)
        return
    game.to_move = seat
    game.turn += 1
    game.turns[seat] += 1
    if rules.play_style == STYLE_DRAW:
        game.phase = PHASE_DRAW
        if rules.stock_exhaustion == STOCK_RESHUFFLE and stock_size(game) == 0:
            reshuffle(game, rules)
    else:
        game.phase = PHASE_EXCHANGE


@kernel(inline=True)
def end_turn(game: Any, rules: Any) -> None:
    """Pass the turn on; R14: after the last of the last turns comes the showdown."""
    if game.knocker != NOBODY:
        game.last_turns -= 1
        if game.last_turns == 0:
            end_round(game, END_KNOCK, game.knocker, 0)
            return
    start_turn(game, rules, next_seat(game, rules, game.to_move))


@kernel
def open_last_lap(game: Any, rules: Any, seat: int) -> None:
    """R14, R42: everyone else plays once more."""
    game.knocker = seat
    game.last_turns = count_bits(game.in_game) - 1
    start_turn(game, rules, next_seat(game, rules, seat))


@kernel(inline=True)
def end_turn_with_hand(game: Any, rules: Any) -> None:
    """R15, R44: a 31 in hand after a discard or a swap ends the round; otherwise the turn ends."""
    seat = game.to_move
    if ends_round(game, rules, seat) and (game.knocker == NOBODY or rules.blitz_after_knock):
        holders = 0
        if shows_all_losing(rules, seat_value(game, rules, seat)):
            holders = 1 << seat
        end_round(game, END_BLITZ, NOBODY, holders)
    else:
        end_turn(game, rules)


@kernel
def begin_play(game: Any, rules: Any) -> None:
    """R9, R15, R44: settle a round that is over at the deal; otherwise the dealer's left begins."""
    holders = 0
    is_showdown = False
    for seat in range(rules.num_players):
        if ends_round(game, rules, seat):  # who is out holds nothing
            if shows_all_losing(rules, seat_value(game, rules, seat)):
                holders |= 1 << seat
            else:
                is_showdown = True
    if holders != 0 or is_showdown:
        end_round(game, END_BLITZ_AT_DEAL, NOBODY, holders)
    else:
        start_turn(game, rules, next_seat(game, rules, game.dealer))
