"""What the environment can be made with, and how nonsense is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from trente_env import (
    InvalidOptionError,
    InvalidRulesError,
    TrenteError,
    UnknownNameError,
    errors,
    preset,
    trente_et_un_v0,
)


def test_defaults_are_quebec_for_four() -> None:
    """env() is a whole game of quebec at four players with the game reward."""
    env = trente_et_un_v0.env()
    assert env.rules == preset("quebec", num_players=4)
    assert (env.reward, env.episode, env.render_mode) == ("game", "game", None)


def test_rules_come_from_a_preset_with_changes() -> None:
    """Any field of Rules can be changed by name."""
    env = trente_et_un_v0.env("classic", 3, starting_lives=5, grace=False)
    assert env.rules == preset("classic", num_players=3, starting_lives=5, grace=False)


def test_rules_can_be_given_whole() -> None:
    """A Rules object stands in for a preset, its own number of players included."""
    rules = preset("exchange", num_players=5)
    env = trente_et_un_v0.env(rules=rules)
    assert env.rules == rules
    assert len(env.possible_agents) == 5


def test_raw_env_takes_the_same_options() -> None:
    """raw_env is the class, and env makes one."""
    assert isinstance(trente_et_un_v0.env(), trente_et_un_v0.raw_env)
    assert trente_et_un_v0.raw_env("kawu", 2, "lives", "round").rules == preset("kawu", num_players=2)


@pytest.mark.parametrize("reward", ["game", "pot"])
def test_a_round_has_no_winner(reward: str) -> None:
    """episode="round" goes with the rewards that a round has; the message names them."""
    with pytest.raises(InvalidOptionError, match="'lives', 'round'"):
        trente_et_un_v0.env(reward=reward, episode="round")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"preset": "quebeck"}, UnknownNameError),
        ({"reward": "money"}, UnknownNameError),
        ({"episode": "hand"}, InvalidOptionError),
        ({"dtype": "float64"}, InvalidOptionError),
        ({"illegal": "ignore"}, InvalidOptionError),
        ({"render_mode": "rgb_array"}, InvalidOptionError),
        ({"max_players": 3}, InvalidOptionError),
        ({"max_players": 10}, InvalidOptionError),
        ({"max_players": 4.5}, InvalidOptionError),
        ({"num_players": 99}, InvalidRulesError),
        ({"three_of_a_kind": 3}, InvalidRulesError),
        ({"lifes": 3}, InvalidRulesError),
        ({"rules": "quebec"}, InvalidOptionError),
        ({"rules": preset("quebec"), "grace": False}, InvalidOptionError),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], error: type[TrenteError]) -> None:
    """Each option that cannot be raises a typed error."""
    with pytest.raises(error):
        trente_et_un_v0.env(**options)


@pytest.mark.parametrize("ask", ["observe", "observation_space", "action_space"])
def test_an_unknown_agent_is_named(ask: str) -> None:
    """Asking for an agent that does not exist lists those that do."""
    env = trente_et_un_v0.env("quebec", 2)
    env.reset(seed=1)
    with pytest.raises(UnknownNameError, match="player_0, player_1"):
        getattr(env, ask)("player_2")


def test_an_illegal_action_is_the_engines_error() -> None:
    """The message says what is not legal, for whom, in which phase, and what is."""
    env = trente_et_un_v0.env("quebec", 2)
    env.reset(seed=1)
    with pytest.raises(
        errors.IllegalActionError, match=r"not legal for seat \d in phase DRAW.*Legal: draw, take, knock"
    ):
        env.step(61)


def test_import_stays_light() -> None:
    """`import trente_env` loads neither PettingZoo nor Gymnasium; the environment's module loads both."""
    program = (
        "import sys, trente_env; print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules);"
        "from trente_env import trente_et_un_v0; print('pettingzoo' in sys.modules, 'gymnasium' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False", "False", "True", "True"]
