"""Playing a record again, and checking that what it says is what happens."""

from __future__ import annotations

from typing import Literal

from trente_env.cards import card_text, parse_card
from trente_env.errors import IllegalActionError, InvalidOptionError, InvalidRecordError, TrenteError
from trente_env.game import Game, Hand
from trente_env.record.entries import (
    UNFINISHED,
    Comment,
    Deal,
    End,
    Entry,
    Move,
    Record,
    Refresh,
    Round,
    Show,
    TableCards,
    Upcard,
)
from trente_env.record.play import Play
from trente_env.record.writing import numbered
from trente_env.rules import PlayStyle

__all__ = ["replay"]

TABLE_SIZE = 3


def replay(record: Record, source: Literal["seed", "cards"] | None = None) -> Game:
    """Play a record again; every line is compared with what the engine does.

    Args:
        record: The record. Decisions, the line of each round and the end must all be there; what else it leaves out is
            not checked.
        source: Where the cards come from. "seed": from the game's seed, so that the game returned equals the one
            recorded, byte by byte. "cards": from the cards written, whatever this version's shuffle would have given;
            every deal and every card drawn must then be written. By default the seed, where the record has one.

    Returns:
        The game as it stands at the end of the record.

    Raises:
        InvalidRecordError: At the first line that cannot have happened: its number, what it says, what is so.
        InvalidOptionError: If the source is none of the two, or a seed is asked of a record without one.
    """
    if source not in {None, "seed", "cards"}:
        raise InvalidOptionError(f"source cannot be {source!r}: give 'seed' or 'cards'.")
    if source == "seed" and record.seed is None:
        raise InvalidOptionError("source cannot be 'seed': the record has none. Replay it from its cards.")
    if not any(entry.line for entry in record.entries):
        record = numbered(record)
    is_by_cards = source == "cards" or record.seed is None
    return _Replay(record, is_by_cards=is_by_cards).run()


def _differs(entry: Entry, expected: str) -> InvalidRecordError:
    return InvalidRecordError(entry.line, str(entry), expected)


