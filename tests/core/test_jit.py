"""Kernels are compiled once, and the same code whoever calls them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trente_env._jit import JIT_ENABLED, add_63, count_bits, kernel, lowest_bit, multiply_63

ROOT = Path(__file__).resolve().parents[2]
compiled_only = pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")


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


@compiled_only
def test_a_kernel_is_one_part_of_its_callers_whatever_ints_they_have() -> None:
    """Small fields, flags and constants are handed on as int64, so that a kernel is lowered once for all callers."""
    numbers = np.array([3, 4], np.int8)
    assert [add_up(numbers, where) for where in range(2)] == [3 + 6 + 2 + 2, 3 + 8 + 2 + 2]
    add_up.get_call_template(add_up.signatures[0], {})  # as a caller would; from a warm cache nothing was lowered
    assert len(double_part.parts) == 1
    assert double_part.signatures == []
    assert double_part(21) == 42
    assert len(double_part.signatures) == 1


@compiled_only
def test_a_function_compiled_by_numba_itself_can_call_kernels() -> None:
    """A kernel, and all that it calls, is at hand for a user's own `numba.njit` function."""
    program = (
        "import numba; from trente_env.core.rng import policy_uniform\n"
        "mine = numba.njit(lambda seed: policy_uniform(seed, 1, 2))\n"
        "print(mine(3) == policy_uniform(3, 1, 2))"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout.strip()) == (0, "True"), result.stderr


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


@kernel
def double_part(x: int) -> int:
    """Double a number, not inlined."""
    return 2 * x


@kernel
def add_up(numbers: Any, where: int) -> int:
    """Double numbers of several types."""
    return numbers[0] + double_part(numbers[where]) + double_part(1) + double_part(where >= 0)
