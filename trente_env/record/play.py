"""A game under way and the lines that a record has of it: one deal at a time, cards from the seed or as given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from trente_env.core import stepping
from trente_env.core.layout import GAME, ints, lower, to_array
from trente_env.core.layout import from_array as rows_from
from trente_env.game import Game, Hand
from trente_env.record.entries import (
    SINGLE_ROUND,
    TRUNCATED,
    UNFINISHED,
    WINNER,
    Deal,
    End,
    Entry,
    Lives,
    Move,
    Points,
    Refresh,
    Reshuffle,
    Result,
    Round,
    Show,
    TableCards,
    Upcard,
)
from trente_env.rules import PlayStyle, Scoring

__all__ = ["Play"]

BRINGING: Final = frozenset({"draw", "take", "swap all", "refuse"})
"""Actions whose name does not say which cards they bring."""
DEALING: Final = frozenset({"keep", "refuse"})
"""Actions after which the rest of the deal follows (R40)."""


class Play:
    """A game from before its first deal, halting before each other one.

    Methods that let something happen return the lines that a record has of it.
    """

    def __init__(self, game: Game) -> None:
        """Put a game of the same rules, seed, dealer and lives before its first deal. `game` is not changed."""
        self.rules = game.rules
        self._lowered = lower([game.rules])
        self._rows = rows_from(game.to_array())
        stepping.restart_at(self._rows, self._lowered, 0)
        self.is_deal_due = True
        """Whether a deal is what comes next."""
        self.game = game.clone()
        """The game as it stands; while a deal is due, as it stood at the end of the round before."""
        self.num_drawn = 0
        """Cards that the last step took from the stock."""

    @property
    def is_over(self) -> bool:
        """Whether nothing comes next."""
        return not self.is_deal_due and self.game.is_over

    @property
    def next_round(self) -> Round:
        """While a deal is due: the line it begins with."""
        row = to_array(self._rows, GAME)[0]
        return Round(int(row["round"]) + 1, int(row["dealer"]), bool(row["is_playoff"]))

    @property
    def seats(self) -> list[int]:
        """While a deal is due: the seats dealt in, in the order in which they get their cards (R10, R40)."""
        count, row = self.rules.num_players, to_array(self._rows, GAME)[0]
        clockwise = [(int(row["dealer"]) + step) % count for step in range(1, count + 1)]
        return [seat for seat in clockwise if int(row["in_game"]) >> seat & 1]

    @property
    def end(self) -> End:
        """The line that ends the record now."""
        if not self.is_over:
            return End(UNFINISHED)
        if self.game.winner is not None:
            return End(WINNER, self.game.winner)
        return End(TRUNCATED if self.game.is_truncated else SINGLE_ROUND)

    def open(self) -> list[Entry]:
        """Deal by the seed as far as the first decision; a game over at once is dealt again, unrecorded (R9)."""
        while True:
            lines = self.run_on()
            if not self.is_over:
                return lines
            stepping.reopen_at(self._rows, self._lowered, 0)
            self.is_deal_due = True

    def run_on(self) -> list[Entry]:
        """Deal by the seed as long as a deal is due."""
        lines: list[Entry] = []
        while self.is_deal_due:
            lines += self.deal()
        return lines

    def deal(self, cards: Sequence[int] = ()) -> list[Entry]:
        """Deal the round that is due: these cards first, the others by the seed."""
        lines: list[Entry] = [self.next_round]
        order = self.seats
        self.is_deal_due = False
        stepping.deal_at(self._rows, self._lowered, 0, _ints(cards), len(cards))
        game = self._look()
        self.num_drawn = len(self.rules.deck) - game.stock_size
        lines += self._dealt(game, order)
        if game.is_over:
            lines += self._leave(game)
        return lines

    def apply(self, action: int, cards: Sequence[int] = ()) -> list[Entry]:
        """Take a legal decision, these cards being on top of the stock; a deal that follows is left due."""
        before, seat, name = self.game, self.game.seat_to_move, self.game.action_name(action)
        assert seat is not None  # noqa: S101 - the action is legal, so somebody is to move
        stepping.step_at(self._rows, self._lowered, 0, action, _ints(cards), len(cards))
        game = self._look()
        self.num_drawn = max(0, before.stock_size - game.stock_size)
        gained = [card for card in game.hands[seat] if card not in before.hands[seat]]
        lines: list[Entry] = [Move(seat, name, Hand(gained if name in BRINGING else ()))]
        if name in DEALING:
            lines += self._dealt_rest(game, [other for other in _clockwise(game) if other != seat])
        elif name == "pass" and game.table != before.table:
            lines.append(Refresh(game.table))
        if game.stock_size > before.stock_size:
            lines.append(Reshuffle(game.stock_size))
        if game.is_over:
            lines += self._leave(game)
        return lines

    def _look(self) -> Game:
        """Take the game as it stands."""
        self.game = Game.from_array(self.rules, to_array(self._rows, GAME))
        return self.game

    def _leave(self, game: Game) -> list[Entry]:
        """Write down the round that has ended, if one has, and go on as far as the next deal."""
        lines = _result(game) if game.rounds_ended else []
        self.is_deal_due = bool(stepping.leave_at(self._rows, self._lowered, 0))
        if not self.is_deal_due:
            self._look()
        return lines

    def _dealt(self, game: Game, order: list[int]) -> list[Entry]:
        """Write down a deal; in the exchange game as far as it has gone."""
        if self.rules.play_style == PlayStyle.DRAW:
            hands: list[Entry] = [Deal(seat, game.hands[seat]) for seat in order]
            return [*hands, Upcard(game.upcard or "")]
        first = Deal(game.dealer, game.hands[game.dealer])
        return [first, *self._dealt_rest(game, order[:-1])] if game.phase != "DEALER_CHOICE" else [first]

    @staticmethod
    def _dealt_rest(game: Game, order: list[int]) -> list[Entry]:
        """R40: write down the table and the hands of the others."""
        return [TableCards(game.table), *(Deal(seat, game.hands[seat]) for seat in order)]


def _clockwise(game: Game) -> list[int]:
    """Return the seats that hold cards, from the dealer's left."""
    count = game.rules.num_players
    clockwise = [(game.dealer + step) % count for step in range(1, count + 1)]
    return [seat for seat in clockwise if game.hands[seat]]


def _result(game: Game) -> list[Entry]:
    """Write down how the round that has just ended was settled."""
    last = game.last_round
    assert last is not None  # noqa: S101 - a round has ended
    lines: list[Entry] = [Result(last.end, last.outcome, last.knocker)]
    lines += [
        Show(seat, hand, last.half_points[seat], last.losses[seat], last.points[seat], seat in last.out)
        for seat, hand in enumerate(last.hands)
        if hand
    ]
    if game.rules.scoring == Scoring.POINTS:
        return [*lines, Points(game.points)]
    return [*lines, Lives(tuple(left if game.in_game[seat] else None for seat, left in enumerate(game.lives)))]


def _ints(cards: Sequence[int]) -> object:
    """Return cards in the form that kernels take."""
    return ints(np.array(cards, np.int64))
