"""Compile kernels with numba, or leave them plain Python: the only package that knows numba.

`kernel` is the public decorator (agents use it too). With `TRENTE_JIT=0` (or numba's own `NUMBA_DISABLE_JIT=1`) the
same functions run uncompiled on plain Python objects (see `trente_env.core.layout`), for coverage and debugging.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from typing import Any, Final, TypeVar, overload

from trente_env._jit.cache import cache_root, source_hash

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: Final = os.environ.get("TRENTE_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}
"""Whether kernels are compiled in this process."""

if JIT_ENABLED:
    from trente_env._jit.compiling import compile_kernel
    from trente_env._jit.intrinsics import (
        add_63,
        bit_writer,
        block_copier,
        clear,
        count_bits,
        field_writer,
        handle,
        lowest_bit,
        multiply_63,
        put,
        record_at,
        row_at,
        shifter,
    )
else:
    from trente_env._jit.plain import (
        add_63,
        bit_writer,
        block_copier,
        clear,
        compile_kernel,
        count_bits,
        field_writer,
        handle,
        lowest_bit,
        multiply_63,
        put,
        record_at,
        row_at,
        shifter,
    )

__all__ = [
    "JIT_ENABLED",
    "add_63",
    "bit_writer",
    "block_copier",
    "cache_folder",
    "clear",
    "count_bits",
    "field_writer",
    "handle",
    "kernel",
    "lowest_bit",
    "multiply_63",
    "put",
    "record_at",
    "row_at",
    "shifter",
    "source_hash",
]


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, inline: bool = False) -> F | Callable[[F], F]:
    """Compile a function over game records, ints and arrays; plain Python when JIT is off.

    A kernel allocates nothing, raises nothing, does not call itself, and writes into what it is given. It runs without
    the GIL.

    Args:
        function: The function to compile.
        inline: Whether LLVM must inline it into its callers: for small functions on the hot path only, since
            compile time grows with every copy.
    """
    if function is None:
        return functools.partial(compile_kernel, inline=inline)
    compiled: F = compile_kernel(function, inline=inline)
    return compiled


def cache_folder(file: str) -> str:
    """Say where the compiled kernels of a source file are kept ("" where they are not)."""
    root = cache_root()
    return "" if root is None or not JIT_ENABLED else str(root / source_hash(file))


if sys.maxsize < 2**62:  # pragma: no cover
    raise ImportError("trente_env needs a 64-bit Python: sets of cards and actions are 63-bit ints.")
