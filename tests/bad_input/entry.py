"""A row of the table of public entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Entry:
    """One public callable, ready to be called."""

    call: Callable[..., object]
    good: Mapping[str, object]
    """Arguments by name that work."""
    refused: Mapping[str, tuple[object, ...]] = field(default_factory=dict)
    """By argument: values that must be refused with a typed error."""
    state: Callable[[], bytes] = bytes
    """What must be the same after a refusal."""
