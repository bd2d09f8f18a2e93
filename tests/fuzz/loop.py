"""The fuzzer's loop: spoil inputs, read them, keep what breaks."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import random
import re
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from tests.fuzz.targets import TARGETS, Target

FOUND = Path(__file__).resolve().parent / "found"
"""Inputs that once broke something; `test_found.py` reads them all again."""
SECONDS_PER_INPUT = 20
SLICE_SECONDS = 2.0
"""How long one target is fuzzed before the next."""
LARGEST_CORPUS = 4_000


@dataclass
class Tally:
    """What has come of a target's inputs."""

    target: Target
    corpus: list[bytes]
    executions: int = 0
    accepted: int = 0
    slowest: float = 0.0
    refusals: Counter[str] = field(default_factory=Counter)
    """By place, and message as far as it does not depend on the input."""
    broken: Counter[str] = field(default_factory=Counter)
    """Exceptions that should not have been, by kind and place."""

    def line(self) -> str:
        """Return the tally as a line of the table."""
        return (
            f"{self.target.name:<24} {self.executions:>11,} {self.accepted:>10,} {len(self.refusals):>9,} "
            f"{len(self.corpus):>7,} {self.slowest * 1_000:>9.1f} {len(self.broken):>7}"
        )


VARYING = re.compile(r"(?<!\w)['\"({[].*|[0-9]+")
"""What of a message depends on the input: what it quotes, and all behind that; numbers."""
HEAD = f"{'target':<24} {'inputs read':>11} {'accepted':>10} {'refusals':>9} {'corpus':>7} {'slowest':>9} {'broken':>7}"
UNITS = f"{'':<24} {'':>11} {'':>10} {'kinds':>9} {'':>7} {'ms':>9} {'kinds':>7}"


def stop(_signal: int, _frame: FrameType | None) -> None:
    """End an input that takes too long."""
    raise TimeoutError(f"An input took longer than {SECONDS_PER_INPUT} s.")


def run(*, seconds: float, seed: int, tell: Callable[[str], object], last: Path, only: str = "") -> list[Tally]:
    """Fuzz every target in turn.

    Args:
        seconds: For how long in all.
        seed: Chooses the inputs.
        tell: Told the tallies now and then, and every input that broke something.
        last: Holds the input being read, should the process die of it.
        only: Part of the names of the targets wanted; all if empty.
    """
    tallies = [Tally(target, list(target.corpus())) for target in TARGETS if only in target.name]
    dice = random.Random(seed)
    for tally in tallies:  # compiles what it takes, which would count as the slowest input
        for data in tally.corpus[:: max(1, len(tally.corpus) // 50)]:
            with contextlib.suppress(*tally.target.refusals):
                tally.target.read(data)
    signal.signal(signal.SIGALRM, stop)
    began = told = time.monotonic()
    with last.open("wb") as note:
        while time.monotonic() - began < seconds:
            for tally in tallies:
                until = min(time.monotonic() + SLICE_SECONDS, began + seconds)
                while time.monotonic() < until:
                    data = tally.target.spoil(dice, dice.choice(tally.corpus))
                    note.seek(0)
                    note.write(data)
                    note.truncate()
                    note.flush()
                    read_one(tally, data, tell, keep=functools.partial(keep_file, tally.target))
            if time.monotonic() - told > 60:
                told = time.monotonic()
                tell("\n".join([f"after {told - began:.0f} s", *(tally.line() for tally in tallies)]))
    last.unlink()
    return tallies


def place_of(error: Exception) -> str:
    """Name an exception's kind, and where it was raised."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}:{place.lineno}"


def read_one(tally: Tally, data: bytes, tell: Callable[[str], object], *, keep: Callable[[bytes], object]) -> None:
    """Read one input; spoil it further if something new came of it, and keep it for good if it broke something."""
    began = time.perf_counter()
    kinds, kind = tally.refusals, "accepted"
    signal.alarm(SECONDS_PER_INPUT)
    try:
        tally.target.read(data)
        tally.accepted += 1
    except tally.target.refusals as error:
        kind = f"{place_of(error)}: {VARYING.sub('', str(error))[:100]}"
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        kinds, kind = tally.broken, place_of(error)
        if kind not in kinds:
            keep(data)
            tell(f"{tally.target.name}: {kind}: {str(error)[:300]}")
    finally:
        signal.alarm(0)
    tally.executions += 1
    tally.slowest = max(tally.slowest, time.perf_counter() - began)
    if kind not in kinds and len(tally.corpus) < LARGEST_CORPUS:
        tally.corpus.append(data)
    kinds[kind] += 1


def keep_file(target: Target, data: bytes) -> None:
    """Keep an input for good."""
    (FOUND / f"{target.file_name}.{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)
