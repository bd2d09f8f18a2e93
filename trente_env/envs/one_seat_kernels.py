"""Kernels of `OneSeatBatch`: a learner's decision, the others' up to its next one, and where episodes end.

A row plays by its own record, seed and seats alone: neither the batch's size nor the other rows matter.
"""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel, row_at
from trente_env.core.actions import NUM_ACTIONS, put_actions
from trente_env.core.engine import apply_action
from trente_env.core.layout import NOBODY, PHASE_BETWEEN, PHASE_OVER
from trente_env.core.rewards import loss_of_game, seat_reward
from trente_env.core.rng import STREAM_OPPONENTS, combine, next_game_seed, uniform
from trente_env.core.rounds import advance, clear_step, start_game
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view

LEARNER: Final = -1
"""In a row of seats: the seat of the learner, who is no policy."""

LOOK: Final = -1
"""In place of an action: the row has just been put where it is."""
RENEW: Final = -2
"""In place of an action: the next episode of the row begins."""
REFUSED: Final = -3
"""In place of an action: it was not legal, and costs the learner the game."""

NOT_HELD: Final = 0
HELD: Final = 1
"""The episode is over, and the row waits to be renewed."""
LEFT: Final = 2
"""The same, and the game it belonged to is not played on."""


@kernel
def is_learner_out(game: Any, seat: int) -> bool:
    """Return whether a seat is out for good: not in, and not to be asked to buy in again (R21, R24)."""
    return not ((game.in_game | game.may_buy_in) >> seat) & 1


@kernel
def go_on(game: Any, rules: Any) -> None:
    """Play on from the end of a round to the next decision, or to the end of the game.

    Rounds that end at their deal are nobody's decision; what they cost stands in the game and in no reward.
    """
    clear_step(game, rules)
    game.is_single_round = 0
    game.phase = PHASE_BETWEEN
    advance(game, rules)
    game.is_single_round = 1


@kernel
def seat_everyone(seed: int, learner: int, pool_K: Any, bounds_K: Any, opponents_BN: Any, row: int) -> None:
    """Draw who holds the other seats of a game, by its seed. `bounds_K` are the running sums of their weights."""
    key = combine(seed, STREAM_OPPONENTS)
    for seat in range(opponents_BN.shape[1]):
        drawn = uniform(key, seat)
        place = 0
        while drawn >= bounds_K[place]:
            place += 1
        opponents_BN[row, seat] = LEARNER if seat == learner else pool_K[place]


@kernel
def begin_rows(
    games: Any, rules: Any, rows_V: Any, seeds_V: Any, seats_V: Any, pool_K: Any, bounds_K: Any, is_round: int,
    learners_B: Any, opponents_BN: Any,
) -> None:  # fmt: skip
    """Begin a game in each of some rows, from a seed, the learner in a seat."""
    for place in range(len(rows_V)):
        row = int(rows_V[place])
        begin_row(
            games[row], rules[0], int(seeds_V[place]), int(seats_V[place]), pool_K, bounds_K, is_round,
            learners_B, opponents_BN, row,
        )  # fmt: skip


@kernel
def begin_row(
    game: Any, rules: Any, seed: int, seat: int, pool_K: Any, bounds_K: Any, is_round: int,
    learners_B: Any, opponents_BN: Any, row: int,
) -> None:  # fmt: skip
    """Begin a game in a row."""
    game.is_single_round = 0
    start_game(game, rules, seed)
    game.is_single_round = is_round
    learners_B[row] = seat
    seat_everyone(seed, seat, pool_K, bounds_K, opponents_BN, row)


@kernel
def count_game(game: Any, learner: int, num_players: int, opponents_BN: Any, row: int, tallies_K2: Any) -> None:
    """Count a game that is over for the learner: against whom with two seats, else in the last place."""
    key = len(tallies_K2) - 1
    if num_players == 2:  # noqa: PLR2004
        key = int(opponents_BN[row, 1 - learner])
    tallies_K2[key, 1] += 1.0
    if game.winner == learner:
        tallies_K2[key, 0] += 1.0
    elif game.is_truncated:  # R50: a game without a result counts as shared
        tallies_K2[key, 0] += 1.0 / num_players


