"""Decisions per second of every layer, measured in one run with the same random legal play.

Layers take turns, run after run, so that a disturbance does not fall on one alone. Time is that of the process on its
one core, not the wall clock's: another busy process changes it little. What is timed stands in `eval.layers`.
"""

from __future__ import annotations

import platform
import statistics
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from eval.layers import PEER, Pass, record_layers
from eval.report import Sheet
from trente_env.errors import InvalidOptionError
from trente_env.rules import Rules

__all__ = ["Figure", "Figures", "measure", "sheet"]


@dataclass(frozen=True, slots=True)
class Figure:
    """How fast one layer is."""

    layer: str
    """What was measured."""
    median: float
    """Decisions per second, the median of the runs."""
    low: float
    """The slowest run."""
    high: float
    """The fastest run."""
    ratio: float | None
    """Times the speed of the first layer, PettingZoo's; None where that is not installed."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All layers of one run."""

    figures: tuple[Figure, ...]
    missing: tuple[str, ...]
    """Peers that are not installed."""
    preset: str
    rules: Rules
    runs: int
    machine: str
    versions: dict[str, str]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "layers": [asdict(figure) for figure in self.figures],
            "missing": list(self.missing),
            "runs": self.runs,
            "preset": self.preset,
            "num_players": self.rules.num_players,
            "rules": self.rules.to_dict(),
            "rules_fingerprint": self.rules.fingerprint,
            "machine": self.machine,
            "versions": self.versions,
        }


def measure(rules: Rules, preset: str, *, runs: int, seconds: float, seed: int) -> Figures:
    """Measure every layer.

    Args:
        rules: What is played.
        preset: Its name.
        runs: Runs of each layer; the median counts.
        seconds: Least length of a run.
        seed: What the games follow from.

    Raises:
        InvalidOptionError: If there would be nothing to measure.
    """
    if runs < 1 or not seconds > 0:
        raise InvalidOptionError(f"A measurement needs runs from 1 and seconds above 0, not {runs} and {seconds}.")
    layers, missing = record_layers(rules, preset, seed)
    rates: dict[str, list[float]] = {name: [] for name in layers}
    for play_once in layers.values():
        play_once()  # compiles what there is to compile
    for _ in range(runs):
        for name, play_once in layers.items():
            rates[name].append(_rate(play_once, seconds))
    peer = rates.get(PEER)
    reference = None if peer is None else statistics.median(peer)
    figures = tuple(
        Figure(
            name, median := statistics.median(values), min(values), max(values),
            None if reference is None else median / reference,
        )
        for name, values in rates.items()
    )  # fmt: skip
    versions = {name: metadata.version(name) for name in ("trente-env", "numpy", "numba", "pettingzoo")}
    return Figures(figures, missing, preset, rules, runs, _machine(), {"python": platform.python_version(), **versions})


def sheet(figures: Figures) -> Sheet:
    """Return the table of a measurement."""
    rows = tuple(
        (
            figure.layer,
            f"{figure.median:,.0f}",
            f"{figure.low:,.0f} to {figure.high:,.0f}",
            "-" if figure.ratio is None else f"{figure.ratio:,.1f}",
        )
        for figure in figures.figures
    )
    notes = [
        "Decisions per CPU second of one core, with observation and mask of the next seat unless it says otherwise.",
        f"{figures.machine}; " + ", ".join(f"{name} {version}" for name, version in figures.versions.items()) + ".",
        *(
            f"{name} is not installed, so there are no ratios: pip install 'trente-env[bench]'."
            for name in figures.missing
        ),
    ]
    return Sheet(
        f"{figures.preset}, {figures.rules.num_players} players, random legal play, "
        f"median and range of {figures.runs} runs",
        ("layer", "decisions/s", "range", "ratio"),
        rows,
        tuple(notes),
    )


def _rate(play_once: Pass, seconds: float) -> float:
    """Return decisions per second over at least so many seconds."""
    decisions, spent = 0, 0.0
    while spent < seconds:
        more, duration = play_once()
        decisions, spent = decisions + more, spent + duration
    return decisions / spent


def _machine() -> str:
    """Say what the machine is."""
    model = platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {platform.system()}"