class _Replay:
    """A record being replayed."""

    def __init__(self, record: Record, *, is_by_cards: bool) -> None:
        self.record = record
        self.is_by_cards = is_by_cards
        self.play = Play(self.begin())
        self.pending: list[Entry] = [] if is_by_cards else self.play.open()
        """What has happened and has not been said yet."""

    def begin(self) -> Game:
        """Make the game that the header describes."""
        record = self.record
        first = next((entry for entry in record.entries if isinstance(entry, Round)), None)
        dealer = record.dealer
        if self.is_by_cards and dealer is None and first is not None:
            dealer = first.dealer
        try:
            return Game(
                record.rules, record.seed or 0, dealer=dealer, lives=record.lives, single_round=record.is_single_round
            )
        except TrenteError as error:
            begin = first or next(iter(record.entries), End(UNFINISHED))
            raise _differs(begin, f"a game that can begin ({error})") from error

    def run(self) -> Game:
        """Go through the record."""
        for index, entry in enumerate(self.record.entries):
            if isinstance(entry, Comment):
                continue
            if isinstance(entry, End):
                return self.end(entry)
            if isinstance(entry, Move):
                self.move(index, entry)
            else:
                if isinstance(entry, Round) and self.is_by_cards:
                    self.deal(index, entry)
                self.check(entry)
        line = self.record.entries[-1].line if self.record.entries else 1
        raise InvalidRecordError(line, "nothing more", f"'{self.play.end}'")

    def end(self, entry: End) -> Game:
        """Compare the end."""
        if entry != self.play.end:
            raise _differs(entry, f"'{self.play.end}'")
        if self.play.is_deal_due:  # by cards, and they end here: the game goes on with others
            if self.play.game.num_decisions == 0 and self.play.next_round.number == 1:
                self.play.open()
            else:
                self.play.run_on()
        return self.play.game

    def next_text(self) -> str:
        """Say what comes next."""
        if self.pending:
            return f"'{self.pending[0]}'"
        if self.play.is_deal_due:
            return f"'{self.play.next_round}'"
        if self.play.is_over:
            return f"'{self.play.end}'"
        game = self.play.game
        names = ", ".join(map(game.action_name, game.legal_actions()))
        return f"a decision of seat {game.seat_to_move}: {names}"

    def check(self, entry: Entry) -> None:
        """Compare a line with what has happened; within a block lines may stand in any order."""
        places = [place for place, each in enumerate(self.pending) if isinstance(each, Round)]
        if isinstance(entry, Round):
            self.pending = self.pending[places[0] :] if places else []
        block = self.pending[: places[0]] if places and not isinstance(entry, Round) else self.pending
        same = next((each for each in block if _slot(each) == _slot(entry)), None)
        if same is None:
            raise _differs(entry, self.next_text())
        if same != entry:
            raise _differs(entry, f"'{same}'")
        self.pending.remove(same)

    def move(self, index: int, entry: Move) -> None:
        """Take a decision."""
        play, game = self.play, self.play.game
        unsaid = next((each for each in self.pending if isinstance(each, Round)), None)
        if unsaid is not None:
            raise _differs(entry, f"'{unsaid}'")
        self.pending = []
        if play.is_deal_due or play.is_over or entry.seat != game.seat_to_move:
            raise _differs(entry, self.next_text())
        try:
            action = game.verify(entry.action)
        except IllegalActionError:
            raise _differs(entry, f"a legal action: {self.next_text()}") from None
        cards = self.chance(index, entry) if self.is_by_cards else []
        happened, *self.pending = play.apply(action, cards)
        if self.is_by_cards:
            if play.num_drawn > len(cards):
                raise _differs(entry, "'refresh: CARDS' below it, the new cards on the table")
        else:
            self.pending += play.run_on()
        if entry.cards and happened != entry:
            raise _differs(entry, f"'{happened}'")

    # Cards as the record gives them.

    def block(self, index: int) -> list[Entry]:
        """Return the lines after one, up to the next decision or round."""
        entries, stop = self.record.entries, index + 1
        while stop < len(entries) and not isinstance(entries[stop], (Move, Round, End)):
            stop += 1
        return list(entries[index + 1 : stop])

    def deal(self, index: int, entry: Round) -> None:
        """Deal a round as written."""
        play, rules = self.play, self.play.rules
        if not play.is_deal_due or entry != play.next_round:
            raise _differs(entry, self.next_text())
        block, order, size = self.block(index), play.seats, rules.hand_size
        stock = {card_text(card) for card in rules.deck}
        if rules.play_style == PlayStyle.DRAW:
            hands = [self.hand(block, seat, entry) for seat in order]
            laid: list[tuple[Entry, str]] = [(line, line.cards[place]) for place in range(size) for line in hands]
            upcard = next((line for line in block if isinstance(line, Upcard)), None)
            if upcard is None:
                raise _differs(entry, "'upcard: CARD' below it")
            laid.append((upcard, upcard.card))
        else:
            first = self.hand(block, entry.dealer, entry)
            laid = [(first, card) for card in first.cards]
            if any(isinstance(line, TableCards) for line in block):  # R40: a 31 is kept without a decision
                laid += self.rest(block, entry, order[:-1], has_table=False)
        cards = _taken(laid, stock)
        self.pending = play.deal(cards)
        if play.num_drawn > len(cards):
            raise _differs(entry, "the whole deal below it: the dealer's 31 is kept without a decision (R40)")
        if play.is_over and play.game.num_decisions == 0:
            raise _differs(entry, "a first deal after which somebody must decide: others are dealt again (R9)")

    def chance(self, index: int, entry: Move) -> list[int]:
        """Return the cards that a decision brings from the stock, as written there and below."""
        block, game = self.block(index), self.play.game
        laid: list[tuple[Entry, str]] = []
        if entry.action == "draw":
            laid = _all(entry, entry.cards, 1, "the card drawn behind it: 'draw: CARD'")
        elif entry.action in {"keep", "refuse"}:
            if entry.action == "refuse":
                laid = _all(entry, entry.cards, game.rules.hand_size, "the next three cards behind it: 'refuse: CARDS'")
            count = game.rules.num_players
            order = [(game.dealer + step) % count for step in range(1, count)]
            order = [seat for seat in order if game.in_game[seat]]
            laid += self.rest(block, entry, order, has_table=entry.action == "refuse")
        elif entry.action == "pass":
            for line in block:
                if isinstance(line, Refresh):
                    laid = _all(line, line.cards, TABLE_SIZE, f"{TABLE_SIZE} cards")
        return _taken(laid, set(game.stock))

    def rest(self, block: list[Entry], entry: Entry, order: list[int], *, has_table: bool) -> list[tuple[Entry, str]]:
        """R40: return the table, where the dealer has not laid it, and the hands of the others."""
        laid: list[tuple[Entry, str]] = []
        if not has_table:
            table = next((line for line in block if isinstance(line, TableCards)), None)
            if table is None:
                raise _differs(entry, "'table: CARDS' below it")
            laid = _all(table, table.cards, TABLE_SIZE, f"{TABLE_SIZE} cards")
        for seat in order:
            hand = self.hand(block, seat, entry)
            laid += [(hand, card) for card in hand.cards]
        return laid

    def hand(self, block: list[Entry], seat: int, entry: Entry) -> Deal:
        """Return the line with a seat's hand."""
        size = self.play.rules.hand_size
        hand = next((line for line in block if isinstance(line, Deal) and line.seat == seat), None)
        if hand is None:
            raise _differs(entry, f"'deal {seat}: CARDS' below it, with {size} cards")
        if len(hand.cards) != size:
            raise _differs(hand, f"{size} cards")
        return hand


def _slot(entry: Entry) -> tuple[type[Entry], int | None]:
    """Return what a line is about: of two with the same slot in a block, one is wrong."""
    return type(entry), entry.seat if isinstance(entry, (Deal, Show)) else None


def _all(entry: Entry, cards: Hand, count: int, expected: str) -> list[tuple[Entry, str]]:
    """Return the cards of a line with the line, if they are as many as they must be."""
    if len(cards) != count:
        raise _differs(entry, expected)
    return [(entry, card) for card in cards]


def _taken(laid: list[tuple[Entry, str]], stock: set[str]) -> list[int]:
    """Return card ids in order, each taken from the stock once."""
    for entry, card in laid:
        if card not in stock:
            raise _differs(entry, f"cards that are in the stock: {card} is not")
        stock.remove(card)
    return [parse_card(card) for _, card in laid]
