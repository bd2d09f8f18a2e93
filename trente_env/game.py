"""`Game`: one game, validated at every call."""

from __future__ import annotations

import json
import operator
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import handle
from trente_env.cards import card_text, hand_text
from trente_env.core import calls
from trente_env.core.actions import NUM_ACTIONS, action_name, parse_action
from trente_env.core.layout import (
    END_BLITZ,
    END_BLITZ_AT_DEAL,
    END_KNOCK,
    END_KNOCK_AT_LAST_CALL,
    END_LAST_CALL,
    END_LIMIT,
    END_NAMES,
    END_TABLE_EXHAUSTED,
    GAME,
    NOBODY,
    OUTCOME_NAMES,
    OUTCOME_PLAYOFF,
    OUTCOME_VOID,
    PHASE_NAMES,
    SEAT_VIEW,
    Rows,
    copied,
    from_array,
    ints,
    lower,
    to_array,
)
from trente_env.core.positions import Cards, lay_out, opening_lives
from trente_env.core.rewards import REWARD_KINDS
from trente_env.core.rng import MAX_SEED
from trente_env.core.soundness import FAULTS, first_fault
from trente_env.errors import (
    GameOverError,
    IllegalActionError,
    InvalidCardError,
    InvalidDataError,
    InvalidOptionError,
    InvalidPositionError,
    InvalidRulesError,
    UnknownNameError,
    is_name,
    is_whole,
)
from trente_env.rules import PlayStyle, Rules, Scoring
from trente_env.text import describe_game, describe_view, half_points_text

__all__ = ["Game", "Hand", "LastRound"]

_MAGIC: Final = b"TRENTE-2"
ONE_RULE_SET: Final = ints(np.zeros(1, np.int64))
NO_ACTION: Final = 2**63
"""No id of an action is as large."""
_CLAUSES: Final = {
    END_KNOCK: "R14, R16",
    END_KNOCK_AT_LAST_CALL: "R17, R16",
    END_BLITZ: "R15",
    END_BLITZ_AT_DEAL: "R9, R15",
    END_LAST_CALL: "R17",
    END_LIMIT: "R50",
    END_TABLE_EXHAUSTED: "R48",
}


class Hand(tuple[str, ...]):
    """A hand as card texts, ("Ks", "Qs", "9s"); `str(hand)` is "Ks Qs 9s"."""

    __slots__ = ()

    def __str__(self) -> str:
        """Write the cards with spaces between, as `Game.set_up` reads them."""
        return " ".join(self)


def _hand(bits: int) -> Hand:
    return Hand(hand_text(bits).split())


@dataclass(frozen=True, slots=True)
class LastRound:
    """How the last settled round ended."""

    number: int
    """Number of the round in the game, 1 for the first."""
    end: str
    """What ended it: "knock", "31", "31 at the deal", "last call", "limit" or "table exhausted"."""
    outcome: str
    """What came of it: "charged", "void" (R23, R45) or "playoff" (R23: nobody loses, a playoff deal follows)."""
    clause: str
    """Clauses of the rule book that decided it."""
    knocker: int | None
    """The seat whose knock (pass, close) the showdown judged; None without one."""
    hands: tuple[Hand, ...]
    """Every hand shown, by seat; empty for a seat not dealt in."""
    half_points: tuple[int, ...]
    """Value of each hand in half points; 0 for a seat not dealt in."""
    losses: tuple[int, ...]
    """Lives each seat was charged. The loss that puts a seat out counts, though its lives stay 0."""
    points: tuple[int, ...]
    """Points each seat scored, in the points game."""
    out: tuple[int, ...]
    """Seats it put out (before any buy-in)."""

    def __str__(self) -> str:
        """Write one sentence."""
        shown = ", ".join(
            f"seat {seat} {hand} = {half_points_text(value)}"
            + (f" loses {self.losses[seat]}" if self.losses[seat] else "")
            + (f" scores {self.points[seat]}" if self.points[seat] else "")
            for seat, (hand, value) in enumerate(zip(self.hands, self.half_points, strict=True))
            if hand
        )
        return f"Round {self.number} ended by {self.end} ({self.outcome}; {self.clause}): {shown}."


