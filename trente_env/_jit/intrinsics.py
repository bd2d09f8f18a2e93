"""What kernels do that numba's Python cannot say, as LLVM instructions. Uncompiled: `trente_env._jit.plain`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from trente_env._jit.plain import block_of

_INT64 = ir.IntType(64)
_WORD = 8


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
    begin, into, size = block_of(source, target, pairs)

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
            start = builder.gep(builder.bitcast(arguments[0], ir.IntType(8).as_pointer()), [ir.Constant(_INT64, place)])
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
