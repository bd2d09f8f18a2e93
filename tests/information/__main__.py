"""The long proof that nobody sees what they should not: `python -m tests.information --decisions 20000`.

Every position of every game is looked at, for every seat, in several other worlds; what a view remembers is compared
with the oracle's knowledge; worlds drawn in positions met in play are compared with all that are possible. It prints
what it has counted and ends with an error at the first leak.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path

from tests.information.leaks import Counts, prove
from tests.information.recall import TINY, play
from tests.information.shown import table_for
from tests.information.uniformity import P_LIMIT, met_in_play
from tests.play import NAMES, any_rules, table_rules
from trente_env import Rules

PLAYERS = (2, 3, 4, 6, 9)


def rule_sets(dice: random.Random) -> list[Rules]:
    """Return every preset at several tables, and as many rule sets that no preset has."""
    presets = [table_rules(name, num_players) for name in NAMES for num_players in PLAYERS]
    return [*presets, *(any_rules(dice) for _ in presets)]


def main() -> None:
    """Run the proof."""
    parser = argparse.ArgumentParser(prog="python -m tests.information", description=__doc__)
    parser.add_argument("--decisions", type=int, default=20_000, help="decisions whose positions are all looked at")
    parser.add_argument("--worlds", type=int, default=2, help="other worlds for each seat in each position")
    parser.add_argument("--positions", type=int, default=100, help="positions in which worlds are counted")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began = time.monotonic()
    rules_of = rule_sets(random.Random(f"rules {options.seed}"))
    counts, channels, views, met_again = Counts(), set[str](), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for number, rules in enumerate(rules_of):
            table = table_for(rules, Path(folder))
            share = options.decisions // len(rules_of)
            counts += prove(rules, table, share, seed=options.seed + number, worlds=options.worlds, seen=channels)
            recall = play(rules, 1 + share // 60, seed=options.seed + number)
            views, met_again = views + recall.views, met_again + recall.by_knowledge.repeats
    for rules in TINY.values():
        recall = play(rules, 1 + options.decisions // 40, num_decisions=8, seed=options.seed)
        views, met_again = views + recall.views, met_again + recall.by_knowledge.repeats
    print(
        f"Leaks: {counts.checks:,} checks (position, seat, world) of {len(channels)} channels in {counts.positions:,} "
        f"positions under {len(rules_of)} rule sets: no difference. Seats not to move: {counts.waiting:,}; out or at "
        f"the end: {counts.out:,}; others hold other cards than they really do: {counts.moved:,}."
    )
    print(f"Memory: {views:,} views are the oracle's knowledge one to one; {met_again:,} had been met before.")
    values = met_in_play(options.positions, options.seed)
    print(
        f"Worlds: in {len(values):,} positions no p-value below {min(values):.2g} (limit {P_LIMIT}), mean "
        f"{sum(values) / len(values):.3f}."
    )
    print(f"Took {time.monotonic() - began:.0f} s.")


if __name__ == "__main__":
    main()
