"""Kernels of `AllSeatsBatch`: to which decision of which seat a reward belongs, and where episodes end.

The books of a batch: `last_BN` has the step of each seat's open decision (its last one, if its episode goes on), or -1;
`owed_BN` what fell to a seat in an episode in which it has not decided yet; `live_B` the seats not out for good, as
bits. A reward goes to the open decision of its seat; where there is none, it waits for the first one of the episode.
"""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel, row_at
from trente_env.core.actions import put_actions
from trente_env.core.layout import NOBODY, PHASE_OVER
from trente_env.core.rewards import loss_of_game, seat_reward
from trente_env.core.rng import next_game_seed
from trente_env.core.rounds import advance, clear_step, start_game
from trente_env.core.stepping import leave_to_deal
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view

NO_STEP: Final = -1


@kernel
def open_books(games: Any, is_round: int, live_B: Any) -> None:
    """Note which seats are in, and say whether games halt at the end of each round."""
    for row in range(len(live_B)):
        games[row].is_single_round = is_round
        live_B[row] = games[row].in_game | games[row].may_buy_in


@kernel(inline=True)
def pay(row: int, seat: int, amount: float, last_BN: Any, owed_BN: Any, rewards_TB: Any) -> None:
    """Credit a reward to the seat's open decision, or else to the first one that it takes in this episode."""
    if amount != 0.0:
        step = last_BN[row, seat]
        if step == NO_STEP:
            owed_BN[row, seat] += amount
        else:
            rewards_TB[step, row] += amount


@kernel(inline=True)
def close(  # noqa: PLR0917 - compiled code takes no keywords
    row: int, seat: int, is_truncated: int,
    last_BN: Any, owed_BN: Any, uncredited_BN: Any, dones_TB: Any, truncated_TB: Any,
) -> None:  # fmt: skip
    """End the seat's episode; what is owed to a seat that took no decision in it is nobody's credit."""
    step = last_BN[row, seat]
    if step != NO_STEP:
        dones_TB[step, row] = True
        truncated_TB[step, row] = is_truncated != 0
        last_BN[row, seat] = NO_STEP
    uncredited_BN[row, seat] += owed_BN[row, seat]
    owed_BN[row, seat] = 0.0


@kernel
def begin_next(game: Any, rules: Any, is_round: int) -> None:
    """Begin the game that follows one that is over."""
    game.is_single_round = 0
    start_game(game, rules, next_game_seed(game.seed, 0))
    game.is_single_round = is_round


@kernel
def play_on(  # noqa: PLR0917
    row: int, game: Any, rules: Any, kind: int,
    last_BN: Any, owed_BN: Any, uncredited_BN: Any, rewards_TB: Any, dones_TB: Any, truncated_TB: Any,
) -> None:  # fmt: skip
    """Go on from the end of a round to the next decision: of the next round, of a buy-in (R24), or of the next game.

    A round that is over at its deal (R9) is an episode like any other: of those who decided in it, by buying in.
    """
    is_over = False
    while game.phase == PHASE_OVER and not is_over:
        clear_step(game, rules)
        game.is_single_round = 0
        is_due = leave_to_deal(game, rules)
        game.is_single_round = 1
        if is_due:
            advance(game, rules)
            if game.phase == PHASE_OVER:
                for seat in range(rules.num_players):
                    pay(row, seat, seat_reward(game, rules, kind, seat), last_BN, owed_BN, rewards_TB)
                    close(row, seat, 0, last_BN, owed_BN, uncredited_BN, dones_TB, truncated_TB)
        elif game.phase == PHASE_OVER:
            is_over = True
    if is_over:
        for seat in range(rules.num_players):
            close(row, seat, game.is_truncated, last_BN, owed_BN, uncredited_BN, dones_TB, truncated_TB)
        begin_next(game, rules, 1)


