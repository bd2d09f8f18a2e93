"""The generated parts of the rule book: docs/rules.md between its HTML comment markers.

The clauses are written by hand; the presets, the fields of `Rules`, the constants of R6 and the worked examples are
made here from the code, so that they cannot tell of another game than the one that is played.
"""

from __future__ import annotations

import ast
import dataclasses
import itertools
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import trente_env.rules
from eval.deal_stats import constants_table, deals_table
from eval.rule_examples import EXAMPLES
from eval.transcript import write
from trente_env import PRESETS, InvalidRulesError, Rules
from trente_env.errors import InvalidDataError
from trente_env.files import write_whole
from trente_env.rules import MAX_PLAYERS

__all__ = ["BLOCKS", "rules_text", "write_rules"]

FILE: Final = "rules.md"
FOLDER: Final = Path(__file__).resolve().parents[1] / "docs"
_BLOCK: Final = re.compile(r"(?P<start><!-- generated: (?P<name>[\w-]+) -->\n).*?(?P<end><!-- end -->)", re.DOTALL)
_OTHER_VALUES: Final[Mapping[str, tuple[int, ...]]] = {
    "num_players": (2, 3), "hand_size": (2, 3, 4), "three_of_a_kind": (0, 60, 61), "three_aces": (0, 66),
    "failed_knock_penalty": (1, 2), "starting_lives": (1, 2), "buy_ins": (0, 1), "target_points": (1, 2),
    "round_limit": (1, 2), "max_rounds": (1, 2),
}  # fmt: skip
"""Whole numbers to try, to see whether a field matters."""


def preset_table() -> str:
    """Return every field of every preset as Markdown, a column a preset; aliases share their column."""
    columns: dict[Rules, list[str]] = {}
    for name, rules in PRESETS.items():
        columns.setdefault(rules, []).append(name)
    names = [" = ".join(f"`{name}`" for name in aliases) for aliases in columns.values()]
    lines = [f"| field | {' | '.join(names)} |", f"| --- |{' --- |' * len(names)}"]
    lines.append(f"| *players that fit* | {' | '.join(f'2 to {_most_players(rules)}' for rules in columns)} |")
    lines += [
        f"| `{field.name}` | {' | '.join(_cell(rules, field.name) for rules in columns)} |"
        for field in dataclasses.fields(Rules)
    ]
    return "\n".join(lines)


def _most_players(rules: Rules) -> int:
    """R8: how many the deck seats."""
    return max(count for count in range(2, MAX_PLAYERS + 1) if _try(rules, num_players=count) is not None)


def _try(rules: Rules, **changes: Any) -> Rules | None:
    """Return changed rules, or None where they are refused."""
    try:
        return rules.replace(**changes)
    except InvalidRulesError:
        return None


def _cell(rules: Rules, name: str) -> str:
    """Write a field's value; a dash where it does not matter: whatever is given, the rules are the same (R51)."""
    value = getattr(rules, name)
    if all(_try(rules, **{name: other}) == rules for other in _alternatives(name, value)):
        return "–"
    return _value_text(value)


def _alternatives(name: str, value: Any) -> list[Any]:
    """Return values of a field to try besides the one it has."""
    if isinstance(value, StrEnum):
        return [option for option in type(value) if option != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [other for other in _OTHER_VALUES[name] if other != value]
    return [value[1:]]


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def field_table() -> str:
    """Return every field of `Rules` with its default and its docstring, which cites the clauses, as Markdown."""
    default = Rules()
    lines = ["| field | default | meaning, clause |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {_value_text(getattr(default, name))} | {text} |" for name, text in field_docs().items()]
    return "\n".join(lines)


def field_docs() -> dict[str, str]:
    """Return the docstring under each field of `Rules`, on one line."""
    module = ast.parse(Path(trente_env.rules.__file__).read_text(encoding="utf-8"))
    (body,) = (node.body for node in module.body if isinstance(node, ast.ClassDef) and node.name == "Rules")
    docs = {}
    for statement, below in itertools.pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if not (isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)):
                raise InvalidDataError(f"Rules.{statement.target.id} has no docstring under it: write one.")
            docs[statement.target.id] = " ".join(str(below.value.value).split())
    return docs


def examples_text() -> str:
    """Return the worked examples as Markdown, played as they are written."""
    parts = []
    for heading, examples in EXAMPLES.items():
        parts += [f"### {heading}", *map(write, examples)]
    return "\n\n".join(parts)


BLOCKS: Final[Mapping[str, Callable[[], str]]] = {
    "presets": preset_table,
    "fields": field_table,
    "deal-constants": constants_table,
    "deals": deals_table,
    "examples": examples_text,
}
"""The generated parts by the name in their marker."""


def fill_blocks(text: str, blocks: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with the text between its markers made anew.

    Args:
        text: The page, with parts from `<!-- generated: NAME -->` to `<!-- end -->`.
        blocks: What makes each part. All of them must be in the page once.

    Raises:
        InvalidDataError: If a part is missing, unknown, twice in the page, or never ends.
    """
    found = [match["name"] for match in _BLOCK.finditer(text)]
    num_markers = text.count("<!-- generated: ")
    if sorted(found) != sorted(blocks) or num_markers != len(found):
        raise InvalidDataError(
            f"The page has the generated parts {', '.join(found) or 'none'} in {num_markers} markers, not "
            f"{', '.join(blocks)} once each: write '<!-- generated: NAME -->' and '<!-- end -->' on lines of their own."
        )
    return _BLOCK.sub(lambda match: f"{match['start']}\n{blocks[match['name']]()}\n\n{match['end']}", text)


def rules_text(folder: Path = FOLDER) -> str:
    """Return the rule book with its generated parts made anew.

    Args:
        folder: Where `rules.md` is: docs/ of the checkout.

    Raises:
        InvalidDataError: If it is not there, or its markers are not what they should be.
    """
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidDataError(
            f"The rule book {str(folder / FILE)!r} cannot be read ({error.strerror}): run this in a checkout."
        ) from error
    return fill_blocks(text, BLOCKS)


def write_rules(folder: Path) -> None:
    """Make the generated parts of `rules.md` in a folder anew; the file is replaced whole or not at all.

    Raises:
        InvalidDataError: If it is not there, or its markers are not what they should be.
        WriteError: If it cannot be written.
    """
    write_whole(folder / FILE, rules_text(folder))
