"""The table of mutants for docs/proof.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.mutation.mutants import Mutant
from tests.mutation.trial import SURVIVED, TIMED_OUT


def table(everything: Mapping[str, Sequence[Mutant]], results: Mapping[str, str], argued: Mapping[str, str]) -> str:
    """Return the counts by module, in Markdown."""
    lines = [
        "| module | mutants | killed | of them by time | equivalent | alive |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    sums = [0] * 5
    for module, each in everything.items():
        survivors = [mutant for mutant in each if results.get(mutant.name, SURVIVED) == SURVIVED]
        timed_out = sum(results.get(mutant.name) == TIMED_OUT for mutant in each)
        equivalent = sum(mutant.name in argued for mutant in survivors)
        counts = [len(each), len(each) - len(survivors), timed_out, equivalent, len(survivors) - equivalent]
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
        lines.append(f"| `{module}` | " + " | ".join(map(str, counts)) + " |")
    lines.append("| all | " + " | ".join(map(str, sums)) + " |")
    return "\n".join(lines)


def equivalents_table(argued: Mapping[str, str]) -> str:
    """Return the equivalent mutants, one a line, under the argument for them, in Markdown."""
    lines = []
    for why in dict.fromkeys(argued.values()):
        names = [name for name in argued if argued[name] == why]
        lines += ["", f"{why}", "", *(f"- `{name}`" for name in names)]
    return "\n".join(lines[1:])
