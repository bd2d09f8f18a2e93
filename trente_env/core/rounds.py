"""From one round to the next: buying in, the end, the next deal; and a game's beginning (R7, R9, R22, R24, R32)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import count_bits, kernel, lowest_bit
from trente_env.core.actions import BUY_IN
from trente_env.core.deal import deal_cards, deal_to_others, next_seat
from trente_env.core.layout import (
    NOBODY,
    OUT,
    OUTCOME_PLAYOFF,
    PHASE_BETWEEN,
    PHASE_BUY_IN,
    PHASE_DEAL,
    PHASE_DEAL_REST,
    PHASE_OVER,
    PHASE_SETTLE,
    SCORING_POINTS,
)
from trente_env.core.legality import legal_actions
from trente_env.core.rng import STREAM_DEALER, combine, random_below
from trente_env.core.settle import settle
from trente_env.core.turns import begin_play


@kernel
def sole_leader(game: Any, rules: Any) -> int:
    """R32: the one seat with the highest score, if it has reached the target; else NOBODY."""
    best = -1
    leader = NOBODY
    for seat in range(rules.num_players):
        if game.points[seat] > best:
            best = 0 + game.points[seat]
            leader = seat
        elif game.points[seat] == best:
            leader = NOBODY
    return leader if best >= rules.target_points else NOBODY


@kernel
def find_winner(game: Any, rules: Any) -> int:
    """R22, R32: the winner, or NOBODY while the game goes on."""
    if rules.scoring == SCORING_POINTS:
        return sole_leader(game, rules)
    return lowest_bit(game.in_game) if count_bits(game.in_game) == 1 else NOBODY


@kernel
def ask_next_buy_in(game: Any, rules: Any) -> None:
    """R24: ask the seats that went out, clockwise from the dealer's left."""
    seat = game.dealer + 0
    for _ in range(rules.num_players):  # pragma: no branch - somebody may buy in
        seat = seat + 1 if seat + 1 < rules.num_players else 0
        if (game.may_buy_in >> seat) & 1:
            break
    game.to_move = seat
    game.phase = PHASE_BUY_IN


@kernel
def apply_in_buy_in(game: Any, rules: Any, action: int) -> None:
    """R24: full lives, grace again, same seat; or decline and stay out."""
    seat = game.to_move
    game.may_buy_in &= ~(1 << seat)
    if action == BUY_IN:
        game.buy_ins[seat] += 1
        game.lives[seat] = rules.starting_lives
        game.in_game |= 1 << seat
    game.to_move = NOBODY
    game.phase = PHASE_BETWEEN


@kernel
def end_game(game: Any, winner: int, is_truncated: int) -> None:
    """Stop: a winner, or a truncation in which no result is invented (R50)."""
    game.phase = PHASE_OVER
    game.to_move = NOBODY
    game.winner = winner
    game.is_truncated = is_truncated


@kernel
def leave_round(game: Any, rules: Any) -> None:
    """After a settled round: ask for buy-ins (R24), end the game (R22, R32, R50), or pass the deal on (R7)."""
    winner = find_winner(game, rules)
    if game.is_single_round:
        end_game(game, NOBODY, 0)
    elif game.may_buy_in != 0:
        ask_next_buy_in(game, rules)
    elif winner != NOBODY:
        end_game(game, winner, 0)
    elif game.round >= rules.max_rounds:
        end_game(game, NOBODY, 1)
    else:
        if game.last_outcome == OUTCOME_PLAYOFF:
            game.is_playoff = 1  # R23: the next deal, not the one that made it necessary
        game.dealer = next_seat(game, rules, game.dealer)
        game.phase = PHASE_DEAL


@kernel
def go_on(game: Any, rules: Any) -> None:
    """From the end of a round go on until somebody must decide or the game is over (R9)."""
    while game.phase > PHASE_OVER:
        phase = game.phase
        if phase == PHASE_SETTLE:
            settle(game, rules)
        elif phase == PHASE_BETWEEN:
            leave_round(game, rules)
        elif phase == PHASE_DEAL:
            deal_cards(game, rules)
        elif phase == PHASE_DEAL_REST:
            deal_to_others(game, rules)
        else:
            begin_play(game, rules)


@kernel(inline=True)
def advance(game: Any, rules: Any) -> None:
    """Go on until somebody must decide or the game is over, and note what is legal then."""
    if game.phase > PHASE_OVER:
        go_on(game, rules)
    game.legal = legal_actions(game, rules)


@kernel
def clear_step(game: Any, rules: Any) -> None:
    """Forget the rounds that ended in the step before."""
    if game.step_rounds != 0:
        game.step_rounds = 0
        for seat in range(rules.num_players):
            game.step_deltas[seat] = 0
            game.step_relative[seat] = 0.0


@kernel
def reset_table(game: Any, rules: Any) -> None:
    """Put lives, points, dealer and the rest back to how the game opened; the cards go on from the seed."""
    game.in_game = 0
    for seat in range(rules.num_players):
        game.lives[seat] = max(0, game.opening_lives[seat])
        game.points[seat] = 0
        game.buy_ins[seat] = 0
        game.last_hands[seat] = 0
        game.last_values[seat] = 0
        game.last_deltas[seat] = 0
        if game.opening_lives[seat] != OUT:
            game.in_game |= 1 << seat
    dealer = 0 + game.opening_dealer
    if dealer == NOBODY:  # R7: drawn from the game's seed
        dealer = random_below(combine(game.seed, STREAM_DEALER), 0, rules.num_players)
    game.dealer = dealer
    if not (game.in_game >> dealer) & 1:
        game.dealer = next_seat(game, rules, dealer)
    game.round = 0
    game.last_round = 0
    game.last_end = 0
    game.last_outcome = 0
    game.last_knocker = NOBODY
    game.last_in_game = 0
    game.last_holders = 0
    game.last_out = 0
    game.may_buy_in = 0
    game.is_playoff = 0
    game.is_truncated = 0
    game.winner = NOBODY
    game.to_move = NOBODY


@kernel
def open_game(game: Any, rules: Any) -> None:
    """Begin a game from its seed, opening lives and opening dealer. R9: never one that is over at once.

    A game that would end before any decision is dealt again from the same generator, everything else put back; so is
    a single round that would be over at the deal.
    """
    game.deal = 0
    game.decisions = 0
    while True:
        clear_step(game, rules)
        reset_table(game, rules)
        game.phase = PHASE_DEAL
        advance(game, rules)
        if game.phase != PHASE_OVER:
            return


@kernel
def start_game(game: Any, rules: Any, seed: int) -> None:
    """Begin a game of these rules with full lives and a dealer drawn from the seed."""
    game.seed = seed
    game.opening_dealer = NOBODY
    for seat in range(rules.num_players):
        game.opening_lives[seat] = rules.starting_lives
    open_game(game, rules)
