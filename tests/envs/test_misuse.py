"""Misuse, side by side: an environment without checks in PettingZoo's wrappers, and this one, which has them inside."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tests.envs.driver import choose, shown
from trente_env import (
    GameOverError,
    IllegalActionError,
    NotResetError,
    NotSteppedError,
    TrenteError,
    UnknownNameError,
    trente_et_un_v0,
)

LENGTH = 6


class Unchecked(AECEnv[str, Any, Any]):
    """Two agents by turns, any action, over after a few steps: written as PettingZoo's tutorial has it."""

    metadata = {"name": "unchecked", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self) -> None:
        """Name the agents and the spaces."""
        super().__init__()
        self.render_mode = "ansi"
        self.possible_agents = ["player_0", "player_1"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.MultiBinary(62))
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(62))
        self.state_space = spaces.MultiBinary(62)

    def observation_space(self, agent: str) -> Any:
        """Return the space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin."""
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": np.ones(62, np.int8)} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.count = 0

    def step(self, action: Any) -> None:
        """Let the agent selected act."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.count += 1
        self.agent_selection = self.possible_agents[self.count % 2]
        if self.count == LENGTH:
            self.terminations = dict.fromkeys(self.agents, True)

    def observe(self, agent: str) -> Any:
        """Return what there is to see."""
        return self.infos[agent]["action_mask"]

    def state(self) -> Any:
        """Return the same."""
        return np.ones(62, np.int8)

    def render(self) -> str:
        """Write how far it has come."""
        return str(self.count)


def wrapped() -> Any:
    """Return the environment without checks in the wrappers that check."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(Unchecked()))


def ours() -> Any:
    """Return this project's environment, a short game of two."""
    return trente_et_un_v0.env("quebec", 2, starting_lives=1, grace=False, render_mode="ansi")


def begin(env: Any) -> None:
    """Reset and go two steps into the game."""
    env.reset(seed=1)
    for _ in range(2):
        env.step(choose(env, random.Random(1)))


def go_to_a_none_step(env: Any) -> None:
    """Play until an agent is done and still has its None step."""
    env.reset(seed=1)
    dice = random.Random(1)
    while (action := choose(env, dice)) is not None:
        env.step(action)


def play_out(env: Any) -> None:
    """Play until no agent is left."""
    go_to_a_none_step(env)
    while env.agents:
        env.step(None)


def leave_fresh(env: Any) -> None:
    """Do nothing: the environment has never been reset."""


def loop_without_a_step(env: Any) -> None:
    """Ask a loop for the second agent without having stepped."""
    agents = iter(env.agent_iter())
    next(agents)
    next(agents)


MISUSES: dict[str, tuple[Callable[[Any], None], Callable[[Any], Any], type[Exception], type[TrenteError]]] = {
    "agents before reset": (leave_fresh, lambda env: env.agents, AttributeError, NotResetError),
    "num_agents before reset": (leave_fresh, lambda env: env.num_agents, AttributeError, NotResetError),
    "agent_selection before reset": (leave_fresh, lambda env: env.agent_selection, AttributeError, NotResetError),
    "rewards before reset": (leave_fresh, lambda env: env.rewards, AttributeError, NotResetError),
    "terminations before reset": (leave_fresh, lambda env: env.terminations, AttributeError, NotResetError),
    "truncations before reset": (leave_fresh, lambda env: env.truncations, AttributeError, NotResetError),
    "infos before reset": (leave_fresh, lambda env: env.infos, AttributeError, NotResetError),
    "last before reset": (leave_fresh, lambda env: env.last(), AttributeError, NotResetError),
    "step before reset": (leave_fresh, lambda env: env.step(0), AssertionError, NotResetError),
    "observe before reset": (leave_fresh, lambda env: env.observe("player_0"), AssertionError, NotResetError),
    "state before reset": (leave_fresh, lambda env: env.state(), AssertionError, NotResetError),
    "render before reset": (leave_fresh, lambda env: env.render(), AssertionError, NotResetError),
    "agent_iter before reset": (leave_fresh, lambda env: env.agent_iter(), AssertionError, NotResetError),
    "an action too large": (begin, lambda env: env.step(62), AssertionError, IllegalActionError),
    "an action below 0": (begin, lambda env: env.step(-1), AssertionError, IllegalActionError),
    "an action of 100 bits": (begin, lambda env: env.step(2**100), AssertionError, IllegalActionError),
    "a fraction": (begin, lambda env: env.step(1.0), AssertionError, IllegalActionError),
    "no number": (begin, lambda env: env.step(float("nan")), AssertionError, IllegalActionError),
    "a name": (begin, lambda env: env.step("draw"), AssertionError, IllegalActionError),
    "a list": (begin, lambda env: env.step([1]), AssertionError, IllegalActionError),
    "an array": (begin, lambda env: env.step(np.array([1, 2])), AssertionError, IllegalActionError),
    "None of a live agent": (begin, lambda env: env.step(None), AssertionError, IllegalActionError),
    "an action of a dead agent": (go_to_a_none_step, lambda env: env.step(0), ValueError, IllegalActionError),
    "a wrong action of a dead agent": (go_to_a_none_step, lambda env: env.step(62), AssertionError, IllegalActionError),
    "a loop without a step": (begin, loop_without_a_step, AssertionError, NotSteppedError),
    "observe of nobody": (begin, lambda env: env.observe("player_7"), KeyError, UnknownNameError),
    "observation space of nobody": (begin, lambda env: env.observation_space("player_7"), KeyError, UnknownNameError),
    "action space of nobody": (begin, lambda env: env.action_space("player_7"), KeyError, UnknownNameError),
}
"""For each misuse: where it happens, what it is, what the wrapped environment raises, what this one does."""


