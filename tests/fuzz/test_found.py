"""Inputs that once broke something, and some fresh ones: what is read is refused with the right error, or good."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest

from tests.fuzz.loop import FOUND, Tally, read_one
from tests.fuzz.targets import TARGETS, BrokenPromiseError, Target
from tests.play import table_rules
from trente_env import Game, InvalidDataError

INPUTS = sorted(path for path in FOUND.iterdir() if path.name != "README.md")


def target_of(path: Path) -> Target:
    """Return the target that an input was kept for."""
    return next(target for target in TARGETS if target.file_name == path.name.rpartition(".")[0])


@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.name)
def test_what_once_broke_is_refused_or_good(path: Path) -> None:
    """An input that once raised what it should not have is refused as it should be, or accepted rightly."""
    target = target_of(path)
    with contextlib.suppress(*target.refusals):
        target.read(path.read_bytes())


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.file_name)
def test_a_short_run_breaks_nothing(target: Target) -> None:
    """Some dozens of spoiled inputs of each target, the same in every run, and the good ones they are made of."""
    corpus = list(target.corpus())
    dice = random.Random(target.name)
    tally = Tally(target, corpus[:: max(1, len(corpus) // 20)])
    kept: list[bytes] = []
    for data in tally.corpus[:5]:
        read_one(tally, data, print, keep=kept.append)
    assert tally.accepted > 0
    for _ in range(60):
        read_one(tally, target.spoil(dice, dice.choice(tally.corpus)), print, keep=kept.append)
    assert not kept, tally.broken
    assert tally.refusals


def test_an_input_that_breaks_something_is_kept() -> None:
    """A reader that fails in any other way than it may is found out, once for each kind of failure."""

    def fail(data: bytes) -> None:
        if len(data) > 1:
            raise BrokenPromiseError("two")
        raise IndexError("one")

    tally = Tally(Target("broken", lambda: iter(()), lambda _, data: data, fail, (InvalidDataError,)), [])
    kept: list[bytes] = []
    for data in (b"a", b"b", b"cc"):
        read_one(tally, data, print, keep=kept.append)
    assert kept == [b"a", b"cc"]
    assert sum(tally.broken.values()) == 3


def test_what_the_fuzzer_asks_of_a_game_is_asked() -> None:
    """A game that lost a card on the way is no game to the fuzzer: what it asks of accepted games can fail."""
    from tests.fuzz.targets import look_at

    game = Game(table_rules("quebec", 2), seed=1)
    with pytest.raises(BrokenPromiseError, match="every card"):
        look_at(game, ["As"])
