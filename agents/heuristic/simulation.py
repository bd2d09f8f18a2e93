"""Rounds in which `adaptive` finds out what its states are worth and from what value on to knock (see `fit.py`).

The player sits at seat 0. Kernels write sums and counts into arrays `returns` (2, stage, state) and `gains` (2, stage,
sign, half points).
"""

from __future__ import annotations

from typing import Any, Final

from agents.heuristic.adaptive import STANDARD_TOP_HALF_POINTS, choose_adaptively
from agents.heuristic.by_value import NEVER, choose_by_value
from agents.heuristic.hands import value_of
from agents.heuristic.worth import LAST_TURN, LOCKED, NUM_STAGES, NUM_STATES, sign_of, stage_of, state_of
from trente_env._jit import kernel
from trente_env.core.actions import CLOSE, DRAW, KNOCK, PASS, SWAP_ALL, TAKE
from trente_env.core.engine import apply_action
from trente_env.core.layout import (
    NOBODY,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_OVER,
)
from trente_env.core.rng import combine, random_below
from trente_env.core.rounds import start_game
from trente_env.core.views import fill_view

SHARE_OF_SELF: Final = 50
"""Opponents in a hundred that play like the player itself."""
LOWEST_KNOCK: Final = 22
HIGHEST_KNOCK: Final = 31
"""What the others knock at, in points."""
SHARE_OF_PLAYING_ON: Final = 25
"""Knocks in a hundred that the player puts off."""
SHARE_OF_STRAYING: Final = 10
"""Decisions in a hundred in which the player strays."""
ADAPTIVE: Final = -1
"""Among knock values: an `adaptive` player."""
NUM_VALUES: Final = STANDARD_TOP_HALF_POINTS + 1
LEAST_OPENING: Final = 14
"""Half points below which knocking is not looked at."""
PATH_SIZE: Final = 256
"""States of a round that are remembered at most."""
STREAM_OPPONENTS: Final = 77
"""Stream of the generator, under the round's seed, that the opponents are drawn from."""
STREAM_STRAYING: Final = 78
"""The one that says when the player strays."""


@kernel
def decide(game: Any, rules: Any, view: Any, players: Any, worth: Any, knock_at: Any) -> int:
    """Return the action of whoever is to move."""
    seat = game.to_move
    fill_view(game, rules, seat, view)
    if players[seat] == ADAPTIVE:
        return choose_adaptively(view, view.legal, worth, knock_at)
    return choose_by_value(view, view.legal, players[seat])


@kernel
def play_on(games: Any, rules: Any, view: Any, players: Any, worth: Any, knock_at: Any, action: int) -> float:
    """Return what the round brings seat 0 if it takes an action in a copy of the game."""
    games[1] = games[0]
    game = games[1]
    apply_action(game, rules, action)
    while game.phase != PHASE_OVER:
        apply_action(game, rules, decide(game, rules, view, players, worth, knock_at))
    return game.step_relative[0]


@kernel
def seat_players(players: Any, num_players: int, seed: int) -> None:
    """Draw the opponents of a round."""
    key = combine(seed, STREAM_OPPONENTS)
    players[0] = ADAPTIVE
    for seat in range(1, num_players):
        players[seat] = 2 * (LOWEST_KNOCK + random_below(key, 2 * seat, HIGHEST_KNOCK - LOWEST_KNOCK + 1))
        if random_below(key, 2 * seat + 1, 100) < SHARE_OF_SELF:
            players[seat] = ADAPTIVE


@kernel
def opening_of(view: Any) -> int:
    """Return the action that would open the last lap, or -1."""
    if view.knocker != NOBODY or (view.locked >> view.seat) & 1:
        return -1
    if view.phase == PHASE_DRAW:
        return KNOCK if (view.legal >> KNOCK) & 1 else -1
    if view.phase == PHASE_EXCHANGE:
        return CLOSE if (view.legal >> CLOSE) & 1 else PASS
    return -1


@kernel
def stray_from(view: Any, action: int) -> int:
    """Return what a plainer player would do."""
    if action == DRAW:
        return TAKE
    if action == TAKE:
        return DRAW if (view.legal >> DRAW) & 1 else TAKE
    return choose_by_value(view, view.legal, NEVER) if view.phase != PHASE_DRAW else action


@kernel
def add_return(returns: Any, row: int, state: int, gain: float) -> None:
    """Add what a state brought. Settled hands (`SETTLED`) have the rows behind `NUM_STAGES`."""
    returns[0, row, state] += gain
    returns[1, row, state] += 1


@kernel
def measure_opening(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    opening: int,
    going_on: int,
    gains: Any,
    returns: Any,
) -> None:
    """Add what opening the last lap brings over playing on, from the same position."""
    view = views[0]
    value = value_of(view, view.hand) * STANDARD_TOP_HALF_POINTS // view.top_half_points
    if value >= LEAST_OPENING and value < NUM_VALUES:
        gain = play_on(games, rules, views[1], players, worth, knock_at, opening)
        add_return(returns, NUM_STAGES + stage_of(view), state_of(view, view.hand), gain)
        gain -= play_on(games, rules, views[1], players, worth, knock_at, going_on)
        stage, sign = stage_of(view), sign_of(view)
        gains[0, stage, sign, value] += gain
        gains[1, stage, sign, value] += 1


@kernel
def state_left(game: Any, view: Any, action: int) -> int:
    """Return stage and state of the hand that an action leaves at the end of a turn, as one number, or -1."""
    if game.phase in (PHASE_DISCARD, PHASE_LEAVE):
        return stage_of(view) * NUM_STATES + state_of(view, view.hand & ~(1 << action))
    if action == SWAP_ALL:
        stage = LAST_TURN if game.knocker != NOBODY else NUM_STAGES + LOCKED
        return stage * NUM_STATES + state_of(view, view.table)
    if action == PASS and opening_of(view) == CLOSE:
        return stage_of(view) * NUM_STATES + state_of(view, view.hand)
    return -1


@kernel
def simulate_round(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    never: Any,
    gains: Any,
    returns: Any,
    path: Any,
) -> int:
    """Play a round from its deal; return how many states the player left since it last strayed."""
    game, view = games[0], views[0]
    length = 0
    while game.phase != PHASE_OVER:
        action = decide(game, rules, view, players, worth, knock_at)
        if game.to_move == 0:
            chance = random_below(combine(game.seed, STREAM_STRAYING), game.decisions, 100)
            opening = opening_of(view)
            if opening >= 0:
                going_on = choose_adaptively(view, view.legal, worth, never)
                if going_on != opening:
                    measure_opening(games, rules, views, players, worth, knock_at, opening, going_on, gains, returns)
                if action == opening and chance < SHARE_OF_PLAYING_ON:
                    action = going_on
                    length = 0
            if chance >= 100 - SHARE_OF_STRAYING:
                action = stray_from(view, action)
                length = 0
            left = state_left(game, view, action)
            if left >= 0 and length < PATH_SIZE:
                path[length] = left
                length += 1
        apply_action(game, rules, action)
    return length


@kernel
def simulate(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    never: Any,
    first_seed: int,
    count: int,
    gains: Any,
    returns: Any,
    path: Any,
) -> None:
    """Play rounds and add up what they brought."""
    for seed in range(first_seed, first_seed + count):
        games[0].is_single_round = 1
        start_game(games[0], rules[0], seed)
        seat_players(players, rules[0].num_players, seed)
        length = simulate_round(games, rules[0], views, players, worth, knock_at, never, gains, returns, path)
        for step in range(length):
            add_return(returns, path[step] // NUM_STATES, path[step] % NUM_STATES, games[0].step_relative[0])
