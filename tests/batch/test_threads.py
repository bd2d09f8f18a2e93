"""Threads share the games of a batch; nothing that it plays or writes tells how many there were."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.batch.rows import TABLE, legal_choices, snapshot
from trente_env import GameBatch, IllegalActionError
from trente_env._jit import JIT_ENABLED
from trente_env.batch import game_batch

SIZES = (1, 2, 5, 1_000 if JIT_ENABLED else 60)
WAYS: dict[str, Callable[[GameBatch], GameBatch]] = {
    "clone": GameBatch.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}


def history(num_games: int, threads: int, *, steps: int = 25, **options: Any) -> list[Any]:
    """Play a batch over mixed rules and return the bytes of all it wrote and saved: reset, steps, restore, look."""
    batch = GameBatch(TABLE, num_games, seed=4, threads=threads, **options)
    dice = np.random.default_rng(num_games)
    out = batch.reset(seed=7)
    told: list[Any] = [snapshot(out), batch.save().tobytes()]
    saved = batch.save()
    for _ in range(steps):
        batch.step(legal_choices(out.masks_BA, dice), out)
        told.append(snapshot(out))
    told.append(batch.save().tobytes())
    batch.restore(saved)
    batch.look(out)
    told += [snapshot(out), batch.save().tobytes()]
    batch.step(legal_choices(out.masks_BA, dice), out)
    return [*told, snapshot(out), snapshot(batch.reset(out)), batch.seeds.tolist()]


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("num_games", SIZES)
def test_the_number_of_threads_changes_nothing(num_games: int, autoreset: bool) -> None:
    """On 2, 3 or 7 threads, more than there are games too, every array and record is what one thread writes."""
    alone = history(num_games, 1, autoreset=autoreset)
    for threads in (2, 3, 7):
        assert history(num_games, threads, autoreset=autoreset) == alone


@pytest.mark.parametrize("place", [0, 1, 2, 499, 998, 999] if JIT_ENABLED else [0, 2, 39])
def test_an_illegal_action_in_any_slice_changes_no_game(place: int) -> None:
    """Whichever thread would take it, an illegal action is refused before any of them steps."""
    batch = GameBatch(TABLE, 1_000 if JIT_ENABLED else 40, seed=1, threads=3)
    out = batch.reset()
    actions = out.masks_BA.argmax(axis=1)
    actions[place] = 61
    before, shown = batch.save().tobytes(), snapshot(out)
    with pytest.raises(IllegalActionError, match=f"Game {place}:"):
        batch.step(actions, out)
    assert (batch.save().tobytes(), snapshot(out)) == (before, shown)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_in_a_thread_reaches_the_caller(failing: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in one slice is raised by `step`, once no other slice is being stepped any more."""
    batch = GameBatch(TABLE, 9, threads=3)
    out = batch.reset()
    slices: list[int] = []

    def step_games(*arguments: Any) -> None:
        first = arguments[-2]
        if first == 3 * failing:
            raise MemoryError(f"slice {failing}")
        time.sleep(0.05)
        slices.append(first)

    monkeypatch.setattr(game_batch, "step_games", step_games)
    with pytest.raises(MemoryError, match=f"slice {failing}"):
        batch.step(out.masks_BA.argmax(axis=1), out)
    assert sorted(slices) == [first for first in (0, 3, 6) if first != 3 * failing]
    monkeypatch.undo()
    assert snapshot(batch.step(out.masks_BA.argmax(axis=1), out)), "its threads are still there"


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_copy_goes_on_beside_the_original(way: str) -> None:
    """A copy of a batch with threads goes on as the original does, at the same time, each on its own records."""
    batch = GameBatch(TABLE, 400 if JIT_ENABLED else 12, seed=2, threads=2)
    twin = WAYS[way](batch)
    assert twin.threads == 2
    expected: list[Any] = []
    play(batch.clone(), expected)
    both: list[list[Any]] = [[], []]
    workers = [threading.Thread(target=play, args=each) for each in zip((batch, twin), both, strict=True)]
    finish(workers)
    assert both == [expected, expected]


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_copy_shares_nothing_that_is_written(way: str) -> None:
    """Records, scratch memory and seeds of a copy are its own; rules and layout, which never change, may be shared."""
    batch = GameBatch(TABLE, 3, threads=2)
    twin = WAYS[way](batch)
    for name in ("_games", "_scratch", "seeds"):
        mine, copied = getattr(batch, name), getattr(twin, name)
        if isinstance(mine, np.ndarray):
            assert not np.shares_memory(mine, copied)
        else:
            assert not {id(row) for row in mine} & {id(row) for row in copied}


def play(batch: GameBatch, told: list[Any], steps: int = 40 if JIT_ENABLED else 6) -> None:
    """Reset and step a batch; append the bytes of all it writes, or of the error."""
    try:
        dice = np.random.default_rng(5)
        out = batch.reset()
        for _ in range(steps):
            batch.step(legal_choices(out.masks_BA, dice), out)
            told.append(snapshot(out))
        told.append(batch.save().tobytes())
    except BaseException as error:  # noqa: BLE001 - a thread has nobody to raise it to
        told.append(repr(error))


def finish(workers: list[threading.Thread]) -> None:
    """Run threads to their end; none may wait for another for ever."""
    for worker in workers:
        worker.daemon = True
        worker.start()
    for worker in workers:
        worker.join(120)
    assert not any(worker.is_alive() for worker in workers)


def test_batches_in_several_threads_share_the_pool() -> None:
    """Six batches stepped by six threads of the caller's, all on the same pool: each plays as it does alone."""
    batches = [GameBatch(TABLE, 30 if JIT_ENABLED else 8, seed=seed, threads=3) for seed in range(6)]
    alone: list[list[Any]] = [[] for _ in batches]
    for batch, told in zip(batches, alone, strict=True):
        play(batch.clone(), told, 20)
    together: list[list[Any]] = [[] for _ in batches]
    finish([threading.Thread(target=play, args=(*each, 20)) for each in zip(batches, together, strict=True)])
    assert together == alone


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_process_has_threads_too() -> None:
    """A process forked after the first step, with none of the pool's threads alive in it, steps the batch alike."""
    batch = GameBatch(TABLE, 8, seed=3, threads=3)
    out = batch.reset()
    batch.step(out.masks_BA.argmax(axis=1), out)
    expected: list[Any] = []
    play(batch.clone(), expected, 3)
    child = os.fork()
    if child == 0:  # pragma: no cover - in the other process
        told: list[Any] = []
        play(batch, told, 3)
        os._exit(0 if told == expected else 1)
    patience = time.monotonic() + 60
    status = None
    while status is None and time.monotonic() < patience:
        done, code = os.waitpid(child, os.WNOHANG)
        status = code if done else None
        time.sleep(0.01)
    if status is None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert status == 0


@pytest.mark.parametrize("name", ["threads", "num_games"])
def test_what_memory_was_set_aside_for_cannot_be_changed(name: str) -> None:
    """Threads and games are counted when a batch is made: setting either would have kernels write past its memory."""
    with pytest.raises(AttributeError):
        setattr(GameBatch(TABLE, 2), name, 4)
