"""Making the tables of adaptive."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from agents.heuristic import fit
from agents.heuristic.tables import KNOCK_AT, WORTH


def test_worth_never_falls_with_points() -> None:
    """Means that fall are pooled with those before, gaps are filled, and without data there is nothing."""
    counts = np.full(5, 100.0)
    means = fit.rising_means(np.array([10.0, 30.0, 20.0, 40.0, 50.0]), counts)
    assert means is not None
    np.testing.assert_allclose(means, [0.1, 0.25, 0.25, 0.4, 0.5])
    counts[1] = 0
    means = fit.rising_means(np.array([10.0, 0.0, 20.0, 40.0, 50.0]), counts)
    assert means is not None
    np.testing.assert_allclose(means, [0.1, 0.15, 0.2, 0.4, 0.5])
    assert fit.rising_means(np.zeros(5), np.zeros(5)) is None


def test_the_knock_value_is_where_gains_turn() -> None:
    """The knock value is the hand value from which on knocking gained most in sum."""
    knock_at = np.zeros((fit.NUM_KNOCK_STAGES, fit.NUM_SIGNS), np.int64)
    gains = np.zeros((2, fit.NUM_KNOCK_STAGES, fit.NUM_SIGNS, fit.NUM_VALUES))
    gains[1] = fit.LEAST_KNOCKS
    gains[0, ..., :48] = -1.0
    gains[0, ..., 48:] = 1.0
    fit.improve_knocking(knock_at, gains)
    assert (knock_at == 48).all()


@pytest.mark.slow
def test_tables_can_be_made_again(tmp_path: Path) -> None:
    """A short run writes a module that reads back, of the same shape as the tables in use, and the same twice."""
    paths = [tmp_path / "once.py", tmp_path / "twice.py"]
    for path in paths:
        fit.main(0.005, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    spec = importlib.util.spec_from_file_location("made_tables", paths[0])
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.WORTH.shape == WORTH.shape
    assert made.KNOCK_AT.shape == KNOCK_AT.shape