def raised(make: Callable[[], Any], name: str) -> tuple[Any, BaseException | None]:
    """Misuse an environment; return it and what it raises."""
    prepare, misuse = MISUSES[name][:2]
    env = make()
    prepare(env)
    try:
        misuse(env)
    except Exception as error:  # noqa: BLE001 - whatever it is
        return env, error
    return env, None


@pytest.mark.parametrize("name", MISUSES)
def test_both_refuse(name: str) -> None:
    """What the wrappers refuse is refused without them, by the error that this project documents for the mistake."""
    theirs, mine = MISUSES[name][2:]
    assert type(raised(wrapped, name)[1]) is theirs
    assert isinstance(raised(ours, name)[1], mine)


@pytest.mark.parametrize("name", [name for name, each in MISUSES.items() if each[2] is not AssertionError])
def test_the_same_except_clause_catches_both(name: str) -> None:
    """An error that says what kind it is (an attribute, a key, a value) is of that kind here too."""
    assert isinstance(raised(ours, name)[1], MISUSES[name][2])


@pytest.mark.parametrize("name", [name for name, each in MISUSES.items() if each[2] is AssertionError])
def test_code_that_expects_the_wrappers_goes_on_working(name: str) -> None:
    """Where the wrappers assert, `except AssertionError` catches this environment's error as well."""
    assert isinstance(raised(ours, name)[1], AssertionError)


@pytest.mark.parametrize("name", [name for name, each in MISUSES.items() if each[0] is not leave_fresh])
def test_a_misuse_changes_nothing(name: str) -> None:
    """After each refusal everything shown is as it was, and the game goes on as it would have."""
    env, _ = raised(ours, name)
    twin = ours()
    MISUSES[name][0](twin)
    assert shown(env) == shown(twin)
    for each in (env, twin):
        each.step(choose(each, random.Random(2)))
    assert shown(env) == shown(twin)


@pytest.mark.parametrize("name", [name for name, each in MISUSES.items() if each[0] is leave_fresh])
def test_after_a_misuse_before_reset_it_can_be_reset(name: str) -> None:
    """An environment used too early begins as any other."""
    env, _ = raised(ours, name)
    twin = ours()
    for each in (env, twin):
        begin(each)
    assert shown(env) == shown(twin)


def test_a_step_after_the_end() -> None:
    """The wrapper lets it pass with a message in a log; here it is an error, since such a loop would never end."""
    env = wrapped()
    play_out(env)
    env.step(None)
    assert env.agents == []
    mine = ours()
    play_out(mine)
    for action in (None, 0, 99, "draw"):
        with pytest.raises(GameOverError, match=r"reset\(\)"):
            mine.step(action)
    assert mine.agents == []
    assert list(mine.agent_iter()) == []


@pytest.mark.parametrize("steps", [0, 3, 8])
def test_terminate_is_what_the_wrapper_does(steps: int) -> None:
    """`illegal="terminate"` ends, pays and lets go of everyone as TerminateIllegalWrapper does; it truncates nobody."""
    envs: list[Any] = [
        wrappers.TerminateIllegalWrapper(trente_et_un_v0.raw_env("quebec", 3), illegal_reward=-1),
        trente_et_un_v0.env("quebec", 3, illegal="terminate"),
    ]
    told: list[list[Any]] = []
    for env in envs:
        env.reset(seed=3)
        dice = random.Random(3)
        for _ in range(steps):
            env.step(choose(env, dice))
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0]))
        assert set(env.terminations.values()) == {True}
        shown_here: list[Any] = [dict(env.rewards), env.agent_selection, dict(env.unwrapped._cumulative_rewards)]
        while env.agents:
            _, reward, terminated, _, _ = env.last()
            shown_here.append((env.agent_selection, reward, terminated))
            env.step(None)
        told.append(shown_here)
    assert told[0] == told[1]
    assert sum(told[1][0].values()) == -1


def test_nobody_may_act_after_an_illegal_action_has_ended_the_game() -> None:
    """With everyone gone after an illegal action, all masks are zero."""
    env = trente_et_un_v0.env("quebec", 3, illegal="terminate")
    env.reset(seed=8)
    env.step(61)
    while env.agents:
        assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
        env.step(None)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