@kernel
def renew_row(
    games: Any, rules: Any, row: int, pool_K: Any, bounds_K: Any, is_round: int, fixed_seat: int,
    learners_B: Any, opponents_BN: Any, held_B: Any, tallies_K2: Any,
) -> None:  # fmt: skip
    """Go on to a row's next episode: the next round of its game, or the first of its next game.

    The learner of the next game sits one seat further, or in the fixed seat.
    """
    game = games[row]
    table = rules[0]
    learner = int(learners_B[row])
    is_left = held_B[row] == LEFT
    held_B[row] = NOT_HELD
    if is_round and not is_left and game.phase == PHASE_OVER:
        go_on(game, table)
    if is_left or game.phase == PHASE_OVER or is_learner_out(game, learner):
        if not is_left:
            count_game(game, learner, table.num_players, opponents_BN, row, tallies_K2)
        seat = fixed_seat
        if seat == NOBODY:
            seat = learner + 1 if learner + 1 < table.num_players else 0
        begin_row(
            game, table, next_game_seed(game.seed, 0), seat, pool_K, bounds_K, is_round, learners_B, opponents_BN, row
        )


@kernel
def move(game: Any, rules: Any, action: int, learner: int, kind: int, is_round: int) -> tuple[float, bool]:
    """Apply a legal action; return what it cost or brought the learner, and whether its episode is over.

    By the game ("game", "pot") a learner that goes out while others play on is paid its loss at once.
    """
    apply_action(game, rules, action)
    reward = seat_reward(game, rules, kind, learner)
    if game.phase != PHASE_OVER:
        if is_learner_out(game, learner):
            return reward + loss_of_game(game, rules, kind, learner), True
        return reward, False
    if not is_round or game.step_rounds > 0:
        return reward, True
    # R24: the last answer about buying in, after which the game goes on in the same episode, if it goes on.
    go_on(game, rules)
    return reward, game.phase == PHASE_OVER or is_learner_out(game, learner)


@kernel
def take_up(
    games: Any, held_B: Any, actions_B: Any, is_strict: int, rows_V: Any, actions_V: Any,
    rewards_B: Any, carried_B: Any, dones_B: Any, truncated_B: Any, between_B: Any,
) -> int:  # fmt: skip
    """Check the learner's actions and put them where `play` finds them; held rows are renewed instead.

    Returns:
        The first row whose action is not legal, and nothing is written, if `is_strict`; else -1.
    """
    count = len(actions_B)
    for row in range(count):
        action = int(actions_B[row])
        is_legal = 0 <= action < NUM_ACTIONS and (games[row].legal >> (action & 63)) & 1 != 0
        if is_strict and not is_legal and held_B[row] == NOT_HELD:
            return row
        actions_V[row] = action if is_legal else REFUSED
    for row in range(count):
        rows_V[row] = row
        dones_B[row] = 0
        truncated_B[row] = 0
        rewards_B[row] = 0.0
        if held_B[row] != NOT_HELD:
            actions_V[row] = RENEW
        else:
            between_B[row] = 0
            rewards_B[row] = carried_B[row]
            carried_B[row] = 0.0
    return -1


@kernel
def look_at_learner(
    game: Any, rules: Any, learner: int, legal: int, view: Any, places: Any, observation: Any, mask: Any
) -> None:
    """Write what the learner observes, and what it may do."""
    fill_view(game, rules, learner, view)
    encode_view(view, places, observation)
    put_actions(mask, 0, legal)