@kernel
def credit_games(  # noqa: PLR0917
    games: Any, rules: Any, which_B: Any, kind: int, is_round: int, views: Any, slot: int, places: Any,
    step: int, seats_B: Any, step_rewards_BN: Any, live_B: Any, last_BN: Any, owed_BN: Any, uncredited_BN: Any,
    rewards_TB: Any, next_TB: Any, dones_TB: Any, truncated_TB: Any,
    observations_BS: Any, masks_BA: Any, to_move_B: Any, first: int, last: int,
) -> None:  # fmt: skip
    """After a step of games that are not begun anew by it: enter the decisions taken, credit rewards, close episodes.

    Where a game (or, by rounds, a round) is over, play goes on to the next decision, which is then observed.
    """
    for row in range(first, last):
        game = games[row]
        table = rules[which_B[row]]
        mover = seats_B[row]
        if last_BN[row, mover] != NO_STEP:
            next_TB[last_BN[row, mover], row] = step
        last_BN[row, mover] = step
        rewards_TB[step, row] = owed_BN[row, mover]
        owed_BN[row, mover] = 0.0
        next_TB[step, row] = NO_STEP
        dones_TB[step, row] = False
        truncated_TB[step, row] = False

        # Seats go out at the end of a round, or by declining to buy in: the record's other parts are not looked at.
        is_halted = to_move_B[row] == NOBODY
        if game.step_rounds == 0 and table.buy_ins == 0 and not is_halted:
            continue
        was_live = live_B[row]
        live = game.in_game | game.may_buy_in
        is_end = is_halted and (is_round == 0 or game.step_rounds != 0)  # else by rounds: the last answer of R24
        for seat in range(table.num_players):
            # Who went out before has been paid for the whole game.
            if not (was_live >> seat) & 1:
                continue
            is_out = not (live >> seat) & 1
            pay(row, seat, step_rewards_BN[row, seat], last_BN, owed_BN, rewards_TB)
            if is_end:
                is_truncated = 0 if is_out else game.is_truncated + 0
                close(row, seat, is_truncated, last_BN, owed_BN, uncredited_BN, dones_TB, truncated_TB)
            elif is_out:
                pay(row, seat, loss_of_game(game, table, kind, seat), last_BN, owed_BN, rewards_TB)
                close(row, seat, 0, last_BN, owed_BN, uncredited_BN, dones_TB, truncated_TB)
        if is_halted:
            if is_round:
                play_on(
                    row, game, table, kind,
                    last_BN, owed_BN, uncredited_BN, rewards_TB, dones_TB, truncated_TB,
                )  # fmt: skip
            else:
                begin_next(game, table, 0)
            to_move_B[row] = game.to_move
            put_actions(row_at(masks_BA, row), 0, game.legal)
            fill_view(game, table, game.to_move, views[slot])
            encode_view(views[slot], places[0], row_at(observations_BS, row))
        live_B[row] = game.in_game | game.may_buy_in


@kernel
def carry_over(  # noqa: PLR0917
    last_BN: Any, observations_TBS: Any, masks_TBA: Any, actions_TB: Any, seats_TB: Any, rewards_TB: Any,
    log_probs_TB: Any, values_TB: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Move each seat's open decision to the step of the seat's number, and empty that step where there is none."""
    for row in range(first, last):
        for seat in range(last_BN.shape[1]):
            step = last_BN[row, seat]
            if step == NO_STEP:
                observations_TBS[seat, row] = 0
                masks_TBA[seat, row] = 0
                actions_TB[seat, row] = 0
                rewards_TB[seat, row] = 0.0
                log_probs_TB[seat, row] = 0.0
                values_TB[seat, row] = 0.0
                seats_TB[seat, row] = NOBODY
            elif step != seat:  # else it was carried over before
                observations_TBS[seat, row] = observations_TBS[step, row]
                masks_TBA[seat, row] = masks_TBA[step, row]
                actions_TB[seat, row] = actions_TB[step, row]
                rewards_TB[seat, row] = rewards_TB[step, row]
                log_probs_TB[seat, row] = log_probs_TB[step, row]
                values_TB[seat, row] = values_TB[step, row]
                seats_TB[seat, row] = seat
                last_BN[row, seat] = seat


@kernel
def look_at_seats(  # noqa: PLR0917
    games: Any, rules: Any, which_B: Any, rows_V: Any, seats_V: Any, views: Any, places: Any, observations_VS: Any
) -> None:  # fmt: skip
    """Write what seats observe now, whether or not they are to move."""
    for place in range(len(rows_V)):
        row = rows_V[place]
        fill_view(games[row], rules[which_B[row]], seats_V[place], views[0])
        encode_view(views[0], places[0], row_at(observations_VS, place))
