"""On what the measuring is done, and how busy that is meanwhile."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Self

__all__ = ["Busyness", "Watch", "machine_name", "versions"]

_PACKAGES: Final = ("trente-env", "numpy", "numba", "gymnasium", "pettingzoo", "rlcard", "open-spiel", "pgx", "jax")
_STEAL: Final = 7
_IDLE: Final = (3, 4)
"""Places in the first line of /proc/stat, behind "cpu"."""


def machine_name() -> str:
    """Say what the machine is: "Intel Xeon …, 2 cores, Linux"."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> dict[str, str]:
    """Return the versions of Python and of what was measured, where it is installed."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class Busyness:
    """How busy a machine was. Shares are of all its cores' time; None where the system does not say."""

    load_before: float | None
    """Load average of the minute before."""
    load_after: float | None
    """Load average of the last minute."""
    others: float | None
    """Share that other processes took."""
    steal: float | None
    """Share that the machine's host kept for itself."""

    def __str__(self) -> str:
        """Write one sentence."""
        if self.load_before is None or self.load_after is None:
            return "How busy the machine was is not known."
        text = f"Load average {self.load_before:.1f} before, {self.load_after:.1f} after"
        if self.others is None or self.steal is None:
            return f"{text}."
        return f"{text}; other processes took {self.others:.0%} of the cores' time, the host {self.steal:.0%}."


class Watch:
    """Watches a machine from its making on."""

    def __init__(self) -> None:
        """Begin."""
        self._load = _load_average()
        self._ticks = _ticks()
        self._own = _own_seconds()

    @classmethod
    def start(cls) -> Self:
        """Begin to watch."""
        return cls()

    def read(self) -> Busyness:
        """Return how busy the machine has been since."""
        ticks, own = _ticks(), _own_seconds() - self._own
        others = steal = None
        if ticks is not None and self._ticks is not None:
            spent = [later - sooner for later, sooner in zip(ticks, self._ticks, strict=True)]
            total = max(sum(spent), 1)
            steal = spent[_STEAL] / total
            idle = sum(spent[place] for place in _IDLE)
            ticks_per_second = os.sysconf("SC_CLK_TCK")
            others = max(0.0, (total - idle - spent[_STEAL] - own * ticks_per_second) / total)
        return Busyness(self._load, _load_average(), others, steal)


def _own_seconds() -> float:
    """Return the CPU seconds of this process and of the children it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _load_average() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _ticks() -> list[int] | None:
    """Return the time that all cores have spent on each kind of work, or None."""
    stat: Any = Path("/proc/stat")
    if not stat.exists():
        return None
    return [int(each) for each in stat.read_text().splitlines()[0].split()[1:9]]
