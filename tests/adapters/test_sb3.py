"""`SelfPlayVecEnv`: what Stable-Baselines3 is promised."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.random_agent import RandomPolicy
from trente_env import NotResetError, preset
from trente_env.adapters.sb3 import SelfPlayVecEnv

RULES = preset("quebec", num_players=2)


@pytest.fixture
def env() -> SelfPlayVecEnv:
    """Return eight games against a random player."""
    return SelfPlayVecEnv(RULES, 8, [RandomPolicy()], seed=1)


def legal(env: SelfPlayVecEnv, random: np.random.Generator) -> np.ndarray:
    """Draw a legal action in every game."""
    masks_BA = env.action_masks()
    return (random.random(masks_BA.shape) * masks_BA).argmax(axis=1)


def test_spaces_and_arrays_agree(env: SelfPlayVecEnv) -> None:
    """Observations lie in the space, masks allow something, arrays have the types that the library expects."""
    assert env.action_space == spaces.Discrete(62)
    random = np.random.default_rng(0)
    observations = env.reset()
    for _ in range(60):
        assert observations.dtype == np.int8
        assert all(env.observation_space.contains(row) for row in observations)
        assert env.action_masks().any(axis=1).all()
        observations, rewards, dones, infos = env.step(legal(env, random))
        assert (rewards.dtype, dones.dtype, len(infos)) == (np.float32, np.bool_, 8)


def test_masks_reach_the_library(env: SelfPlayVecEnv) -> None:
    """sb3-contrib finds the masks, and they are those of the observations' games."""
    env.reset()
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), env.action_masks())
    np.testing.assert_array_equal(env.env_method("action_masks", indices=[3])[0], env.action_masks()[3])


def test_infos_tell_of_episodes_that_ended(env: SelfPlayVecEnv) -> None:
    """Where an episode ends, info has its last observation, its return and its length; elsewhere it is empty."""
    random = np.random.default_rng(2)
    env.reset()
    returns, lengths, ended = np.zeros(8), np.zeros(8, np.int64), 0
    for _ in range(100):
        _, rewards, dones, infos = env.step(legal(env, random))
        returns += rewards
        lengths += 1
        for row in range(8):
            if not dones[row]:
                assert infos[row] == {}
                continue
            ended += 1
            assert infos[row]["episode"] == {"r": pytest.approx(returns[row]), "l": lengths[row]}
            assert env.observation_space.contains(infos[row]["terminal_observation"])
            assert not infos[row]["TimeLimit.truncated"]
            returns[row], lengths[row] = 0, 0
    assert ended > 50


def test_observations_handed_out_are_not_written_again(env: SelfPlayVecEnv) -> None:
    """What a step returned keeps its numbers through the next steps."""
    random = np.random.default_rng(3)
    observations = env.reset()
    kept = observations.copy()
    for _ in range(5):
        env.step(legal(env, random))
    np.testing.assert_array_equal(observations, kept)


def test_reset_after_seed_repeats_itself(env: SelfPlayVecEnv) -> None:
    """The same seed gives the same games, another one others."""
    env.seed(5)
    first = env.reset()
    env.step(legal(env, np.random.default_rng(0)))
    env.seed(5)
    np.testing.assert_array_equal(env.reset(), first)
    env.seed(6)
    assert (env.reset() != first).any()


def test_stepping_twice_needs_actions_twice(env: SelfPlayVecEnv) -> None:
    """`step_wait` without actions is refused."""
    env.reset()
    with pytest.raises(NotResetError, match="step_wait"):
        env.step_wait()


def test_attributes_are_shared_by_all_games(env: SelfPlayVecEnv) -> None:
    """The library's access to attributes and wrappers works for all games or for some."""
    assert env.get_attr("rules", indices=[0, 1]) == [RULES, RULES]
    env.set_attr("render_mode", "ansi")
    assert env.get_attr("render_mode") == ["ansi"] * 8
    assert env.env_is_wrapped(object) == [False] * 8


def test_the_librarys_own_learner_runs_on_it() -> None:
    """Plain MaskablePPO with its own policy takes an update."""
    env = SelfPlayVecEnv(RULES, 16, [RandomPolicy()])
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=128, n_epochs=1, gamma=1.0, device="cpu")
    model.learn(256)
    assert model.num_timesteps == 256
