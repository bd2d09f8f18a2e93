"""Errors: one class per mistake, each picklable with all it carries."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from trente_env import errors
from trente_env.errors import (
    InvalidRecordError,
    InvalidRulesError,
    TrenteError,
    UnknownNameError,
    WriteError,
    is_whole,
)

ALL_ERRORS = [getattr(errors, name) for name in errors.__all__]
SAMPLES: dict[type[TrenteError], tuple[Any, ...]] = {
    InvalidRulesError: ("num_players", 1, "give 2 to 9"),
    UnknownNameError: ("preset", "poker", ["quebec", "classic"], "Write one yourself."),
    InvalidRecordError: (7, "1 draw 5h", "seat 2"),
    WriteError: ("/full/game.txt", "no space left on device", "free some space"),
}
"""Arguments of the classes that take more than a sentence."""


@pytest.mark.parametrize("kind", ALL_ERRORS)
def test_every_error_is_a_trente_error(kind: type[TrenteError]) -> None:
    """One `except TrenteError` catches whatever this project raises on purpose; each class is documented."""
    assert issubclass(kind, TrenteError)
    assert kind.__doc__


@pytest.mark.parametrize("kind", [kind for kind in ALL_ERRORS if kind is not TrenteError])
def test_every_error_is_one_of_pythons_too(kind: type[TrenteError]) -> None:
    """Each is also the built-in error a user would expect: ValueError, KeyError, RuntimeError, OSError."""
    assert issubclass(kind, (ValueError, KeyError, RuntimeError, OSError))


@pytest.mark.parametrize("kind", ALL_ERRORS)
def test_errors_survive_pickling(kind: type[TrenteError]) -> None:
    """An error sent from another process says and carries the same."""
    error = kind(*SAMPLES.get(kind, ("Something is wrong: do this.",)))
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is kind
        assert str(other) == str(error)
        assert vars(other) == vars(error)


def test_an_unknown_name_reads_as_a_sentence() -> None:
    """The message is not quoted as a KeyError's is, and ends with the remedy."""
    error = UnknownNameError(*SAMPLES[UnknownNameError])
    assert str(error) == "There is no preset named 'poker'. Known: quebec, classic. Write one yourself."
    assert (error.kind, error.name, error.known) == ("preset", "poker", ["quebec", "classic"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, True), (9, True), (-1, False), (10, False), (True, False), (1.0, False), ("1", False), (None, False)],
)
def test_whole_numbers(value: Any, expected: bool) -> None:
    """`is_whole` takes whole numbers in range, and neither truth values nor anything else."""
    assert is_whole(value, 0, 9) is expected
