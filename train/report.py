"""What a training run shows: the bar while it runs, the table at its end."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from agents.learned.policy import make_from_file
from eval.arena import BASELINES, judge
from eval.report import baseline_sheet, progress_bar
from eval.results import MatchResult
from train.config import TrainConfig
from train.selfplay import Progress

__all__ = ["show_table", "shown_progress"]


@contextlib.contextmanager
def shown_progress(*, is_wanted: bool) -> Iterator[Callable[[Progress], object]]:
    """Show how far a run is: a bar on a terminal, elsewhere a line at every tenth of the way."""
    console = Console(stderr=True)
    if is_wanted and console.is_terminal:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
        )
        with Bar(*columns, console=console) as bar:
            task = bar.add_task("training", total=1.0, state="")

            def update(progress: Progress) -> None:
                bar.update(task, completed=progress.share, description=progress.phase, state=_state(progress))

            yield update
        return
    next_tenth = 0

    def write(progress: Progress) -> None:
        nonlocal next_tenth
        tenth = int(progress.share * 10)
        if is_wanted and tenth >= next_tenth:
            next_tenth = tenth + 1
            sys.stderr.write(f"{progress.share:4.0%}  {progress.phase}: {_state(progress)}\n")
            sys.stderr.flush()

    yield write


def _state(progress: Progress) -> str:
    wins = "" if progress.win_rate is None else f", wins {progress.win_rate:.0%} against its opponents"
    return f"{progress.decisions:,} decisions, {progress.per_second:,.0f}/s{wins}"


def show_table(config: TrainConfig, deals: int) -> None:
    """Judge the policy of the run folder against the baselines, a match a thread at once; print the table."""
    policy, rules = make_from_file(str(config.folder)), config.rule_set()
    with progress_bar() as progress, ThreadPoolExecutor(config.eval_threads) as threads:
        finished: dict[str, int] = {}

        def play(baseline: str) -> MatchResult:
            def tell(_label: str, done: int, total: int) -> None:
                finished[baseline] = done
                if progress is not None:
                    progress("judging", sum(list(finished.values())), total * len(BASELINES))

            return judge(policy, [baseline], rules=rules, deals=deals, seed=config.eval_seed, progress=tell)[0]

        began = time.monotonic()
        try:
            results = list(threads.map(play, BASELINES))
        except BaseException:  # Ctrl-C above all: the matches under way end, no other begins
            threads.shutdown(cancel_futures=True)
            raise
    baseline_sheet(results, config.preset).show()
    sys.stdout.write(f"Judged in {time.monotonic() - began:.0f} s on {config.eval_threads} threads.\n")
