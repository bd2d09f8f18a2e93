"""Rows of games in the two forms that kernels take: structured arrays where they are compiled, else plain objects."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.play import NAMES, random_games, table_rules
from trente_env import Game, preset
from trente_env.core import calls, layout
from trente_env.core.layout import GAME, Rows


@pytest.fixture
def records() -> NDArray[np.void]:
    """Return the records of two moments of a game."""
    moments = [game.to_array() for game, _ in random_games(table_rules("classic", 3), 45)]
    return np.concatenate([moments[30], moments[44]])


@pytest.fixture(params=[False, True], ids=["plain", "compiled"])
def is_array(request: pytest.FixtureRequest, records: NDArray[np.void], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Take one of the two forms, whichever this process plays with."""
    monkeypatch.setattr(layout, "JIT_ENABLED", request.param)
    return bool(request.param)


def spoil(rows: Rows) -> None:
    """Change a number in a list of the first row."""
    hands = rows[0]["hands"] if isinstance(rows, np.ndarray) else rows[0].hands
    hands[0] = 1


def test_records_come_back_as_they_went_in(records: NDArray[np.void], is_array: bool) -> None:
    """Records put into the form that kernels take and back are the same, field by field."""
    rows = layout.from_array(records)
    assert isinstance(rows, np.ndarray) is is_array
    assert layout.to_array(rows, GAME).tobytes() == records.tobytes()


@pytest.mark.usefixtures("is_array")
def test_records_may_lie_apart(records: NDArray[np.void]) -> None:
    """Every second record of an array is taken as well as records that lie side by side."""
    apart = np.concatenate([records[:1], records])[::2]
    assert not apart.flags.c_contiguous
    assert layout.to_array(layout.from_array(apart), GAME).tobytes() == records.tobytes()


@pytest.mark.usefixtures("is_array")
def test_rows_share_nothing_with_arrays(records: NDArray[np.void]) -> None:
    """Neither the array that rows were made from, nor one made from them, changes with the rows."""
    before = records.tobytes()
    rows = layout.from_array(records)
    copy = layout.to_array(rows, GAME)
    spoil(rows)
    assert records.tobytes() == copy.tobytes() == before


@pytest.mark.usefixtures("is_array")
def test_a_copied_row_shares_nothing_with_the_original(records: NDArray[np.void]) -> None:
    """`copy_row` copies every field into the row it is told, and the original may then be changed."""
    source, target = layout.from_array(records), layout.allocate(2, GAME)
    layout.copy_row(source, 0, target, 1)
    spoil(source)
    copies = layout.to_array(target, GAME)
    assert copies[1].tobytes() == records[0].tobytes()
    assert copies[0].tobytes() == bytes(GAME.itemsize)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_begun_from_a_seed_is_the_game_of_that_seed(name: str) -> None:
    """`start_at` begins the game that `Game` begins, in the row it is told."""
    rules = preset(name, num_players=4)
    rows = calls.new_games(2)
    calls.start_at(rows, layout.lower([rules]), 1, 17)
    assert Game.from_array(rules, layout.to_array(rows, GAME)[1:]) == Game(rules, seed=17)
