"""The commands that measure: `python -m eval bench` and `python -m eval cold-start`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from eval import report
from eval.options import check_output, parse_rules
from eval.speed import bench, cold_start, page, plot
from eval.speed.memory import GAMES
from trente_env.errors import InvalidOptionError

__all__ = ["Bench", "ColdStart"]


@dataclass(frozen=True, slots=True)
class Bench:
    """Measure decisions per second of every layer, beside the peers that are installed, and the memory of a batch."""

    preset: str = "quebec"
    """Rule set played."""
    players: int = 4
    """Seats at the table."""
    runs: int = 5
    """Runs of each layer, in turn; the median counts. From 1; five for figures to be quoted."""
    seconds: float = 0.5
    """Least length of a run, in CPU seconds."""
    seed: int = 0
    """What the games follow from."""
    games: int = GAMES
    """Size of the batch whose memory is measured, in a process of its own; 0 for none."""
    only: Annotated[tuple[str, ...], tyro.conf.arg(metavar="TEXT ...")] = ()
    """Measure only layers with one of these in their names: --only "GameBatch" "kernel"."""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File to write the figures to, as JSON."""
    markdown: bool = False
    """Print the table as Markdown."""
    docs: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder, docs, whose results.md takes the table, and a plot beside it."""

    def run(self, arguments: Sequence[str]) -> None:
        """Measure, print, write."""
        check_output(self.json)
        if self.docs is not None:
            page.check_page(self.docs, "bench")
            plot.check_plotting()
        if self.games < 0:
            raise InvalidOptionError(f"--games cannot be {self.games}: give a number of games, or 0 for none.")
        rules = parse_rules(self.preset, self.players, ())
        figures = bench.measure(
            rules, self.preset, runs=self.runs, seconds=self.seconds, seed=self.seed, only=self.only, games=self.games
        )
        origin, sheet = report.origin(arguments), bench.sheet(figures)
        sheet.show(as_markdown=self.markdown)
        report.write_json(self.json, {**figures.to_json(), **origin})
        if self.docs is not None:
            plot.draw(figures.figures, self.docs / plot.PICTURE)
            picture = f"![Decisions per second against the size of the batch]({plot.PICTURE})"
            page.write_block(self.docs, "bench", sheet, origin, picture=picture)


@dataclass(frozen=True, slots=True)
class ColdStart:
    """Measure what a person waits for before the first step: import, and compiling, in new processes."""

    runs: int = 3
    """Processes with an empty cache of compiled code, and as many with a full one, for each of three interfaces."""
    json: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """File to write the seconds to, as JSON."""
    markdown: bool = False
    """Print the table as Markdown."""
    docs: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Folder, docs, whose results.md takes the table."""

    def run(self, arguments: Sequence[str]) -> None:
        """Measure, print, write."""
        check_output(self.json)
        if self.docs is not None:
            page.check_page(self.docs, "cold-start")
        result = cold_start.measure(runs=self.runs)
        origin, sheet = report.origin(arguments), cold_start.sheet(result)
        sheet.show(as_markdown=self.markdown)
        report.write_json(self.json, {**result.to_json(), **origin})
        if self.docs is not None:
            page.write_block(self.docs, "cold-start", sheet, origin)
