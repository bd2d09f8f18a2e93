"""A process killed while it saves leaves a whole policy behind."""

from __future__ import annotations

import random
from pathlib import Path

from agents.learned.checkpoint import load, save
from tests.kill_while_saving import kill_once, numbered


def test_killed_at_any_moment_a_save_leaves_a_whole_policy(tmp_path: Path) -> None:
    """Five processes are killed while they save: each time the folder holds the last policy announced, or the next."""
    dice = random.Random(1)
    for number in range(1, 6):
        found = kill_once(tmp_path, 1_000 * number, 0.15 * dice.random())
        assert found.announced >= 1_000 * number
    save(tmp_path, numbered(9_000))
    assert load(tmp_path).training["number"] == 9_000
    assert len(list(tmp_path.iterdir())) == 2  # what the kills left is gone


def test_killed_between_the_two_files_the_old_policy_stands(tmp_path: Path) -> None:
    """With the new weights in place and the description not yet, the folder still holds the policy before, whole."""
    save(tmp_path, numbered(1))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    save(tmp_path / "other", numbered(2))
    (weights,) = (tmp_path / "other").glob("policy-*")
    weights.rename(tmp_path / weights.name)
    found = load(tmp_path)
    assert found.training["number"] == 1
    assert all((array == 1).all() for array in found.weights.values())
    assert all((tmp_path / name).read_bytes() == content for name, content in before.items())
