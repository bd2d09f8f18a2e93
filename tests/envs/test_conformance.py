"""PettingZoo's own tests pass, every warning being an error but the two that a dict observation brings."""

from __future__ import annotations

import random
import re
from functools import partial
from typing import Any

import pettingzoo
import pytest
from pettingzoo.utils import wrappers

from tests.envs.driver import (
    api_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_space_test,
    state_test,
    steps,
)
from trente_env import PRESETS, trente_et_un_v0

SIZES = (2, 4, 7, 9)
TABLES = [(name, num_players) for name in PRESETS for num_players in SIZES] + [("quebec", 3), ("classic", 3)]


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_api(name: str, num_players: int) -> None:
    """PettingZoo's api_test passes at every size of table."""
    api_test(trente_et_un_v0.env(name, num_players), num_cycles=300)


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("name", PRESETS)
def test_api_of_every_preset(name: str, num_players: int) -> None:
    """PettingZoo's api_test passes for every preset, over whole games with few lives or points."""
    short: dict[str, Any] = {"target_points": 3} if name == "quebec_points" else {"starting_lives": 1}
    api_test(trente_et_un_v0.env(name, num_players, **short), num_cycles=300)


@pytest.mark.parametrize(
    "options",
    [
        {"reward": "lives"},
        {"reward": "round"},
        {"reward": "pot"},
        {"reward": "lives", "episode": "round"},
        {"reward": "round", "episode": "round"},
        {"dtype": "float32"},
        {"illegal": "terminate"},
        {"max_players": 9},
        {"max_rounds": 2},
    ],
)
def test_api_with_every_option(options: dict[str, Any]) -> None:
    """PettingZoo's api_test passes with every option of the environment."""
    api_test(trente_et_un_v0.env("quebec", 3, **options), num_cycles=300)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_seed(name: str, num_players: int) -> None:
    """PettingZoo's seed_test passes: the same seed and actions give the same game."""
    seed_test(partial(trente_et_un_v0.env, name, num_players), num_cycles=100)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_render(name: str, num_players: int) -> None:
    """PettingZoo's render_test passes: text for "ansi", nothing returned for "human"."""
    render_test(partial(trente_et_un_v0.env, name, num_players))


@pytest.mark.parametrize("name", ["quebec", "exchange", "quebec_points"])
def test_state(name: str) -> None:
    """PettingZoo's state_test finds the state inside its space all along, illegal actions included."""
    env = trente_et_un_v0.env(name, 4, illegal="terminate")
    state_space_test(env)
    state_test(env, num_cycles=50)


@pytest.mark.slow
def test_performance_benchmark(capsys: pytest.CaptureFixture[str]) -> None:
    """PettingZoo's performance_benchmark plays for its five seconds and says how fast."""
    performance_benchmark(trente_et_un_v0.env("quebec", 4))
    speed = re.search(r"([\d.]+) turns per second", capsys.readouterr().out)
    assert speed is not None
    assert float(speed[1]) > 0


def test_pettingzoos_wrappers_go_around_it() -> None:
    """In the wrappers of PettingZoo's classic environments it passes api_test too."""
    env: Any = wrappers.TerminateIllegalWrapper(trente_et_un_v0.raw_env("classic", 3), illegal_reward=-1)
    api_test(wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env)), num_cycles=200)


def test_it_is_in_pettingzoos_registry() -> None:
    """Where PettingZoo has a registry, `make` finds the environment by its id, with options and without version."""
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has no registry before 1.27")
    env = pettingzoo.make("aec", trente_et_un_v0.REGISTRY_ID, preset="classic", num_players=3)
    assert isinstance(env, trente_et_un_v0.raw_env)
    assert env.rules == PRESETS["classic"].replace(num_players=3)
    assert isinstance(pettingzoo.make("aec", "trente/trente_et_un"), trente_et_un_v0.raw_env)


def test_registering_twice_is_silent() -> None:
    """Running the module's registration again changes nothing and warns of nothing."""
    trente_et_un_v0._register()


def test_metadata_says_what_pettingzoo_asks() -> None:
    """Name, render modes, speed, and that it is no parallel environment."""
    metadata = trente_et_un_v0.raw_env.metadata
    assert metadata["name"] == "trente_et_un_v0" == str(trente_et_un_v0.env())
    assert metadata["render_modes"] == ["human", "ansi"]
    assert metadata["render_fps"] > 0
    assert metadata["is_parallelizable"] is False


def test_spaces_are_the_same_objects_at_every_call() -> None:
    """PettingZoo asks for one space object per agent; action spaces are each agent's own, to seed and sample from."""
    env = trente_et_un_v0.env()
    assert env.possible_agents == ["player_0", "player_1", "player_2", "player_3"]
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
    assert env.action_space("player_0") is not env.action_space("player_1")


@pytest.mark.parametrize("name", PRESETS)
def test_observations_stay_inside_their_space(name: str) -> None:
    """Whatever any agent observes, at any time, is a point of its observation space, and the state one of its own."""
    env = trente_et_un_v0.env(name, 4)
    env.reset(seed=3)
    for place, _ in enumerate(steps(env, random.Random(3))):
        if place >= 150:
            break
        assert all(env.observation_space(agent).contains(env.observe(agent)) for agent in env.possible_agents)
        assert env.state_space.contains(env.state())
