"""What is built and installed: the wheel and the sdist hold what they should and work away from the sources."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("trente_env", "agents", "train", "eval")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _dependencies() -> set[str]:
    """Name every dependency of every extra, without its range."""
    requirements = [*PROJECT["dependencies"], *itertools.chain(*PROJECT["optional-dependencies"].values())]
    return {re.split(r"[\[<>=]", requirement)[0] for requirement in requirements} - {PROJECT["name"]}


def _source_files() -> set[str]:
    """List all files of the four packages, as a checkout has them."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the sdist, and from it the wheel, without a network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.fixture(scope="module")
def installed_python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a new environment that borrows only the dependencies of this one."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    wheel = next(built.glob("*.whl"))
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    # A folder named in a .pth file has its packages found but its own .pth files ignored: so no editable install.
    (next(folder.glob("lib/python*/site-packages")) / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return python


def _run(python: Path, *arguments: str, cwd: Path) -> str:
    """Run a command as someone who installed the wheel would, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    result = subprocess.run(
        [str(python), *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_each_package_is_marked_as_typed(package: str) -> None:
    """A type checker reads our annotations in a user's project (PEP 561)."""
    assert (ROOT / package / "py.typed").is_file()


def test_every_dependency_is_pinned_in_the_constraints() -> None:
    """`make venv` installs tested versions only: each dependency of each extra stands in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pinned = {line.split("==")[0].lower().replace("_", "-") for line in lines if "==" in line and line[0] != "#"}
    assert _dependencies() <= pinned


def test_every_dependency_is_explained() -> None:
    """docs/dependencies.md says of each dependency what it is for."""
    text = (ROOT / "docs" / "dependencies.md").read_text()
    assert {name for name in _dependencies() if f"| {name} |" not in text} == set()


@pytest.mark.slow
def test_wheel_holds_the_four_packages_and_nothing_else(built: Path) -> None:
    """The wheel has every file of the packages, data included, its metadata, and no tests."""
    with zipfile.ZipFile(next(built.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if not PurePosixPath(name).parts[0].endswith(".dist-info")}
        metadata = {PurePosixPath(name).name for name in wheel.namelist()} - {
            PurePosixPath(name).name for name in names
        }
    assert names == _source_files()
    assert {"METADATA", "LICENSE", "entry_points.txt"} <= metadata


@pytest.mark.slow
def test_sdist_can_be_built_and_tested_again(built: Path) -> None:
    """The sdist has the packages, the tests, the docs and what `make` reads."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = {PurePosixPath(name).relative_to(PurePosixPath(name).parts[0]).as_posix() for name in sdist.getnames()}
    assert _source_files() <= names
    assert {"pyproject.toml", "constraints.txt", "Makefile", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    assert {"tests/conftest.py", "docs/architecture.md"} <= names


@pytest.mark.slow
def test_installed_wheel_plays_a_game(installed_python: Path, tmp_path: Path) -> None:
    """Away from the sources, the installed package is the one imported, and a game is played to its end by name."""
    program = """if True:
        import sys, trente_env
        from trente_env import Game, preset
        assert trente_env.__file__.startswith(sys.prefix), trente_env.__file__
        game = Game(preset("quebec", num_players=2), seed=1)
        while not game.is_over:
            game.apply(game.legal_actions()[-1])
        print("winner", game.winner)
    """
    assert _run(installed_python, "-c", program, cwd=tmp_path).startswith("winner")


@pytest.mark.slow
def test_installed_wheel_knows_the_agents_by_name(installed_python: Path, tmp_path: Path) -> None:
    """Every policy name of pyproject.toml is an entry point that loads."""
    program = """if True:
        from importlib.metadata import entry_points
        for point in entry_points(group="trente_env.agents"):
            assert callable(point.load()), point
            print(point.name)
    """
    printed = _run(installed_python, "-c", program, cwd=tmp_path).split()
    assert set(printed) == set(PROJECT["entry-points"]["trente_env.agents"])


@pytest.mark.slow
@pytest.mark.parametrize("command", PROJECT["scripts"])
def test_installed_commands_explain_themselves(installed_python: Path, tmp_path: Path, command: str) -> None:
    """`trente-train --help` and `trente-eval --help` work where the wheel is installed."""
    script = installed_python.parent / command
    assert "usage" in _run(script, "--help", cwd=tmp_path).lower()
