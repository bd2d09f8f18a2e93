"""From a record to its text, and to a file."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, Final

from trente_env.errors import InvalidRulesError
from trente_env.files import write_whole
from trente_env.presets import PRESETS, preset
from trente_env.record.entries import VERSION, End, Entry, Record, Round, lives_text
from trente_env.rules import Rules

__all__ = ["nearest_preset", "numbered", "rules_text", "save", "write"]

MAGIC: Final = "trente-record"
CUSTOM: Final = "custom"
"""In place of a preset's name: every field is written out."""


def write(record: Record) -> str:
    """Write a record as text, in its one canonical form (docs/record.md)."""
    return "\n".join(text for text, _ in _layout(record)) + "\n"


def save(record: Record, path: Path | str) -> None:
    """Write a record to a file, whole or not at all.

    Raises:
        WriteError: If it cannot be written.
    """
    write_whole(path, write(record))


def numbered(record: Record) -> Record:
    """Return the record with the line numbers it has in the text that `write` makes of it."""
    entries = tuple(
        dataclasses.replace(entry, line=line)
        for line, (_, entry) in enumerate(_layout(record), start=1)
        if entry is not None
    )
    return dataclasses.replace(record, entries=entries)


def _layout(record: Record) -> list[tuple[str, Entry | None]]:
    """Return each line with the entry it says, None in the header and for blank lines."""
    lines: list[tuple[str, Entry | None]] = [(text, None) for text in _header(record)]
    for entry in record.entries:
        if isinstance(entry, (Round, End)):
            lines.append(("", None))
        lines.append((f"{entry}  # {entry.note}" if entry.note else str(entry), entry))
    return lines


def _header(record: Record) -> list[str]:
    lines = [
        f"{MAGIC}: {VERSION}",
        f"rules: {rules_text(record.rules, record.preset)}",
        f"fingerprint: {record.rules.fingerprint}",
    ]
    if record.players:
        lines.append(f"players: {', '.join(record.players)}")
    if record.seed is not None:
        lines.append(f"seed: {record.seed}")
    if record.dealer is not None:
        lines.append(f"dealer: {record.dealer}")
    if record.lives is not None:
        lines.append(f"lives: {lives_text(record.lives)}")
    if record.is_single_round:
        lines.append("single-round: yes")
    return lines


def rules_text(rules: Rules, name: str = "") -> str:
    """Write rules as a preset and the fields that differ: "quebec num_players=2 starting_lives=1".

    Args:
        rules: The rules.
        name: The preset; the nearest if "", and "custom" for none: every field is then written out.
    """
    name = name or nearest_preset(rules)
    base = None if name == CUSTOM else PRESETS[name]
    changes = _changes(rules, base)
    return " ".join([name, *(f"{field}={_value_text(value)}" for field, value in changes.items())])


def _changes(rules: Rules, base: Rules | None) -> dict[str, Any]:
    """Return the fields in which rules differ from a preset, all of them if it is None."""
    fields = rules.to_dict()
    before = {} if base is None else base.to_dict()
    return {name: value for name, value in fields.items() if name not in before or before[name] != value}


def nearest_preset(rules: Rules) -> str:
    """Return the preset from which the fewest changes lead to the rules, or "custom"."""
    for name in sorted(PRESETS, key=lambda name: len(_changes(rules, PRESETS[name]))):
        try:
            if preset(name, **_changes(rules, PRESETS[name])) == rules:
                return name
        except InvalidRulesError:
            continue
    return CUSTOM


def _value_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
