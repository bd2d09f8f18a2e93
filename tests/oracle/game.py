"""`OracleGame`: a second implementation of the rules, written from the rule book alone, slow and obvious.

It shares nothing with the engine, not even a table of card points: where the two differ, one of them is wrong.
What the rule book leaves open is said, under "Decided here", where the oracle decides it.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from tests.oracle import drawing, exchange, points, rewards, showdown, standing
from tests.oracle.cards import deck, half_points
from tests.oracle.chance import Chance
from tests.oracle.knowledge import Knowledge, knowledge_of, onlooker_at
from tests.oracle.rounds import Round
from tests.oracle.table import BUY_IN, OVER, SETTLED, Ending, Table


def cards_needed(rules: Any) -> int:
    """R8: the smallest deck that leaves room to play."""
    spare = 2 if rules.play_style == "draw" else 3
    return int(rules.num_players * rules.hand_size + spare)


class OracleGame:
    """One game, from its first deal to its winner.

    Args:
        rules: Anything with the fields of `Rules`; words are compared as text.
        chance: Who deals first, and the order of the cards.
        dealer: The first dealer, instead of chance's; a seat that is in.
        lives: Lives by seat, instead of `starting_lives`: None or -1 is out, 0 in grace (out without grace).
        single_round: Whether the game ends with its first settled round.

    A single round that is settled ends the game whatever its outcome, never as a truncation, and nobody has won: it is
    an episode of the environment's (R9, R24), not a game with the winner of R22 or R32.
    """

    def __init__(
        self,
        rules: Any,
        chance: Chance,
        *,
        dealer: int | None = None,
        lives: Sequence[int | None] | None = None,
        single_round: bool = False,
    ) -> None:
        if len(deck(rules)) < cards_needed(rules):
            raise ValueError(f"{rules.num_players} hands need {cards_needed(rules)} cards, not {len(deck(rules))} (R8)")
        self._rules = rules
        self._chance = chance
        self._single_round = single_round
        self._standing = standing.first_standing(rules, lives)
        self._took_part = tuple(self._standing.seats_in())
        self._deals = 0
        first = chance.first_dealer(self._took_part) if dealer is None else dealer  # R7
        if first not in self._took_part:
            raise ValueError(f"seat {first} cannot deal: it is not in the game")
        self._start(first)

    def _start(self, first_dealer: int) -> None:
        """R9: a new game that would be over before its first decision is dealt again, everything put back.

        Decided here: the first dealer is put back too, and not drawn anew; one that `max_rounds` would truncate before
        its first decision is dealt again as well.
        """
        at_first = copy.deepcopy(self._standing)
        while True:
            self._standing = copy.deepcopy(at_first)
            self.rounds: list[Round] = []
            self.winner: int | None = None
            self.is_over = False
            self.is_truncated = False
            self._is_playoff_next = False
            self._to_ask: list[int] = []
            self._deal(first_dealer)
            self._go_on()
            if not self.is_over:
                break
        self._rounds_before = len(self.rounds)  # what was settled before the first decision belongs to none

    # ------------------------------------------------------------------------------------------------ looking

    @property
    def seat_to_move(self) -> int | None:
        """The seat to decide; None when the game is over."""
        return self._table.to_move

    @property
    def dealer(self) -> int:
        """The dealer of the round, or of the last one."""
        return self._table.dealer

    @property
    def knocker(self) -> int | None:
        """Who opened the last lap of this round: by a knock, a pass or by closing."""
        return self._table.knocker

    @property
    def is_playoff(self) -> bool:
        """Whether this deal is a playoff (R23)."""
        return self._table.is_playoff

    @property
    def phase(self) -> str:
        """The kind of decision: DRAW, DISCARD, DEALER_CHOICE, EXCHANGE, LEAVE, BUY_IN or OVER."""
        return self._table.phase

    @property
    def round_number(self) -> int:
        """Number of the round in the game, from 1; of the last one when it is settled."""
        return self._table.number

    @property
    def turn_number(self) -> int:
        """Turns started in this round, by all seats; none at the dealer's choice (R50)."""
        return sum(self._table.turns)

    @property
    def turns(self) -> tuple[int, ...]:
        """Turns that each seat has started in this round."""
        return tuple(self._table.turns)

    @property
    def lives(self) -> tuple[int, ...]:
        """Lives by seat; 0 for one in grace, and for one that is out."""
        return tuple(self._standing.lives)

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat (R30)."""
        return tuple(self._standing.points)

    @property
    def buy_ins(self) -> tuple[int, ...]:
        """How often each seat has bought in again (R24)."""
        return tuple(self._standing.buy_ins)

    @property
    def in_game(self) -> tuple[bool, ...]:
        """Which seats are not out; one being asked to buy in is out (R24)."""
        return tuple(self._standing.in_game)

    @property
    def hands(self) -> tuple[frozenset[str], ...]:
        """The hands; of a settled round, as they were shown, until the next deal."""
        return tuple(frozenset(hand) for hand in self._table.hands)

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The discard pile, bottom first; in the exchange game, the cards out of play (R48)."""
        return tuple(self._table.pile)

    @property
    def table(self) -> frozenset[str]:
        """Exchange game: the cards on the table."""
        return frozenset(self._table.open_cards)

    @property
    def stock(self) -> tuple[str, ...]:
        """The stock, top first."""
        return tuple(self._table.stock)

    def knowledge(self, seat: int) -> Knowledge:
        """Return what a seat knows."""
        self._onlooker.watch(self._table.history)
        return knowledge_of(self._rules, self._onlooker, self._table, self._standing, seat)

    def rewards(self, kind: str) -> tuple[float, ...]:
        """Return what the last decision brought each seat.

        Decided here: nothing before the first decision, even where rounds were over at the deal.

        Args:
            kind: "game", "lives", "round" or "pot".
        """
        seats = self._rules.num_players
        settled = self.rounds[self._rounds_before :]
        if kind == "game":
            return rewards.game_rewards(seats, self._took_part, self.winner)
        if kind == "pot":
            return rewards.pot_rewards(self._rules, self._took_part, self.buy_ins, self.winner)
        if kind == "lives":
            return rewards.lives_rewards(seats, settled)
        if kind == "round":
            return rewards.round_rewards(seats, settled)
        raise ValueError(f"there is no kind of rewards {kind!r}")

    # ------------------------------------------------------------------------------------------------ playing

    def legal(self) -> set[str]:
        """Return the names of the actions that the seat to move may choose."""
        if self.phase == OVER:
            return set()
        if self.phase == BUY_IN:
            return {"buy in", "decline"}
        names: set[str] = self._style.legal(self._rules, self._table)
        return names

    def apply(self, name: str) -> None:
        """Do what the seat to move has chosen, and all that follows until somebody must decide (R9).

        Raises:
            ValueError: If it is not legal; the game is as it was before (R25).
        """
        if name not in self.legal():
            raise ValueError(f"{name!r} is not legal; legal: {sorted(self.legal())}")
        self._rounds_before = len(self.rounds)
        if self.phase == BUY_IN:
            self._answer(name)
        else:
            self._settle_if_ended(self._style.apply(self._rules, self._chance, self._table, name))
        self._go_on()

    @property
    def _style(self) -> Any:
        """The turns of this game: `drawing` or `exchange`."""
        return drawing if self._rules.play_style == "draw" else exchange

    def _answer(self, name: str) -> None:
        """R24: the seat asked buys in or stays out."""
        seat = self._to_ask.pop(0)
        if name == "buy in":
            standing.buy_in(self._rules, self._standing, seat)
        self._table.phase = SETTLED

    def _go_on(self) -> None:
        """After a settled round: ask who may buy in, find a winner, or deal, until somebody must decide (R9, R24)."""
        while self._table.phase == SETTLED:
            if self._single_round or (not self._to_ask and self._is_decided()):
                self._finish()
            elif self._to_ask:
                self._table.phase = BUY_IN
                self._table.to_move = self._to_ask[0]
            else:
                self._deal(self._next_seat_in(self._table.dealer))

    def _is_decided(self) -> bool:
        """Whether somebody has won (R22, R32), or the rounds are used up (R50)."""
        return self._who_has_won() is not None or len(self.rounds) >= self._rules.max_rounds

    def _who_has_won(self) -> int | None:
        """R22: the last seat in; R32: the winner on points."""
        if self._rules.scoring == "points":
            return points.winner_on_points(self._rules, self._standing.points)
        seats_in = self._standing.seats_in()
        return seats_in[0] if len(seats_in) == 1 else None

    def _finish(self) -> None:
        """End the game: won, or a single round played, or truncated (R50).

        Decided here: buy-ins after the last round that `max_rounds` allows are still asked for, since R24 puts them
        before a winner is found and a truncated game is one without a winner.
        """
        self.winner = None if self._single_round else self._who_has_won()
        self.is_truncated = self.winner is None and not self._single_round
        self.is_over = True
        self._table.phase = OVER
        self._table.to_move = None

    def _next_seat_in(self, seat: int) -> int:
        """R7: the next seat that is in, clockwise from where a seat sits, itself in or out."""
        seats = len(self._standing.in_game)
        clockwise = [(seat + step) % seats for step in range(1, seats + 1)]
        return next(other for other in clockwise if self._standing.in_game[other])

    def _deal(self, dealer: int) -> None:
        """Deal a round to every seat that is in (R7, R10, R40, R22)."""
        self._deals += 1
        seats = [self._next_seat_in(dealer)]  # R7: the first to act
        while seats[-1] != dealer:
            seats.append(self._next_seat_in(seats[-1]))
        self._table = Table(
            number=len(self.rounds) + 1,
            deal=self._deals,
            dealer=dealer,
            seats=tuple(seats),
            is_playoff=self._is_playoff_next,
            hands=[set() for _ in range(self._rules.num_players)],
            stock=list(self._chance.order(self._deals, 0, deck(self._rules))),
            turns=[0] * self._rules.num_players,
        )
        self._onlooker = onlooker_at(self._rules, self._table)
        self._settle_if_ended(self._style.deal(self._rules, self._chance, self._table))

    # ------------------------------------------------------------------------------------------------ settling

    def _settle_if_ended(self, ending: Ending | None) -> None:
        """Settle the round if it has ended."""
        if ending is None:
            return
        table = self._table
        values = {seat: half_points(table.hands[seat], self._rules) for seat in table.seats}
        if self._rules.scoring == "points":
            outcome, losses, out = "charged", dict[int, int](), list[int]()  # R30: nobody loses or goes out
            scored = points.points_of(values, ending)
        else:
            outcome, losses, out = self._charge(values, ending)
            scored = {}
        for seat, gain in scored.items():
            self._standing.points[seat] += gain
        seats = range(self._rules.num_players)
        self.rounds.append(
            Round(
                number=table.number,
                end=ending.word,
                outcome=outcome,
                knocker=ending.knocker,
                hands=self.hands,
                half_points=tuple(values.get(seat, 0) for seat in seats),
                losses=tuple(losses.get(seat, 0) for seat in seats),
                points=tuple(scored.get(seat, 0) for seat in seats),
                out=tuple(sorted(out)),
            )
        )
        self._is_playoff_next = table.is_playoff or outcome == "playoff"  # R23: until one seat is left
        if not table.is_playoff:  # R24; in clockwise order from the dealer's left
            self._to_ask = [
                seat for seat in table.seats if seat in out and standing.may_buy_in(self._rules, self._standing, seat)
            ]
        table.phase = SETTLED
        table.to_move = None
        table.taken = None

    def _charge(self, values: dict[int, int], ending: Ending) -> tuple[str, dict[int, int], list[int]]:
        """Take the lives that the round costs: outcome, losses, and who went out (R16, R21, R23, R45)."""
        losses = showdown.losses_of(self._rules, values, ending)
        if self._table.is_playoff:
            return standing.charge_in_playoff(self._standing, self._table.seats, losses)
        if showdown.is_void(self._rules, values):
            return "void", {}, []
        return standing.charge(self._rules, self._standing, self._table.seats, losses)
