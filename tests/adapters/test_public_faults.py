"""Faults of vector environments for learners, each seen in public code: none of them is here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO

from agents.random_agent import RandomPolicy
from train.learner import SelfPlayPPO
from trente_env import IllegalActionError, Rules, preset
from trente_env.adapters.sb3 import SelfPlayVecEnv

DUEL = preset("quebec", num_players=2)
STOPPED = preset("quebec", num_players=2, max_rounds=1)


def games(rules: Rules = DUEL, seed: int = 1, **options: Any) -> SelfPlayVecEnv:
    """Return eight games against a random player."""
    return SelfPlayVecEnv(rules, 8, [RandomPolicy()], seed=seed, **options)


def any_legal(env: SelfPlayVecEnv, dice: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action in every game."""
    masks_BA = env.action_masks()
    return (dice.random(masks_BA.shape) * masks_BA).argmax(axis=1)


@pytest.mark.parametrize("seed", [0, 3])
def test_unseeded_resets_go_on_to_other_games(seed: int) -> None:
    """Fault: a reset without seed deals the same games again, or, after a seed, is not reproducible any more."""
    runs = []
    for _ in range(2):
        env = games(seed=7)
        first = [env.reset().tobytes() for _ in range(3)]
        env.seed(seed)
        runs.append(first + [env.reset().tobytes() for _ in range(3)])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 6


def test_a_seed_given_once_is_used_once() -> None:
    """Fault: the games of a seed depend on what was played, or reset, before it."""
    fresh, used = games(seed=7), games(seed=8)
    for _ in range(3):
        used.reset()
        used.step(any_legal(used, np.random.default_rng(0)))
    for env in (fresh, used):
        env.seed(5)
    for _ in range(2):
        assert fresh.reset().tobytes() == used.reset().tobytes()


@pytest.mark.parametrize("rules", [DUEL, STOPPED])
def test_a_stopped_episode_is_told_as_truncated(rules: Rules) -> None:
    """Fault: a game stopped for its length is a terminal state for the learner, worth nothing from there on (R50)."""
    env, dice = games(rules, episode="game", reward="game"), np.random.default_rng(1)
    env.reset()
    told = set()
    for _ in range(150):
        _, _, dones, infos = env.step(any_legal(env, dice))
        told |= {infos[row]["TimeLimit.truncated"] for row in np.flatnonzero(dones)}
    assert told == {rules is STOPPED}


@pytest.mark.parametrize("rules", [DUEL, STOPPED])
def test_the_learner_credits_what_was_cut(rules: Rules) -> None:
    """Fault: a collecting loop of one's own forgets to count what would have followed a stopped episode (R50)."""
    rewards = []
    for loop in (SelfPlayPPO.collect_rollouts, MaskablePPO.collect_rollouts):
        torch.manual_seed(2)
        model = SelfPlayPPO(
            "MlpPolicy", games(rules, episode="game", reward="game"), n_steps=32, batch_size=64, seed=2, device="cpu"
        )  # fmt: skip
        _, callback = model._setup_learn(256)
        assert loop(model, model.env, callback, model.rollout_buffer, 32)
        rewards.append(model.rollout_buffer.rewards.copy())
    np.testing.assert_allclose(rewards[0], rewards[1], atol=1e-6)
    is_whole = np.isin(rewards[0], (-1, 0, 1))
    assert is_whole.all() == (rules is DUEL), "a guess stands where a game was cut, and only there"


def test_the_last_observation_is_of_the_game_that_ended() -> None:
    """Fault: the terminal observation is the first one of the next game, or is written over by it."""
    env, dice = (
        games(preset("kawu", num_players=2, starting_lives=1), episode="game", reward="game"),
        np.random.default_rng(3),
    )
    env.reset()
    place, kept = env.batch.spec["in_game"], []
    for _ in range(100):
        observations, _, dones, infos = env.step(any_legal(env, dice))
        for row in np.flatnonzero(dones):
            last = infos[row]["terminal_observation"]
            assert last[place].sum() == 1, "one is left"
            assert observations[row][place].sum() == 2
            kept.append((last, last.copy()))
    assert len(kept) > 8
    assert all(np.array_equal(last, as_it_was) for last, as_it_was in kept)


def test_masks_belong_to_the_observations() -> None:
    """Fault: masks are those of another moment, or of another game, than the observations returned."""
    env, dice = games(), np.random.default_rng(4)
    observations = env.reset()
    for _ in range(60):
        for row in range(8):
            game = env.batch.game(row)
            assert env.action_masks()[row].tolist() == game.action_mask().astype(bool).tolist()
            hand = observations[row][env.batch.spec["hand"]]
            assert (env.action_masks()[row][:52] <= hand).all()
        observations, _, _, _ = env.step(any_legal(env, dice))


def test_what_was_returned_is_not_written_again() -> None:
    """Fault: observations, rewards and masks returned are buffers that the next step writes into."""
    env, dice = games(), np.random.default_rng(5)
    kept = [env.reset()]
    for _ in range(20):
        observations, rewards, dones, _ = env.step(any_legal(env, dice))
        kept += [observations, rewards, dones, env.action_masks()]
        if len(kept) == 5:
            copies = [array.copy() for array in kept]
    assert all(np.array_equal(array, as_it_was) for array, as_it_was in zip(kept[:5], copies, strict=True))


def test_a_mask_written_into_makes_nothing_legal() -> None:
    """Fault: the masks handed out are those that the environment judges by."""
    env = games()
    env.reset()
    masks_BA = env.action_masks()
    actions = masks_BA.argmax(axis=1)
    actions[3] = int(np.flatnonzero(~masks_BA[3])[0])
    masks_BA[:] = True
    with pytest.raises(IllegalActionError, match="Game 3"):
        env.step(actions)
