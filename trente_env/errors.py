"""What can go wrong, one class per mistake a user can make.

    TrenteError
    ├── InvalidRulesError      (also ValueError)    a Rules field, or a combination of fields, makes no sense
    ├── InvalidPositionError   (also ValueError)    a position laid out by hand cannot arise
    ├── InvalidCardError       (also ValueError)    a text is not a card, or not a card of this deck
    ├── IllegalActionError     (also ValueError)    an action that the rules do not allow now
    ├── GameOverError          (also RuntimeError)  a decision asked of a finished game
    ├── NotResetError          (also RuntimeError)  an environment used before reset()
    ├── NotSteppedError        (also RuntimeError)  an environment's loop came round without a step()
    ├── InvalidOptionError     (also ValueError)    an argument of an env, a match or a run
    ├── InvalidDataError       (also ValueError)    bytes or files that are not what they claim to be
    ├── InvalidRecordError     (also ValueError)    a game's readable record that cannot be read or cannot have happened
    ├── WriteError             (also OSError)       a file that cannot be written
    └── UnknownNameError       (also KeyError)      a preset, policy or option name that does not exist

Every message says what was wrong, why, and what to do instead. State is unchanged after any of them.
"""

from __future__ import annotations

import collections.abc
import operator
import typing

__all__ = [
    "GameOverError",
    "IllegalActionError",
    "InvalidCardError",
    "InvalidDataError",
    "InvalidOptionError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "NotResetError",
    "NotSteppedError",
    "TrenteError",
    "UnknownNameError",
    "WriteError",
]


class TrenteError(Exception):
    """Base of every error this project raises on purpose."""


class InvalidRulesError(TrenteError, ValueError):
    """A `Rules` field has a value that makes no sense, alone or beside another field."""

    def __init__(self, field: str, value: object, remedy: str) -> None:
        """Name the field, its value, and what would be accepted."""
        super().__init__(f"Rules field {field!r} cannot be {value!r}: {remedy}")
        self.field = field
        self.value = value
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[InvalidRulesError], tuple[str, object, str]]:
        """Pickle by the three parts rather than by the message."""
        return type(self), (self.field, self.value, self.remedy)


class InvalidPositionError(TrenteError, ValueError):
    """A position laid out with `Game.set_up` cannot arise under its rules."""


class InvalidCardError(TrenteError, ValueError):
    """A text does not name a card, or names one twice, or one outside the deck."""


class IllegalActionError(TrenteError, ValueError):
    """An action that is not legal now. The game is unchanged (R25)."""


class GameOverError(TrenteError, RuntimeError):
    """A decision was asked of a game that has ended."""


class NotResetError(TrenteError, RuntimeError):
    """An environment was used before its first `reset()`."""


class NotSteppedError(TrenteError, RuntimeError):
    """A loop over an environment's agents came round without a `step()`: it would go on for ever."""


class InvalidOptionError(TrenteError, ValueError):
    """An argument of an environment, a match or a training run makes no sense."""


class InvalidDataError(TrenteError, ValueError):
    """Bytes or a file are truncated, corrupted, or of another version."""


class InvalidRecordError(TrenteError, ValueError):
    """A readable record of a game breaks the format, or says what the engine does not do."""

    def __init__(self, line: int, found: str, expected: str) -> None:
        """Name the line (1 is the first), what stands there, and what would have been right."""
        super().__init__(f"Line {line} of the record has {found!r}; expected {expected}.")
        self.line = line
        self.found = found
        self.expected = expected

    def __reduce__(self) -> tuple[type[InvalidRecordError], tuple[int, str, str]]:
        """Pickle by the three parts rather than by the message."""
        return type(self), (self.line, self.found, self.expected)


class WriteError(TrenteError, OSError):
    """A file cannot be written: no such folder, not allowed, disk full. What stood there before still stands."""

    def __init__(self, path: str, reason: str, remedy: str) -> None:
        """Name the file, why it could not be written, and what to do."""
        super().__init__(f"{path!r} cannot be written ({reason}): {remedy}.")
        self.path = path
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[WriteError], tuple[str, str, str]]:
        """Pickle by the three parts rather than by the message."""
        return type(self), (self.path, self.reason, self.remedy)


class UnknownNameError(TrenteError, KeyError):
    """A name is not registered; the message lists those that are."""

    def __init__(self, kind: str, name: object, known: list[str], remedy: str = "") -> None:
        """Say what kind of thing was looked for and list the names that exist."""
        text = f"There is no {kind} named {name!r}. Known: {', '.join(known)}."
        super().__init__(text + (f" {remedy}" if remedy else ""))
        self.kind, self.name, self.known, self.remedy = kind, name, known, remedy

    def __str__(self) -> str:
        """Return the sentence itself (KeyError would show its repr)."""
        return str(self.args[0])

    def __reduce__(self) -> tuple[type[UnknownNameError], tuple[str, object, list[str], str]]:
        """Pickle by the parts rather than by the message."""
        return type(self), (self.kind, self.name, self.known, self.remedy)


def is_name(value: object, names: collections.abc.Container[str]) -> bool:
    """Return whether a value, whatever it is, is one of some names."""
    return isinstance(value, str) and value in names


def is_list(value: object, kind: typing.Any = object) -> bool:
    """Return whether a value is a list or a tuple, no text, of things of one kind only."""
    if not isinstance(value, collections.abc.Sequence) or isinstance(value, (str, bytes)):
        return False
    return all(isinstance(each, kind) for each in value)


def is_whole(value: object, low: int, high: int) -> bool:
    """Return whether a value is a whole number (no bool) from `low` to `high`, both included."""
    if isinstance(value, bool):
        return False
    try:
        return low <= operator.index(value) <= high  # type: ignore[arg-type]  # anything may be given: that is the point
    except TypeError:
        return False
