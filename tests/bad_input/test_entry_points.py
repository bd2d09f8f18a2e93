"""Every public entry point refuses what cannot be: with a typed error, and nothing changed."""

from __future__ import annotations

import enum
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import agents
import eval as evaluator
import train
import trente_env
from tests.bad_input.entries import SOURCES
from trente_env.errors import TrenteError

HOSTILE: tuple[Any, ...] = (
    None, True, np.bool_(True), 1.5, float("nan"), float("inf"), np.float32(1.0), -1, 2**63, -(2**70), "", "x", "\0",
    b"x",
    [], {}, (), set(), np.array(1.5), np.array([1, 2]), np.zeros((0,)), np.datetime64("2020"), 1j, object(), print,
)  # fmt: skip
"""Given for every argument: each is refused with a typed error, or it means something there."""
LIGHT = {
    "game.Game", "game.Game.set_up", "game.Game.apply", "game.Game.verify", "game.Game.rewards", "game.Game.views",
    "rules.Rules", "rules.Rules.from_dict", "presets.preset", "policy.make_policy", "agents.make",
    "aec.TrenteEtUn.step",
    "batch.GameBatch.step", "batch.GameBatch.views", "batch.GameBatch.step_rows",
    "batch.GameBatch.restore", "config.TrainConfig", "checkpoint.load",
}  # fmt: skip
"""Entry points that get the hostile values too: those through which most comes in."""


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_what_cannot_be_is_refused_and_changes_nothing(source: Callable[[], Iterator[tuple[str, Any]]]) -> None:
    """A wrong type, range, shape or name gives an error of ours that says why; the state is the same, byte for byte."""
    wrong = []
    for name, entry in source():
        for argument, values in entry.refused.items():
            for value in values:
                before = entry.state()
                try:
                    entry.call(**{**entry.good, argument: value})
                    wrong.append(f"{name}({argument}={value!r:.60}) was accepted")
                except TrenteError as error:
                    if not says_why(str(error)):
                        wrong.append(f"{name}({argument}={value!r:.60}) says no more than {error}")
                except Exception as error:  # noqa: BLE001 - that is what is looked for
                    wrong.append(f"{name}({argument}={value!r:.60}) raised {type(error).__name__}: {error!s:.90}")
                if entry.state() != before:
                    wrong.append(f"{name}({argument}={value!r:.60}) changed the state")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_right_arguments_are_accepted(source: Callable[[], Iterator[tuple[str, Any]]]) -> None:
    """What the refused arguments replace is right, so that a refusal is about the argument replaced."""
    for _, entry in source():
        if entry.good:
            entry.call(**entry.good)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_hostile_values_are_refused_or_mean_something(source: Callable[[], Iterator[tuple[str, Any]]]) -> None:
    """Whatever is given for whatever argument, nothing but our own errors comes out."""
    wrong = []
    for name, entry in source():
        for argument in entry.good if name in LIGHT else ():
            for value in HOSTILE:
                try:
                    entry.call(**{**entry.good, argument: value})
                except TrenteError:
                    pass
                except Exception as error:  # noqa: BLE001 - that is what is looked for
                    wrong.append(f"{name}({argument}={value!r:.60}) raised {type(error).__name__}: {error!s:.90}")
    assert not wrong, "\n".join(wrong)


def says_why(message: str) -> bool:
    """Return whether a message is a sentence with more than one part: what is wrong, and why or what to do."""
    return len(message) > 30 and any(sign in message for sign in (": ", ". ", ", "))


