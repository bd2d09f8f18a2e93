"""Our layers: random games recorded once, then replayed through each layer's own calls.

So choosing actions costs nothing anywhere, and all that counts is what a layer does for a decision: legality, the
step, the observation and mask of the next seat, resets, and for AEC environments the dead steps that a user must take
as well (they are not counted as decisions).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import numpy as np

from agents import make
from eval.arena import deal_seeds
from eval.random_play import play_randomly
from eval.runner import play_games
from eval.speed.choice import Chooser
from eval.speed.layer import Layer, Replay, import_quietly
from trente_env.batch import GameBatch
from trente_env.core import calls
from trente_env.core.layout import lower
from trente_env.game import Game
from trente_env.presets import preset as named_rules
from trente_env.rules import Rules

__all__ = ["our_layers", "record_aec"]

BATCH_SIZES: Final = (1, 16, 64, 256, 1_024, 8_192, 65_536)
THREADS: Final = (1, 2)
KERNEL_PRESETS: Final = ("quebec", "classic", "exchange")
LEARNER_BATCH: Final = 1_024
OPPONENTS: Final = ("random", "knock@27")

AEC_DECISIONS: Final = 10_000
GAME_DECISIONS: Final = 20_000
BATCH_DECISIONS: Final = 400_000
LEARNER_DECISIONS: Final = 100_000
FEWEST_STEPS: Final = 20
MOST_STEPS: Final = 20_000
BURN_IN_STEPS: Final = 150
"""Steps before recording a batch, so that its games are not all at the same point."""
KERNEL_GAMES: Final = 64
"""For each thread: few enough to stay in the processor's first cache."""
KERNEL_STEPS: Final = 10_000
MATCH_DEALS: Final = 1_000


def our_layers(rules: Rules, preset: str, seed: int) -> list[Layer]:
    """Return our layers, in the order of the table."""
    aec = "trente_env.trente_et_un_v0"
    options = {"preset": preset, "num_players": rules.num_players}
    one_seat = {"opponents": "random", "illegal": "raise", **options}
    layers = [
        Layer("trente_et_un env()", partial(record_aec, aec, "env", options, AEC_DECISIONS, seed)),
        Layer("trente_et_un raw_env()", partial(record_aec, aec, "raw_env", options, AEC_DECISIONS, seed)),
        Layer("Game.apply and mask (no observation)", partial(_record_game, rules, seed)),
        Layer("Gymnasium env, others random", partial(_record_single, one_seat, seed)),
        Layer(f"Gymnasium vector env of {LEARNER_BATCH:,}, others random", partial(_record_vector, one_seat, seed)),
        *(
            Layer(
                f"OneSeatBatch.decide, batch {LEARNER_BATCH:,}, others {name}",
                partial(_record_one_seat, rules, name, seed),
            )
            for name in OPPONENTS
        ),
        Layer(f"AllSeatsBatch.decide, batch {LEARNER_BATCH:,}", partial(_record_all_seats, rules, seed)),
        Layer("random against random in a match", partial(_record_match, rules, seed)),
    ]
    for threads in THREADS:
        for size in BATCH_SIZES:
            name = _by_threads(f"GameBatch.step, batch {size:,}", threads)
            layers.append(Layer(name, partial(_record_batch, rules, size, threads, seed), size, threads))
    for each in dict.fromkeys([preset, *KERNEL_PRESETS]):
        played = named_rules(each, num_players=rules.num_players)
        for threads in THREADS:
            name = _by_threads(f"random play in the kernel (no observation), {each}", threads)
            layers.append(Layer(name, partial(_record_kernel, played, threads, seed), threads=threads))
    return layers


def _by_threads(name: str, threads: int) -> str:
    return name if threads == 1 else f"{name}, {threads} threads"


def record_aec(module_name: str, kind: str, options: dict[str, Any], decisions: int, seed: int) -> Replay:
    """Record episodes of an AEC environment.

    Args:
        module_name: Module that makes it.
        kind: The function that does: "env" or "raw_env".
        options: Its arguments.
        decisions: How many to record at least.
        seed: What the games follow from.

    Raises:
        ImportError: If it is not installed.
    """
    env = getattr(import_quietly(module_name), kind)(**options)
    chooser = Chooser(seed)
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
                actions.append(chooser.action(observation["action_mask"]))
                count += 1
            env.step(actions[-1])
        episodes.append(actions)
        env.reset()

    def play() -> int:
        last, step, reset = env.last, env.step, env.reset
        reset(seed=seed)
        for actions in episodes:
            for action in actions:
                last()
                step(action)
            reset()
        return count

    return Replay(play)


def _record_game(rules: Rules, seed: int) -> Replay:
    """Record games played one at a time."""
    chooser = Chooser(seed)
    games: list[tuple[int, list[int]]] = []
    count = 0
    while count < GAME_DECISIONS:
        game, actions = Game(rules, len(games)), []
        while not game.is_over:
            actions.append(chooser.action(game.action_mask()))
            game.apply(actions[-1])
        games.append((len(games), actions))
        count += len(actions)

    def play() -> int:
        for game_seed, actions in games:
            game = Game(rules, game_seed)
            apply, action_mask = game.apply, game.action_mask
            for action in actions:
                apply(action)
                action_mask()
        return count

    return Replay(play)


