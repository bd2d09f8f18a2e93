"""The wait before the first step: import, and the first step with an empty cache of compiled code and with a full one.

Each measurement is a new process. Its seconds are CPU seconds of that process and seconds of the clock on the wall.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from eval.report import Sheet
from eval.speed.child import run_child
from eval.speed.first_step import STARTS
from eval.speed.machine import Busyness, Watch, machine_name, versions
from trente_env.errors import InvalidOptionError

__all__ = ["HEADERS", "ColdStart", "Wait", "Waits", "import_wait", "measure", "sheet"]

HEADERS: Final = ("what", "import", "first step, nothing compiled", "first step, compiled before")


@dataclass(frozen=True, slots=True)
class Wait:
    """Medians of some processes, in seconds."""

    cpu: float
    wall: float

    def __str__(self) -> str:
        """Write it with its units."""
        return f"{self.cpu:.2f} s ({self.wall:.2f} s)"


@dataclass(frozen=True, slots=True)
class Waits:
    """What a person waits for."""

    what: str
    imported: Wait
    """Loading the module."""
    cold: Wait
    """Its first game and step, nothing being compiled yet."""
    warm: Wait
    """The same when all has been compiled by an earlier process."""


@dataclass(frozen=True, slots=True)
class ColdStart:
    """All of one run."""

    waits: tuple[Waits, ...]
    runs: int
    machine: str
    versions: dict[str, str]
    busy: Busyness

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return asdict(self)


def measure(*, runs: int) -> ColdStart:
    """Measure each first step in `runs` processes with an empty cache, and as many with a full one.

    Raises:
        InvalidOptionError: If there would be nothing to measure.
    """
    if runs < 1:
        raise InvalidOptionError(f"A measurement needs runs from 1, not {runs}.")
    watch = Watch()
    waits = []
    for what in STARTS:
        cold, warm = [], []
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as cache:
                cold.append(_start(what, cache))
                warm.append(_start(what, cache))
        waits.append(Waits(what, _median([*cold, *warm], "import"), _median(cold, "step"), _median(warm, "step")))
    return ColdStart(tuple(waits), runs, machine_name(), versions(), watch.read())


def import_wait(*, runs: int) -> Wait:
    """Measure `import trente_env` in some processes."""
    with tempfile.TemporaryDirectory() as cache:
        return _median([_start("Game", cache) for _ in range(runs)], "import")


def _start(what: str, cache: str) -> dict[str, float]:
    """Start something in a new process with a cache folder; return its seconds."""
    times: dict[str, float] = run_child("eval.speed.first_step", "step_here", [what], {"TRENTE_CACHE_DIR": cache})
    return times


def _median(times: Sequence[dict[str, float]], part: str) -> Wait:
    return Wait(*(statistics.median(each[f"{part}_{clock}"] for each in times) for clock in ("cpu", "wall")))


def sheet(result: ColdStart) -> Sheet:
    """Return the table of a measurement."""
    rows = tuple((each.what, str(each.imported), str(each.cold), str(each.warm)) for each in result.waits)
    return Sheet(
        f"Before the first decision: CPU seconds (and seconds on the wall), medians of {result.runs} new processes",
        HEADERS,
        rows,
        (
            f"{result.machine}; " + ", ".join(f"{name} {version}" for name, version in result.versions.items()) + ".",
            str(result.busy),
        ),
    )
