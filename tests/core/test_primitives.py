"""What kernels write with: each number in its place, and nothing before or behind it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trente_env._jit import (
    bit_writer,
    block_copier,
    clear,
    field_writer,
    handle,
    kernel,
    put,
    record_at,
    row_at,
    shifter,
)
from trente_env.core.layout import GAME, RULES, SEAT_VIEW, allocate, from_array, to_array

CANARY = 0x5A
SIZES = (64, 65, 66, 100, 127, 128, 129, 191, 192, 193, 500)
"""Of rows to clear: 64 at least, which is what is cleared at a time."""
COUNTS = (1, 2, 3, 5, 7, 8, 15, 31, 32, 33, 52, 62)
"""Of bits to write: of each size of piece one, and some that take several."""
PATTERNS = (0, 1, 2**61, 2**62 - 1, 0x2AAA_AAAA_AAAA_AAAA, 0x1555_5555_5555_5555, 0x0123_4567_89AB_CDEF)

put_1, put_2, put_3, put_5 = bit_writer(1), bit_writer(2), bit_writer(3), bit_writer(5)
put_7, put_8, put_15, put_31 = bit_writer(7), bit_writer(8), bit_writer(15), bit_writer(31)
put_32, put_33, put_52, put_62 = bit_writer(32), bit_writer(33), bit_writer(52), bit_writer(62)

NAMES = tuple(f"byte_{number}" for number in range(37))
SOURCE = np.dtype(
    [("lead", "i1", (3,)), *((name, "i1") for name in NAMES), ("events", "i2", (5,)), ("small", "i1", (4,))]
)
TARGET = np.dtype([("other", "i8"), *((f"their_{name}", "i1") for name in NAMES), ("tail", "i1", (11,))])
PAIRS = [(name, f"their_{name}") for name in NAMES]
copy_bytes = block_copier(SOURCE, TARGET, PAIRS)
copy_one = block_copier(SOURCE, TARGET, PAIRS[36:])
put_fields = field_writer(SOURCE, NAMES)
put_field = field_writer(SOURCE, NAMES[2:3])
push = shifter(SOURCE, "events")
push_small = shifter(SOURCE, "small")
source_at = record_at(SOURCE)


@kernel
def clear_row(rows: Any, index: int, size: int) -> None:
    """Clear the beginning of a row."""
    clear(row_at(rows, index), size)


@kernel
def put_into(rows: Any, index: int, place: int, value: int) -> None:
    """Write one number into a row."""
    put(row_at(rows, index), place, value)


@kernel
def put_bits(rows: Any, place: int, bits: int) -> None:
    """Write bits with each writer, into a row each."""
    put_1(row_at(rows, 0), place, bits)
    put_2(row_at(rows, 1), place, bits)
    put_3(row_at(rows, 2), place, bits)
    put_5(row_at(rows, 3), place, bits)
    put_7(row_at(rows, 4), place, bits)
    put_8(row_at(rows, 5), place, bits)
    put_15(row_at(rows, 6), place, bits)
    put_31(row_at(rows, 7), place, bits)
    put_32(row_at(rows, 8), place, bits)
    put_33(row_at(rows, 9), place, bits)
    put_52(row_at(rows, 10), place, bits)
    put_62(row_at(rows, 11), place, bits)


@kernel
def copy_blocks(sources: Any, targets: Any) -> None:
    """Copy all bytes from the first row to the last one of three, and one byte to the first."""
    copy_bytes(sources[0], targets[2])
    copy_one(sources[0], targets[0])


@kernel
def write_fields(sources: Any, rows: Any, place: int) -> None:
    """Write all fields into a row, and one into the next."""
    put_fields(sources[1], row_at(rows, 1), place)
    put_field(sources[1], row_at(rows, 2), place)


@kernel
def push_into(sources: Any, value: int) -> None:
    """Shift a number into both lists of the row in the middle."""
    push(sources[1], value)
    push_small(sources[1], value)


@kernel
def tag(source: Any, value: int) -> int:
    """Write into the record of a handle; return what stood there."""
    before = 0 + source_at(source).byte_36
    source_at(source).byte_36 = value
    return before


def canaries(*shape: int) -> NDArray[np.int8]:
    """Return rows of canaries."""
    return np.full(shape, CANARY, np.int8)


def a_source(count: int = 3) -> NDArray[np.void]:
    """Return records in which every byte is another."""
    return np.arange(count * SOURCE.itemsize, dtype=np.uint8).view(SOURCE)


@pytest.mark.parametrize("index", [0, 1, 2])
@pytest.mark.parametrize("size", SIZES)
def test_clear(size: int, index: int) -> None:
    """`clear` writes zeros as far as it is told, in the row it is told: first, middle or last."""
    rows = canaries(3, 500)
    clear_row(rows, index, size)
    expected = canaries(3, 500)
    expected[index, :size] = 0
    assert np.array_equal(rows, expected)


@pytest.mark.parametrize("index", [0, 1, 2])
@pytest.mark.parametrize("place", [0, 1, 98, 99])
def test_put(place: int, index: int) -> None:
    """`put` writes one number, positive or negative, first or last in its row."""
    for value in (-128, -1, 0, 1, 127):
        rows = canaries(3, 100)
        put_into(rows, index, place, value)
        expected = canaries(3, 100)
        expected[index, place] = value
        assert np.array_equal(rows, expected)


def test_a_row_of_its_own() -> None:
    """An array of one dimension is one row."""
    row = canaries(5)
    put_into(row, 0, 4, 7)
    assert row.tolist() == [CANARY] * 4 + [7]


@pytest.mark.parametrize("place", [0, 1, 17])
def test_bits(place: int) -> None:
    """A writer of n bits writes n numbers, each 0 or 1, the lowest bit first, and not one more."""
    for bits in PATTERNS:
        rows = canaries(len(COUNTS), place + 62)
        put_bits(rows, place, bits)
        expected = canaries(len(COUNTS), place + 62)
        for row, count in enumerate(COUNTS):
            expected[row, place : place + count] = [bits >> bit & 1 for bit in range(count)]
        assert np.array_equal(rows, expected)


def test_a_block_is_copied_and_nothing_else() -> None:
    """Fields lying alike go from one record to another of a different layout; what lies around them stays."""
    source = a_source(1)
    targets = np.full(3 * TARGET.itemsize, CANARY, np.uint8).view(TARGET)
    expected = targets.copy()
    for name in NAMES:
        expected[f"their_{name}"][2] = source[name][0]
    expected["their_byte_36"][0] = source["byte_36"][0]
    rows = from_array(targets)
    copy_blocks(from_array(source), rows)
    assert to_array(rows, TARGET).tobytes() == expected.tobytes()


copy_turns = block_copier(GAME, SEAT_VIEW, [("turns", "turns")])


@kernel
def copy_then_change(games: Any, views: Any) -> None:
    """Copy one list, then change the original."""
    copy_turns(games[0], views[0])
    games[0].turns[0] = 9


def test_a_copied_list_is_the_targets_own() -> None:
    """Lists are copied, not shared: a game that goes on does not change the view that was taken of it."""
    games, views = allocate(1, GAME), allocate(1, SEAT_VIEW)
    copy_then_change(games, views)
    assert to_array(games, GAME)["turns"][0, 0] == 9
    assert not to_array(views, SEAT_VIEW)["turns"].any()


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("byte_0", "their_byte_0"), ("byte_2", "their_byte_2")], "a gap"),
        ([("byte_0", "their_byte_1"), ("byte_1", "their_byte_0")], "another order"),
        ([("byte_0", "their_byte_0"), ("byte_1", "their_byte_2")], "another distance"),
        ([("byte_0", "other")], "another type"),
        ([("lead", "tail")], "another length"),
    ],
)
def test_what_lies_otherwise_is_no_block(pairs: list[tuple[str, str]], why: str) -> None:
    """Fields that do not lie alike in both records cannot be copied as one block: refused when the module is loaded."""
    assert why
    with pytest.raises(TypeError, match="lie alike"):
        block_copier(SOURCE, TARGET, pairs)


def test_fields_are_written_side_by_side() -> None:
    """Fields of one byte are written as they are, into the row and from the place they are told."""
    sources = a_source()
    rows = canaries(3, 60)
    write_fields(from_array(sources), rows, 23)
    expected = canaries(3, 60)
    expected[1, 23:60] = [sources[name][1] for name in NAMES]
    expected[2, 23] = sources["byte_2"][1]
    assert np.array_equal(rows, expected)


def test_values_shift_up_one_place() -> None:
    """A number pushed into a list comes first, the others move up, the last falls out; -1 and large ones too."""
    rows = from_array(a_source())
    before = to_array(rows, SOURCE)
    expected = before.copy()
    for value in (-1, 0, 127, -128, 5, -1, 99):
        push_into(rows, value)
        for name in ("events", "small"):
            expected[name][1] = [value, *expected[name][1][:-1]]
    assert to_array(rows, SOURCE).tobytes() == expected.tobytes()


def test_a_handle_stands_for_a_row() -> None:
    """A kernel given a handle works on the row that it stands for, the first one of the rows handed over."""
    rows = from_array(a_source())
    before = to_array(rows, SOURCE)
    assert tag(handle(rows), 11) == before["byte_36"][0]
    assert tag(handle(rows[2:]), 33) == before["byte_36"][2]
    expected = before.copy()
    expected["byte_36"] = [11, before["byte_36"][1], 33]
    assert to_array(rows, SOURCE).tobytes() == expected.tobytes()
    assert tag(handle(rows), 0) == 11


@pytest.mark.parametrize("record", [GAME, SEAT_VIEW, RULES], ids=["game", "view", "rules"])
def test_records_have_no_gaps(record: np.dtype[Any]) -> None:
    """Each byte of a record belongs to a field and lies where its type may: equal records have equal bytes."""
    fields = sorted((record.fields or {}).values(), key=lambda field: field[1])
    ends = [field[1] + field[0].itemsize for field in fields]
    assert [field[1] for field in fields] == [0, *ends[:-1]]
    assert ends[-1] == record.itemsize
    assert all(field[1] % field[0].base.itemsize == 0 for field in fields)
    assert record.itemsize % 8 == 0