@kernel
def play(
    games: Any, rules: Any, count: int, rows_V: Any, actions_V: Any, pool_K: Any, bounds_K: Any,
    kind: int, is_round: int, is_holding: int, fixed_seat: int,
    learners_B: Any, opponents_BN: Any, held_B: Any, between_B: Any, rewards_B: Any, carried_B: Any,
    dones_B: Any, truncated_B: Any, tallies_K2: Any, views: Any, places: Any, last_BS: Any,
    observations_BS: Any, masks_BA: Any, to_move_B: Any, who_V: Any,
) -> None:  # fmt: skip
    """Play one action in each of `count` rows, close episodes that end, and look where the learner is to move.

    `rewards_B` gathers the reward of the step under way, `carried_B` what falls to the learner between the end of an
    episode and its next decision (`between_B`). `dones_B` is set where an episode ends, `truncated_B` where it ends
    without a result (R50). `who_V` is set to who decides next in each row: a policy's key, or `LEARNER`, also where
    the row is held.
    """
    table = rules[0]
    for place in range(count):
        row = int(rows_V[place])
        action = int(actions_V[place])
        game = games[row]
        learner = int(learners_B[row])
        reward = 0.0
        is_done = False
        if action >= 0:
            reward, is_done = move(game, table, action, learner, kind, is_round)
        elif action == REFUSED:
            reward = -1.0
            is_done = True
        if action == RENEW or (is_done and between_B[row]):
            carried_B[row] = 0.0
            renew_row(
                games, rules, row, pool_K, bounds_K, is_round, fixed_seat, learners_B, opponents_BN, held_B, tallies_K2
            )
        elif between_B[row]:
            carried_B[row] += reward
        else:
            rewards_B[row] += reward
        if is_done and not between_B[row]:
            dones_B[row] = 1
            between_B[row] = 1
            truncated_B[row] = 1 if action != REFUSED and game.is_truncated else 0
            held_B[row] = LEFT if action == REFUSED else HELD
            look_at_learner(game, table, learner, 0, views[0], places[0], row_at(last_BS, row), row_at(masks_BA, row))
            if not is_holding:
                renew_row(
                    games, rules, row, pool_K, bounds_K, is_round, fixed_seat, learners_B, opponents_BN, held_B,
                    tallies_K2,
                )  # fmt: skip
        learner = int(learners_B[row])
        seat = int(game.to_move)
        if held_B[row] != NOT_HELD or seat == learner:
            who_V[place] = LEARNER
            is_held = held_B[row] != NOT_HELD
            to_move_B[row] = NOBODY if is_held else learner
            look_at_learner(
                game, table, learner, 0 if is_held else game.legal, views[0], places[0],
                row_at(observations_BS, row), row_at(masks_BA, row),
            )  # fmt: skip
        else:
            who_V[place] = opponents_BN[row, seat]


@kernel
def gather(
    games: Any, rules: Any, count: int, who_V: Any, rows_V: Any, others_V: Any, sizes_K: Any, starts_K: Any,
    views_V: Any, masks_VA: Any, seeds_V: Any,
) -> int:  # fmt: skip
    """Keep the rows in which a policy decides, those of one policy side by side, and write what each may know.

    Returns:
        How many they are; `sizes_K` says how many for each policy.
    """
    for key in range(len(sizes_K)):
        sizes_K[key] = 0
    for place in range(count):
        if who_V[place] != LEARNER:
            sizes_K[who_V[place]] += 1
    kept = 0
    for key in range(len(sizes_K)):
        starts_K[key] = kept
        kept += sizes_K[key]
    for place in range(count):
        key = int(who_V[place])
        if key != LEARNER:
            row = int(rows_V[place])
            goal = int(starts_K[key])
            starts_K[key] = goal + 1
            others_V[goal] = row
            game = games[row]
            fill_view(game, rules[0], game.to_move, views_V[goal])
            put_actions(row_at(masks_VA, goal), 0, game.legal)
            seeds_V[goal] = game.seed
    for place in range(kept):
        rows_V[place] = others_V[place]
    return kept
