"""Decisions per second of every layer, ours and others', measured in one run with the same random legal play.

Layers take turns, run after run, so that a disturbance does not fall on one alone. What runs on one thread is measured
by the time of the process, which another busy process changes little; what runs on several, by the clock on the wall.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from eval.report import Sheet
from eval.speed import cold_start, memory
from eval.speed.cold_start import Wait
from eval.speed.layer import Lap, Layer, Replay
from eval.speed.layers import our_layers
from eval.speed.machine import Busyness, Watch, machine_name, versions
from eval.speed.memory import Weight
from eval.speed.peers import PEER, REMEDIES, peers
from trente_env.errors import InvalidOptionError
from trente_env.rules import Rules

__all__ = ["HEADERS", "Figure", "Figures", "layers", "measure", "sheet"]

HEADERS: Final = ("layer", "decisions/s", "range", "clock", "× leduc", "× slowest", "× one thread")

_NOTE: Final = (
    "Decisions per CPU second of one core, or per second of the clock on the wall where there are two threads, with "
    "observation and mask of the next seat unless it says otherwise. Where others are named, the learner's own "
    f"decisions, the others' moves inside. Ratios are to {PEER}, to the slowest of our own on one thread, and, both by "
    "the clock on the wall, to the same on one thread."
)


@dataclass(frozen=True, slots=True)
class Figure:
    """How fast one layer is. Rates are decisions per second."""

    layer: str
    """What was measured."""
    batch: int | None
    """Games stepped at once, of those layers that are compared by it."""
    threads: int
    is_peer: bool
    clock: str
    """What seconds are: "CPU" of the process, or "wall" with several threads."""
    median: float
    low: float
    """The slowest run."""
    high: float
    """The fastest run."""
    wall_median: float
    """By the clock on the wall, whatever `clock` says."""
    ratio: float | None = None
    """Times the speed of PettingZoo's leduc_holdem env(); None where that is not installed."""
    ratio_to_slowest: float | None = None
    """Times the speed of our slowest layer on one thread."""
    ratio_to_one_thread: float | None = None
    """Times the speed of the same on one thread, both by the clock on the wall; None for what runs on one."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All layers of one run."""

    figures: tuple[Figure, ...]
    missing: tuple[str, ...]
    """Peers that are not installed."""
    preset: str
    rules: Rules
    runs: int
    seconds: float
    machine: str
    versions: dict[str, str]
    busy: Busyness
    weight: Weight | None
    """Memory of a large batch; None if it was not asked for."""
    imported: Wait
    """What `import trente_env` takes."""

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "layers": [asdict(figure) for figure in self.figures],
            "missing": list(self.missing),
            "runs": self.runs,
            "seconds_a_run": self.seconds,
            "preset": self.preset,
            "num_players": self.rules.num_players,
            "rules": self.rules.to_dict(),
            "rules_fingerprint": self.rules.fingerprint,
            "machine": self.machine,
            "busy": asdict(self.busy),
            "versions": self.versions,
            "memory": None if self.weight is None else asdict(self.weight),
            "import": asdict(self.imported),
        }


def layers(rules: Rules, preset: str, seed: int) -> list[Layer]:
    """Return everything that is measured, in the order of the table."""
    return [*peers(seed), *our_layers(rules, preset, seed)]


def measure(
    rules: Rules, preset: str, *, runs: int, seconds: float, seed: int, only: Sequence[str] = (), games: int = 0
) -> Figures:
    """Measure every layer.

    Args:
        rules: What is played.
        preset: Its name.
        runs: Runs of each layer; the median counts.
        seconds: Least length of a run.
        seed: What the games follow from.
        only: Parts of names: layers with none of them are left out. All if empty.
        games: Size of the batch whose memory is measured; 0 for none.

    Raises:
        InvalidOptionError: If there would be nothing to measure.
    """
    if runs < 1 or not seconds > 0:
        raise InvalidOptionError(f"A measurement needs runs from 1 and seconds above 0, not {runs} and {seconds}.")
    chosen = [layer for layer in layers(rules, preset, seed) if not only or any(part in layer.name for part in only)]
    if not chosen:
        raise InvalidOptionError(f"--only cannot be {' '.join(only)!r}: no layer has that in its name.")
    watch = Watch()
    replays, missing = _record(chosen)
    laps: dict[str, list[Lap]] = {name: [] for name in replays}
    for _ in range(runs):
        for name, replay in replays.items():
            laps[name].append(_lap(replay, seconds))
    figures = _with_ratios([_figure(layer, laps[layer.name]) for layer in chosen if layer.name in laps])
    busy = watch.read()
    del replays
    return Figures(
        figures, missing, preset, rules, runs, seconds, machine_name(), versions(), busy,
        memory.weigh(preset, rules.num_players, games) if games else None,
        cold_start.import_wait(runs=runs),
    )  # fmt: skip


