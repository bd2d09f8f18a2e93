"""What a seat knows: the public history of the round, watched from its start, and the seat's own cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.cards import deck
from tests.oracle.chance import in_deck_order
from tests.oracle.standing import Standing
from tests.oracle.table import Event, Table

EVENTS_KEPT = 20


@dataclass(frozen=True)
class Knowledge:
    """All that one seat knows.

    Decided here: what a settled round has shown (at the end of the game, or while somebody is asked to buy in) is not
    counted among `known_cards` and `held_by_others`, which are about cards in play; both stay as they were when the
    last card moved.
    """

    seat: int
    hand: frozenset[str]
    table: frozenset[str]
    discard_pile: tuple[str, ...]
    """Bottom first; in the exchange game the cards out of play, those of one refresh in the order of the deck."""
    upcard: str | None
    """None in the exchange game, and where the only discard has just been taken."""
    stock_size: int
    known_cards: tuple[frozenset[str], ...]
    """For each seat, what everybody knows it holds; at the own seat, what the others know of it."""
    held_by_others: frozenset[str]
    """Cards that must be in the other hands, whoever has them.

    Decided here: an empty stock proves it in the drawing game alone. (In an exchange game that has dealt its whole deck
    it would too.)
    """
    unseen: frozenset[str]
    """Cards of the deck that this seat cannot place one by one."""
    lives: tuple[int, ...]
    points: tuple[int, ...]
    buy_ins: tuple[int, ...]
    in_game: tuple[bool, ...]
    dealer: int
    knocker: int | None
    to_move: int | None
    phase: str
    turn: int
    """Turns started in this round by all seats, the one being played included."""
    turns: tuple[int, ...]
    round: int
    reshuffles: int
    last_turns: int
    passes: int
    locked: tuple[bool, ...]
    is_playoff: bool
    taken: str | None
    """The card taken from the pile or the table in this turn."""
    events: tuple[tuple[str, int, str | None], ...]
    """The last public events of the round, newest first: kind, seat, card."""


@dataclass
class OpenView:
    """What an onlooker who sees no hand has gathered from the events of a round."""

    deck: frozenset[str]
    seats: int
    """Seats dealt in."""
    hand_size: int
    is_drawing: bool
    known_cards: list[set[str]]
    stock_size: int = 0
    pile: list[str] = field(default_factory=list)
    table: set[str] = field(default_factory=set)
    in_hands: set[str] = field(default_factory=set)
    """Cards proved to be in somebody's hand: when the stock was empty, all that were not in the pile (R17)."""
    num_seen: int = 0
    """How many of the round's events it has seen."""

    def watch(self, history: Sequence[Event]) -> None:
        """Take in what has happened since it last looked."""
        for event in history[self.num_seen :]:
            self.see(event)
        self.num_seen = len(history)

    def see(self, event: Event) -> None:
        """Take in what everybody sees."""
        known, card = self.known_cards[event.seat], event.card
        match event.kind:
            case "deal" if self.is_drawing:  # R10: all hands and the first upcard
                self.pile = [str(card)]
                self.stock_size = len(self.deck) - self.seats * self.hand_size - 1
            case "deal":  # R40: so far, the dealer's first three
                self.stock_size = len(self.deck) - self.hand_size
                if event.laid_open:  # R44: a 31 kept without a decision
                    self._deal_to_others(event)
            case "keep" | "refuse":
                self._deal_to_others(event)
            case "draw":  # R11: a card that nobody else saw
                self.stock_size -= 1
            case "take":  # R11
                known.add(self.pile.pop())
            case "discard":  # R11
                self._lose(event.seat, str(card))
                self.pile.append(str(card))
            case "take table":  # R41
                self.table.remove(str(card))
                known.add(str(card))
            case "leave":  # R41
                self._lose(event.seat, str(card))
                self.table.add(str(card))
            case "swap all":  # R41: what lay on the table is the hand now, all of it
                self.known_cards[event.seat] = self.table
                self.table = set(event.laid_open)
            case "reshuffle":  # R17: all of the pile but its top is out of sight again; the hands are what they were
                self.stock_size = len(self.pile) - 1
                self.pile = self.pile[-1:]
            case "refresh":  # R48
                self.pile += in_deck_order(list(self.table))
                self.table = set(event.laid_open)
                self.stock_size -= len(event.laid_open)
            case "knock" | "pass":  # R13, R14: no card moves
                pass
            case _:
                raise ValueError(f"nobody has seen a {event.kind!r} before")
        if self.is_drawing and self.stock_size == 0:
            self.in_hands = set(self.deck) - set(self.pile)

    def _deal_to_others(self, event: Event) -> None:
        """R40: three cards are laid open, and each of the others gets three; who refused, nobody knows more of."""
        self.table = set(event.laid_open)
        self.stock_size -= self.hand_size * self.seats

    def _lose(self, seat: int, card: str) -> None:
        """Strike a card off what its holder was known, or proved, to have."""
        self.known_cards[seat].discard(card)
        self.in_hands.discard(card)


def onlooker_at(rules: Any, table: Table) -> OpenView:
    """Return the view of an onlooker who has seen nothing of a round yet."""
    return OpenView(
        deck=frozenset(deck(rules)),
        seats=len(table.seats),
        hand_size=rules.hand_size,
        is_drawing=rules.play_style == "draw",
        known_cards=[set() for _ in range(rules.num_players)],
    )


def knowledge_of(rules: Any, view: OpenView, table: Table, standing: Standing, seat: int) -> Knowledge:
    """Return what a seat knows: the open view, which has watched the round so far, and its own hand."""
    hand = frozenset(table.hands[seat])
    others = [other for other in range(rules.num_players) if other != seat]
    known_of_others = {card for other in others for card in view.known_cards[other]}
    shown = table.history[1:][: -EVENTS_KEPT - 1 : -1]  # all but the deal, newest first
    return Knowledge(
        seat=seat,
        hand=hand,
        table=frozenset(view.table),
        discard_pile=tuple(view.pile),
        upcard=view.pile[-1] if view.is_drawing and view.pile else None,
        stock_size=view.stock_size,
        known_cards=tuple(frozenset(cards) for cards in view.known_cards),
        held_by_others=frozenset((view.in_hands - hand) | known_of_others),
        unseen=view.deck - hand - set(view.pile) - view.table - known_of_others,
        lives=tuple(standing.lives),
        points=tuple(standing.points),
        buy_ins=tuple(standing.buy_ins),
        in_game=tuple(standing.in_game),
        dealer=table.dealer,
        knocker=table.knocker,
        to_move=table.to_move,
        phase=table.phase,
        turn=sum(table.turns),
        turns=tuple(table.turns),
        round=table.number,
        reshuffles=table.reshuffles,
        last_turns=table.last_turns,
        passes=table.passes,
        locked=tuple(other in table.locked for other in range(rules.num_players)),
        is_playoff=table.is_playoff,
        taken=table.taken,
        events=tuple((event.kind, event.seat, event.card) for event in shown),
    )
