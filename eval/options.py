"""What a person writes on the command line, made into what the API takes; refused before anything is played."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trente_env.errors import InvalidOptionError, is_list
from trente_env.presets import field_value, preset
from trente_env.rules import Rules

__all__ = ["check_output", "parse_rules", "parse_table"]


def parse_rules(preset_name: str, num_players: int, changes: Sequence[str]) -> Rules:
    """Return a preset with changes given as texts such as "starting_lives=4".

    Raises:
        UnknownNameError: If there is no such preset.
        InvalidOptionError: If a text is no `field=value`, or names a field twice.
        InvalidRulesError: If a field does not exist or a value makes no sense.
    """
    if not is_list(changes, str):
        raise InvalidOptionError(f"rules cannot be {changes!r}: give a list of texts such as 'starting_lives=4'.")
    fields: dict[str, Any] = {"num_players": num_players}
    for text in changes:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise InvalidOptionError(f"--rules cannot be {text!r}: write field=value, as in starting_lives=4.")
        if name in fields:
            remedy = "use --players" if name == "num_players" else "name each field once"
            raise InvalidOptionError(f"--rules cannot set {name!r} as well: {remedy}.")
        fields[name] = field_value(name, value)
    return preset(preset_name, **fields)


def parse_table(text: str) -> list[str]:
    """Return the names of a table written "A,B,B,C".

    Raises:
        InvalidOptionError: If a name is empty.
    """
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise InvalidOptionError(
            f"--table cannot be {text!r}: name a policy for every seat, as in knock@27,random,random."
        )
    return names


def check_output(path: Path | None, option: str = "--json") -> None:
    """Refuse a file that could not be written at the end, now.

    Raises:
        InvalidOptionError: If its folder does not exist or cannot be written, or the path is a folder.
    """
    if path is None:
        return
    try:
        if path.is_dir():
            raise InvalidOptionError(f"{option} cannot be {str(path)!r}: that is a folder. Name a file in it.")
        folder = path.parent
        if not folder.is_dir():
            raise InvalidOptionError(
                f"{option} cannot be {str(path)!r}: there is no folder {str(folder)!r}. Make it first."
            )
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InvalidOptionError(
            f"{option} cannot be {str(path)!r}: the folder {str(path.parent)!r} cannot be written ({error.strerror}). "
            "Choose another."
        ) from error
