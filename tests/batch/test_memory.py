"""The caller's arrays: nothing outside them is written, everything inside is, and wrong ones are refused."""

from __future__ import annotations

import dataclasses
import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.batch.rows import TABLE, are_canaries_alive, between_canaries, fill, legal_choices, snapshot
from trente_env import Game, GameBatch, InvalidOptionError, preset
from trente_env._jit import JIT_ENABLED
from trente_env.batch import BatchArrays
from trente_env.core.layout import GAME

NAMES = [field.name for field in dataclasses.fields(BatchArrays)]
QUEBEC = preset("quebec", num_players=2)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("num_games", [1, 2, 24])
def test_nothing_around_the_arrays_is_written(num_games: int, threads: int) -> None:
    """Reset, step and look write into arrays between canaries as into any others, and leave the canaries alone."""
    batch, twin = (GameBatch(TABLE, num_games, seed=3, threads=threads) for _ in range(2))
    expected = twin.reset()
    out, memory = between_canaries(expected)
    batch.reset(out)
    dice = np.random.default_rng(3)
    for _ in range(40):
        actions = legal_choices(expected.masks_BA, dice)
        twin.step(actions, expected)
        batch.step(actions, out)
        batch.look(out)
        assert snapshot(out) == snapshot(expected)
    assert are_canaries_alive(memory)


@pytest.mark.parametrize("num_players", range(2, 10))
def test_rows_do_not_run_into_one_another(num_players: int) -> None:
    """Whatever the table's size, an observation ends where its row does: the row before is what it was."""
    batch = GameBatch(preset("quebec", num_players=num_players), 3, seed=num_players)
    out = batch.reset()
    before = out.observations_BS.copy()
    alone, memory = between_canaries(GameBatch(batch.rules, 1).arrays(), 64)
    for row in (2, 1, 0):
        GameBatch(batch.rules, 1).reset(alone, seeds=batch.seeds[row : row + 1])
        assert alone.observations_BS[0].tolist() == before[row].tolist()
    assert are_canaries_alive(memory, 64)


@pytest.mark.parametrize("autoreset", [True, False])
def test_every_number_is_written(autoreset: bool) -> None:
    """Whatever stands in the arrays, a reset and each step write over all of it."""
    clean, dirty = (GameBatch(TABLE, 24, seed=5, autoreset=autoreset) for _ in range(2))
    expected, out = clean.reset(), dirty.arrays()
    fill(out, 1)
    dirty.reset(out)
    dice = np.random.default_rng(5)
    for _ in range(60):
        assert snapshot(out) == snapshot(expected)
        actions = legal_choices(expected.masks_BA, dice)
        expected = clean.step(actions, clean.arrays())
        fill(out, 1)
        dirty.step(actions, out)


def test_earlier_arrays_stay_as_they_were() -> None:
    """Given other arrays for each step, a batch leaves those of the steps before alone."""
    batch = GameBatch(QUEBEC, 4, seed=6)
    outs = [batch.reset()]
    kept = [snapshot(outs[0])]
    for _ in range(10):
        outs.append(batch.step(outs[-1].masks_BA.argmax(axis=1), batch.arrays()))
        kept.append(snapshot(outs[-1]))
    assert [snapshot(out) for out in outs] == kept


def test_a_copy_takes_no_arrays_of_the_callers_along() -> None:
    """What a batch pickles to is as large before its first step as after it: the caller's arrays stay the caller's."""
    batch = GameBatch(QUEBEC, 50)
    before = len(pickle.dumps(batch))
    out = batch.reset()
    batch.step(out.masks_BA.argmax(axis=1), out)
    assert len(pickle.dumps(batch)) < before + sum(getattr(out, name).nbytes for name in NAMES) / 2


def shape_anew(array: NDArray[Any]) -> None:
    """Give an array another shape in place: its rows are then no more the batch's."""
    if array.ndim == 2:
        array.shape = array.shape[::-1]
    else:
        array.shape = (1, array.size)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", ["reshaped", "read-only"])
