"""Kernels over many games. Each works on the games `first` to `last` - 1, so that threads can share a batch.

What a game does depends on its own record and rules alone: neither the size of the batch nor the slices matter.
"""

from __future__ import annotations

from typing import Any

from trente_env._jit import clear, kernel, row_at
from trente_env.core.actions import NUM_ACTIONS, put_actions
from trente_env.core.engine import apply_action
from trente_env.core.layout import NOBODY, PHASE_OVER
from trente_env.core.rewards import seat_reward
from trente_env.core.rng import combine, next_game_seed
from trente_env.core.rounds import start_game
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view


@kernel
def fill_seeds(key: int, seeds_B: Any) -> None:
    """Write the seeds that follow from a key, one for each game."""
    for row in range(len(seeds_B)):
        seeds_B[row] = combine(key, row)


@kernel
def find_illegal(games: Any, actions_B: Any) -> int:
    """Return the first game whose action is not legal, or -1. Games that are over take no action."""
    for row in range(len(actions_B)):
        legal = games[row].legal
        action = actions_B[row]
        if legal != 0 and (action < 0 or action >= NUM_ACTIONS or not (legal >> action) & 1):
            return row
    return -1


@kernel
def find_illegal_of(games: Any, rows_V: Any, actions_V: Any) -> int:
    """Return the first place of an action that is not legal in its game, or -1."""
    for place in range(len(actions_V)):
        legal = games[rows_V[place]].legal
        action = actions_V[place]
        if action < 0 or action >= NUM_ACTIONS or not (legal >> action) & 1:
            return place
    return -1


@kernel
def has_any_over(games: Any, rows_V: Any) -> bool:
    """Return whether any of some games is over."""
    count = 0
    for place in range(len(rows_V)):
        count += games[rows_V[place]].phase == PHASE_OVER
    return count > 0


@kernel
def start_games(
    games: Any, rules: Any, which_B: Any, seeds_B: Any, is_single_round: int, first: int, last: int
) -> None:
    """Begin games from their seeds."""
    for row in range(first, last):
        games[row].is_single_round = is_single_round
        start_game(games[row], rules[which_B[row]], seeds_B[row])


@kernel
def look_at_game(game: Any, rules: Any, view: Any, places: Any, observation: Any, mask: Any) -> None:
    """Write what the seat to move of one game observes and may do."""
    put_actions(mask, 0, game.legal)
    if game.to_move == NOBODY:
        clear(observation, places.size)
    else:
        fill_view(game, rules, game.to_move, view)
        encode_view(view, places, observation)


@kernel
def look_at_games(
    games: Any,
    rules: Any,
    which_B: Any,
    views: Any,
    slot: int,
    places: Any,
    observations_BS: Any,
    masks_BA: Any,
    to_move_B: Any,
    first: int,
    last: int,
) -> None:
    """Write what the seats to move observe and may do. Row `slot` of `views` is scratch."""
    for row in range(first, last):
        game = games[row]
        to_move_B[row] = game.to_move
        look_at_game(
            game, rules[which_B[row]], views[slot], places[0], row_at(observations_BS, row), row_at(masks_BA, row)
        )


@kernel
def step_games(
    games: Any,
    rules: Any,
    which_B: Any,
    actions_B: Any,
    kind: int,
    is_autoreset: int,
    views: Any,
    slot: int,
    places: Any,
    observations_BS: Any,
    masks_BA: Any,
    to_move_B: Any,
    rewards_BN: Any,
    terminated_B: Any,
    truncated_B: Any,
    first: int,
    last: int,
) -> None:
    """Apply a legal action to every game that is not over, begin the next game where one ends, and look.

    Looking at each game right after its step finds the record still in the processor's cache.
    """
    width = rewards_BN.shape[1]
    for row in range(first, last):
        game = games[row]
        table = rules[which_B[row]]
        terminated_B[row] = False
        truncated_B[row] = False
        is_news = False
        if game.phase != PHASE_OVER:
            apply_action(game, table, actions_B[row])
            is_news = game.step_rounds != 0 or game.phase == PHASE_OVER
        for seat in range(width):
            rewards_BN[row, seat] = 0.0
        if is_news:
            for seat in range(table.num_players):
                rewards_BN[row, seat] = seat_reward(game, table, kind, seat)
            if game.phase == PHASE_OVER:
                terminated_B[row] = game.is_truncated == 0
                truncated_B[row] = game.is_truncated != 0
                if is_autoreset:
                    start_game(game, table, next_game_seed(game.seed, 0))
        to_move_B[row] = game.to_move
        look_at_game(game, table, views[slot], places[0], row_at(observations_BS, row), row_at(masks_BA, row))


@kernel
def fill_views(games: Any, rules: Any, which_B: Any, rows_V: Any, views_V: Any, masks_VA: Any) -> None:
    """Write the views and masks of the seats to move of some games."""
    for place in range(len(rows_V)):
        row = rows_V[place]
        game = games[row]
        fill_view(game, rules[which_B[row]], game.to_move, views_V[place])
        put_actions(row_at(masks_VA, place), 0, game.legal)


@kernel
def step_some(games: Any, rules: Any, which_B: Any, rows_V: Any, actions_V: Any) -> None:
    """Apply one legal action to each of some games, none of them over."""
    for place in range(len(rows_V)):
        row = rows_V[place]
        apply_action(games[row], rules[which_B[row]], actions_V[place])