class Game:
    """One game of Thirty-One under one set of rules, played by a seed.

    The same rules, seed and actions give the same game here, in any row of a `GameBatch`, in the environment and in
    search. Actions are ids 0 to 61 or names; legality, scores and rewards come from the kernels in
    `trente_env.core` alone.

    Args:
        rules: The rule set.
        seed: 0 to 2**63 - 1; every card and the first dealer follow from it.
        dealer: The first dealer; drawn from the seed if None (R7).
        lives: Lives by seat to begin with, instead of the rules' own; None or -1 for a seat that is out.
        single_round: Whether the game ends after one round (a round over at the deal is dealt again).

    Raises:
        InvalidOptionError: If seed or dealer cannot be.
        InvalidPositionError: If the lives cannot be.
    """

    __slots__ = ("_handle", "_lowered", "_rows", "_rules", "rules")

    def __init__(
        self,
        rules: Rules,
        seed: int = 0,
        *,
        dealer: int | None = None,
        lives: Sequence[int | None] | None = None,
        single_round: bool = False,
    ) -> None:
        """Deal the first round."""
        _checked_rules(rules)
        opening = opening_lives(rules, lives)
        first = NOBODY if dealer is None else _checked_dealer(dealer, opening)
        game_seed, is_single_round = checked_seed(seed), _checked_flag("single_round", single_round)
        self._adopt(rules, calls.new_games(1))
        for seat, left in enumerate(opening):
            calls.set_opening_lives(self._handle, seat, left)
        calls.open_game_of(self._handle, self._rules, game_seed, first, int(is_single_round))

    def _adopt(self, rules: Rules, rows: Rows) -> None:
        self.rules = rules
        self._lowered, self._rules = _lowered(rules)
        self._rows, self._handle = rows, handle(rows)

    @classmethod
    def set_up(
        cls,
        rules: Rules,
        hands: Sequence[Cards | None],
        upcard: Cards = "",
        stock: Cards = "",
        discard_pile: Cards = "",
        table: Cards = "",
        dealer: int = 0,
        to_move: int = 0,
        knocker: int | None = None,
        lives: Sequence[int | None] | None = None,
        seed: int = 0,
        *,
        points: Sequence[int] | None = None,
        turns: int | Sequence[int] = 1,
        taken: Cards = "",
        known: Sequence[Cards] | None = None,
        locked: Sequence[int] = (),
        passes: int = 0,
        is_playoff: bool = False,
        buy_ins: Sequence[int] | None = None,
    ) -> Self:
        """Lay out a position and begin the turn of the seat to move.

        Args:
            rules: The rule set.
            hands: Cards by seat, as text; "" for a seat that is out. The seat to move may hold one card more than a
                full hand: it is then in mid-turn. In the exchange game one hand, the dealer's, and no table is the
                dealer's choice (R40). A 31 held before any knock is shown at once (R15, R44), as at the deal.
            upcard: The top of the discard pile: needed in the drawing game, but in mid-turn; none in the exchange game.
            stock: The next cards of the stock, first first; the unnamed cards follow in seed order.
            discard_pile: The cards under the upcard, bottom first; "rest" for every card not named elsewhere, which
                leaves just `stock` in the stock.
            table: Exchange game: the three cards on the table.
            dealer: The dealer of this round.
            to_move: Whose turn it is.
            knocker: Who has knocked; the seats from `to_move` clockwise to the knocker have their last turns.
            lives: Lives by seat: None or -1 for a seat that is out, 0 for one in grace (out without grace).
            seed: Orders the rest of the stock, later deals and reshuffles.
            points: Points game: points by seat.
            turns: Turns each seat has already had in this round, one number or one a seat. 0 makes this the first
                turn, on which some rules forbid knocking (R13).
            taken: In mid-turn: the card just taken from the discard pile or the table.
            known: Cards each seat is publicly known to hold.
            locked: Exchange game: seats that have swapped all three (R43).
            passes: Exchange game with a separate close: passes in a row so far (R48).
            is_playoff: Whether this deal is a playoff (R23).
            buy_ins: Buy-ins each seat has made (R24).

        Raises:
            InvalidPositionError: If the position cannot arise: a card twice, a wrong hand size, a dead seat to move…
        """
        _checked_rules(rules)
        try:
            rows = lay_out(
                rules, hands=hands, upcard=upcard, stock=stock, discard_pile=discard_pile, table=table,
                dealer=dealer, to_move=to_move, knocker=knocker, lives=lives, seed=seed, points=points, turns=turns,
                taken=taken, known=known, locked=locked, passes=passes, is_playoff=is_playoff, buy_ins=buy_ins,
            )  # fmt: skip
        except InvalidPositionError:
            raise
        except InvalidCardError as error:
            raise InvalidPositionError(str(error)) from error
        except (TypeError, ValueError) as error:  # a number for a list, None for a text, …
            raise InvalidPositionError(
                f"The position cannot be read ({error}): give cards as texts such as 'Ks Qs 9s', one a seat for hands, "
                "and whole numbers, or lists of them, for the rest."
            ) from error
        game = cls.__new__(cls)
        game._adopt(rules, rows)
        return game

    # What a player may ask.

    def legal_actions(self) -> list[int]:
        """Return the legal action ids of the seat to move, lowest first; empty when the game is over."""
        return calls.actions_of(self._legal())

    def action_mask(self) -> NDArray[np.int8]:
        """Return the legal actions as a fresh int8 mask of length 62."""
        mask_A = np.empty(NUM_ACTIONS, np.int8)
        calls.fill_mask(self._handle, mask_A)
        return mask_A

    def is_legal(self, action: int | str) -> bool:
        """Return whether an action, by id or by name, is legal now."""
        try:
            self.verify(action)
        except (IllegalActionError, GameOverError):
            return False
        return True

    def verify(self, action: int | str) -> int:
        """Return the id of an action if it is legal now.

        Raises:
            IllegalActionError: If it is not, or no action at all.
            GameOverError: If the game is over.
        """
        legal = self._legal()
        if legal == 0:
            raise GameOverError("The game is over: no action is legal. Start another with Game(rules, seed).")
        phase = self._int("phase")
        if isinstance(action, str):
            action = parse_action(action, phase)
        if not is_whole(action, -NO_ACTION, NO_ACTION):
            raise IllegalActionError(
                f"{action!r} is no action: give an id from 0 to {NUM_ACTIONS - 1} or a name such as 'draw'."
            )
        chosen = operator.index(action)
        if not 0 <= chosen < NUM_ACTIONS or not legal >> chosen & 1:
            names = ", ".join(action_name(each, phase) for each in calls.actions_of(legal))
            what = action_name(chosen, phase) if 0 <= chosen < NUM_ACTIONS else f"Action {chosen}"
            raise IllegalActionError(
                f"{what[:1].upper()}{what[1:]} is not legal for seat {self.seat_to_move} in phase {PHASE_NAMES[phase]}."
                f" Legal: {names}."
            )
        return chosen

    def apply(self, action: int | str) -> None:
        """Take one decision for the seat to move, by action id or name, and all that follows from it.

        Raises:
            IllegalActionError: If it is not legal; the game is unchanged.
            GameOverError: If the game is over.
        """
        if type(action) is not int or not 0 <= action < NUM_ACTIONS:
            action = self.verify(action)
        if not calls.try_action(self._handle, self._rules, action):
            self.verify(action)  # it says what is wrong

    def action_name(self, action: int) -> str:
        """Write an action id as it reads now: "draw", "discard 7h", "take table 9d".

        Raises:
            IllegalActionError: If there is no such action.
        """
        if not is_whole(action, 0, NUM_ACTIONS - 1):
            raise IllegalActionError(f"There is no action {action!r}: ids run from 0 to {NUM_ACTIONS - 1}.")
        return action_name(operator.index(action), self._int("phase"))

    @property
    def seat_to_move(self) -> int | None:
        """The seat that must decide; None when the game is over."""
        seat = self._int("to_move")
        return None if seat == NOBODY else seat

    @property
    def phase(self) -> str:
        """Kind of decision: DRAW, DISCARD, DEALER_CHOICE, EXCHANGE, LEAVE, BUY_IN, or OVER."""
        return PHASE_NAMES[self._int("phase")]

    @property
    def is_over(self) -> bool:
        """Whether no decision is left: won, truncated, or the single round played."""
        return self._int("to_move") == NOBODY

    @property
    def is_truncated(self) -> bool:
        """Whether the game was stopped by `max_rounds` without a result (R50)."""
        return bool(self._int("is_truncated"))

    @property
    def winner(self) -> int | None:
        """The winner's seat; None while the game goes on, and when it was truncated."""
        seat = self._int("winner")
        return None if seat == NOBODY else seat

    @property
    def lives(self) -> tuple[int, ...]:
        """Lives by seat; 0 in grace and out (see `in_game`; a playoff, R23, takes none), and in the points game."""
        return self._ints("lives")

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat, in the points game."""
        return self._ints("points")

    @property
    def buy_ins(self) -> tuple[int, ...]:
        """Buy-ins made, by seat (R24)."""
        return self._ints("buy_ins")

    @property
    def in_game(self) -> tuple[bool, ...]:
        """Whether each seat is still in (a seat in grace is)."""
        return tuple(bool(self._int("in_game") >> seat & 1) for seat in range(self.rules.num_players))

    @property
    def hands(self) -> tuple[Hand, ...]:
        """Every hand, by seat. For referees and tests: policies see `seat_view`."""
        return tuple(_hand(bits) for bits in self._ints("hands"))

    @property
    def upcard(self) -> str | None:
        """The top of the discard pile as text; None where there is none."""
        pile = self.discard_pile
        return pile[-1] if pile and self.rules.play_style == PlayStyle.DRAW else None

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The discard pile, bottom first."""
        return tuple(card_text(card) for card in self._list("discards")[: self._int("num_discards")])

    @property
    def table(self) -> Hand:
        """Exchange game: the cards on the table."""
        return _hand(self._int("table"))

    @property
    def stock_size(self) -> int:
        """Cards left in the stock."""
        return self._int("deck_size") - self._int("num_drawn")

    @property
    def stock(self) -> frozenset[str]:
        """The cards left in the stock, unordered: their order is settled as they are drawn."""
        return frozenset(
            card_text(card) for card in self._list("deck")[self._int("num_drawn") : self._int("deck_size")]
        )

    @property
    def seed(self) -> int:
        """The game's seed."""
        return self._int("seed")

    @property
    def dealer(self) -> int:
        """Who dealt this round."""
        return self._int("dealer")

    @property
    def knocker(self) -> int | None:
        """Who opened the last lap of this round; None before."""
        seat = self._int("knocker")
        return None if seat == NOBODY else seat

    @property
    def round_number(self) -> int:
        """Deals of this game so far, this one included."""
        return self._int("round")

    @property
    def turn_number(self) -> int:
        """Turns started in this round."""
        return self._int("turn")

    @property
    def num_decisions(self) -> int:
        """Decisions taken in this game."""
        return self._int("decisions")

    @property
    def is_playoff(self) -> bool:
        """Whether this deal is a playoff (R23)."""
        return bool(self._int("is_playoff"))

    @property
    def last_round(self) -> LastRound | None:
        """How the last settled round ended; None before the first."""
        number = self._int("last_round")
        if number == 0:
            return None
        end, outcome = self._int("last_end"), self._int("last_outcome")
        clause = self._clause(end, outcome)
        deltas, knocker, out = self._ints("last_deltas"), self._int("last_knocker"), self._int("last_out")
        return LastRound(
            number=number,
            end=END_NAMES[end],
            outcome=OUTCOME_NAMES[outcome],
            clause=clause,
            knocker=None if knocker == NOBODY else knocker,
            hands=tuple(_hand(bits) for bits in self._ints("last_hands")),
            half_points=self._ints("last_values"),
            losses=tuple(max(0, -delta) for delta in deltas),
            points=tuple(max(0, delta) for delta in deltas),
            out=tuple(seat for seat in range(self.rules.num_players) if out >> seat & 1),
        )

    @property
    def rounds_ended(self) -> int:
        """Rounds settled by the last decision; more than one when the next was over at the deal (R9)."""
        return self._int("step_rounds")

    def rewards(self, kind: str = "game") -> tuple[float, ...]:
        """Return each seat's reward for the last decision.

        Args:
            kind: "game": when the game is won, +1 for the winner, the others share -1; 0 before, and on truncation.
                "lives": minus the lives charged in the rounds just settled, or the points gained.
                "round": the same relative to the mean of the other seats in each round; zero-sum.
                "pot": when the game is won, the stakes: each loser its own, the winner all of them (R24, R46).

        Raises:
            UnknownNameError: If there is no such kind.
        """
        if not is_name(kind, REWARD_KINDS):
            raise UnknownNameError("reward", kind, list(REWARD_KINDS))
        out = np.zeros(self.rules.num_players, np.float64)
        calls.rewards_at(self._rows, self._lowered, 0, REWARD_KINDS[kind], out)
        return tuple(out.tolist())

    def seat_view(self, seat: int) -> np.void:
        """Return what a seat knows, as a fresh record of dtype `trente_env.core.layout.SEAT_VIEW`."""
        return self.views(seat)[0]  # type: ignore[no-any-return]  # a row of a structured array is a record

    def views(self, seat: int) -> NDArray[np.void]:
        """Return what a seat knows as an array of one view, the form that policies take."""
        rows = calls.new_views(1)
        calls.view_at(self._rows, self._lowered, 0, self._checked_seat(seat), rows, 0)
        return to_array(rows, SEAT_VIEW)

    def describe(self, seat: int | None = None) -> str:
        """Write the table: as a spectator sees it, or as one seat does."""
        if seat is not None:
            return describe_view(self.seat_view(seat), self.rules)
        return describe_game(self.to_array(), self.seat_view(0), self.rules)

    # Copies, bytes, comparison.

    def clone(self) -> Self:
        """Return an independent copy in the same position."""
        copy = type(self).__new__(type(self))
        rows = copied(self._rows)
        copy.rules, copy._lowered, copy._rules = self.rules, self._lowered, self._rules
        copy._rows, copy._handle = rows, handle(rows)
        return copy

    def to_array(self) -> NDArray[np.void]:
        """Return the game's record as an array of one row (dtype `GAME`), a copy. It holds every hidden card."""
        return to_array(self._rows, GAME)

    @classmethod
    def from_array(cls, rules: Rules, array: NDArray[np.void]) -> Self:
        """Return a game from what `to_array` gave.

        Raises:
            InvalidDataError: If the record is no position of these rules.
        """
        if getattr(array, "dtype", None) != GAME or array.shape != (1,):
            raise InvalidDataError(
                f"A game's record is one row of dtype GAME, not {type(array).__name__}: pass what to_array() returned."
            )
        game = cls.__new__(cls)
        game._adopt(_checked_rules(rules), from_array(array))
        check_sound(game._rows, game._lowered)
        return game

    def to_bytes(self) -> bytes:
        """Return rules and position as bytes: magic, checksum, lengths, rules as JSON, the record."""
        rules = json.dumps(self.rules.to_dict(), separators=(",", ":")).encode()
        record = self.to_array().tobytes()
        body = len(rules).to_bytes(4, "little") + rules + record
        return _MAGIC + zlib.crc32(body).to_bytes(4, "little") + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Read what `to_bytes` wrote.

        Raises:
            InvalidDataError: If the bytes are truncated, corrupted, of another version, or no position.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise InvalidDataError(f"A saved game is bytes, not {type(data).__name__}: pass what to_bytes() returned.")
        data = bytes(data)
        if data[: len(_MAGIC)] != _MAGIC:
            raise InvalidDataError(
                f"These bytes are no saved game of this version, which begins with {_MAGIC!r}: pass what to_bytes() "
                "returned."
            )
        checksum, body = data[8:12], data[12:]
        if len(body) < 4 or zlib.crc32(body).to_bytes(4, "little") != checksum:  # noqa: PLR2004
            raise InvalidDataError(
                "The saved game is truncated or corrupted: its checksum does not match. Use another copy."
            )
        length = int.from_bytes(body[:4], "little")
        text, record = body[4 : 4 + length], body[4 + length :]
        if len(record) != GAME.itemsize:
            raise InvalidDataError(
                f"The saved game's record has {len(record)} bytes instead of {GAME.itemsize}: another version wrote it."
            )
        try:
            rules = Rules.from_dict(json.loads(text))
        except (InvalidRulesError, ValueError, RecursionError) as error:
            raise InvalidDataError(f"The saved game's rules cannot be read: {error}") from error
        return cls.from_array(rules, np.frombuffer(record, GAME).copy())

    def __eq__(self, other: object) -> bool:
        """Return whether two games are in the same position under the same rules."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.rules == other.rules and self.to_array().tobytes() == other.to_array().tobytes()

    __hash__ = None  # type: ignore[assignment]  # a game changes as it is played

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by bytes."""
        return _from_bytes, (type(self), self.to_bytes())

    def __copy__(self) -> Self:
        """Return a clone."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a clone."""
        return self.clone()

    def __str__(self) -> str:
        """Write the table as a spectator sees it."""
        return self.describe()

    def __repr__(self) -> str:
        """Write the rules' fingerprint, the seed and where the game stands."""
        return f"<Game rules={self.rules.fingerprint} seed={self.seed} round={self.round_number} phase={self.phase}>"

    # Fields of the row.

    def _clause(self, end: int, outcome: int) -> str:
        """Name the clauses that decided a round that ended so."""
        if self.rules.play_style == PlayStyle.EXCHANGE:
            clause = {END_KNOCK: "R42, R45", END_BLITZ: "R44", END_BLITZ_AT_DEAL: "R9, R44"}.get(end, _CLAUSES[end])
            return clause + (", R48" if self._int("last_holders") else "")
        if self.rules.scoring == Scoring.POINTS:
            return _CLAUSES[end].replace("R16", "R31") + ", R30"
        return _CLAUSES[end] + (", R23" if outcome in {OUTCOME_VOID, OUTCOME_PLAYOFF} else "")

    def _legal(self) -> int:
        return int(calls.legal_bits(self._handle))

    def _field(self, name: str) -> Any:
        row = self._rows[0]
        return row[name] if isinstance(row, np.void) else getattr(row, name)

    def _int(self, name: str) -> int:
        return int(self._field(name))

    def _list(self, name: str) -> list[int]:
        value = self._field(name)
        return value.tolist() if isinstance(value, np.ndarray) else list(value)

    def _ints(self, name: str) -> tuple[int, ...]:
        return tuple(self._list(name)[: self.rules.num_players])

    def _checked_seat(self, seat: int) -> int:
        if not is_whole(seat, 0, self.rules.num_players - 1):
            raise InvalidOptionError(f"There is no seat {seat!r}: seats run from 0 to {self.rules.num_players - 1}.")
        return int(seat)


