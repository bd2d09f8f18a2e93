"""The example of docs/self-play.md runs, and learns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from trente_env.envs.one_seat import OneSeatBatch

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "self-play.md"


@pytest.fixture(scope="module")
def example() -> dict[str, Any]:
    """Run the guide's program; return what it defines."""
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert len(blocks) == 1
    names: dict[str, Any] = {}
    exec(blocks[0], names)  # noqa: S102 - our own guide
    return names


def rounds_against_random(example: dict[str, Any], weights_SA: NDArray[np.float32], decisions: int) -> NDArray[Any]:
    """Play rounds with the policy at one seat and random play at the other; return the reward of each."""
    count = 256
    batch = OneSeatBatch(example["TINY"], count, [agents.make("random")], seed=1_000)
    scale_S = (1.0 / np.maximum(batch.spec.highs, 1)).astype(np.float32)
    random, sums_B, rewards = np.random.default_rng(0), np.zeros(count), []
    for _ in range(decisions):
        out = batch.out
        chances_BA = example["probabilities"](weights_SA, out.observations_BS * scale_S, out.masks_BA)
        batch.decide((chances_BA.cumsum(axis=1) > random.random((count, 1))).argmax(axis=1))
        sums_B += batch.rewards_B
        ended = batch.dones_B != 0
        rewards += sums_B[ended].tolist()
        sums_B[ended] = 0
    return np.array(rewards)


def test_the_guides_program_runs(example: dict[str, Any]) -> None:
    """A few updates move the weights of actions that can be taken, and no others."""
    weights_SA = example["train"](3, num_games=32, num_steps=16)
    assert np.isfinite(weights_SA).all()
    moved = np.abs(weights_SA).sum(axis=0)
    assert moved[52:55].all(), "draw, take, knock"
    assert not moved[55:].any(), "the exchange game's actions and buying in"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_learning_works(example: dict[str, Any], seed: int) -> None:
    """After twenty-five updates the policy beats random play, by the 99.9 % interval; untaught it does not."""
    rewards = rounds_against_random(example, example["train"](25, seed=seed), 80)
    margin = 3.3 * rewards.std() / np.sqrt(len(rewards))
    assert len(rewards) > 2_000
    assert rewards.mean() - margin > 0.05
    if seed == 0:
        untaught = rounds_against_random(example, example["train"](0), 80)
        assert abs(untaught.mean()) < 3.3 * untaught.std() / np.sqrt(len(untaught))
