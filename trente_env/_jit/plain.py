"""The same as `trente_env._jit.intrinsics` in plain Python, for kernels that are not compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def block_of(source: Any, target: Any, pairs: Sequence[tuple[str, str]]) -> tuple[int, int, int]:
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


def add_63(left: int, right: int) -> int:
    """Return the sum modulo 2**63."""
    return (left + right) & (2**63 - 1)


def multiply_63(left: int, right: int) -> int:
    """Return the product modulo 2**63."""
    return (left * right) & (2**63 - 1)


def block_copier(source: Any, target: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    """Return a function (source row, target row) that copies fields lying alike in both records, as one block."""
    block_of(source, target, pairs)

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


def compile_kernel(function: Any, *, inline: bool) -> Any:  # noqa: ARG001
    return function


def count_bits(bits: int) -> int:
    """Return how many bits of a non-negative int are set."""
    return int(bits).bit_count()


def lowest_bit(bits: int) -> int:
    """Return the index of the lowest set bit (64 for 0)."""
    return (bits & -bits).bit_length() - 1 if bits else 64
