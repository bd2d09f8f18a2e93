"""The rule book read a second time, in plain Python over card texts: what is legal, when a round ends, who loses what.

Written from the rule book alone, and from what anybody at the table can see of a `Game`; slow and simple on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from trente_env import Game, Rules

POINTS_OF = {"A": 11, "K": 10, "Q": 10, "J": 10}


def rank(card: str) -> str:
    """Return the rank of a card's text: "10" of "10h"."""
    return card[:-1]


def points(card: str) -> int:
    """R1: ace 11, king, queen, jack 10, others their number."""
    return POINTS_OF.get(rank(card)) or int(rank(card))


def value(rules: Rules, hand: Sequence[str]) -> int:
    """R2, R3, R48: the value of a hand in half points."""
    best = max((2 * sum(points(card) for card in hand if card[-1] == suit) for suit in "cdhs"), default=0)
    ranks = [rank(card) for card in hand]
    if any(ranks.count(each) >= 3 for each in ranks):
        best = max(best, rules.three_of_a_kind)
    if rules.three_aces and ranks.count("A") >= 3:
        best = rules.three_aces
    return best


def top(rules: Rules) -> int:
    """R4: the largest one-suit total of a full hand."""
    return 2 * sum(
        sorted((points(letter.replace("T", "10") + "s") for letter in rules.ranks), reverse=True)[: rules.hand_size]
    )


@dataclass
class Ending:
    """How a round ends, and for whom."""

    end: str
    knocker: int | None = None
    holders: tuple[int, ...] = ()
    """Seats whose 31 ends it without a showdown."""


@dataclass
class Result:
    """What the rule book says comes of it."""

    outcome: str
    losses: list[int]
    points: list[int]
    out: list[int]


def end_by_31(rules: Rules, hands: Sequence[Sequence[str]], end: str) -> Ending | None:
    """R15, R44, R48: how the 31s held end the round; None without one."""
    values = [value(rules, hand) if hand else 0 for hand in hands]
    if max(values) < top(rules):
        return None
    if rules.play_style == "draw":
        return Ending(end, holders=tuple(seat for seat, each in enumerate(values) if each == top(rules)))
    return Ending(end, holders=tuple(seat for seat, each in enumerate(values) if each > top(rules)))


def settle(
    rules: Rules, ending: Ending, hands: Sequence[Sequence[str]], lives: Sequence[int], *, is_playoff: bool
) -> Result:
    """R15, R16, R21, R23, R30, R31, R45: who loses what, who goes out, or that nothing comes of it."""
    seats = [seat for seat, hand in enumerate(hands) if hand]
    values = {seat: value(rules, hands[seat]) for seat in seats}
    losses, scored = [0] * len(hands), [0] * len(hands)
    if rules.scoring == "points":
        best = max(values.values())
        winners = list(ending.holders) or [seat for seat in seats if values[seat] == best]
        if len(winners) > 1 and ending.knocker in winners:
            winners.remove(ending.knocker)
        for seat in winners:
            scored[seat] = 1
        return Result("charged", losses, scored, [])
    if ending.holders:
        for seat in set(seats) - set(ending.holders):
            losses[seat] = 1
    else:
        lowest = [seat for seat in seats if values[seat] == min(values.values())]
        if rules.play_style == "exchange" and len(lowest) == len(seats):
            return Result("void", losses, scored, [])
        for seat in lowest:
            losses[seat] = 1
        if lowest == [ending.knocker]:
            losses[lowest[0]] = rules.failed_knock_penalty
        elif ending.knocker in lowest:
            losses[ending.knocker] = {"spared": 0, "doubled": rules.failed_knock_penalty, "shares": 1}[
                rules.knocker_tie
            ]
    out = [
        seat
        for seat in seats
        if losses[seat] and (is_playoff or (lives[seat] == 0 if rules.grace else lives[seat] <= losses[seat]))
    ]
    if out == seats:
        return Result("void" if rules.all_out == "void" else "playoff", [0] * len(hands), scored, [])
    if is_playoff:
        losses = [min(1, loss) for loss in losses]
    return Result("charged", losses, scored, out)


