"""Mutants that play like the sound module, by the argument for it: equivalent.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("equivalent.toml")


def arguments() -> dict[str, str]:
    """Return why each equivalent mutant is one, by its name."""
    classes = tomllib.loads(FILE.read_text(encoding="utf-8"))["equivalent"]
    return {name: each["why"] for each in classes for name in each["mutants"]}
