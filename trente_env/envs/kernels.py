"""Kernels of the AEC environment: one call from Python does one step, what the next seat then observes included.

Python hands them one `DESK`, in which everything else stands: each argument of a call costs time.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trente_env._jit import JIT_ENABLED, handle, kernel, record_at
from trente_env.core.actions import NUM_ACTIONS, put_actions
from trente_env.core.engine import apply_action
from trente_env.core.layout import GAME, PHASE_OVER, RULES, SEAT_VIEW, Rows, allocate
from trente_env.core.rewards import loss_of_game, seat_reward
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view
from trente_env.encoding.sections import PLACES
from trente_env.encoding.state import encode_state
from trente_env.rules import MAX_PLAYERS

ILLEGAL: Final = -1
NEWS: Final = 16
"""In what `step_at` returns: something happened besides the next seat's turn (a round ended, a seat left)."""
IS_OVER: Final = 1 << 16
IS_TRUNCATED: Final = 1 << 17
"""In what `pay_at` returns, besides the seats still at the table: the game is over, by `max_rounds`."""

DESK: Final = np.dtype(
    [
        ("game", "i8"),  # handles (`trente_env._jit.handle`) of what the kernels work on
        ("rules", "i8"),
        ("seat_view", "i8"),  # scratch
        ("places", "i8"),  # layout of the observation
        ("state_places", "i8"),
        ("observation", "i8"),  # written by `look`
        ("mask", "i8"),  # written by `look`
        ("rewards", "f8", (MAX_PLAYERS,)),  # written by `pay_at`
    ]
)
"""What one environment's kernels work on."""

desk_at = record_at(DESK)
game_at = record_at(GAME)
rules_at = record_at(RULES)
view_at = record_at(SEAT_VIEW)
places_at = record_at(PLACES)


def put_on_desk(desk: Rows, **arrays: Any) -> None:
    """Let fields of a desk stand for the first rows of arrays, which must live as long as the desk is used."""
    for name, array in arrays.items():
        if JIT_ENABLED:
            desk[name][0] = handle(array)
        else:
            setattr(desk[0], name, handle(array))


def new_desk() -> Rows:
    """Return an empty desk."""
    return allocate(1, DESK)


@kernel
def seats_at_table(game: Any) -> int:
    """Return the seats that are in or will be asked to buy in (R24), as bits."""
    return 0 + (game.in_game | game.may_buy_in)


@kernel
def members_at(desk_handle: Any) -> int:
    """Return the seats that are in, or will be asked to buy in, as bits."""
    return seats_at_table(game_at(desk_at(desk_handle).game))


@kernel
def look(desk: Any, seat: int) -> None:
    """Write what a seat observes, and its legal actions: none if it is not to move."""
    view = view_at(desk.seat_view)
    fill_view(game_at(desk.game), rules_at(desk.rules), seat, view)
    encode_view(view, places_at(desk.places), desk.observation)
    put_actions(desk.mask, 0, view.legal)


@kernel
def look_at(desk_handle: Any, seat: int) -> None:
    """Write what a seat observes, and its legal actions: none if it is not to move."""
    look(desk_at(desk_handle), seat)


@kernel
def step_at(desk_handle: Any, action: int) -> int:
    """Apply an action and write what the next seat to move observes and may do.

    Returns:
        `ILLEGAL`, and nothing is changed or written; or the next seat to move; or that plus `NEWS` when a round ended
        or a seat left; just `NEWS`, and nothing is written, when the game is over.
    """
    desk = desk_at(desk_handle)
    game = game_at(desk.game)
    if action < 0 or action >= NUM_ACTIONS or not (game.legal >> action) & 1:
        return ILLEGAL
    members = seats_at_table(game)
    apply_action(game, rules_at(desk.rules), action)
    if game.phase == PHASE_OVER:
        return NEWS
    seat = 0 + game.to_move
    look(desk, seat)
    return seat + NEWS if game.step_rounds != 0 or seats_at_table(game) != members else seat


@kernel
def pay_at(desk_handle: Any, kind: int, agents: int) -> int:
    """Write the rewards of the last step for the seats that still are agents.

    By the game ("game", "pot") a seat is paid when it leaves: one that goes out has lost whatever follows, and would
    never hear of it later.

    Returns:
        The seats still at the table, as bits, with `IS_OVER` and `IS_TRUNCATED`.
    """
    desk = desk_at(desk_handle)
    game = game_at(desk.game)
    rules = rules_at(desk.rules)
    members = seats_at_table(game)
    is_over = game.phase == PHASE_OVER
    for seat in range(rules.num_players):
        reward = 0.0
        if (agents >> seat) & 1:
            reward = seat_reward(game, rules, kind, seat)
            if not is_over and not (members >> seat) & 1:
                reward += loss_of_game(game, rules, kind, seat)
        desk.rewards[seat] = reward
    if is_over:
        members |= IS_OVER
    if game.is_truncated:
        members |= IS_TRUNCATED
    return members


@kernel
def state_at(desk_handle: Any, state: Any) -> None:
    """Write the state of the whole game; `state` is a handle too."""
    desk = desk_at(desk_handle)
    encode_state(game_at(desk.game), rules_at(desk.rules), view_at(desk.seat_view), places_at(desk.state_places), state)
