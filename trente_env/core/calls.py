"""Kernels in the form that Python calls: arrays of rows and an index (a bare record costs a microsecond)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import kernel
from trente_env.core.engine import apply_action, legal_actions
from trente_env.core.layout import GAME, PHASE_BEGIN, PHASE_DEAL_REST, SEAT_VIEW, Rows, allocate
from trente_env.core.rewards import seat_reward
from trente_env.core.rounds import advance, open_game, start_game
from trente_env.core.scoring import hand_half_points
from trente_env.core.turns import start_turn
from trente_env.core.views import fill_view


@kernel
def legal_at(games: Any, rules: Any, index: int) -> int:
    """Return the legal actions of game `index` as bits."""
    return legal_actions(games[index], rules[0])


@kernel
def apply_at(games: Any, rules: Any, index: int, action: int) -> None:
    """Apply a legal action to game `index`."""
    apply_action(games[index], rules[0], action)


@kernel
def start_at(games: Any, rules: Any, index: int, seed: int) -> None:
    """Begin game `index` from a seed."""
    start_game(games[index], rules[0], seed)


@kernel
def open_at(games: Any, rules: Any, index: int) -> None:
    """Begin game `index` from the seed, lives and dealer that its row holds."""
    open_game(games[index], rules[0])


@kernel
def view_at(games: Any, rules: Any, index: int, seat: int, views: Any, view_index: int) -> None:
    """Write what a seat of game `index` knows into row `view_index` of `views`."""
    fill_view(games[index], rules[0], seat, views[view_index])


def new_games(count: int) -> Rows:
    """Return rows for `count` games."""
    return allocate(count, GAME)


def new_views(count: int) -> Rows:
    """Return rows for `count` views."""
    return allocate(count, SEAT_VIEW)


def actions_of(bits: int) -> list[int]:
    """Return the action ids of a set of actions, lowest first."""
    actions = []
    while bits:
        lowest = bits & -bits
        actions.append(lowest.bit_length() - 1)
        bits ^= lowest
    return actions


def mask_of(bits: int, num_actions: int) -> NDArray[np.int8]:
    """Return a set of actions as an int8 mask."""
    return np.array([bits >> action & 1 for action in range(num_actions)], np.int8)


@kernel
def begin_at(games: Any, rules: Any, index: int) -> None:
    """Begin play in game `index`, whose cards are dealt: settle 31s, or start the first turn (R9)."""
    games[index].phase = PHASE_BEGIN
    advance(games[index], rules[0])


@kernel
def deal_rest_at(games: Any, rules: Any, index: int) -> None:
    """Deal the others their cards in game `index`, whose dealer keeps the first three (R40, R44), and begin play."""
    games[index].phase = PHASE_DEAL_REST
    advance(games[index], rules[0])


@kernel
def turn_at(games: Any, rules: Any, index: int, seat: int) -> None:
    """Start a seat's turn in game `index`."""
    start_turn(games[index], rules[0], seat)
    advance(games[index], rules[0])


@kernel
def value_of(hand: int, three_of_a_kind: int, three_aces: int) -> int:
    """Return the value of a set of cards in half points."""
    return hand_half_points(hand, three_of_a_kind, three_aces)


@kernel
def rewards_at(games: Any, rules: Any, index: int, kind: int, out: Any) -> None:
    """Write each seat's reward for the last step of game `index`."""
    for seat in range(rules[0].num_players):
        out[seat] = seat_reward(games[index], rules[0], kind, seat)