def _from_bytes(cls: type[Game], data: bytes) -> Game:
    return cls.from_bytes(data)


_LOWERED: dict[Rules, tuple[Rows, Any]] = {}


def _lowered(rules: Rules) -> tuple[Rows, Any]:
    """Return the rules as kernels read them, and a handle of them; equal rules share one read-only row."""
    if rules not in _LOWERED:
        if len(_LOWERED) > 256:  # noqa: PLR2004 - fuzzers make thousands of rule sets
            _LOWERED.clear()
        rows = lower([rules])
        _LOWERED[rules] = rows, handle(rows)
    return _LOWERED[rules]


def _checked_rules(rules: Rules) -> Rules:
    if not isinstance(rules, Rules):
        raise InvalidOptionError(
            f"rules must be Rules, not {type(rules).__name__}: use preset('quebec') or Rules(...)."
        )
    return rules


def checked_seed(seed: int) -> int:
    """Return a game seed as an int.

    Raises:
        InvalidOptionError: If it is not in 0 to 2**63 - 1.
    """
    if not is_whole(seed, 0, MAX_SEED):
        raise InvalidOptionError(f"seed cannot be {seed!r}: give a whole number from 0 to 2**63 - 1.")
    return int(seed)


def check_sound(rows: Rows, lowered: Rows, which_B: Any = ONE_RULE_SET) -> None:
    """Refuse records that no kernel could have written, so that no kernel ever runs on them.

    Args:
        rows: The records.
        lowered: Their rules.
        which_B: Each record's place among the rules.

    Raises:
        InvalidDataError: If one of them is no position of the rules.
    """
    found = first_fault(rows, lowered, which_B)
    if found >= 0:
        which = f" number {found // 16}" if len(rows) > 1 else ""
        raise InvalidDataError(
            f"The game's record{which} is no position of its rules: {FAULTS[found % 16]}. It was altered, or is played "
            "by other rules: use another copy."
        )


def _checked_flag(name: str, value: object) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise InvalidOptionError(f"{name} cannot be {value!r}: give True or False.")
    return bool(value)


def _checked_dealer(dealer: int, opening: Sequence[int]) -> int:
    if not is_whole(dealer, 0, len(opening) - 1):
        raise InvalidOptionError(f"dealer cannot be {dealer!r}: seats run from 0 to {len(opening) - 1}.")
    if opening[dealer] < 0:
        raise InvalidOptionError(f"dealer cannot be seat {dealer}: that seat is out.")
    return int(dealer)
