"""Environments can be cloned, copied and pickled at every step, and the copies go on alike."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import wrappers

from tests.envs.driver import choose, shown, steps
from trente_env import trente_et_un_v0
from trente_env.envs.aec import TrenteEtUn

COPIES = {
    "clone": TrenteEtUn.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize("name", ["quebec", "exchange", "buy_in"])
def test_a_copy_at_any_step_takes_the_next_step_alike(name: str, kind: str) -> None:
    """A copy made before any step of a game shows all that the original shows, and after the step again."""
    env = trente_et_un_v0.env(name, 3, reward="pot", starting_lives=1)
    env.reset(seed=31)
    twin = None
    for place, (_, action) in enumerate(steps(env, random.Random(31))):
        if twin is not None:
            assert shown(twin) == shown(env)
        if place >= 60:
            break
        twin = COPIES[kind](env)
        assert type(twin) is TrenteEtUn
        assert shown(twin) == shown(env)
        twin.step(action)


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_plays_to_the_end_alike_and_resets_alike(kind: str) -> None:
    """The continuation is the same to the end, and so is the game after an unseeded reset."""
    env = trente_et_un_v0.env("quebec", 4, dtype="float32", render_mode="ansi")
    env.reset(seed=32)
    for _ in range(7):
        env.step(choose(env, random.Random(32)))
    twin = COPIES[kind](env)
    for _, action in steps(env, random.Random(33)):
        assert twin.render() == env.render()
        twin.step(action)
    assert shown(twin) == shown(env)
    env.reset()
    twin.reset()
    assert shown(twin) == shown(env)


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_is_independent(kind: str) -> None:
    """What is done to a copy leaves the original as it was."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=34)
    before = shown(env)
    twin = COPIES[kind](env)
    for place, _ in enumerate(steps(twin, random.Random(34))):
        if place >= 20:
            break
    assert shown(env) == before


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_samples_alike(kind: str) -> None:
    """The copy's action spaces go on with the same random numbers, independently of the original's."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=35)
    env.action_space("player_0").seed(1)
    twin = COPIES[kind](env)
    samples = [[int(each.action_space("player_0").sample()) for _ in range(10)] for each in (env, twin)]
    assert samples[0] == samples[1]


@pytest.mark.parametrize("kind", COPIES)
def test_a_copy_before_reset(kind: str) -> None:
    """An environment not yet reset can be copied too."""
    twin = COPIES[kind](trente_et_un_v0.env("classic", 3))
    twin.reset(seed=36)
    env = trente_et_un_v0.env("classic", 3)
    env.reset(seed=36)
    assert shown(twin) == shown(env)


@pytest.mark.parametrize("kind", ["deepcopy", "pickle"])
def test_copies_through_pettingzoos_wrappers(kind: str) -> None:
    """Inside PettingZoo's wrappers, deepcopy and pickle keep the position too."""
    env: Any = trente_et_un_v0.raw_env("quebec", 3)
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, -1)))
    env.reset(seed=37)
    twin = None
    for agent in env.agent_iter(25):
        observation, _, terminated, _, _ = env.last()
        action = None if terminated else int(np.flatnonzero(observation["action_mask"])[0])
        twin = COPIES[kind](env)
        env.step(action)
        assert twin.agent_selection == agent
        twin.step(action)
        assert shown(twin.unwrapped) == shown(env.unwrapped)
    assert twin is not None
