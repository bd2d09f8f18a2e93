"""Small checkpoints for tests: a few hidden units, weights from a seed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from agents.learned.checkpoint import POLICY_FILE, Checkpoint, expected_shapes, save
from trente_env import Rules, preset
from trente_env.encoding.sections import observation_spec


def small_checkpoint(rules: Rules, hidden: tuple[int, ...] = (4,), seed: int = 0) -> Checkpoint:
    """Return a checkpoint that plays, badly."""
    spec = observation_spec(rules.num_players)
    random = np.random.default_rng(seed)
    weights = {
        name: random.standard_normal(shape).astype(np.float32) for name, shape in expected_shapes(spec, hidden).items()
    }
    return Checkpoint(rules, spec, hidden, weights, {"seed": seed})


def small_checkpoint_files() -> Iterator[tuple[bytes, bytes]]:
    """Yield (policy.json, weights) of checkpoints of several rules and shapes."""
    for name, hidden in (("quebec", (2,)), ("exchange", (3, 2))):
        with tempfile.TemporaryDirectory() as folder:
            save(Path(folder), small_checkpoint(preset(name, num_players=2), hidden))
            (weights,) = Path(folder).glob("*.safetensors")
            yield (Path(folder) / POLICY_FILE).read_bytes(), weights.read_bytes()
