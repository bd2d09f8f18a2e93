"""The long proof: the engine against the oracle over many rules. `python -m tests.prove --help`.

Every decision is compared in full: legality, every card, lives, points, rounds, rewards of all kinds, and what each
seat knows. A disagreement is reported with all that is needed to come there again; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.differential.events import EVENTS
from tests.differential.rules import rule_sets
from tests.differential.run import Tally, play_rules
from trente_env import Rules

Task = tuple[Rules, int, int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    options = parser().parse_args(arguments)
    started = time.monotonic()
    total = Tally()
    rules = rule_sets(options.rules, options.seed)
    tasks = [
        (each, share, options.seed) for each, share in zip(rules, shares(options.decisions, len(rules)), strict=True)
    ]
    for number, tally in enumerate(played(tasks, options.processes), start=1):
        total.add(tally)
        if number % max(1, len(tasks) // 20) == 0 or tally.disagreements:
            say(f"{number} of {len(tasks)} rules, {total.decisions:,} decisions, {time.monotonic() - started:.0f} s")
        for report in tally.disagreements:
            say(report)
    result = summary(total, options, len(tasks), time.monotonic() - started)
    say(table(result))
    if options.json is not None:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    missed = result["events_missed"]
    if missed:
        say("Not reached: " + "; ".join(missed))
    return 1 if total.disagreements or (missed and not options.short) else 0


def parser() -> argparse.ArgumentParser:
    """Return the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("--decisions", type=int, default=2_000_000, help="decisions to compare (default: %(default)s)")
    parser.add_argument("--rules", type=int, default=600, help="different rule sets (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="processes (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=0, help="what rules and games are drawn from (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, help="file for the counts")
    parser.add_argument("--short", action="store_true", help="do not fail where a rare event was not reached")
    return parser


def shares(decisions: int, count: int) -> list[int]:
    """Divide decisions among rule sets as evenly as can be."""
    return [decisions // count + (number < decisions % count) for number in range(count)]


def play(task: Task) -> Tally:
    """Play one rule set's games."""
    return play_rules(*task)


def played(tasks: Sequence[Task], processes: int) -> Iterator[Tally]:
    """Yield each task's tally as it is done. The counts do not depend on the number of processes."""
    if processes == 1:
        yield from map(play, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(play, tasks)


def summary(total: Tally, options: argparse.Namespace, num_rules: int, seconds: float) -> dict[str, Any]:
    """Return the run's counts, ready for JSON."""
    return {
        "command": f"python -m tests.prove --decisions {options.decisions} --rules {options.rules}"
        f" --seed {options.seed}",
        "decisions": total.decisions,
        "rules": num_rules,
        "games": total.games,
        "rounds": total.rounds,
        "disagreements": total.disagreements,
        "events": {event: total.events[event] for event in EVENTS},
        "events_missed": [event for event in EVENTS if not total.events[event]],
        "seconds": round(seconds),
        "processes": options.processes,
    }


def table(result: dict[str, Any]) -> str:
    """Write the counts as a table."""
    lines = [f"{result['command']}: {result['seconds']} s, {result['processes']} process(es)", ""]
    lines += ["| what | count |", "| --- | ---: |"]
    lines += [f"| {name} | {result[name]:,} |" for name in ("decisions", "rules", "games", "rounds")]
    lines.append(f"| disagreements | {len(result['disagreements'])} |")
    lines += [f"| {event} | {count:,} |" for event, count in result["events"].items()]
    return "\n".join(lines)


def say(text: str) -> None:
    """Print at once, so that a long run shows how far it is."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
