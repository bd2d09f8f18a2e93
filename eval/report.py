"""What a command shows and keeps: tables for the terminal or as Markdown, progress, JSON files with their origin."""

from __future__ import annotations

import contextlib
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from eval.arena import Progress as OnProgress
from eval.arena import mean_win_rate
from eval.results import AgentResult, MatchResult
from trente_env.files import write_whole

__all__ = ["Sheet", "baseline_sheet", "match_sheet", "origin", "progress_bar", "write_json"]

_WIDTH_WITHOUT_TERMINAL: Final = 140
_ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a title and notes."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Return the sheet as Markdown."""
        lines = [" | ".join(self.headers), " | ".join("---" for _ in self.headers)]
        lines += [" | ".join(row) for row in self.rows]
        return "\n".join([self.title, "", *(f"| {line} |" for line in lines), "", *self.notes])

    def show(self, *, as_markdown: bool = False) -> None:
        """Print the sheet."""
        if as_markdown:
            sys.stdout.write(self.markdown() + "\n")
            return
        console = Console(width=None if sys.stdout.isatty() else _WIDTH_WITHOUT_TERMINAL, highlight=False)
        console.print(self.title, markup=False)
        table = Table()
        for number, header in enumerate(self.headers):
            table.add_column(header, justify="right" if number else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        console.print(table)
        for note in self.notes:
            console.print(note, markup=False)


def percent(value: float | None) -> str:
    """Write a share."""
    return "-" if value is None else f"{100 * value:.1f} %"


def percent_range(interval: tuple[float, float]) -> str:
    """Write the interval of a share."""
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f}"


def _opponents(agent: AgentResult) -> str:
    """Write who else sits at the table: "3 × knock@27"."""
    parts = []
    for name in dict.fromkeys(agent.against):
        count = agent.against.count(name)
        parts.append(name if count == 1 else f"{count} × {name}")
    return ", ".join(parts)


def _truncation_note(results: Sequence[MatchResult]) -> str:
    truncated = sum(result.truncated * result.games for result in results) / sum(result.games for result in results)
    return f"Truncated games, which count 1/n for each seat: {100 * truncated:.2f} %."


def _speed_note(results: Sequence[MatchResult]) -> str:
    games, seconds = sum(result.games for result in results), sum(result.seconds for result in results)
    return f"{games:,} games in {seconds:.1f} s."


def match_sheet(result: MatchResult, preset: str) -> Sheet:
    """Return the table of a match."""
    rows = tuple(
        (
            agent.name,
            _opponents(agent),
            percent(agent.win_rate),
            percent_range(agent.win_rate_ci),
            f"{agent.per_round.value:.4f}",
            f"{agent.per_round.low:.4f} to {agent.per_round.high:.4f}",
            percent(agent.knock_rate),
            percent(agent.failed_knock_rate),
            " ".join("-" if rate is None else f"{100 * rate:.1f}" for rate in agent.seat_win_rates),
        )
        for agent in result.agents
    )
    num_players = result.rules.num_players
    notes = [f"Equal players win {percent(1 / num_players)}.", _truncation_note([result]), _speed_note([result])]
    if result.difference is not None and result.difference_ci is not None and num_players > len(result.agents):
        notes.insert(
            1,
            f"Win rate of {result.agents[0].name} alone minus that of {result.agents[1].name} alone: "
            f"{percent(result.difference)} ({percent_range(result.difference_ci)}), paired by deal.",
        )
    return Sheet(
        f"{preset}, {num_players} players, {result.deals:,} deals of one {result.episode} in "
        f"{len(result.seatings)} seatings, seed {result.seed}, 95 % intervals by deal",
        (
            "policy",
            "against",
            "wins",
            "95 %",
            f"{result.agents[0].unit} per round",
            "95 %",
            "knocks",
            "of these fail",
            "wins by seat",
        ),
        rows,
        tuple(notes),
    )


def baseline_sheet(results: Sequence[MatchResult], preset: str) -> Sheet:
    """Return the table of one policy against baselines."""
    first = results[0]
    rows = []
    for result in results:
        agent = result.agents[0]
        even = 1 / result.rules.num_players
        verdict = "even" if not agent.wins.excludes(even) else "ahead" if agent.win_rate > even else "behind"
        rows.append((
            _opponents(agent),
            percent(agent.win_rate),
            percent_range(agent.win_rate_ci),
            f"{agent.per_round.value:.4f}",
            verdict,
        ))  # fmt: skip
    knocks = [result for result in results if result.agents[0].against[0].startswith("knock@")]
    for label, group in (("mean", results), ("mean over knock@", knocks)):
        if len(group) > 1 and (group is results or len(group) < len(results)):
            mean = mean_win_rate(group)
            rows.append((label, percent(mean.value), percent_range(mean.interval), "", ""))
    return Sheet(
        f"{first.agents[0].name}: {preset}, {first.rules.num_players} players, {first.deals:,} deals each in "
        f"{len(first.seatings)} seatings, seed {first.seed}, 95 % intervals by deal",
        (
            "against",
            "wins",
            "95 %",
            f"{first.agents[0].unit} per round",
            f"beside {percent(1 / first.rules.num_players)}",
        ),
        tuple(rows),
        (_truncation_note(results), _speed_note(results)),
    )


@contextlib.contextmanager
def progress_bar() -> Iterator[OnProgress | None]:
    """Show a bar of games played while something runs; nothing where standard error is no terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda label, done, total: bar.update(task, description=label, completed=done, total=total)


def origin(arguments: Sequence[str]) -> dict[str, Any]:
    """Return what a file says about where it comes from: command, version, and the commit if this is a checkout."""
    commit = _git("rev-parse", "HEAD") if _is_checkout() else None
    return {
        "command": shlex.join(["python", "-m", "eval", *arguments]),
        "version": metadata.version("trente-env"),
        "git_commit": commit,
        "git_is_clean": None if commit is None else _git("status", "--porcelain", "--untracked-files=no") == "",
    }


def _git(*arguments: str) -> str | None:
    """Return what git says of the folder this package lies in, or None."""
    git = shutil.which("git")
    if git is None:
        return None
    try:
        result = subprocess.run(  # noqa: S603 - our own arguments
            [git, "-C", str(_ROOT), *arguments], capture_output=True, text=True, timeout=10, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout.strip()


def _is_checkout() -> bool:
    """Return whether this package is the checkout's own, not merely installed somewhere inside another one."""
    return _git("ls-files", "--error-unmatch", str(Path(__file__).resolve())) is not None


def write_json(path: Path | None, document: dict[str, Any]) -> None:
    """Write a file whole or not at all.

    Raises:
        WriteError: If it cannot be written.
    """
    if path is not None:
        write_whole(path, json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False) + "\n")