def _num_steps(decisions: int, size: int) -> int:
    return min(MOST_STEPS, max(FEWEST_STEPS, decisions // size))


def _record_batch(rules: Rules, size: int, threads: int, seed: int) -> Replay:
    """Record a batch of games under way."""
    chooser = Chooser(seed)
    batch = GameBatch(rules, size, seed, threads=threads)
    out = batch.reset()
    for _ in range(BURN_IN_STEPS):
        batch.step(chooser.actions(out.masks_BA), out)
    saved = batch.save()
    actions_TB = []
    for _ in range(_num_steps(BATCH_DECISIONS, size)):
        actions_TB.append(chooser.actions(out.masks_BA))
        batch.step(actions_TB[-1], out)

    def play() -> int:
        step = batch.step
        for actions_B in actions_TB:
            step(actions_B, out)
        return size * len(actions_TB)

    return Replay(play, prepare=lambda: batch.restore(saved))


def _record_single(options: dict[str, Any], seed: int) -> Replay:
    """Record episodes of the Gymnasium environment: the learner's decisions, the others' moves inside."""
    env = import_quietly("trente_env.envs.single").OneSeatEnv(**options)
    chooser = Chooser(seed)
    episodes: list[list[int]] = []
    count = 0
    _, info = env.reset(seed=seed)
    while count < AEC_DECISIONS:
        actions: list[int] = []
        is_done = False
        while not is_done:
            actions.append(chooser.action(info["action_mask"]))
            _, _, is_terminated, is_truncated, info = env.step(actions[-1])
            is_done = is_terminated or is_truncated
        episodes.append(actions)
        count += len(actions)
        _, info = env.reset()

    def play() -> int:
        step, reset = env.step, env.reset
        reset(seed=seed)
        for actions in episodes:
            for action in actions:
                step(action)
            reset()
        return count

    return Replay(play)


def _record_vector(options: dict[str, Any], seed: int) -> Replay:
    """Record the Gymnasium vector environment: the learner's decisions, the others' moves inside."""
    module = import_quietly("trente_env.envs.vector")
    envs = module.OneSeatVectorEnv(LEARNER_BATCH, autoreset_mode="SameStep", **options)
    chooser = Chooser(seed)
    _, infos = envs.reset(seed=seed)
    actions_TB = []
    for _ in range(_num_steps(LEARNER_DECISIONS, LEARNER_BATCH)):
        actions_TB.append(chooser.actions(infos["action_mask"]))
        infos = envs.step(actions_TB[-1])[-1]

    def play() -> int:
        step = envs.step
        for actions_B in actions_TB:
            step(actions_B)
        return LEARNER_BATCH * len(actions_TB)

    return Replay(play, prepare=lambda: envs.reset(seed=seed))


def _record_one_seat(rules: Rules, opponent: str, seed: int) -> Replay:
    """Record a learner among policies: its decisions, the others' moves inside."""
    batch = import_quietly("trente_env.envs.one_seat").OneSeatBatch(rules, LEARNER_BATCH, [make(opponent)], seed=seed)
    chooser = Chooser(seed)
    actions_TB = []
    for _ in range(_num_steps(LEARNER_DECISIONS, LEARNER_BATCH)):
        actions_TB.append(chooser.actions(batch.out.masks_BA))
        batch.decide(actions_TB[-1])

    def play() -> int:
        decide = batch.decide
        for actions_B in actions_TB:
            decide(actions_B)
        return LEARNER_BATCH * len(actions_TB)

    return Replay(play, prepare=lambda: batch.begin(seed))


def _record_all_seats(rules: Rules, seed: int) -> Replay:
    """Record self-play into a buffer: every seat's decisions."""
    steps = _num_steps(LEARNER_DECISIONS, LEARNER_BATCH)
    batch = import_quietly("trente_env.envs.all_seats").AllSeatsBatch(rules, LEARNER_BATCH, steps, seed=seed)
    chooser = Chooser(seed)
    actions_TB = []
    for _ in range(steps):
        actions_TB.append(chooser.actions(batch.now.masks_BA))
        batch.decide(actions_TB[-1])

    def play() -> int:
        decide = batch.decide
        for actions_B in actions_TB:
            decide(actions_B)
        return LEARNER_BATCH * steps

    return Replay(play, prepare=lambda: batch.begin(seed))


def _record_match(rules: Rules, seed: int) -> Replay:
    """Play games of the match runner: views, a policy's probabilities, sampling, counting."""
    seeds_G, seats = deal_seeds(seed, MATCH_DEALS), np.zeros((MATCH_DEALS, rules.num_players), np.int64)
    policies = [make("random")]
    return Replay(lambda: int(play_games(policies, seats, seeds_G, rules).decisions_GN.sum()))


def _record_kernel(rules: Rules, threads: int, seed: int) -> Replay:
    """Play in compiled code alone, each thread games of its own."""
    lowered = lower([rules])
    slices = []
    for thread in range(threads):
        games = calls.new_games(KERNEL_GAMES)
        for row, game_seed in enumerate(deal_seeds(seed + thread, KERNEL_GAMES)):
            calls.start_at(games, lowered, row, int(game_seed))
        play_randomly(games, lowered, BURN_IN_STEPS, seed)
        slices.append(games)
    pool = ThreadPoolExecutor(threads)

    def play() -> int:
        if threads == 1:
            return play_randomly(slices[0], lowered, KERNEL_STEPS, seed)
        return sum(pool.map(lambda games: play_randomly(games, lowered, KERNEL_STEPS, seed), slices))

    return Replay(play)
