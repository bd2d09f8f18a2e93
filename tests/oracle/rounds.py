"""A settled round."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Round:
    """How a round was settled; the words are those of `Game.last_round`."""

    number: int
    end: str
    """ "knock", "31", "31 at the deal", "last call", "limit" or "table exhausted"."""
    outcome: str
    """ "charged", "void" or "playoff"."""
    knocker: int | None
    """The seat that the showdown judged as the knocker.

    Decided here: None wherever a 31 or three aces ended the round, in the exchange game too, though R44 has a showdown
    there: it is the 31 that brings it, and nobody is judged.
    """
    hands: tuple[frozenset[str], ...]
    half_points: tuple[int, ...]
    losses: tuple[int, ...]
    points: tuple[int, ...]
    out: tuple[int, ...]
    """Seats put out, before any buy-in, in ascending order."""