def _record(chosen: Sequence[Layer]) -> tuple[dict[str, Replay], tuple[str, ...]]:
    """Record what each layer will replay; name the peers that are missing."""
    replays: dict[str, Replay] = {}
    missing: dict[str, None] = {}
    for layer in chosen:
        try:
            replay = layer.record()
        except ImportError:
            if not layer.is_peer:
                raise
            missing[next(name for name in REMEDIES if layer.name.startswith(name))] = None
            continue
        replay.lap()  # compiles what there is to compile
        replays[layer.name] = replay
    return replays, tuple(missing)


def _lap(replay: Replay, seconds: float) -> Lap:
    """Play a record again and again for at least so many seconds."""
    decisions, cpu, wall = 0, 0.0, 0.0
    while cpu < seconds:
        lap = replay.lap()
        decisions, cpu, wall = decisions + lap.decisions, cpu + lap.cpu, wall + lap.wall
    return Lap(decisions, cpu, wall)


def _figure(layer: Layer, laps: Sequence[Lap]) -> Figure:
    is_wall = layer.threads > 1
    walls = [lap.decisions / lap.wall for lap in laps]
    rates = walls if is_wall else [lap.decisions / lap.cpu for lap in laps]
    return Figure(
        layer.name, layer.batch, layer.threads, layer.is_peer, "wall" if is_wall else "CPU",
        statistics.median(rates), min(rates), max(rates), statistics.median(walls),
    )  # fmt: skip


def _with_ratios(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Put every figure beside the peer's, our slowest and, with several threads, the one of one thread."""
    by_name = {figure.layer: figure for figure in figures}
    own = [figure.median for figure in figures if not figure.is_peer and figure.threads == 1]
    slowest = min(own, default=None)
    found = []
    for figure in figures:
        alone = by_name.get(figure.layer.rpartition(",")[0]) if figure.threads > 1 else None
        values = asdict(figure) | {
            "ratio": figure.median / by_name[PEER].median if PEER in by_name else None,
            "ratio_to_slowest": None if slowest is None else figure.median / slowest,
            "ratio_to_one_thread": None if alone is None else figure.wall_median / alone.wall_median,
        }
        found.append(Figure(**values))
    return tuple(found)


def sheet(figures: Figures) -> Sheet:
    """Return the table of a measurement."""
    rows = tuple(
        (
            figure.layer,
            f"{figure.median:,.0f}",
            f"{figure.low:,.0f} to {figure.high:,.0f}",
            figure.clock,
            _times(figure.ratio),
            _times(figure.ratio_to_slowest),
            _times(figure.ratio_to_one_thread, digits=2),
        )
        for figure in figures.figures
    )
    notes = [
        _NOTE,
        *(f"{name} is not installed and was not measured: {REMEDIES[name]}." for name in figures.missing),
        f"`import trente_env`: {figures.imported.cpu:.2f} s of CPU, {figures.imported.wall:.2f} s on the wall.",
        *([] if figures.weight is None else [str(figures.weight)]),
        f"{figures.machine}; " + ", ".join(f"{name} {version}" for name, version in figures.versions.items()) + ".",
        str(figures.busy),
    ]
    return Sheet(
        f"{figures.preset}, {figures.rules.num_players} players, random legal play, "
        f"median and range of {figures.runs} runs",
        HEADERS,
        rows,
        tuple(notes),
    )


def _times(ratio: float | None, digits: int = 1) -> str:
    return "-" if ratio is None else f"{ratio:,.{digits}f}"
