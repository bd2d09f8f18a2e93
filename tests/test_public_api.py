"""What `import trente_env` gives, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import trente_env
from trente_env import errors

PUBLIC = {"Game", "GameBatch", "PRESETS", "Rules", "preset"}


def test_public_names_are_those_announced() -> None:
    """The package exports the engine's few names and every error class, by `__all__`, and each exists."""
    assert set(trente_env.__all__) == PUBLIC | set(errors.__all__)
    assert all(hasattr(trente_env, name) for name in trente_env.__all__)


def test_no_other_public_name_slips_out() -> None:
    """`dir(trente_env)` shows what `__all__` announces, besides submodules and private names."""
    shown = {name for name in dir(trente_env) if not name.startswith("_")}
    modules = {name for name in shown if isinstance(getattr(trente_env, name), ModuleType)}
    assert shown - modules - {"annotations"} == set(trente_env.__all__)


def test_every_error_class_is_announced() -> None:
    """A class in errors.py that a user may have to catch is in its `__all__`."""
    classes = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert classes == set(errors.__all__)


def test_import_is_light() -> None:
    """`import trente_env` loads neither a learning library nor an environment API."""
    program = "import sys, trente_env; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(result.stdout.split()) & {"torch", "gymnasium", "pettingzoo", "stable_baselines3", "agents"} == set()
