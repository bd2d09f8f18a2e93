"""Kernels of the AEC environment: one call from Python does one step, what the next seat then observes included."""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.engine import apply_action, legal_actions
from trente_env.core.layout import PHASE_OVER
from trente_env.core.rewards import loss_of_game, seat_reward
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view
from trente_env.encoding.state import encode_state

ILLEGAL: Final = -1
NEWS: Final = 16
"""In what `step_at` returns: something happened besides the next seat's turn (a round ended, a seat left)."""
IS_OVER: Final = 1 << 16
IS_TRUNCATED: Final = 1 << 17
"""In what `pay_at` returns, besides the seats still at the table: the game is over, by `max_rounds`."""


@kernel
def seats_at_table(game: Any) -> int:
    """Return the seats that are in or will be asked to buy in (R24), as bits."""
    return 0 + (game.in_game | game.may_buy_in)


@kernel
def members_at(games: Any) -> int:
    """Return the seats that are in, or will be asked to buy in, as bits."""
    return seats_at_table(games[0])


@kernel
def look_at(games: Any, rules: Any, seat: int, views: Any, seats: int, offsets: Any, out_S: Any, mask_A: Any) -> None:
    """Write what a seat observes, and its legal actions: none if it is not to move. `views` is scratch, one row."""
    view = views[0]
    fill_view(games[0], rules[0], seat, view)
    encode_view(view, seats, offsets, out_S.reshape((1, out_S.shape[0])), 0)
    legal = view.legal
    for action in range(NUM_ACTIONS):
        mask_A[action] = (legal >> action) & 1


@kernel
def step_at(games: Any, rules: Any, action: int, views: Any, seats: int, offsets: Any, out_S: Any, mask_A: Any) -> int:
    """Apply an action, 0 to 61, and write what the next seat to move observes and may do.

    Returns:
        `ILLEGAL`, and nothing is changed or written; or the next seat to move; or that plus `NEWS` when a round ended
        or a seat left; just `NEWS`, and nothing is written, when the game is over.
    """
    game = games[0]
    if not (legal_actions(game, rules[0]) >> action) & 1:
        return ILLEGAL
    members = seats_at_table(game)
    apply_action(game, rules[0], action)
    if game.phase == PHASE_OVER:
        return NEWS
    seat = 0 + game.to_move
    look_at(games, rules, seat, views, seats, offsets, out_S, mask_A)
    return seat + NEWS if game.step_rounds != 0 or seats_at_table(game) != members else seat


@kernel
def pay_at(games: Any, rules: Any, kind: int, agents: int, rewards_N: Any) -> int:
    """Write the rewards of the last step for the seats that still are agents.

    By the game ("game", "pot") a seat is paid when it leaves: one that goes out has lost whatever follows, and would
    never hear of it later.

    Returns:
        The seats still at the table, as bits, with `IS_OVER` and `IS_TRUNCATED`.
    """
    game = games[0]
    members = seats_at_table(game)
    is_over = game.phase == PHASE_OVER
    for seat in range(rules[0].num_players):
        reward = 0.0
        if (agents >> seat) & 1:
            reward = seat_reward(game, rules[0], kind, seat)
            if not is_over and not (members >> seat) & 1:
                reward += loss_of_game(game, rules[0], kind, seat)
        rewards_N[seat] = reward
    if is_over:
        members |= IS_OVER
    if game.is_truncated:
        members |= IS_TRUNCATED
    return members


@kernel
def state_at(games: Any, rules: Any, views: Any, seats: int, offsets: Any, out_S: Any) -> None:
    """Write the state of the whole game."""
    encode_state(games[0], rules[0], views[0], seats, offsets, out_S.reshape((1, out_S.shape[0])), 0)