def test_arrays_changed_in_place_are_refused(name: str, way: str) -> None:
    """Arrays that a batch has written before are looked at again: of another shape now, or locked, they are refused."""
    batch = GameBatch(QUEBEC, 3, seed=7)
    out = batch.reset()
    actions = out.masks_BA.argmax(axis=1)
    batch.step(actions, out)
    actions = out.masks_BA.argmax(axis=1)
    if way == "reshaped":
        shape_anew(getattr(out, name))
    else:
        getattr(out, name).flags.writeable = False
    saved = batch.save().tobytes()
    for use in (lambda: batch.step(actions, out), lambda: batch.look(out), lambda: batch.reset(out, seed=9)):
        with pytest.raises(InvalidOptionError, match=f"out.{name}"):
            use()
    assert batch.save().tobytes() == saved


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", ["every other", "backwards", "unaligned", "big-endian"])
def test_arrays_that_lie_otherwise_are_refused(name: str, way: str) -> None:
    """Arrays of the right shape that are not contiguous, aligned and of the machine's own byte order are refused."""
    batch = GameBatch(QUEBEC, 3, seed=7)
    right = getattr(batch.arrays(), name)
    if way == "every other":
        wrong = np.zeros((6, *right.shape[1:]), right.dtype)[::2]
    elif way == "backwards":
        wrong = right[::-1]
    elif right.itemsize == 1:
        pytest.skip("bytes have neither alignment nor order")
    elif way == "unaligned":
        wrong = np.zeros(right.nbytes + 1, np.uint8)[1:].view(right.dtype).reshape(right.shape)
    else:
        wrong = right.astype(right.dtype.newbyteorder(">"))
    with pytest.raises(InvalidOptionError, match=f"out.{name}"):
        batch.reset(dataclasses.replace(batch.arrays(), **{name: wrong}))


@pytest.mark.parametrize("wrong", [None, [[0]], 3, "masks", np.ma.zeros((3, 62), np.int8)])
def test_what_is_no_array_is_refused(wrong: Any) -> None:
    """Each field is an array of numpy's own."""
    with pytest.raises(InvalidOptionError, match="masks_BA"):
        dataclasses.replace(GameBatch(QUEBEC, 3).arrays(), masks_BA=wrong)


def overlapping(batch: GameBatch) -> dict[str, NDArray[Any]]:
    """Return pairs of fields that lie one upon the other, by a byte or altogether."""
    size = batch.spec.size
    bytes_ = np.zeros(3 * size + 3 * 62, np.int8)
    flags = np.zeros(5, bool)
    return {
        "observations_BS": bytes_[: 3 * size].reshape(3, size),
        "masks_BA": bytes_[3 * size - 1 : 3 * size - 1 + 3 * 62].reshape(3, 62),
        "terminated_B": flags[:3],
        "truncated_B": flags[2:],
    }


@pytest.mark.parametrize("pair", [("observations_BS", "masks_BA"), ("terminated_B", "truncated_B")])
def test_arrays_that_overlap_are_refused(pair: tuple[str, str]) -> None:
    """Arrays that share memory, if only a byte, would be written over one another."""
    batch = GameBatch(QUEBEC, 3)
    arrays = overlapping(batch)
    with pytest.raises(InvalidOptionError, match=f"{pair[0]} and {pair[1]} share memory"):
        dataclasses.replace(batch.arrays(), **{name: arrays[name] for name in pair})
    flags = np.zeros(3, bool)
    with pytest.raises(InvalidOptionError, match="share memory"):
        dataclasses.replace(batch.arrays(), terminated_B=flags, truncated_B=flags)


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_actions_may_lie_where_a_step_writes(shift: int) -> None:
    """Actions given in memory that the step writes to are taken as they were judged, not as they are then."""
    batch, twin = GameBatch(TABLE, 12, seed=11), GameBatch(TABLE, 12, seed=11)
    memory = np.zeros(14, np.int64)
    out = dataclasses.replace(batch.arrays(), to_move_B=memory[1 + shift : 13 + shift])
    expected = twin.reset()
    batch.reset(out)
    for _ in range(20):
        actions = expected.masks_BA.argmax(axis=1)
        memory[1:13] = actions
        batch.step(memory[1:13], out)
        twin.step(actions, expected)
        assert snapshot(out) == snapshot(expected)
        assert batch.save().tobytes() == twin.save().tobytes()


@pytest.mark.parametrize("seeds", [np.full(3, -1), np.zeros(2, np.int64), [1.0, 2.0, 3.0], None])
def test_seeds_set_from_outside_are_looked_at(seeds: Any) -> None:
    """The seeds of a batch are looked at whenever games are begun from them."""
    batch = GameBatch(QUEBEC, 3)
    batch.seeds = seeds
    with pytest.raises(InvalidOptionError, match="seeds must be 3 whole numbers"):
        batch.reset()


@pytest.mark.slow
@pytest.mark.skipif(not JIT_ENABLED, reason="plain Python objects are larger, and a million of them slow")
def test_a_million_games() -> None:
    """A million games in one batch take less than a kilobyte each, while they are made too, and step as any others."""
    count = 1_000_000
    assert GAME.itemsize < 1_024
    tracemalloc.start()
    try:
        batch = GameBatch(QUEBEC, count, seed=1, threads=2)
        used, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used <= peak < 1_024 * count
    out = batch.reset()
    actions = out.masks_BA.argmax(axis=1)
    batch.step(actions, out)
    assert (batch.column("decisions") == 1).all()
    for row in (0, 1, count // 2 - 1, count // 2, count - 1):
        game = Game(QUEBEC, int(batch.seeds[row]))
        game.apply(int(actions[row]))
        assert batch.game(row) == game
        assert out.masks_BA[row].tolist() == game.action_mask().tolist()