UNASKED = {
    "trente_env._jit": "the compiler, for whoever writes kernels",
    "trente_env.envs.seated": "behind the single and the vector environment",
    "trente_env.envs.opponents": "behind OneSeatBatch",
    "trente_env.envs.registration": "no arguments",
    "trente_env.envs.trajectories": "arrays that AllSeatsBatch fills",
    "agents.heuristic.policies.AdaptivePolicy": "a record that make_adaptive fills",
    "agents.heuristic.policies.SeedsPolicy": "a record that make_seeds fills",
    "agents.heuristic.policies.ValuePolicy": "a record that make_knock checks and fills",
    "agents.random_agent.RandomPolicy": "a record that make_random fills",
    "trente_env.game.Hand": "a tuple", "trente_env.game.LastRound": "a result",
    "trente_env.batch.arrays": "checks themselves, and the arrays checked",
    "trente_env.policy.Policy": "a protocol", "trente_env.policy.Policy.probabilities": "a protocol",
    "trente_env.policy.policy_names": "no arguments",
    "trente_env.policy.check_asked": "a check itself", "trente_env.policy.check_views": "a check itself",
    "trente_env.presets.field_value": "behind parse_rules", "agents.registry.names": "no arguments",
    "trente_env.envs.aec.TrenteEtUn.last": "takes yes or no, as PettingZoo declares it",
    "agents.learned.checkpoint.Checkpoint": "a record; save() and load() check it",
    "agents.learned.scaling.centres_and_scales": "behind LearnedPolicy",
    "agents.learned.networks": "torch modules, made by Training alone",
    "trente_env.record": "tested apart: tests/test_record.py, and by the fuzzer",
    "trente_env.adapters.sb3.SelfPlayVecEnv.get_attr": "as Stable-Baselines3 has it: AttributeError",
    "trente_env.adapters.sb3.SelfPlayVecEnv.set_attr": "as Stable-Baselines3 has it",
    "trente_env.adapters.sb3.SelfPlayVecEnv.env_method": "as Stable-Baselines3 has it: AttributeError",
    "trente_env.adapters.sb3.SelfPlayVecEnv.env_is_wrapped": "as Stable-Baselines3 has it",
    "eval.stats": "behind arena", "eval.runner": "behind arena", "eval.results": "results",
    "eval.seatings": "behind arena",
    "eval.report": "behind the commands", "eval.speed": "behind the commands",
    "eval.deal_stats": "behind the command", "eval.rule_book": "behind the command",
    "eval.transcript": "behind the command",
    "eval.random_play": "a kernel", "eval.observation_text": "behind the command",
    "eval.playthrough": "behind the command",
    "eval.playthrough_scenarios": "a table", "train.report": "behind the command",
    "train.learner": "made by Training alone",
    "train.opponents": "made by Training alone", "train.actor_critic": "made by Training alone",
    "train.selfplay": "its options are checked by TrainConfig; its folder by tests/writes",
}  # fmt: skip
"""Public callables, classes or modules without a row in the table, and why."""


def public_callables() -> Iterator[tuple[str, str]]:
    """Yield (full name, module) of everything that is announced in an `__all__` and can be called with arguments."""
    for package in (trente_env, agents, evaluator, train):
        for module in modules_of(package):
            for name in getattr(module, "__all__", ()):
                value = getattr(module, name)
                is_plain = inspect.isclass(value) and issubclass(value, (Exception, enum.Enum))
                if getattr(value, "__module__", "") != module.__name__ or is_plain or not callable(value):
                    continue
                yield f"{module.__name__}.{name}", module.__name__
                for method in vars(value) if inspect.isclass(value) else ():
                    if not method.startswith("_") and takes_arguments(getattr(value, method)):
                        yield f"{module.__name__}.{name}.{method}", module.__name__


def modules_of(package: ModuleType) -> Iterator[ModuleType]:
    """Yield a package and its modules, but the commands."""
    yield package
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def takes_arguments(value: object) -> bool:
    """Return whether a method takes anything besides its object."""
    return (inspect.isfunction(value) and len(inspect.signature(value).parameters) > 1) or inspect.ismethod(value)


def test_no_public_entry_point_is_missing() -> None:
    """Every callable announced in an `__all__` has a row, or a reason to have none; so has what is new tomorrow."""
    rows = {name for source in SOURCES for name, _ in source()}
    rows = {name.split(".", 1)[1] for name in rows}  # without the module: a class may move
    missing = [
        name
        for name, module in public_callables()
        if not any(name == each or name.endswith("." + each) for each in rows)
        and not any(each in {name, module} or module.startswith(each + ".") for each in UNASKED)
    ]
    assert missing == []
