"""Everything one seat can get hold of in a position, channel by channel, and where two positions differ in it.

Not meant for a seat, so free to differ, are what a spectator or a referee asks for: `Game.describe()` without a seat,
`Game.hands` and its like, and the environment's `state()` and `game`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import make
from agents.learned import checkpoint as files
from tests.play import observe
from trente_env import Game, GameBatch, Rules
from trente_env.encoding.sections import observation_spec
from trente_env.envs.aec import TrenteEtUn
from trente_env.policy import Policy, policy_names
from trente_env.rules import MAX_PLAYERS

ARGUMENTS = {"knock": ("knock@21", "knock@28")}
"""Names of policies that take an argument; "file" is given a folder of its own."""
HIDDEN_UNITS = (8,)
"""The network of the learned policy: its weights are noise, so that it looks at everything."""


@dataclass(frozen=True)
class Table:
    """Where positions of some rules are looked at."""

    env: TrenteEtUn
    """An environment, reset to each position."""
    batch: GameBatch
    """A batch of one game, put back to each position."""
    policies: tuple[Policy, ...]
    """Whose probabilities are compared."""


def table_for(rules: Rules, folder: Path) -> Table:
    """Return a table with every registered policy, a learned one among them, saved in `folder` and read again."""
    folder /= rules.fingerprint
    save_noise(rules, folder)
    names = [name for head in policy_names() for name in ARGUMENTS.get(head, (head,)) if head != "file"]
    names += [f"file:{folder}", f"file:{folder}?greedy"]
    env = TrenteEtUn(rules=rules, num_players=None, render_mode="ansi")
    return Table(env, GameBatch(rules, 1), tuple(make(name) for name in names))


def save_noise(rules: Rules, folder: Path) -> None:
    """Save a network of random weights, trained on nothing, for some rules."""
    spec = observation_spec(rules.num_players)
    dice = np.random.default_rng(5)
    weights = {
        name: dice.normal(size=shape).astype(np.float32)
        for name, shape in files.expected_shapes(spec, HIDDEN_UNITS).items()
    }
    files.save(folder, files.Checkpoint(rules, spec, HIDDEN_UNITS, weights))


def plain(value: Any) -> Any:
    """Return a value in a form that compares to the last bit, arrays and dictionaries at any depth included."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def shown(game: Game, seat: int, table: Table) -> dict[str, Any]:
    """Return all that a seat is shown of a position, by channel; to the seat to move, also what it may and would do."""
    seen: dict[str, Any] = {
        "view": game.views(seat).tobytes(),
        "observation": plain(observe(game, seat)),
        "observation at the largest table": plain(observe(game, seat, MAX_PLAYERS)),
        "text": game.describe(seat),
    }
    if seat == game.seat_to_move:
        seen["mask"] = plain(game.action_mask())
        seen["actions"] = [game.action_name(action) for action in game.legal_actions()]
        seen |= shown_by_batch(game, table.batch)
        masks_BA = game.action_mask()[np.newaxis]
        for policy in table.policies:
            name, _, folder = policy.name.partition(":")
            kind = f"policy {name}{'?greedy' if folder.endswith('?greedy') else ''}"
            seen[kind] = plain(policy.probabilities(game.views(seat), masks_BA))
    if not game.is_over:
        table.env.reset(seed=0, options={"position": game})
        seen |= shown_by_env(table.env, seat)
    return seen


def shown_by_batch(game: Game, batch: GameBatch) -> dict[str, Any]:
    """Return what a batch shows the seat to move."""
    batch.restore(game.to_array())
    out = batch.arrays()
    batch.look(out)
    views_B, masks_BA = batch.views(np.zeros(1, np.int64))
    return {
        "batch observation": plain(out.observations_BS),
        "batch mask": plain(out.masks_BA),
        "batch view": plain(views_B),
        "batch view's mask": plain(masks_BA),
    }


def shown_by_env(env: TrenteEtUn, seat: int) -> dict[str, Any]:
    """Return what an environment shows one agent, whether or not it is selected."""
    agent = env.possible_agents[seat]
    seen: dict[str, Any] = {
        "env agents": (list(env.agents), env.agent_selection),
        "env observe": plain(env.observe(agent)),
        "env info": plain(env.infos.get(agent)),
        "env reward": env.rewards.get(agent),
        "env flags": (env.terminations.get(agent), env.truncations.get(agent)),
    }
    if agent == env.agent_selection:
        seen["env last"] = plain(env.last())
        seen["env render"] = env.render()
    return seen


def differing(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the channels in which a seat can tell two positions apart."""
    return sorted(key for key in one.keys() | other.keys() if one.get(key) != other.get(key))
