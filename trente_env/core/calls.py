"""Kernels in the form that Python calls: arrays of rows and an index (a bare record costs a microsecond)."""

from __future__ import annotations

from typing import Any

from trente_env._jit import kernel, record_at, row_at
from trente_env.core.actions import put_actions
from trente_env.core.engine import apply_action
from trente_env.core.layout import GAME, PHASE_BEGIN, PHASE_DEAL_REST, RULES, SEAT_VIEW, Rows, allocate
from trente_env.core.rewards import seat_reward
from trente_env.core.rounds import advance, open_game, start_game
from trente_env.core.scoring import hand_half_points
from trente_env.core.turns import start_turn
from trente_env.core.views import fill_view


@kernel
def start_at(games: Any, rules: Any, index: int, seed: int) -> None:
    """Begin game `index` from a seed."""
    start_game(games[index], rules[0], seed)


@kernel
def advance_at(games: Any, rules: Any, index: int) -> None:
    """Let game `index` go on to a decision from wherever it was put, and note what is legal."""
    advance(games[index], rules[0])


@kernel
def view_at(games: Any, rules: Any, index: int, seat: int, views: Any, view_index: int) -> None:
    """Write what a seat of game `index` knows into row `view_index` of `views`."""
    fill_view(games[index], rules[0], seat, views[view_index])


game_at = record_at(GAME)
rules_at = record_at(RULES)


@kernel
def legal_bits(game: Any) -> int:
    """Return the legal actions of the game of a handle as bits."""
    return 0 + game_at(game).legal


@kernel
def set_opening_lives(game: Any, seat: int, lives: int) -> None:
    """Set what a seat of the game of a handle begins with."""
    game_at(game).opening_lives[seat] = lives


@kernel
def open_game_of(game: Any, rules: Any, seed: int, dealer: int, is_single_round: int) -> None:
    """Begin the game of a handle from a seed, the opening lives that it holds, and a dealer or NOBODY."""
    row = game_at(game)
    row.seed = seed
    row.opening_dealer = dealer
    row.is_single_round = is_single_round
    open_game(row, rules_at(rules))


@kernel
def try_action(game: Any, rules: Any, action: int) -> bool:
    """Apply an action, 0 to 61, to the game of a handle if it is legal; return whether it was."""
    if not (game_at(game).legal >> action) & 1:
        return False
    apply_action(game_at(game), rules_at(rules), action)
    return True


@kernel
def fill_mask(game: Any, mask_A: Any) -> None:
    """Write the legal actions of the game of a handle as a mask."""
    put_actions(row_at(mask_A, 0), 0, game_at(game).legal)


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
