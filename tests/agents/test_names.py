"""Agents by name: what is found, what is refused and how, and that agents survive pickling."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

import agents
from tests.agents.choices import NAMES
from trente_env.errors import InvalidOptionError, UnknownNameError
from trente_env.policy import Policy


@pytest.mark.parametrize("name", [*NAMES, "knock@30.5", "knock@2", "knock@41"])
def test_an_agents_name_makes_it_again(name: str) -> None:
    """A policy is called by the name that made it, so tables can be read back."""
    policy = agents.make(name)
    assert isinstance(policy, Policy)
    assert policy.name == name
    assert agents.make(policy.name) == policy


def test_equal_thresholds_have_one_name() -> None:
    """27 and 27.0 points are the same player."""
    assert agents.make("knock@27.0") == agents.make("knock@27")


def test_a_policy_is_returned_as_it_is() -> None:
    """Where a name is taken, so is an object."""
    policy = agents.make("greedy")
    assert agents.make(policy) is policy


@pytest.mark.parametrize("name", NAMES)
def test_agents_can_be_pickled(name: str) -> None:
    """Agents can be sent to worker processes."""
    policy = agents.make(name)
    assert pickle.loads(pickle.dumps(policy)) == policy


def test_every_agent_is_listed() -> None:
    """`names` lists the heads of all names."""
    assert {"adaptive", "file", "greedy", "knock", "random", "seeds"} <= set(agents.names())


@pytest.mark.parametrize("name", ["nock@27", "Random", "", "knock-27"])
def test_a_wrong_name_lists_the_right_ones(name: str) -> None:
    """The message names what was asked for, every agent, and how a threshold is written."""
    with pytest.raises(UnknownNameError) as caught:
        agents.make(name)
    message = str(caught.value)
    assert repr(name) in message
    for known in ("adaptive", "greedy", "random", "seeds", "knock@27", "file:runs/"):
        assert known in message
    assert "entry-point group 'trente_env.agents'" in message


@pytest.mark.parametrize("name", ["knock", "knock@", "knock@x", "knock@1.5", "knock@41.5", "knock@27.3", "knock@nan"])
def test_a_threshold_no_hand_can_have_is_refused(name: str) -> None:
    """T must be whole or half points from 2 to 41; the message says so and gives an example."""
    with pytest.raises(InvalidOptionError, match=r"from 2 to 41, as in 'knock@27' or 'knock@30.5'"):
        agents.make(name)


@pytest.mark.parametrize("name", ["random", "greedy", "adaptive", "seeds"])
def test_an_argument_for_nothing_is_refused(name: str) -> None:
    """An agent that takes no argument says so instead of ignoring one."""
    with pytest.raises(InvalidOptionError, match=f"write '{name}' alone"):
        agents.make(f"{name}@3")


def test_agents_are_light_to_import() -> None:
    """Neither importing the package nor making a heuristic loads torch."""
    program = "import sys, agents; agents.make('adaptive'); print('torch' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["False"]
