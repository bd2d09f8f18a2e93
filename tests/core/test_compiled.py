"""Compiled kernels play exactly the games that the same functions play as plain Python."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.play import NAMES, TABLES, any_rules, random_games, step_digests, table_rules
from trente_env import Game, GameBatch, preset
from trente_env._jit import JIT_ENABLED
from trente_env.batch.kernels import step_games
from trente_env.core import calls
from trente_env.core.engine import apply_action

ROOT = Path(__file__).resolve().parents[2]
NUM_DECISIONS = 70
NUM_ANY_RULES = 30
PROGRAM = f"""if True:
    import json, random
    from tests.play import TABLES, any_rules, step_digests, table_rules
    from trente_env._jit import JIT_ENABLED
    assert not JIT_ENABLED
    played = {{}}
    for name, count in TABLES:
        played[f"{{name}} {{count}}"] = step_digests(table_rules(name, count), {NUM_DECISIONS})
    dice = random.Random(3)
    played["any"] = sum((step_digests(any_rules(dice), {NUM_DECISIONS // 2}) for _ in range({NUM_ANY_RULES})), [])
    print(json.dumps(played))
"""
compiled_only = pytest.mark.skipif(not JIT_ENABLED, reason="compares compiled code with plain Python")


@pytest.fixture(scope="module")
def plain() -> dict[str, list[str]]:
    """Play games in a process without the compiler, and return the digests of its steps."""
    environment = os.environ | {"TRENTE_JIT": "0", "PYTHONHASHSEED": "0"}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@compiled_only
@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_compiled_games_are_the_plain_ones(plain: dict[str, list[str]], name: str, num_players: int) -> None:
    """Record, mask, views, observations and rewards of every step are byte for byte the same."""
    assert step_digests(table_rules(name, num_players), NUM_DECISIONS) == plain[f"{name} {num_players}"]


@compiled_only
def test_compiled_games_of_any_rules_are_the_plain_ones(plain: dict[str, list[str]]) -> None:
    """The same under rules that no preset has."""
    dice = random.Random(3)
    digests = [each for _ in range(NUM_ANY_RULES) for each in step_digests(any_rules(dice), NUM_DECISIONS // 2)]
    assert digests == plain["any"]


@compiled_only
def test_public_kernels_are_compiled_once() -> None:
    """Whatever is played, each kernel that Python calls is compiled for one signature only."""
    for name in NAMES:
        for game, _ in random_games(table_rules(name, 3), 30):
            game.clone().rewards()
            str(Game.from_bytes(game.to_bytes()))
        batch = GameBatch(preset(name), 2)
        out = batch.reset()
        batch.step(out.masks_BA.argmax(axis=1), out)
        batch.game(0).legal_actions()
    kernels = {name: value for name, value in vars(calls).items() if hasattr(value, "signatures")}
    assert "try_action" in kernels
    called = {name: kernels[name].signatures for name in kernels if kernels[name].signatures}
    assert {name: found for name, found in called.items() if len(found) > 1} == {}
    assert len(called["try_action"]) == 1


@compiled_only
def test_kernels_are_one_part_each_of_what_calls_them() -> None:
    """However many kernels call one, it is lowered once: whole numbers of every size are handed on alike."""
    from trente_env._jit.compiling import Kernel

    batch = GameBatch(preset("quebec"), 2)
    out = batch.reset()
    batch.step(out.masks_BA.argmax(axis=1), out)
    step_games.get_call_template(step_games.signatures[0], {})  # lowers the whole engine, however warm the cache is
    modules = [module for name, module in sys.modules.items() if name.startswith("trente_env.")]
    kernels = {value for module in modules for value in vars(module).values() if isinstance(value, Kernel)}
    assert len(apply_action.parts) == 1
    assert {kernel.__name__: list(kernel.parts) for kernel in kernels if len(kernel.parts) > 1} == {}


def test_the_plain_path_can_be_asked_for() -> None:
    """TRENTE_JIT=0 turns the compiler off, and numba is then not even imported."""
    program = "import sys, trente_env; print(trente_env._jit.JIT_ENABLED, 'numba' in sys.modules)"
    environment = os.environ | {"TRENTE_JIT": "0"}
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.split() == ["False", "False"]
