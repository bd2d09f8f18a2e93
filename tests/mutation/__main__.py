"""Faults put into the rules on purpose, and which test notices: `python -m tests.mutation` (docs/proof.md).

Needs Cosmic Ray (`pip install cosmic-ray`), and no compiler: it sets TRENTE_JIT=0. The exit status is 1 if a mutant
survives that equivalent.toml does not argue to play like the sound module.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

os.environ["TRENTE_JIT"] = "0"

from tests.mutation.equivalents import arguments
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.report import equivalents_table, table
from tests.mutation.trial import SURVIVED, Trial

FIRST: Final = {
    "scoring": ("b_cards_and_values", "best_discard", "d_31", "g_schwimmen", "agreement"),
    "settle": ("e_lives", "d_showdown", "e_all_out", "f_points", "d_31", "e_buy_in", "rewards", "agreement"),
    "turns": ("d_turns", "d_31", "d_stock", "h_limits", "g_exchange", "agreement"),
    "exchange": ("g_exchange", "g_schwimmen", "sections", "h_limits"),
}
"""The modules, and the files of tests that kill most mutants of each: these go first."""
TESTS: Final = (
    "tests/rules",
    "tests/encoding/test_sections.py",
    "tests/differential/test_agreement.py::test_engine_and_oracle_agree",
    "tests/core/test_best_discard.py",
    "tests/core/test_rewards.py",
    "tests/core/test_set_up.py",
    "tests/core/test_second_reading.py",
)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="*", default=list(FIRST), help="modules of core (default: %(default)s)")
    parser.add_argument("--tests", nargs="*", default=list(TESTS), help="tests that meet them (default: %(default)s)")
    parser.add_argument("--json", type=Path, help="keep here what became of each; who is dead is not tried again")
    parser.add_argument("--quick", action="store_true", help="take those argued equivalent at their word")
    parser.add_argument("--arguments", action="store_true", help="only print the equivalent mutants, and why they are")
    options = parser.parse_args(words)
    if options.arguments:
        say(equivalents_table(arguments()))
        return 0
    run = Run(options.modules, options.json, is_quick=options.quick)
    code = pytest.main(["-s", "-p", "no:cacheprovider", *options.tests], plugins=[Trial(run.judge)])
    say(table(run.everything, run.results, run.argued))
    return int(code) or run.status


class Run:
    """All mutants of some modules, and what becomes of them."""

    def __init__(self, modules: Sequence[str], file: Path | None, *, is_quick: bool) -> None:
        """Read what an earlier run has found."""
        self.everything = {module: mutants(module) for module in modules}
        self.argued = arguments()
        self.status = 0
        self._file = file
        self._is_quick = is_quick
        is_old = file is not None and file.exists()
        self.results: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file and is_old else {}

    def judge(self, trial: Trial) -> None:
        """Try every mutant."""
        if killer := trial.sound():
            say(f"{killer} fails on the sound modules: put that right first.")
            self.status = 2
            return
        for module, each in self.everything.items():
            started = time.monotonic()
            for mutant in each:
                is_dead = self.results.get(mutant.name, SURVIVED) != SURVIVED
                if not is_dead and not (self._is_quick and mutant.name in self.argued):
                    self._try(trial, mutant)
            say(f"{module}: {len(each)} mutants, {time.monotonic() - started:.0f} s")

    def _try(self, trial: Trial, mutant: Mutant) -> None:
        """Try one mutant, and say so if it lives."""
        killer = self.results[mutant.name] = trial.killer_of(mutant, FIRST.get(mutant.module, ()))
        if killer == SURVIVED and mutant.name not in self.argued:
            say(f"ALIVE, line {mutant.line}: {mutant.name}")
            self.status = 1
        if self._file is not None:
            self._file.write_text(json.dumps(self.results, indent=1) + "\n", encoding="utf-8")


def say(text: str) -> None:
    """Print at once."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
