"""What every agent must keep to: legal actions, its own knowledge, and the same play compiled or not."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.agents.choices import NAMES, policy
from tests.play import NAMES as PRESET_NAMES
from tests.play import random_games, table_rules
from trente_env import GameBatch
from trente_env._jit import JIT_ENABLED
from trente_env.core.worlds import redeal

ROOT = Path(__file__).resolve().parents[2]
TABLES = [(name, num_players) for name in PRESET_NAMES for num_players in (2, 4)]


def positions(name: str, num_players: int, count: int) -> tuple[NDArray[np.void], NDArray[np.int8]]:
    """Return views and masks of the seat to move along random games."""
    views, masks = [], []
    for game, _ in random_games(table_rules(name, num_players), count):
        assert game.seat_to_move is not None
        views.append(game.views(game.seat_to_move))
        masks.append(game.action_mask())
    return np.concatenate(views), np.stack(masks)


def choices_digest(agent: str, name: str, num_players: int) -> str:
    """Return a digest of an agent's probabilities along random games."""
    probabilities_BA = policy(agent).probabilities(*positions(name, num_players, 60))
    return hashlib.sha256(np.ascontiguousarray(probabilities_BA, np.float32).tobytes()).hexdigest()


@pytest.mark.parametrize(("name", "num_players"), TABLES)
@pytest.mark.parametrize("agent", NAMES)
def test_agents_choose_among_legal_actions(agent: str, name: str, num_players: int) -> None:
    """In every game each row is a distribution over legal actions, as float32, and the input stays as it was."""
    views_B, masks_BA = positions(name, num_players, 250)
    before = views_B.tobytes(), masks_BA.tobytes()
    probabilities_BA = policy(agent).probabilities(views_B, masks_BA)
    assert probabilities_BA.dtype == np.float32
    assert probabilities_BA.shape == masks_BA.shape
    assert (probabilities_BA >= 0).all()
    assert not probabilities_BA[masks_BA == 0].any()
    np.testing.assert_allclose(probabilities_BA.sum(axis=1), 1.0, atol=1e-6)
    assert (views_B.tobytes(), masks_BA.tobytes()) == before


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("name", PRESET_NAMES)
@pytest.mark.parametrize("agent", [name for name in NAMES if name != "random"])
def test_agents_finish_their_games(agent: str, name: str, num_players: int) -> None:
    """Games among an agent's likes end with a winner: nobody stalls for ever."""
    batch = GameBatch(table_rules(name, num_players), 12, seed=3)
    out = batch.reset()
    finished = np.zeros(12, bool)
    for _ in range(200_000):
        views_B, masks_BA = batch.views(np.arange(12))
        batch.step(policy(agent).probabilities(views_B, masks_BA).argmax(axis=1), out)
        finished |= out.terminated_B
        if finished.all():
            return
    pytest.fail(f"only {finished.sum()} of 12 games ended")


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_agents_do_not_see_hidden_cards(name: str, num_players: int) -> None:
    """With the cards that the seat cannot see dealt anew, every agent gives the same probabilities."""
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 60, seed=1)):
        seat = game.seat_to_move
        assert seat is not None
        other, masks_BA = redeal(game, seat, number), game.action_mask()[np.newaxis]
        for agent in NAMES:
            here = policy(agent).probabilities(game.views(seat), masks_BA)
            there = policy(agent).probabilities(other.views(seat), masks_BA)
            assert (here == there).all()


@pytest.mark.parametrize("agent", NAMES)
def test_a_row_does_not_depend_on_its_batch(agent: str) -> None:
    """A view is answered the same alone, in any order, read-only, or as every other row of a larger array."""
    views_B, masks_BA = positions("quebec", 2, 40)
    whole = policy(agent).probabilities(views_B, masks_BA)
    alone = [policy(agent).probabilities(views_B[k : k + 1], masks_BA[k : k + 1])[0] for k in range(40)]
    assert (np.stack(alone) == whole).all()
    assert (policy(agent).probabilities(views_B[::-1], masks_BA[::-1])[::-1] == whole).all()
    views_B.flags.writeable = masks_BA.flags.writeable = False
    assert (policy(agent).probabilities(views_B[::2], masks_BA[::2]) == whole[::2]).all()


@pytest.fixture(scope="module")
def plain() -> dict[str, str]:
    """Ask every agent in a process without the compiler, and return the digests of its choices."""
    program = (
        "import json; from tests.agents.choices import NAMES; from tests.agents import test_every_agent as t;"
        "print(json.dumps({f'{a} {n} {k}': t.choices_digest(a, n, k) for a in NAMES for n, k in t.TABLES}))"
    )
    environment = os.environ | {"TRENTE_JIT": "0"}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.skipif(not JIT_ENABLED, reason="compares compiled code with plain Python")
@pytest.mark.parametrize("agent", NAMES)
def test_compiled_choices_are_the_plain_ones(plain: dict[str, str], agent: str) -> None:
    """Without the compiler an agent makes the same choices."""
    for name, num_players in TABLES:
        assert choices_digest(agent, name, num_players) == plain[f"{agent} {name} {num_players}"], (name, num_players)
