"""Memory of a large batch, and the time to make it and to step it once, in a process of its own."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from eval.speed.child import run_child
from eval.speed.choice import Chooser
from trente_env.batch import GameBatch
from trente_env.core.layout import GAME
from trente_env.presets import preset as named_rules

__all__ = ["Weight", "weigh", "weigh_here"]

GAMES: Final = 1_000_000
_STATM: Final = Path("/proc/self/statm")


@dataclass(frozen=True, slots=True)
class Weight:
    """What a batch takes. Bytes are of one game; None where the system does not say what is resident."""

    games: int
    record_bytes: int
    """Size of a game's record."""
    batch_bytes: float | None
    """Growth of the resident memory by the batch."""
    total_bytes: float | None
    """The same with the arrays that a step writes."""
    build_cpu: float
    """Seconds to make the batch, all games dealt."""
    build_wall: float
    step_cpu: float
    """Seconds to step every game once."""
    step_wall: float

    def __str__(self) -> str:
        """Write a sentence or two."""
        text = f"A batch of {self.games:,} games: {self.record_bytes} bytes a game are its record"
        if self.batch_bytes is not None and self.total_bytes is not None:
            text += f", {self.batch_bytes:,.0f} all that is resident, {self.total_bytes:,.0f} with the arrays of a step"
        return f"{text}; made in {self.build_cpu:.2f} s of CPU, stepped once in {self.step_cpu:.2f} s."


def weigh(preset: str, num_players: int, games: int) -> Weight:
    """Measure a batch in a new process, so that nothing else is weighed with it."""
    return Weight(**run_child("eval.speed.memory", "weigh_here", [preset, num_players, games]))


def weigh_here(preset: str, num_players: int, games: int) -> dict[str, Any]:
    """Measure a batch in this process; return the fields of a `Weight`."""
    rules, chooser = named_rules(preset, num_players=num_players), Chooser(0)
    small = GameBatch(rules, 2)
    small.step(chooser.actions(small.reset().masks_BA), small.arrays())  # compiles what there is to compile
    del small
    empty = _resident()
    cpu, wall = time.process_time(), time.perf_counter()
    batch = GameBatch(rules, games)
    build_cpu, build_wall = time.process_time() - cpu, time.perf_counter() - wall
    batch_only = _resident()
    out = batch.reset()
    actions_B = chooser.actions(out.masks_BA)
    cpu, wall = time.process_time(), time.perf_counter()
    batch.step(actions_B, out)
    step_cpu, step_wall = time.process_time() - cpu, time.perf_counter() - wall
    del actions_B
    whole = _resident()
    return {
        "games": games,
        "record_bytes": GAME.itemsize,
        "batch_bytes": None if empty is None or batch_only is None else (batch_only - empty) / games,
        "total_bytes": None if empty is None or whole is None else (whole - empty) / games,
        "build_cpu": build_cpu,
        "build_wall": build_wall,
        "step_cpu": step_cpu,
        "step_wall": step_wall,
    }


def _resident() -> int | None:
    """Return the bytes of this process that are in memory, or None."""
    if not _STATM.exists():
        return None
    return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
