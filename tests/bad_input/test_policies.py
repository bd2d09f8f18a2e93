"""Policies that answer nonsense: the match ends with their name and what was wrong, and no game is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from eval.arena import play_match
from trente_env import GameBatch, InvalidOptionError, preset
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.policy import sample_actions

RULES = preset("quebec", num_players=2)


class Answering:
    """A policy that answers what it was made to."""

    name = "mine"

    def __init__(self, answer: Callable[[Any, Any], Any]) -> None:
        """Take the answer as a function of the views and the masks."""
        self.answer = answer

    def probabilities(self, views_B: Any, masks_BA: Any) -> Any:
        """Answer."""
        return self.answer(views_B, masks_BA)


def fair(masks_BA: Any) -> Any:
    """Return the same share for each legal action."""
    return masks_BA / masks_BA.sum(axis=1, keepdims=True)


def with_value(masks_BA: Any, value: float, *, is_legal: bool) -> Any:
    """Return fair shares with one legal or one masked action's replaced."""
    shares = fair(masks_BA)
    shares[0, np.flatnonzero((masks_BA[0] != 0) == is_legal)[0]] = value
    return shares


NONSENSE = {
    "nothing": lambda _, __: None,
    "a text": lambda _, __: "draw",
    "too few rows": lambda _, masks: fair(masks)[:-1],
    "too many rows": lambda _, masks: np.concatenate([fair(masks)] * 2),
    "too few actions": lambda _, masks: fair(masks)[:, :-1],
    "one row too deep": lambda _, masks: fair(masks)[None],
    "rows of their own lengths": lambda _, masks: [[1.0], *fair(masks).tolist()],
    "whole numbers": lambda _, masks: masks,
    "texts": lambda _, masks: fair(masks).astype("U8"),
    "objects": lambda _, masks: fair(masks).astype(object),
    "complex numbers": lambda _, masks: fair(masks).astype(complex),
    "NaN": lambda _, masks: with_value(masks, np.nan, is_legal=True),
    "NaN where masked": lambda _, masks: with_value(masks, np.nan, is_legal=False),
    "infinity": lambda _, masks: with_value(masks, np.inf, is_legal=True),
    "less than nothing": lambda _, masks: with_value(masks, -0.5, is_legal=True),
    "less than nothing where masked": lambda _, masks: with_value(masks, -0.5, is_legal=False),
    "a masked action": lambda _, masks: with_value(masks, 0.25, is_legal=False),
    "all on a masked action": lambda _, masks: (masks == 0) / (masks == 0).sum(axis=1, keepdims=True),
    "nothing at all": lambda _, masks: 0.0 * masks,
    "twice as much": lambda _, masks: 2.0 * fair(masks),
    "half as much": lambda _, masks: fair(masks) / 2,
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_an_answer_that_is_no_distribution_is_refused(kind: str) -> None:
    """Whatever a policy answers, it is sampled if it is a distribution over the legal actions, and refused if not."""
    batch = GameBatch(RULES, 4, seed=1)
    before = batch.save().tobytes()
    views, masks = batch.views(np.arange(4))
    with pytest.raises(InvalidOptionError, match="mine"):
        sample_actions(Answering(NONSENSE[kind]), views, masks, batch.seeds)
    assert batch.save().tobytes() == before


@pytest.mark.parametrize("kind", ["NaN", "a masked action", "too few rows"])
def test_a_match_and_a_vector_env_name_the_policy(kind: str) -> None:
    """Deep in a match, or among a learner's opponents, the same is said of the same policy."""
    policy = Answering(NONSENSE[kind])
    with pytest.raises(InvalidOptionError, match="'mine'"):
        play_match(policy, "random", RULES, deals=2)
    with pytest.raises(InvalidOptionError, match="'mine'"):
        OneSeatBatch(RULES, 4, [policy]).decide(np.full(4, 52))


def test_a_policys_own_error_comes_through() -> None:
    """What a policy raises for a reason of its own is not taken for a wrong answer."""

    def fail(_: Any, __: Any) -> Any:
        raise ZeroDivisionError("mine alone")

    with pytest.raises(ZeroDivisionError, match="mine alone"):
        play_match(Answering(fail), "random", RULES, deals=2)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble])
def test_floats_of_every_kind_are_sampled(dtype: Any) -> None:
    """Half, single, double and extended precision are all distributions."""
    batch = GameBatch(RULES, 4, seed=1)
    views, masks = batch.views(np.arange(4))
    actions = sample_actions(Answering(lambda _, masks: fair(masks).astype(dtype)), views, masks, batch.seeds)
    assert masks[np.arange(4), actions].all()
