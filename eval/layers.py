"""The layers whose speed is measured: random games recorded once, then replayed through each layer's own calls.

So choosing actions costs nothing anywhere, and all that counts is what a layer does for a decision: legality, the
step, the observation and mask of the next seat, resets, and for AEC environments the dead steps that a user must take
as well (they are not counted as decisions).
"""

from __future__ import annotations

import importlib
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents import make
from eval.arena import deal_seeds
from eval.random_play import play_randomly
from eval.runner import play_games
from trente_env.batch import GameBatch
from trente_env.core import calls
from trente_env.core.layout import lower
from trente_env.game import Game
from trente_env.rules import Rules

__all__ = ["PEER", "Pass", "record_layers"]

AEC_MODULES: Final = (
    ("PettingZoo leduc_holdem", "pettingzoo.classic.leduc_holdem_v4", 4_000),
    ("trente_et_un", "trente_env.trente_et_un_v0", 10_000),
)
"""Name, module with `env` and `raw_env`, decisions recorded. Modules are named, not imported: a peer may be missing,
and none of them is needed to judge a policy."""
PEER: Final = f"{AEC_MODULES[0][0]} env()"
"""The layer that ratios refer to."""
BATCH_SIZES: Final = (1, 1_024, 8_192)
GAME_DECISIONS: Final = 20_000
BATCH_DECISIONS: Final = 400_000
BURN_IN_STEPS: Final = 150
"""Steps before recording a batch, so that its games are not all at the same point."""
KERNEL_GAMES: Final = 1_024
KERNEL_STEPS: Final = 100
MATCH_DEALS: Final = 1_000

Pass = Callable[[], tuple[int, float]]
"""Plays once what was recorded; returns decisions and seconds."""


def record_layers(rules: Rules, preset: str, seed: int) -> tuple[dict[str, Pass], tuple[str, ...]]:
    """Record what each layer will replay; name the peers that are missing."""
    layers: dict[str, Pass] = {}
    missing = []
    for title, module_name, decisions in AEC_MODULES:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a peer's deprecations are not ours to mend
                module = importlib.import_module(module_name)
        except ImportError:
            missing.append(title)
            continue
        options: dict[str, Any] = {}
        if module_name.startswith("trente_env."):
            options = {"preset": preset, "num_players": rules.num_players}
        layers[f"{title} env()"] = _aec(module.env(**options), decisions, seed)
        layers[f"{title} raw_env()"] = _aec(module.raw_env(**options), decisions, seed)
    layers["Game.apply and mask (no observation)"] = _single(rules, seed)
    for size in BATCH_SIZES:
        layers[f"GameBatch.step, batch {size:,}"] = _batched(rules, size, seed)
    layers["random against random in a match"] = _match(rules, seed)
    layers["random play in the kernel (no observation)"] = _kernel(rules, seed)
    return layers, tuple(missing)


def _random_legal(masks_BA: NDArray[np.int8], generator: np.random.Generator) -> NDArray[np.int64]:
    """Choose a legal action for each row; 0 where there is none."""
    chosen_B: NDArray[np.int64] = (generator.random(masks_BA.shape) * masks_BA).argmax(axis=1)
    return chosen_B


def _aec(env: Any, decisions: int, seed: int) -> Pass:  # any AEC environment
    """Record episodes of an AEC environment."""
    generator = np.random.default_rng(seed)
    episodes: list[list[int | None]] = []
    count = 0
    env.reset(seed=seed)
    while count < decisions:
        actions: list[int | None] = []
        while env.agents:
            observation, _, is_terminated, is_truncated, _ = env.last()
            if is_terminated or is_truncated:
                actions.append(None)
            else:
                actions.append(int(_random_legal(observation["action_mask"][None], generator)[0]))
                count += 1
            env.step(actions[-1])
        episodes.append(actions)
        env.reset()

    def play_once() -> tuple[int, float]:
        last, step, reset = env.last, env.step, env.reset
        start = time.process_time()
        reset(seed=seed)
        for actions in episodes:
            for action in actions:
                last()
                step(action)
            reset()
        return count, time.process_time() - start

    return play_once


def _single(rules: Rules, seed: int) -> Pass:
    """Record games played one at a time."""
    generator = np.random.default_rng(seed)
    games: list[tuple[int, list[int]]] = []
    count = 0
    while count < GAME_DECISIONS:
        game, actions = Game(rules, len(games)), []
        while not game.is_over:
            actions.append(int(_random_legal(game.action_mask()[None], generator)[0]))
            game.apply(actions[-1])
        games.append((len(games), actions))
        count += len(actions)

    def play_once() -> tuple[int, float]:
        start = time.process_time()
        for game_seed, actions in games:
            game = Game(rules, game_seed)
            apply, action_mask = game.apply, game.action_mask
            for action in actions:
                apply(action)
                action_mask()
        return count, time.process_time() - start

    return play_once


def _batched(rules: Rules, size: int, seed: int) -> Pass:
    """Record a batch of games under way."""
    generator = np.random.default_rng(seed)
    batch = GameBatch(rules, size, seed)
    out = batch.reset()
    for _ in range(BURN_IN_STEPS):
        batch.step(_random_legal(out.masks_BA, generator), out)
    saved = batch.save()
    actions_TB = []
    for _ in range(max(20, BATCH_DECISIONS // size) if size > 1 else GAME_DECISIONS):
        actions_TB.append(_random_legal(out.masks_BA, generator))
        batch.step(actions_TB[-1], out)

    def play_once() -> tuple[int, float]:
        batch.restore(saved)
        step = batch.step
        start = time.process_time()
        for actions_B in actions_TB:
            step(actions_B, out)
        return size * len(actions_TB), time.process_time() - start

    return play_once


def _match(rules: Rules, seed: int) -> Pass:
    """Play games of the match runner: views, a policy's probabilities, sampling, counting."""
    seeds_G, seats = deal_seeds(seed, MATCH_DEALS), np.zeros((MATCH_DEALS, rules.num_players), np.int64)
    policies = [make("random")]

    def play_once() -> tuple[int, float]:
        start = time.process_time()
        tallies = play_games(policies, seats, seeds_G, rules)
        return int(tallies.decisions_GN.sum()), time.process_time() - start

    return play_once


def _kernel(rules: Rules, seed: int) -> Pass:
    """Play in compiled code alone."""
    games, lowered = calls.new_games(KERNEL_GAMES), lower([rules])
    for row, game_seed in enumerate(deal_seeds(seed, KERNEL_GAMES)):
        calls.start_at(games, lowered, row, int(game_seed))
    play_randomly(games, lowered, BURN_IN_STEPS, seed)

    def play_once() -> tuple[int, float]:
        start = time.process_time()
        count = play_randomly(games, lowered, KERNEL_STEPS, seed)
        return count, time.process_time() - start

    return play_once
