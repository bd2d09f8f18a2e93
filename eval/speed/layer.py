"""What is measured: a layer, recorded once and then played again and again."""

from __future__ import annotations

import importlib
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Lap", "Layer", "Replay", "import_quietly"]


@dataclass(frozen=True, slots=True)
class Lap:
    """What playing a record once took."""

    decisions: int
    cpu: float
    """Seconds of this process, all its threads together."""
    wall: float
    """Seconds of the clock on the wall."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A record of random legal play: choosing actions costs nothing when it is played."""

    play: Callable[[], int]
    """Plays what was recorded; returns how many decisions that was."""
    prepare: Callable[[], object] = lambda: None
    """Puts everything back to the beginning; not measured."""

    def lap(self) -> Lap:
        """Play it once."""
        self.prepare()
        wall, cpu = time.perf_counter(), time.process_time()
        decisions = self.play()
        return Lap(decisions, time.process_time() - cpu, time.perf_counter() - wall)


@dataclass(frozen=True, slots=True)
class Layer:
    """Something whose speed is measured."""

    name: str
    record: Callable[[], Replay]
    """Plays random legal games and returns their record.

    Raises:
        ImportError: If what it needs is not installed.
    """
    batch: int | None = None
    """Games stepped at once, of those layers that are compared by it."""
    threads: int = 1
    """Threads that share the work; with more than one, the clock on the wall counts."""
    is_peer: bool = False
    """Whether it is another library's."""


def import_quietly(name: str) -> Any:
    """Import a module by name: a peer may be missing, and its deprecations are not ours to mend.

    Raises:
        ImportError: If it is not installed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
