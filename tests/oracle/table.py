"""One round as it lies on the table, the record of what happened in the open, and how a round ends."""

from __future__ import annotations

from dataclasses import dataclass, field

DRAW, DISCARD = "DRAW", "DISCARD"
DEALER_CHOICE, EXCHANGE, LEAVE = "DEALER_CHOICE", "EXCHANGE", "LEAVE"
BUY_IN, OVER = "BUY_IN", "OVER"
SETTLED = "SETTLED"
"""Between a settled round and what follows; never seen from outside."""


@dataclass(frozen=True)
class Event:
    """Something that everybody at the table sees.

    The kinds are "deal" and those of the observation: draw, take, discard, knock (closing too, R48), pass, take table,
    leave, swap all, keep, refuse, reshuffle, refresh.
    """

    kind: str
    seat: int
    """Who did it; for "deal" the dealer, for "reshuffle" the seat whose turn begins with it (R17), for "refresh" the
    one whose pass has brought it about (R48)."""
    card: str | None = None
    """The card seen: the one taken, discarded or left; for "deal" the first upcard."""
    laid_open: tuple[str, ...] = ()
    """Cards laid on the table by a keep, a refusal, a swap of all three, or a refresh."""


@dataclass(frozen=True)
class Ending:
    """How a round ends."""

    word: str
    """ "knock", "31", "31 at the deal", "last call", "limit" or "table exhausted"."""
    knocker: int | None = None
    """The seat that a showdown judges as the knocker (R16)."""
    holders: frozenset[int] = frozenset()
    """Seats whose hand decides the round without a showdown: a 31 (R15, R30) or three aces (R48)."""


@dataclass
class Table:
    """A round in progress."""

    number: int
    """Number of the round in the game, from 1."""
    deal: int
    """Number of the deal in the game, from 1: ahead of `number` where R9 dealt again."""
    dealer: int
    seats: tuple[int, ...]
    """Who is dealt in, clockwise from the dealer's left; the dealer is last."""
    is_playoff: bool
    hands: list[set[str]]
    stock: list[str]
    """Top first."""
    turns: list[int]
    """Turns that each seat has started in this round."""
    pile: list[str] = field(default_factory=list)
    """Bottom first; in the exchange game, the cards out of play (R48)."""
    open_cards: list[str] = field(default_factory=list)
    """Exchange game: the cards on the table."""
    phase: str = SETTLED
    to_move: int | None = None
    knocker: int | None = None
    """Who opened the last lap (R13, R42)."""
    last_turns: int = 0
    """Last turns not yet finished, the one being played included (R14)."""
    taken: str | None = None
    """The card taken in this turn from the pile or the table."""
    locked: set[int] = field(default_factory=set)
    """R43: who has swapped all three."""
    passes: int = 0
    """Exchange game: passes in a row (R48)."""
    reshuffles: int = 0
    history: list[Event] = field(default_factory=list)

    def mover(self) -> int:
        """Return the seat to move."""
        if self.to_move is None:
            raise ValueError("nobody is to move")
        return self.to_move

    def next_seat(self, seat: int) -> int:
        """Return the next seat of the round, clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def record(self, kind: str, card: str | None = None, laid_open: tuple[str, ...] = ()) -> None:
        """Write down what the seat to move did in the open."""
        self.history.append(Event(kind, self.mover(), card, laid_open))
