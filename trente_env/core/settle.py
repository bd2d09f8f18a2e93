"""The end of a round: who loses what, who is out (R15, R16, R21 to R23, sections F and G)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import count_bits, kernel
from trente_env.core.layout import (
    ALL_OUT_VOID,
    NOBODY,
    OUTCOME_CHARGED,
    OUTCOME_PLAYOFF,
    OUTCOME_VOID,
    PHASE_BETWEEN,
    SCORING_POINTS,
    STYLE_EXCHANGE,
    TIE_DOUBLED,
    TIE_SPARED,
)
from trente_env.core.scoring import seat_value


@kernel
def settle(game: Any, rules: Any) -> None:
    """Settle a round that `end_round` has ended: who loses or scores what, who is out."""
    knocker, holders = game.last_knocker, game.last_holders
    show_hands(game, rules)
    game.last_outcome = OUTCOME_CHARGED
    game.last_out = 0
    if rules.scoring == SCORING_POINTS:
        score_points(game, rules, knocker)
    else:
        if holders != 0:
            charge_all_but(game, rules, holders)
        else:
            charge_lowest(game, rules, knocker)
        take_lives(game, rules)
    add_to_step(game, rules)
    game.phase = PHASE_BETWEEN
    game.to_move = NOBODY


@kernel
def show_hands(game: Any, rules: Any) -> None:
    """Record every hand and its value; who is out holds nothing."""
    game.last_round = game.round
    game.last_in_game = game.in_game
    for seat in range(rules.num_players):
        game.last_deltas[seat] = 0
        game.last_hands[seat] = game.hands[seat]
        game.last_values[seat] = seat_value(game, rules, seat)


@kernel
def charge_all_but(game: Any, rules: Any, holders: int) -> None:
    """R15: every seat in the round but the holders of a 31 loses one life; if all hold one, nobody loses."""
    for seat in range(rules.num_players):
        if (game.in_game >> seat) & 1 and not (holders >> seat) & 1:
            game.last_deltas[seat] = -1


@kernel
def charge_lowest(game: Any, rules: Any, knocker: int) -> None:
    """R16: the lowest hand loses one life, several tied one each; the knocker by the rules' own terms."""
    lowest = 1_000
    for seat in range(rules.num_players):
        lowest = min(lowest, 0 + game.last_values[seat] if (game.in_game >> seat) & 1 else lowest)
    num_lowest = 0
    for seat in range(rules.num_players):
        is_lowest = 1 if game.last_values[seat] == lowest else 0  # who is out has 0, and no hand is worth that
        game.last_deltas[seat] = -is_lowest
        num_lowest += is_lowest
    if knocker != NOBODY and game.last_values[knocker] == lowest:
        game.last_deltas[knocker] = -knocker_loss(rules, num_lowest)
    # R45: all equal voids the round of the exchange game.
    if rules.play_style == STYLE_EXCHANGE and num_lowest == count_bits(game.in_game):
        void_round(game, rules, OUTCOME_VOID)


@kernel
def knocker_loss(rules: Any, num_lowest: int) -> int:
    """R16: what a knocker among the lowest loses, alone (`failed_knock_penalty`) or tied (`knocker_tie`)."""
    if num_lowest == 1 or rules.knocker_tie == TIE_DOUBLED:
        return 0 + rules.failed_knock_penalty
    return 0 if rules.knocker_tie == TIE_SPARED else 1


@kernel
def score_points(game: Any, rules: Any, knocker: int) -> None:
    """R30: the highest hand scores 1, and so does each 31; R31: a knocker tied for highest loses the tie."""
    highest = 0
    num_highest = 0
    for seat in range(rules.num_players):
        if game.last_values[seat] > highest:
            highest = 0 + game.last_values[seat]
            num_highest = 1
        elif game.last_values[seat] == highest:
            num_highest += 1
    for seat in range(rules.num_players):
        if game.last_values[seat] == highest and (seat != knocker or num_highest == 1):
            game.last_deltas[seat] = 1
            game.points[seat] += 1


@kernel
def seats_put_out(game: Any, rules: Any) -> int:
    """R21: the seats that this round's losses put out, as bits."""
    out = 0
    for seat in range(rules.num_players):
        if game.last_deltas[seat] < 0:
            if game.is_playoff:
                is_out = True  # R23: whoever loses a playoff deal is out.
            elif rules.grace:
                is_out = game.lives[seat] == 0
            else:
                is_out = game.lives[seat] + game.last_deltas[seat] <= 0
            if is_out:
                out |= 1 << seat
    return out


@kernel
def take_lives(game: Any, rules: Any) -> None:
    """R21: take lives and put seats out; R23: unless it would be everyone; R24: who may buy in again is asked."""
    out = seats_put_out(game, rules)
    if out == game.in_game:
        if rules.all_out == ALL_OUT_VOID:
            void_round(game, rules, OUTCOME_VOID)
        else:
            void_round(game, rules, OUTCOME_PLAYOFF)
        return
    for seat in range(rules.num_players):
        if game.last_deltas[seat] < 0:
            if game.is_playoff:
                game.last_deltas[seat] = -1  # lives untouched: all that is at stake is staying in
            else:
                game.lives[seat] = max(0, game.lives[seat] + game.last_deltas[seat])
    game.in_game &= ~out
    game.last_out = out
    if not game.is_playoff:
        for seat in range(rules.num_players):
            if (out >> seat) & 1 and game.buy_ins[seat] < rules.buy_ins:
                game.may_buy_in |= 1 << seat


@kernel
def void_round(game: Any, rules: Any, outcome: int) -> None:
    """R23, R45: nobody loses anything."""
    game.last_outcome = outcome
    for seat in range(rules.num_players):
        game.last_deltas[seat] = 0


@kernel
def add_to_step(game: Any, rules: Any) -> None:
    """Add the round to what has happened since the last decision (several rounds can end in one step: R9)."""
    total = 0
    for seat in range(rules.num_players):
        total += game.last_deltas[seat]
    others = count_bits(game.last_in_game) - 1
    for seat in range(rules.num_players):
        if (game.last_in_game >> seat) & 1:
            delta = 0 + game.last_deltas[seat]
            game.step_deltas[seat] += delta
            game.step_relative[seat] += delta - (total - delta) / others
    game.step_rounds += 1
