"""Playing the environment in tests: legal steps drawn from a seed, and everything an environment shows, to compare."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from trente_env import Game
from trente_env.envs.aec import TrenteEtUn

with warnings.catch_warnings():
    # Where pygame is installed, PettingZoo's tests import environments of its own by a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
    from pettingzoo.test.state_test import test_state as state_test
    from pettingzoo.test.state_test import test_state_space as state_space_test

__all__ = [
    "api_test",
    "choose",
    "performance_benchmark",
    "put",
    "render_test",
    "seed_test",
    "shown",
    "state_space_test",
    "state_test",
    "steps",
]


def choose(env: TrenteEtUn, dice: random.Random) -> int | None:
    """Choose an action of the agent selected: a legal one, or None if it is done."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return int(dice.choice(np.flatnonzero(env.infos[agent]["action_mask"]).tolist()))


def steps(env: TrenteEtUn, dice: random.Random) -> Iterator[tuple[str, int | None]]:
    """Yield (agent, the action it is about to take) until every agent is done; then take the action."""
    for agent in env.agent_iter():
        action = choose(env, dice)
        yield agent, action
        env.step(action)


def shown(env: TrenteEtUn) -> dict[str, Any]:
    """Return everything an environment shows, as plain values that compare."""
    return {
        "agents": list(env.agents),
        "selected": env.agent_selection,
        "rewards": dict(env.rewards),
        "cumulative": dict(env._cumulative_rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: info["action_mask"].tolist() for agent, info in env.infos.items()},
        "observations": {
            agent: {name: array.tolist() for name, array in env.observe(agent).items()} for agent in env.possible_agents
        },
        "state": env.state().tolist(),
        "game": env.game.to_bytes(),
    }


def put(env: TrenteEtUn, game: Game) -> TrenteEtUn:
    """Have an environment play on from a position."""
    env.reset(options={"position": game})
    return env
