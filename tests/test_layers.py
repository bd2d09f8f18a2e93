"""Who may import whom: the contracts of pyproject.toml hold, and would be seen to break."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("trente_env", "agents", "train", "eval")
LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `lint-imports` in a folder, on the sources there."""
    return subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-logo", "--no-cache"],
        cwd=folder,
        env=os.environ | {"COLUMNS": "200"},  # one line per contract
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def source_copy(tmp_path: Path) -> Path:
    """Copy the sources and contracts to where a test may spoil them."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_every_layer_contract_holds() -> None:
    """No module imports one that stands above or beside it, or a library that is not its own."""
    result = _lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("trente_env/cards.py", "import trente_env.rules", "Inside trente_env,"),
        ("trente_env/brand_new.py", "", "Inside trente_env,"),
        ("trente_env/core/layout.py", "import trente_env.core.turns", "Inside trente_env.core"),
        ("trente_env/game.py", "import agents", "train -> eval -> agents -> trente_env"),
        ("eval/__init__.py", "import train", "train -> eval -> agents -> trente_env"),
        ("trente_env/game.py", "import numba", "Only trente_env._jit knows numba"),
        ("trente_env/policy.py", "import torch", "torch only in"),
        ("agents/__init__.py", "import torch.nn", "torch only in"),
        ("trente_env/game.py", "from gymnasium import spaces", "gymnasium, pettingzoo only in"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(source_copy: Path, module: str, line: str, contract: str) -> None:
    """An import upwards, an unlisted module, or a library out of place is reported under its contract."""
    with (source_copy / module).open("a") as file:
        file.write(f"\n{line}\n")
    result = _lint_imports(source_copy)
    assert result.returncode == 1, result.stdout + result.stderr
    assert re.search(rf"^{re.escape(contract)}.* BROKEN", result.stdout, re.MULTILINE), result.stdout
