"""Whoever plays: random, heuristics, searchers, learned policies. `make("knock@27")` returns one by its name."""

from __future__ import annotations

from agents.registry import make, names

__all__ = ["make", "names"]
