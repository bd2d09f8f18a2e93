"""From a record to its text, and to a file."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any, Final

from trente_env.errors import InvalidOptionError
from trente_env.files import write_whole
from trente_env.presets import PRESETS, preset
from trente_env.record.entries import VERSION, End, Entry, Record, Round, lives_text
from trente_env.rules import Rules

__all__ = ["nearest_preset", "numbered", "rules_text", "save", "write"]

MAGIC: Final = "trente-record"
MAX_SIZE: Final = 1 << 25
"""Most bytes of a record."""
MAX_LINE: Final = 1_000
"""Most characters of a line."""
MAX_SHOWN: Final = 60
"""Characters of a line that an error quotes."""
UNFIT: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff]")
"""Control characters, line separators and halves of characters: not written by people, nor shown as they are."""
CUSTOM: Final = "custom"
"""In place of a preset's name: every field is written out."""


def write(record: Record) -> str:
    """Write a record as text, in its one canonical form (docs/record.md).

    Raises:
        InvalidOptionError: If a comment, note or name is no text of one line, or it is too long to be read again.
    """
    lines = [text for text, _ in _layout(record)]
    for line in lines:
        if len(line) > MAX_LINE or UNFIT.search(line):
            raise InvalidOptionError(
                f"A record cannot have the line {line[:MAX_SHOWN]!r}: give comments, notes and names of one line, "
                f"without control characters and of at most {MAX_LINE} characters."
            )
    text = "\n".join(lines) + "\n"
    if len(text.encode()) > MAX_SIZE:
        raise InvalidOptionError(f"The record has more than {MAX_SIZE} bytes and could not be read again: cut it.")
    return text


def save(record: Record, path: Path | str) -> None:
    """Write a record to a file, whole or not at all.

    Raises:
        InvalidOptionError: As `write`.
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

    Raises:
        UnknownNameError: If there is no such preset.
    """
    name = name or nearest_preset(rules)
    base = None if name == CUSTOM else preset(name)
    changes = _changes(rules, base)
    return " ".join([name, *(f"{field}={_value_text(value)}" for field, value in changes.items())])


def _changes(rules: Rules, base: Rules | None) -> dict[str, Any]:
    """Return the fields in which rules differ from a preset, all of them if it is None."""
    fields = rules.to_dict()
    before = {} if base is None else base.to_dict()
    return {name: value for name, value in fields.items() if name not in before or before[name] != value}


def nearest_preset(rules: Rules) -> str:
    """Return the preset from which the fewest changes lead to the rules."""
    return min(PRESETS, key=lambda name: len(_changes(rules, PRESETS[name])))


def _value_text(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
