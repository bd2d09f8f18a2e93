"""Other libraries' card games, played as ours are: at random, recorded once, with observation and legal actions."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from eval.speed.choice import Chooser
from eval.speed.layer import Layer, Replay, import_quietly
from eval.speed.layers import record_aec

__all__ = ["PEER", "REMEDIES", "peers"]

LEDUC: Final = "PettingZoo leduc_holdem"
PEER: Final = f"{LEDUC} env()"
"""The layer that ratios refer to."""
LEDUC_DECISIONS: Final = 4_000
GIN_DECISIONS: Final = 4_000
PGX_BATCH: Final = 8_192
PGX_STEPS: Final = 30
REMEDIES: Final = {
    LEDUC: "pip install 'trente-env[bench]'",
    "RLCard gin-rummy": "pip install 'trente-env[bench]'",
    "OpenSpiel gin_rummy": "pip install open_spiel",
    "Pgx leduc_holdem": "pip install pgx",
}
"""What to install for a peer that is missing, by how its layers' names begin."""


def peers(seed: int) -> list[Layer]:
    """Return other libraries' layers, whether they are installed or not."""
    leduc = partial(record_aec, "pettingzoo.classic.leduc_holdem_v4")
    return [
        Layer(PEER, partial(leduc, "env", {}, LEDUC_DECISIONS, seed), is_peer=True),
        Layer(f"{LEDUC} raw_env()", partial(leduc, "raw_env", {}, LEDUC_DECISIONS, seed), is_peer=True),
        Layer("RLCard gin-rummy", partial(_record_rlcard, seed), is_peer=True),
        Layer("OpenSpiel gin_rummy", partial(_record_openspiel, seed), is_peer=True),
        Layer(f"Pgx leduc_holdem, batch {PGX_BATCH:,}", partial(_record_pgx, seed), is_peer=True),
    ]


def _record_rlcard(seed: int) -> Replay:
    """Record gin rummy by RLCard's own calls: a step returns observation and legal actions."""
    env: Any = import_quietly("rlcard").make("gin-rummy", config={"seed": seed})
    chooser = Chooser(seed)
    episodes: list[list[int]] = []
    count = 0
    env.seed(seed)
    while count < GIN_DECISIONS:
        state, _ = env.reset()
        actions: list[int] = []
        while not env.is_over():
            actions.append(int(chooser.one_of(list(state["legal_actions"]))))
            state, _ = env.step(actions[-1])
        episodes.append(actions)
        count += len(actions)

    def play() -> int:
        for actions in episodes:
            env.reset()
            for action in actions:
                env.step(action)
        return count

    return Replay(play, prepare=lambda: env.seed(seed))


def _record_openspiel(seed: int) -> Replay:
    """Record gin rummy by OpenSpiel: observation and mask as arrays at each decision."""
    game: Any = import_quietly("pyspiel").load_game("gin_rummy")
    chooser = Chooser(seed)
    episodes: list[list[tuple[bool, int]]] = []
    count = 0
    while count < GIN_DECISIONS:
        state = game.new_initial_state()
        steps: list[tuple[bool, int]] = []
        while not state.is_terminal():
            is_chance = state.is_chance_node()  # a card dealt, all alike
            action = chooser.one_of(state.legal_actions())
            steps.append((is_chance, action))
            state.apply_action(action)
            count += not is_chance
        episodes.append(steps)

    def play() -> int:
        for steps in episodes:
            state = game.new_initial_state()
            for is_chance, action in steps:
                if not is_chance:
                    np.asarray(state.observation_tensor(), np.float32)
                    np.asarray(state.legal_actions_mask(), np.int8)
                state.apply_action(action)
        return count

    return Replay(play)


def _record_pgx(seed: int) -> Replay:
    """Record a batch of Leduc hold'em by Pgx, compiled by JAX, finished games begun anew in the same step."""
    jax: Any = import_quietly("jax")
    pgx: Any = import_quietly("pgx")
    env = pgx.make("leduc_holdem")
    begin = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(import_quietly("pgx.experimental").auto_reset(env.step, env.init)))
    keys_B = jax.random.split(jax.random.PRNGKey(seed), PGX_BATCH)
    first = state = begin(keys_B)
    chooser = Chooser(seed)
    actions_TB = []
    for _ in range(PGX_STEPS):
        masks_BA = np.asarray(state.legal_action_mask).astype(np.int8)
        actions_TB.append(jax.numpy.asarray(chooser.actions(masks_BA).astype(np.int32)))
        state = step(state, actions_TB[-1], keys_B)

    def play() -> int:
        state = first
        for actions_B in actions_TB:
            state = step(state, actions_B, keys_B)
        jax.block_until_ready(state)
        return PGX_BATCH * PGX_STEPS

    return Replay(play)
