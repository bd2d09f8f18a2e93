"""What a record holds: a header, and one small class for each kind of line; `str()` of a line is its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from trente_env.game import Hand
from trente_env.rules import Rules
from trente_env.text import half_points_text

__all__ = [
    "VERSION",
    "Comment",
    "Deal",
    "End",
    "Entry",
    "Lives",
    "Move",
    "Points",
    "Record",
    "Refresh",
    "Reshuffle",
    "Result",
    "Round",
    "Show",
    "TableCards",
    "Upcard",
]

VERSION: Final = 1
"""Version of the format: what another version wrote is refused."""
NO_CARDS: Final = Hand()
OUT_TEXT: Final = "-"
"""A seat that is out, in a list of lives."""
WINNER: Final = "winner"
TRUNCATED: Final = "truncated"
SINGLE_ROUND: Final = "single round"
UNFINISHED: Final = "unfinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of a record, below its header."""

    line: int = field(default=0, compare=False, repr=False)
    """Number of the line in the text, 1 for the first; 0 if it comes from no text."""
    note: str = field(default="", compare=False, repr=False)
    """What a reader wrote behind it, after "#"."""


@dataclass(frozen=True, slots=True)
class Comment(Entry):
    """A whole line of comment."""

    text: str

    def __str__(self) -> str:
        return f"# {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Round(Entry):
    """A deal begins."""

    number: int
    """1 for the first of the game."""
    dealer: int
    """Who deals."""
    is_playoff: bool = False
    """Whether it is a playoff (R23)."""

    def __str__(self) -> str:
        return f"round {self.number}: dealer {self.dealer}" + (", playoff" if self.is_playoff else "")


@dataclass(frozen=True, slots=True)
class Deal(Entry):
    """A hand as dealt; in the exchange game, before the dealer's choice, the three cards the dealer looks at."""

    seat: int
    cards: Hand

    def __str__(self) -> str:
        return f"deal {self.seat}: {self.cards}"


@dataclass(frozen=True, slots=True)
class Upcard(Entry):
    """The card turned up by the deal."""

    card: str

    def __str__(self) -> str:
        return f"upcard: {self.card}"


@dataclass(frozen=True, slots=True)
class TableCards(Entry):
    """Exchange game: the first three cards on the table."""

    cards: Hand

    def __str__(self) -> str:
        return f"table: {self.cards}"


@dataclass(frozen=True, slots=True)
class Move(Entry):
    """A decision."""

    seat: int
    action: str
    """Its name, as `Game.apply` takes it."""
    cards: Hand = NO_CARDS
    """The cards it brought to hand, where its name does not say; empty if the record does not say either."""

    def __str__(self) -> str:
        return f"{self.seat} {self.action}" + (f": {self.cards}" if self.cards else "")


@dataclass(frozen=True, slots=True)
class Reshuffle(Entry):
    """The discard pile has become the stock (R17)."""

    stock_size: int

    def __str__(self) -> str:
        return f"reshuffle: stock {self.stock_size}"


@dataclass(frozen=True, slots=True)
class Refresh(Entry):
    """A lap of passes has renewed the table (R48)."""

    cards: Hand

    def __str__(self) -> str:
        return f"refresh: {self.cards}"


@dataclass(frozen=True, slots=True)
class Result(Entry):
    """How a round ended, in the words of `LastRound`."""

    end: str
    outcome: str
    knocker: int | None = None

    def __str__(self) -> str:
        return f"result: {self.end}{'' if self.knocker is None else f' by {self.knocker}'}, {self.outcome}"


@dataclass(frozen=True, slots=True)
class Show(Entry):
    """A hand shown at the end of a round, its value, and what the round cost or brought its seat."""

    seat: int
    cards: Hand
    half_points: int
    loses: int = 0
    scores: int = 0
    is_out: bool = False

    def __str__(self) -> str:
        text = f"show {self.seat}: {self.cards} = {half_points_text(self.half_points)}"
        text += f", loses {self.loses}" if self.loses else ""
        text += f", scores {self.scores}" if self.scores else ""
        return text + (", out" if self.is_out else "")


@dataclass(frozen=True, slots=True)
class Lives(Entry):
    """Lives by seat after a round and before any buy-in; None for a seat that is out."""

    lives: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"lives: {lives_text(self.lives)}"


@dataclass(frozen=True, slots=True)
class Points(Entry):
    """Points by seat after a round."""

    points: tuple[int, ...]

    def __str__(self) -> str:
        return f"points: {' '.join(map(str, self.points))}"


@dataclass(frozen=True, slots=True)
class End(Entry):
    """How the game ended, or that the record stops before its end."""

    how: str
    """"winner", "truncated" (R50), "single round" or "unfinished"."""
    winner: int | None = None
    """The winner's seat."""

    def __str__(self) -> str:
        return f"end: {self.how}" + ("" if self.winner is None else f" {self.winner}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A game as its record tells it."""

    rules: Rules
    """The rules played."""
    entries: tuple[Entry, ...]
    """Everything that happened, in order; one `End` among the last."""
    seed: int | None = None
    """What the cards follow from; None if only the record knows them."""
    dealer: int | None = None
    """The first dealer, where it was given rather than drawn."""
    lives: tuple[int | None, ...] | None = None
    """Lives by seat at the beginning, where they were not the rules' own; None for a seat that is out."""
    is_single_round: bool = False
    """Whether the game is one round."""
    players: tuple[str, ...] = ()
    """Names by seat, if any."""
    preset: str = ""
    """The preset that the rules are written as changes of; "" to have the nearest chosen."""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The decisions, in order."""
        return tuple(entry for entry in self.entries if isinstance(entry, Move))

    @property
    def end(self) -> End | None:
        """How it ended; None if it does not say."""
        return next((entry for entry in reversed(self.entries) if isinstance(entry, End)), None)


def lives_text(lives: Sequence[int | None]) -> str:
    """Write lives by seat: "3 0 -"."""
    return " ".join(OUT_TEXT if left is None else str(left) for left in lives)
