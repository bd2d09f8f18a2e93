"""Compile kernels with numba, or leave them plain Python: the only file that knows numba.

`kernel` is the public decorator (agents use it too). With `TRENTE_JIT=0` (or numba's own `NUMBA_DISABLE_JIT=1`) the
same functions run uncompiled on plain Python objects (see `trente_env.core.layout`), for coverage and debugging.

Compiled code is cached on disk. numba notices an edit in a kernel's own file only, so a caller would keep the old
code of an edited callee or constant; here the cache lives in a folder named by a hash of *all* kernel sources (this
package's and those of the package the kernel stands in), so an edited rule can never run old code. The folder is
`$TRENTE_CACHE_DIR`, else the user's cache directory; where neither can be written, kernels are compiled anew in each
process.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, overload

F = TypeVar("F", bound=Callable[..., Any])

JIT_ENABLED: Final = os.environ.get("TRENTE_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") in {"", "0"}
"""Whether kernels are compiled in this process."""

_PACKAGE: Final = Path(__file__).resolve().parent


def _sources_beside(file: Path) -> list[Path]:
    """Return every source file of the top-level package that `file` stands in, or the file alone for a script."""
    top = file
    while (top.parent / "__init__.py").exists():
        top = top.parent
    return [file] if top == file else sorted(top.rglob("*.py"))


@functools.cache
def _digest(files: tuple[Path, ...]) -> str:
    """Hash the contents of the files, names included."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


@functools.cache
def _kernel_sources() -> tuple[Path, ...]:
    """Return the files of this package that kernels call or take constants from."""
    folders = (_PACKAGE / "core", _PACKAGE / "encoding")
    files = [_PACKAGE / name for name in ("_jit.py", "cards.py", "rules.py")]
    return tuple(files + sorted(file for folder in folders for file in folder.rglob("*.py")))


@functools.cache
def source_hash(file: str) -> str:
    """Return the hash that names the compiled code of a kernel defined in `file`.

    It covers the kernel sources of this package, and the file itself; outside this package, the whole top-level
    package the file stands in, whose kernels may call one another.
    """
    own, path = list(_kernel_sources()), Path(file).resolve()
    if _PACKAGE in path.parents:
        own += [] if path in own else [path]
    elif path.exists():
        own += _sources_beside(path)
    return _digest(tuple(own))


@functools.cache
def _writable_cache_root() -> Path | None:
    """Return the first cache folder that can be written, or None."""
    chosen = os.environ.get("TRENTE_CACHE_DIR")
    candidates = [Path(chosen)] if chosen else []
    if not chosen:
        import platformdirs  # noqa: PLC0415 - only needed where a cache is opened

        candidates += [
            Path(platformdirs.user_cache_dir("trente_env")),
            Path(tempfile.gettempdir()) / "trente_env_cache",
        ]
    for candidate in candidates:
        try:
            candidate.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=candidate):
                return candidate
        except OSError:
            continue
    return None


if JIT_ENABLED:
    import numba
    from llvmlite import ir
    from numba.core import types
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.extending import intrinsic

    _INT64 = ir.IntType(64)

    class _SourceHashLocator(_CacheLocator):  # type: ignore[misc]  # numba ships no types
        """Keep a kernel's compiled code under the hash of all kernel sources."""

        def __init__(self, py_func: Any, py_file: str, root: Path) -> None:
            self._stamp = source_hash(py_file)
            self._path = str(root / self._stamp)
            self._line = py_func.__code__.co_firstlineno

        def get_cache_path(self) -> str:
            return self._path

        def get_source_stamp(self) -> str:
            return self._stamp

        def get_disambiguator(self) -> str:
            return str(self._line)

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> _SourceHashLocator | None:
            root = _writable_cache_root()
            return None if root is None else cls(py_func, py_file, root)

    class _CacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba ships no types
        _locator_classes = [_SourceHashLocator]  # noqa: RUF012 - numba's own attribute

    class _KernelCache(FunctionCache):  # type: ignore[misc]  # numba ships no types
        _impl_class = _CacheImpl

    def _compile(function: Any, *, inline: bool) -> Any:
        dispatcher = numba.njit(function, nogil=True, error_model="numpy", forceinline=inline)
        if _writable_cache_root() is not None:
            dispatcher._cache = _KernelCache(function)  # noqa: SLF001 - what enable_caching() does, with our locator
        return dispatcher

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def count_bits(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001
        """Return how many bits of a non-negative 64-bit int are set."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return builder.ctpop(
                builder.sext(arguments[0], _INT64) if arguments[0].type.width < _INT64.width else arguments[0]
            )

        return types.int64(bits), generate

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def lowest_bit(typing_context: Any, bits: Any) -> Any:  # noqa: ARG001
        """Return the index of the lowest set bit (64 for 0)."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            value = builder.sext(arguments[0], _INT64) if arguments[0].type.width < _INT64.width else arguments[0]
            return builder.cttz(value, ir.Constant(ir.IntType(1), 0))

        return types.int64(bits), generate

    def _wrapping(operation: str) -> Any:
        """Make an intrinsic of an operation modulo 2**63: numba lets LLVM assume int64 never overflows."""

        def typer(typing_context: Any, left: Any, right: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                result = getattr(builder, operation)(*arguments)
                return builder.and_(result, ir.Constant(_INT64, 2**63 - 1))

            return types.int64(types.int64, types.int64), generate

        return intrinsic(typer)

    add_63 = _wrapping("add")
    multiply_63 = _wrapping("mul")

else:

    def add_63(left: int, right: int) -> int:
        """Return the sum modulo 2**63."""
        return (left + right) & (2**63 - 1)

    def multiply_63(left: int, right: int) -> int:
        """Return the product modulo 2**63."""
        return (left * right) & (2**63 - 1)

    def _compile(function: Any, *, inline: bool) -> Any:  # noqa: ARG001
        return function

    def count_bits(bits: int) -> int:
        """Return how many bits of a non-negative int are set."""
        return int(bits).bit_count()

    def lowest_bit(bits: int) -> int:
        """Return the index of the lowest set bit (64 for 0)."""
        return (bits & -bits).bit_length() - 1 if bits else 64


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, inline: bool) -> Callable[[F], F]: ...
def kernel(function: F | None = None, *, inline: bool = False) -> F | Callable[[F], F]:
    """Compile a function over game records, ints and arrays; plain Python when JIT is off.

    A kernel allocates nothing, raises nothing, and writes into what it is given. It runs without the GIL.

    Args:
        function: The function to compile.
        inline: Whether LLVM must inline it into its callers: for small functions on the hot path only, since
            compile time grows with every copy.
    """
    if function is None:
        return functools.partial(_compile, inline=inline)
    compiled: F = _compile(function, inline=inline)
    return compiled


def cache_folder(file: str) -> str:
    """Say where the compiled kernels of a source file are kept ("" where they are not)."""
    root = _writable_cache_root()
    return "" if root is None or not JIT_ENABLED else str(root / source_hash(file))


if sys.maxsize < 2**62:  # pragma: no cover
    raise ImportError("trente_env needs a 64-bit Python: sets of cards and actions are 63-bit ints.")
