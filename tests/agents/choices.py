"""What an agent chooses in a game: asked for once, by name."""

from __future__ import annotations

from functools import cache

import numpy as np

import agents
from trente_env import Game
from trente_env.policy import Policy

NAMES = ("random", "greedy", "knock@27", "adaptive", "seeds")
"""One of every kind that plays without having learned."""


@cache
def policy(name: str) -> Policy:
    """Return the policy of a name, made once."""
    return agents.make(name)


def weights(name: str, game: Game) -> dict[str, float]:
    """Return the actions to which an agent gives weight, by action name."""
    seat = game.seat_to_move
    assert seat is not None
    row = policy(name).probabilities(game.views(seat), game.action_mask()[np.newaxis])[0]
    return {game.action_name(action): float(row[action]) for action in np.flatnonzero(row)}


def choose(name: str, game: Game) -> str:
    """Return the one action that an agent chooses."""
    ((action, weight),) = weights(name, game).items()
    assert weight == 1.0
    return action