@dataclass
class Witness:
    """Someone at the table who knows the rules: says what may be done, and when a round is over."""

    rules: Rules
    round_number: int = 0
    turns: dict[int, int] = field(default_factory=dict)
    knocker: int | None = None
    last_turns: int = 0
    taken: str | None = None
    locked: set[int] = field(default_factory=set)
    passes: int = 0

    def look(self, game: Game) -> None:
        """Take note of whose decision it is."""
        if game.round_number != self.round_number:
            self.__init__(self.rules, game.round_number)  # type: ignore[misc]  # everything begins anew
        if self._is_turn(game) and len(game.hands[self._mover(game)]) == self.rules.hand_size:
            self.turns[self._mover(game)] = self.turns.get(self._mover(game), 0) + 1
            self.taken = None

    def allowed(self, game: Game) -> set[str]:
        """Return the names of the actions that the rule book allows now."""
        rules, seat = self.rules, self._mover(game)
        hand = game.hands[seat]
        if not game.in_game[seat]:
            return {"buy in", "decline"}  # R24
        if rules.play_style == "exchange":
            if not self._is_turn(game):
                return {"keep", "refuse"}  # R40
            if len(hand) > rules.hand_size:
                return {f"leave {card}" for card in hand if card != self.taken}  # R41
            names = {"pass"}  # R41, R43
            if seat not in self.locked:
                names |= {"swap all"} | {f"take table {card}" for card in game.table}
            if rules.separate_close and self.knocker is None:
                names.add("close")  # R48
            return names
        if len(hand) > rules.hand_size:
            returnable = rules.may_return_upcard or self.taken is None
            return {f"discard {card}" for card in hand if returnable or card != self.taken}  # R11, R12
        names = {"take"} | ({"draw"} if game.stock_size else {"pass"})  # R11, R17
        if self.knocker is None:
            if rules.may_knock_on_first_turn or self.turns[seat] > 1:
                names.add("knock")  # R13
        elif rules.may_pass_on_last_turn:
            names.add("pass")  # R14
        return names

    def saw(self, game: Game, name: str) -> Ending | None:
        """Take note of an action that is about to be applied; return how it ends the round, if it does."""
        seat = self._mover(game)
        verb, _, card = name.rpartition(" ")
        if not game.in_game[seat]:
            return None
        if name in {"keep", "refuse"}:
            return None
        if name in {"draw", "take"} or verb == "take table":
            self.taken = {"draw": None, "take": game.upcard}.get(name, card)
            self.passes = 0
            return None
        hands = list(game.hands)
        if name == "swap all":
            self.locked.add(seat)
            self.passes = 0
            hands[seat] = game.table
        elif verb in {"discard", "leave"}:
            hands[seat] = type(hands[seat])(held for held in hands[seat] if held != card)
        if name == "swap all" or verb in {"discard", "leave"}:
            made = end_by_31(self.rules, [hand if who == seat else () for who, hand in enumerate(hands)], "31")
            if made is not None and (self.knocker is None or self.rules.blitz_after_knock):
                return made
        if self.knocker is None and self._is_knock(name):
            self.knocker, self.last_turns = seat, sum(game.in_game) - 1
            if self.rules.play_style == "draw" and game.stock_size == 0:
                return Ending("knock", seat)  # R17
            return self._next_turn(game)
        if self.knocker is None and name == "pass":
            if self.rules.play_style == "draw":
                return Ending("last call")  # R17
            self.passes += 1
            if self.passes == sum(game.in_game):
                if game.stock_size < 3:
                    return Ending("table exhausted")  # R48
                self.passes = 0
            return self._next_turn(game)
        if self.knocker is not None:
            self.last_turns -= 1
            if self.last_turns == 0:
                return Ending("knock", self.knocker)  # R14, R42
        return self._next_turn(game)

    def _next_turn(self, game: Game) -> Ending | None:
        """R50: a turn more, if the round has not lasted too long."""
        return Ending("limit") if sum(self.turns.values()) == self.rules.round_limit * sum(game.in_game) else None

    def _is_knock(self, name: str) -> bool:
        if self.rules.play_style == "draw":
            return name == "knock"
        return name == ("close" if self.rules.separate_close else "pass")  # R42, R48

    @staticmethod
    def _mover(game: Game) -> int:
        seat = game.seat_to_move
        assert seat is not None
        return seat

    def _is_turn(self, game: Game) -> bool:
        """Whether the decision is part of a turn: neither a buy-in nor the dealer's choice."""
        is_choice = self.rules.play_style == "exchange" and sum(1 for hand in game.hands if hand) == 1
        return game.in_game[self._mover(game)] and not is_choice
