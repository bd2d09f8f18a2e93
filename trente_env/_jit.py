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
from collections.abc import Callable, Sequence
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


def _block_of(source: Any, target: Any, pairs: Sequence[tuple[str, str]]) -> tuple[int, int, int]:
    """Return where a block of fields begins in two dtypes, and its size in bytes.

    Raises:
        TypeError: If it does not lie alike in both.
    """
    places = [(*source.fields[name][:2], *target.fields[into][:2]) for name, into in pairs]
    begin, into = min(place[1] for place in places), min(place[3] for place in places)
    size = max(place[1] + place[0].itemsize for place in places) - begin
    used = sum(place[0].itemsize for place in places)
    if used != size or any(place[0] != place[2] or place[1] - begin != place[3] - into for place in places):
        raise TypeError("A block to be copied must lie alike and without gaps in both records.")
    return begin, into, size


if JIT_ENABLED:
    import numba
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
    from numba.extending import intrinsic

    _INT64 = ir.IntType(64)
    _WORD = 8

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

    def _copy_bytes(builder: Any, target: Any, source: Any, size: int) -> None:
        """Copy a fixed number of bytes without a call: loads first, since nothing says that the two do not overlap."""
        pieces, done = [], 0
        for width in (32, 16, 8, 4, 2, 1):
            while size - done >= width:
                kind = (
                    ir.VectorType(ir.IntType(8), width).as_pointer()
                    if width > _WORD
                    else ir.IntType(8 * width).as_pointer()
                )
                place = [ir.Constant(_INT64, done)]
                piece = builder.load(builder.bitcast(builder.gep(source, place), kind), align=1)
                pieces.append((piece, builder.bitcast(builder.gep(target, place), kind)))
                done += width
        for piece, place in pieces:
            builder.store(piece, place, align=1)

    def block_copier(source: Any, target: Any, pairs: Sequence[tuple[str, str]]) -> Any:
        """Return a function (source row, target row) that copies fields lying alike in both records, as one block."""
        begin, into, size = _block_of(source, target, pairs)

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def copy_block(typing_context: Any, source_row: Any, target_row: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                byte = ir.IntType(8).as_pointer()
                start = builder.gep(builder.bitcast(arguments[0], byte), [ir.Constant(_INT64, begin)])
                goal = builder.gep(builder.bitcast(arguments[1], byte), [ir.Constant(_INT64, into)])
                _copy_bytes(builder, goal, start, size)
                return context.get_dummy_value()

            return types.void(source_row, target_row), generate

        return copy_block

    def shifter(record: Any, name: str) -> Any:
        """Return a function (row, value) that moves a field of small ints up one place, the last falling out."""
        base, shape = record[name].subdtype
        word, width = ir.IntType(8 * base.itemsize * shape[0]), 8 * base.itemsize
        place = record.fields[name][1]

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def shift_in(typing_context: Any, row: Any, value: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                start = builder.gep(
                    builder.bitcast(arguments[0], ir.IntType(8).as_pointer()), [ir.Constant(_INT64, place)]
                )
                field = builder.bitcast(start, word.as_pointer())
                moved = builder.shl(builder.load(field, align=base.itemsize), ir.Constant(word, width))
                first = builder.zext(builder.trunc(arguments[1], ir.IntType(width)), word)
                builder.store(builder.or_(moved, first), field, align=base.itemsize)
                return context.get_dummy_value()

            return types.void(row, types.int64), generate

        return shift_in

    def _byte_at(builder: Any, row: Any, place: Any) -> Any:
        return builder.inttoptr(builder.add(row, place), ir.IntType(8).as_pointer())

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def row_at(typing_context: Any, array: Any, index: Any) -> Any:  # noqa: ARG001
        """Return row `index` of a C-contiguous array of bytes, or (index 0) one of one dimension whole, to `put` into.

        Compiled it is an address: an array handed on from kernel to kernel would be counted at each call. The array
        must outlive the row, and no index is checked.
        """

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            held = context.make_array(signature.args[0])(context, builder, arguments[0])
            stride = cgutils.unpack_tuple(builder, held.strides)[0]
            return builder.add(builder.ptrtoint(held.data, _INT64), builder.mul(stride, arguments[1]))

        return types.int64(array, types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def put(typing_context: Any, row: Any, place: Any, value: Any) -> Any:  # noqa: ARG001
        """Write one small int into a row of bytes."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            builder.store(builder.trunc(arguments[2], ir.IntType(8)), _byte_at(builder, arguments[0], arguments[1]))
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), generate

    @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
    def clear(typing_context: Any, row: Any, size: Any) -> Any:  # noqa: ARG001
        """Write zeros into the first `size` places of a row of bytes; at least 64."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            zeros = ir.Constant(ir.VectorType(ir.IntType(8), 64), [0] * 64)
            step = ir.Constant(_INT64, 64)

            def write(place: Any) -> None:
                goal = _byte_at(builder, arguments[0], place)
                builder.store(zeros, builder.bitcast(goal, zeros.type.as_pointer()), align=1)

            last = builder.sub(arguments[1], step)
            with cgutils.for_range_slice(builder, ir.Constant(_INT64, 0), last, step, intp=_INT64) as (place, _):
                write(place)
            write(last)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), generate

    def handle(array: Any) -> Any:
        """Return the first row of an array in the form that crosses from Python into kernels at least cost.

        Compiled it is the row's address: an int costs a call a tenth of what an array does. The array must outlive it.
        """
        return array.ctypes.data

    def record_at(record: Any) -> Any:
        """Return a function (handle) that gives a kernel the record of this dtype that a handle stands for."""
        kind = numba.from_dtype(record)

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def read_handle(typing_context: Any, address: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                return builder.inttoptr(arguments[0], context.get_value_type(kind))

            return kind(types.int64), generate

        return read_handle

    def bit_writer(count: int) -> Any:
        """Return a function (row, place, bits) that writes the lowest `count` bits as that many bytes, 0 or 1."""

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def put_bits(typing_context: Any, row: Any, place: Any, bits: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                row, place, bits = arguments
                done = 0
                for width in (32, 16, 8, 4, 2, 1):
                    while count - done >= width:
                        part = builder.trunc(builder.lshr(bits, ir.Constant(_INT64, done)), ir.IntType(width))
                        flags = builder.bitcast(part, ir.VectorType(ir.IntType(1), width))
                        bytes_ = builder.zext(flags, ir.VectorType(ir.IntType(8), width))
                        goal = _byte_at(builder, row, builder.add(place, ir.Constant(_INT64, done)))
                        builder.store(bytes_, builder.bitcast(goal, bytes_.type.as_pointer()), align=1)
                        done += width
                return context.get_dummy_value()

            return types.void(types.int64, types.int64, types.int64), generate

        return put_bits

    def field_writer(source: Any, names: Sequence[str]) -> Any:
        """Return a function (record, row, place) that writes fields of one byte, lying side by side, as they are."""
        begin = source.fields[names[0]][1]
        if [source.fields[name][1] for name in names] != list(range(begin, begin + len(names))):
            raise TypeError("Fields to be written must lie side by side.")

        @intrinsic  # type: ignore[untyped-decorator]  # numba ships no types
        def put_fields(typing_context: Any, record: Any, row: Any, place: Any) -> Any:  # noqa: ARG001
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
                byte = ir.IntType(8).as_pointer()
                start = builder.gep(builder.bitcast(arguments[0], byte), [ir.Constant(_INT64, begin)])
                goal = _byte_at(builder, arguments[1], arguments[2])
                _copy_bytes(builder, goal, start, len(names))
                return context.get_dummy_value()

            return types.void(record, types.int64, types.int64), generate

        return put_fields

else:

    def add_63(left: int, right: int) -> int:
        """Return the sum modulo 2**63."""
        return (left + right) & (2**63 - 1)

    def multiply_63(left: int, right: int) -> int:
        """Return the product modulo 2**63."""
        return (left * right) & (2**63 - 1)

    def block_copier(source: Any, target: Any, pairs: Sequence[tuple[str, str]]) -> Any:
        """Return a function (source row, target row) that copies fields lying alike in both records, as one block."""
        _block_of(source, target, pairs)

        def copy_block(source_row: Any, target_row: Any) -> None:
            for name, into in pairs:
                value = getattr(source_row, name)
                setattr(target_row, into, list(value) if isinstance(value, list) else value)

        return copy_block

    def shifter(record: Any, name: str) -> Any:  # noqa: ARG001
        """Return a function (row, value) that moves a field of small ints up one place, the last falling out."""

        def shift_in(row: Any, value: int) -> None:
            places = getattr(row, name)
            places.insert(0, value)
            places.pop()

        return shift_in

    def row_at(array: Any, index: int) -> Any:
        """Return row `index` of an array of bytes, or one of one dimension whole, for the `put` functions to write."""
        return array[index] if array.ndim > 1 else array

    def put(row: Any, place: int, value: int) -> None:
        """Write one small int into a row of bytes."""
        row[place] = value

    def clear(row: Any, size: int) -> None:
        """Write zeros into the first `size` places of a row of bytes."""
        row[:size] = 0

    def handle(array: Any) -> Any:
        """Return the first row of an array in the form that crosses from Python into kernels at least cost."""
        return array if hasattr(array, "dtype") and array.dtype.names is None else array[0]

    def record_at(record: Any) -> Any:  # noqa: ARG001
        """Return a function (handle) that gives a kernel the record of this dtype that a handle stands for."""
        return lambda row: row

    def bit_writer(count: int) -> Any:
        """Return a function (row, place, bits) that writes the lowest `count` bits as that many bytes, 0 or 1."""

        def put_bits(row: Any, place: int, bits: int) -> None:
            row[place : place + count] = [bits >> bit & 1 for bit in range(count)]

        return put_bits

    def field_writer(source: Any, names: Sequence[str]) -> Any:  # noqa: ARG001
        """Return a function (record, row, place) that writes fields of one byte, lying side by side, as they are."""

        def put_fields(record: Any, row: Any, place: int) -> None:
            row[place : place + len(names)] = [getattr(record, name) for name in names]

        return put_fields

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
