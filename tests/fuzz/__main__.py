"""`python -m tests.fuzz --minutes 10 --seed 0 --log PATH`: spoil inputs and see that they are refused, or played.

Compiled kernels are compiled anew, into a cache of their own, with every index checked: reading or writing outside an
array is an exception here, not a crash.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import tempfile
import time
from pathlib import Path

CACHE = Path(tempfile.gettempdir()) / "trente-fuzz-cache"
LAST = Path(tempfile.gettempdir()) / f"trente-fuzz-last-{os.getpid()}"


def main() -> int:
    """Fuzz; print what came of it; return 1 if anything broke."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("--minutes", type=float, default=10.0, help="for how long, all targets together")
    options.add_argument("--seed", type=int, default=0, help="chooses the inputs")
    options.add_argument("--log", type=Path, help="file to write the output to as well")
    options.add_argument("--only", default="", help="part of the names of the targets wanted")
    given = options.parse_args()
    # Read when kernels are compiled, so before any is imported.
    os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")
    os.environ.setdefault("TRENTE_CACHE_DIR", str(CACHE))
    from tests.fuzz.loop import HEAD, UNITS, run

    is_compiled = os.environ.get("TRENTE_JIT", "1") != "0"
    lines: list[str] = []

    def tell(text: str) -> None:
        lines.append(text)
        print(text, flush=True)
        if given.log is not None:
            given.log.write_text("\n".join(lines) + "\n", encoding="utf-8")

    how = "compiled, indices checked" if is_compiled else "plain Python (TRENTE_JIT=0)"
    tell(f"$ python -m tests.fuzz --minutes {given.minutes:g} --seed {given.seed}    # {how}")
    faulthandler.enable()
    began = time.monotonic()
    tallies = run(seconds=given.minutes * 60, seed=given.seed, tell=tell, last=LAST, only=given.only)
    broken = sum(len(tally.broken) for tally in tallies)
    read = sum(tally.executions for tally in tallies)
    tell("\n".join([HEAD, UNITS, *(tally.line() for tally in tallies)]))
    tell(f"{read:,} inputs in {time.monotonic() - began:.0f} s; {broken} kinds of unexpected exceptions.")
    for tally in tallies:
        for kind, count in tally.broken.items():
            tell(f"  {tally.target.name}: {kind}, {count:,} times; the first input is kept in tests/fuzz/found/")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
