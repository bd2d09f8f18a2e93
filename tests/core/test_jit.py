"""The cache of compiled kernels: never stale, and never needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trente_env import _jit
from trente_env._jit import JIT_ENABLED, add_63, count_bits, kernel, lowest_bit, multiply_63, source_hash
from trente_env.core import scoring, turns

CALLEE = "from trente_env._jit import kernel\nSTEP = {step}\n\n\n@kernel\ndef callee(x):\n    return x + STEP\n"
CALLER = (
    "from trente_env._jit import kernel\nfrom rules_of_thumb.callee import callee\n\n\n"
    "@kernel\ndef caller(x):\n    return callee(x) * 10\n"
)
compiled_only = pytest.mark.skipif(not JIT_ENABLED, reason="there is no cache without the compiler")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Write a package with a kernel that calls a kernel of another file; return the folder it lies in."""
    folder = tmp_path / "rules_of_thumb"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "callee.py").write_text(CALLEE.format(step=1))
    (folder / "caller.py").write_text(CALLER)
    return tmp_path


@pytest.fixture
def fresh_hashes() -> None:
    """Forget the hashes of this process, as a new one would not know them."""
    for function in (_jit._digest, source_hash):
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def run(program: str, folder: Path, cache: Path | str) -> str:
    """Run a program beside a package, with a cache folder, and return what it prints."""
    environment = os.environ | {
        "TRENTE_CACHE_DIR": str(cache),
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_an_edited_callee_gives_a_different_hash(package: Path, fresh_hashes: None) -> None:
    """Compiled code is named by a hash of the whole package: an edit in one file renames the code of all."""
    caller = str(package / "rules_of_thumb" / "caller.py")
    before = source_hash(caller)
    (package / "rules_of_thumb" / "callee.py").write_text(CALLEE.format(step=2))
    for function in (_jit._digest, source_hash):
        if hasattr(function, "cache_clear"):
            function.cache_clear()
    assert source_hash(caller) != before


def test_kernels_of_the_engine_share_one_hash() -> None:
    """The engine's own kernels are cached together, so that no rule can outlive an edit of another."""
    assert source_hash(scoring.__file__) == source_hash(turns.__file__)


def test_a_script_is_hashed_with_the_engine(tmp_path: Path) -> None:
    """A kernel in a script of its own is named by the script and by the engine it calls."""
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("x = 1\n")
    two.write_text("x = 2\n")
    assert len({source_hash(str(one)), source_hash(str(two)), source_hash(scoring.__file__)}) == 3


@compiled_only
def test_an_edited_callee_is_compiled_anew(package: Path, tmp_path: Path) -> None:
    """After an edit of a callee's constant a caller in another file runs the new code, though it was cached before."""
    program = "from rules_of_thumb.caller import caller; print(caller(1))"
    cache = tmp_path / "cache"
    assert run(program, package, cache) == "20"
    files = {file for file in cache.rglob("*") if file.suffix == ".nbi"}
    assert files
    assert run(program, package, cache) == "20"
    assert {file for file in cache.rglob("*") if file.suffix == ".nbi"} == files
    (package / "rules_of_thumb" / "callee.py").write_text(CALLEE.format(step=2))
    assert run(program, package, cache) == "30"


@compiled_only
def test_a_cache_that_cannot_be_written_does_no_harm(package: Path, tmp_path: Path) -> None:
    """Where no cache folder can be made, kernels are compiled in the process, without a warning."""
    blocker = tmp_path / "a_file"
    blocker.write_text("")
    assert run("from rules_of_thumb.caller import caller; print(caller(1))", package, blocker / "below") == "20"
    program = "from trente_env import _jit; print(repr(_jit.cache_folder(_jit.__file__)))"
    assert run(program, package, blocker / "below") == "''"


def test_the_cache_folder_is_the_one_asked_for(package: Path, tmp_path: Path) -> None:
    """`TRENTE_CACHE_DIR` names the folder; nothing is kept without the compiler."""
    program = "from trente_env import _jit; print(_jit.cache_folder(_jit.__file__))"
    assert run(program, package, tmp_path / "mine").startswith(str(tmp_path / "mine")) is JIT_ENABLED


@pytest.mark.parametrize(
    ("bits", "count", "lowest"), [(0, 0, 64), (1, 1, 0), (0b1011000, 3, 3), (1 << 62, 1, 62), (2**63 - 1, 63, 0)]
)
def test_bit_tricks(bits: int, count: int, lowest: int) -> None:
    """`count_bits` and `lowest_bit` count and find set bits, up to the 63rd."""
    assert (count_in_kernel(bits), lowest_in_kernel(bits)) == (count, lowest)


def test_arithmetic_modulo_2_63() -> None:
    """`add_63` and `multiply_63` wrap at 2**63, in kernels too."""
    large = 2**63 - 1
    assert add_in_kernel(large, 5) == 4
    assert multiply_in_kernel(large, large) == 1
    assert multiply_in_kernel(2**62, 2) == 0


def test_a_kernel_can_be_asked_to_be_inlined() -> None:
    """`kernel(inline=True)` decorates as `kernel` does."""
    assert double(21) == 42


@kernel
def count_in_kernel(bits: int) -> int:
    """Count bits inside a kernel."""
    return count_bits(bits)


@kernel
def lowest_in_kernel(bits: int) -> int:
    """Find the lowest bit inside a kernel."""
    return lowest_bit(bits)


@kernel
def add_in_kernel(left: int, right: int) -> int:
    """Add inside a kernel."""
    return add_63(left, right)


@kernel
def multiply_in_kernel(left: int, right: int) -> int:
    """Multiply inside a kernel."""
    return multiply_63(left, right)


@kernel(inline=True)
def double(x: int) -> int:
    """Double a number."""
    return 2 * x
