"""`Rules`: every way this game is played, as one frozen, validated, hashable record.

A field's docstring names its clause in `docs/rules.md`. Nothing here decides anything: the kernels in
`trente_env.core` do, reading these fields.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

import numpy as np

from trente_env.cards import NUM_RANKS, POINTS, RANKS, SUITS
from trente_env.errors import InvalidRulesError, is_name, is_whole

__all__ = ["AllOut", "KnockerTie", "PlayStyle", "Rules", "Scoring", "StockExhaustion"]

MAX_PLAYERS: Final = 9
MAX_LIVES: Final = 100
MAX_POINTS: Final = 1_000
MAX_BUY_INS: Final = 100
MAX_LIMIT: Final = 1_000_000
MAX_SIZE: Final = 2**62
"""No field takes a number of that size: what is larger is not looked at any closer."""


class PlayStyle(StrEnum):
    """How cards change hands."""

    DRAW = "draw"
    """Draw from the stock or take the upcard, then discard (section D)."""
    EXCHANGE = "exchange"
    """Swap with three cards on the table (section G)."""


class KnockerTie(StrEnum):
    """What happens to a knocker tied for lowest (R16)."""

    SPARED = "spared"
    """The knocker loses nothing, the other tied seats one life each."""
    DOUBLED = "doubled"
    """The knocker loses the failed-knock penalty, the other tied seats one life each."""
    SHARES = "shares"
    """Each tied seat loses one life."""


class StockExhaustion(StrEnum):
    """What happens when a turn starts with an empty stock (R17)."""

    RESHUFFLE = "reshuffle"
    """The discard pile but its top card becomes the stock."""
    LAST_CALL = "last_call"
    """The seat may take the upcard, knock, or pass; a knock or a pass ends the round."""


class Scoring(StrEnum):
    """What a round costs or brings."""

    LIVES = "lives"
    """The lowest hand loses lives; the last seat not out wins (section E)."""
    POINTS = "points"
    """The highest hand scores a point; nobody is put out (section F)."""


class AllOut(StrEnum):
    """What happens when a round would put every seat out at once (R23)."""

    VOID = "void"
    """Nobody loses anything; the next deal follows."""
    PLAYOFF = "playoff"
    """Those seats play on among themselves until one is left."""


@dataclass(frozen=True, slots=True)
class Rules:
    """One rule set. Start from `trente_env.preset(name, **changes)`; the defaults here are `quebec` heads-up.

    Fields that do not apply to the others' choice (a penalty in the points game, say) are set to a fixed value, so
    that equal games have equal `Rules`, hashes and fingerprints (R51).

    Raises:
        InvalidRulesError: If a value, alone or beside the others, makes no sense.
    """

    play_style: PlayStyle = PlayStyle.DRAW
    """Drawing game ("draw") or exchange game ("exchange"). Sections D and G."""
    num_players: int = 2
    """Seats at the table, 2 to 9 as the deck allows. R8."""
    ranks: str = RANKS
    """Ranks in the deck, one letter each (ten is T): 13 for 52 cards, "6789TJQKA" for 36. R5."""
    suits: str = SUITS
    """Suits in the deck, of "cdhs". Four in every known game; fewer make small decks for exact solutions. R5."""
    hand_size: int = 3
    """Cards held, 2 to 4; three in the exchange game. R4, R10."""
    three_of_a_kind: int = 61
    """Value of three cards of one rank in half points: 61 (30½), 60 (30) or 0 (nothing). R3.
    Zero where it does not apply: two-card hands, fewer than three suits, or decks whose best total it would reach."""
    three_aces: int = 0
    """Value of three aces in half points in the exchange game: 66 (33) or 0 (no special value). R48."""
    may_knock_on_first_turn: bool = True
    """Whether a seat may knock on its own first turn of a deal. R13. Always in the exchange game."""
    may_pass_on_last_turn: bool = False
    """Whether a seat may pass on its last turn after a knock. R14. Always in the exchange game."""
    may_return_upcard: bool = False
    """Whether the card just taken from the discard pile may be discarded in the same turn. R12. Drawing game."""
    blitz_after_knock: bool = True
    """Whether a 31 made after a knock ends the round at once; else it counts at the showdown. R15.
    Always in the exchange game (R44) and in the points game (R30)."""
    failed_knock_penalty: int = 2
    """Lives lost by a knocker strictly lowest of all, 1 or 2. R16. Lives game; 1 in the exchange game."""
    knocker_tie: KnockerTie = KnockerTie.SPARED
    """What a knocker tied for lowest loses: "spared", "doubled" or "shares". R16. Lives game.
    "doubled" with a penalty of 1 is "shares"."""
    stock_exhaustion: StockExhaustion = StockExhaustion.RESHUFFLE
    """What an empty stock means: "reshuffle" or "last_call". R17. Drawing game."""
    scoring: Scoring = Scoring.LIVES
    """Play for lives ("lives") or for points ("points"). Sections E and F."""
    starting_lives: int = 3
    """Lives of each seat at the start, 1 to 100. R20. Zero in the points game."""
    grace: bool = True
    """Whether a seat without a life stays in until its next loss. R21. Lives game."""
    all_out: AllOut = AllOut.VOID
    """A round that would put every seat out: "void" or "playoff". R23. Drawing game for lives."""
    buy_ins: int = 0
    """How many times each seat that goes out may buy in again, 0 to 100. R24. Lives game."""
    target_points: int = 0
    """Points that win the points game, 1 to 1000 (31 by tradition). R32. Zero in the lives game."""
    separate_close: bool = False
    """Whether passing and closing are separate actions in the exchange game. R48."""
    round_limit: int = 100
    """Turns per seat still in after which a round ends with a showdown without knocker. R50."""
    max_rounds: int = 1_000
    """Rounds after which a game is truncated. R50."""

    def __post_init__(self) -> None:
        """Coerce texts to enums, validate every field, and normalise those that do not apply."""
        self._coerce()
        self._check_ranges()
        self._normalise()
        self._check_deck()

    @property
    def deck(self) -> tuple[int, ...]:
        """Card ids of the deck, lowest first (R5)."""
        return tuple(
            suit * NUM_RANKS + rank
            for suit in range(len(SUITS))
            if SUITS[suit] in self.suits
            for rank in range(NUM_RANKS)
            if RANKS[rank] in self.ranks
        )

    @property
    def top_half_points(self) -> int:
        """Value of a "31" in half points: the largest one-suit total the deck and the hand size allow (R4)."""
        points = sorted((POINTS[RANKS.index(letter)] for letter in self.ranks), reverse=True)
        return 2 * sum(points[: self.hand_size])

    @property
    def fingerprint(self) -> str:
        """Stable hex name of these rules, stored with anything learned under them (R51)."""
        text = json.dumps(self.to_dict(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed.

        Raises:
            InvalidRulesError: If a field does not exist or the result makes no sense.
        """
        known = [field.name for field in dataclasses.fields(self)]
        for name, value in changes.items():
            if name not in known:
                raise InvalidRulesError(name, value, f"there is no such field; the fields are {', '.join(known)}")
        if changes.get("scoring", self.scoring) == Scoring.POINTS and self.scoring == Scoring.LIVES:
            changes.setdefault("target_points", 31)
        if changes.get("scoring", self.scoring) == Scoring.LIVES and self.scoring == Scoring.POINTS:
            changes.setdefault("starting_lives", 3)
        return dataclasses.replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {
            field.name: str(value) if isinstance(value := getattr(self, field.name), StrEnum) else value
            for field in dataclasses.fields(self)
        }

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Self:
        """Read what `to_dict` wrote.

        Raises:
            InvalidRulesError: If a field is unknown or makes no sense.
        """
        known = {field.name for field in dataclasses.fields(cls)}
        if not isinstance(fields, Mapping):
            raise InvalidRulesError("(all)", fields, "give the fields by name, as to_dict() returns them")
        for name, value in fields.items():
            if name not in known:
                raise InvalidRulesError(
                    name, value, f"there is no such field; the fields are {', '.join(sorted(known))}"
                )
        return cls(**fields)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _coerce(self) -> None:
        """Turn texts into enums and 0/1 into bools; refuse any other type."""
        for field in dataclasses.fields(self):
            value, default = getattr(self, field.name), field.default
            if isinstance(default, StrEnum):
                options = [str(option) for option in type(default)]
                if not is_name(value, options):
                    raise InvalidRulesError(field.name, value, f"choose one of {', '.join(options)}")
                self._set(field.name, type(default)(value))
            elif isinstance(default, bool):
                if not isinstance(value, (bool, np.bool_)) and not is_whole(value, 0, 1):
                    raise InvalidRulesError(field.name, value, "give True or False")
                self._set(field.name, bool(value))
            elif isinstance(default, int):
                if not is_whole(value, -MAX_SIZE, MAX_SIZE):
                    raise InvalidRulesError(field.name, value, "give a whole number")
                self._set(field.name, operator.index(value))
            elif not isinstance(value, str):
                raise InvalidRulesError(field.name, value, "give a text")

    def _check_range(self, name: str, low: int, high: int) -> None:
        value = getattr(self, name)
        if not low <= value <= high:
            raise InvalidRulesError(name, value, f"give a whole number from {low} to {high}")

    def _check_letters(self, name: str, order: str, meaning: str) -> None:
        letters = getattr(self, name).replace("10", "T").replace(" ", "").replace(",", "")
        letters = letters.upper() if order == RANKS else letters.lower()
        if not letters or any(letter not in order for letter in letters) or len(set(letters)) != len(letters):
            raise InvalidRulesError(
                name, getattr(self, name), f"name each of the deck's {meaning} once, out of {order!r}"
            )
        self._set(name, "".join(letter for letter in order if letter in letters))

    def _check_ranges(self) -> None:
        self._check_letters("ranks", RANKS, "ranks")
        self._check_letters("suits", SUITS, "suits")
        self._check_range("num_players", 2, MAX_PLAYERS)
        self._check_range("hand_size", 2, 4)
        self._check_range("failed_knock_penalty", 1, 2)
        self._check_range("buy_ins", 0, MAX_BUY_INS)
        self._check_range("round_limit", 1, MAX_LIMIT)
        self._check_range("max_rounds", 1, MAX_LIMIT)
        if self.three_of_a_kind not in (0, 60, 61):
            raise InvalidRulesError(
                "three_of_a_kind", self.three_of_a_kind, "give half points: 61 (30½), 60 (30) or 0 (R3)"
            )
        if self.three_aces not in (0, 66):
            raise InvalidRulesError("three_aces", self.three_aces, "give half points: 66 (33) or 0 (R48)")
        if self.scoring == Scoring.LIVES:
            self._check_range("starting_lives", 1, MAX_LIVES)
        else:
            self._check_range("target_points", 1, MAX_POINTS)
        if self.play_style == PlayStyle.DRAW:
            if self.three_aces:
                raise InvalidRulesError(
                    "three_aces", self.three_aces, "only the exchange game counts three aces apart (R48): give 0"
                )
            if self.separate_close:
                raise InvalidRulesError(
                    "separate_close", self.separate_close, "only the exchange game can part passing from closing (R48)"
                )
        elif self.hand_size != 3:  # noqa: PLR2004 - R41: three cards against the table's three
            raise InvalidRulesError("hand_size", self.hand_size, "the exchange game is played with three cards (R40)")
        elif self.scoring == Scoring.POINTS:
            raise InvalidRulesError("scoring", "points", "the points game is a drawing game (section F): choose lives")
        if self.scoring == Scoring.POINTS and self.buy_ins:
            raise InvalidRulesError("buy_ins", self.buy_ins, "nobody goes out in the points game (R30): give 0")

    def _normalise(self) -> None:
        """R51: give the fields that do not apply their fixed values."""
        if self.hand_size == 2 or len(self.suits) < 3 or self.three_of_a_kind >= self.top_half_points:  # noqa: PLR2004
            self._set("three_of_a_kind", 0)  # R4
        if self.scoring == Scoring.POINTS:
            fixed: dict[str, object] = {
                "starting_lives": 0, "grace": False, "all_out": AllOut.VOID, "blitz_after_knock": True,
                "failed_knock_penalty": 1, "knocker_tie": KnockerTie.SHARES,
            }  # fmt: skip
        else:
            fixed = {"target_points": 0}
            if self.failed_knock_penalty == 1 and self.knocker_tie == KnockerTie.DOUBLED:
                fixed["knocker_tie"] = KnockerTie.SHARES  # twice nothing more: the same game
        if self.play_style == PlayStyle.EXCHANGE:
            fixed |= {
                "may_knock_on_first_turn": True, "may_pass_on_last_turn": True, "may_return_upcard": False,
                "blitz_after_knock": True, "failed_knock_penalty": 1, "knocker_tie": KnockerTie.SHARES,
                "stock_exhaustion": StockExhaustion.RESHUFFLE, "all_out": AllOut.VOID,
            }  # fmt: skip
            if not ("A" in self.ranks and len(self.suits) >= 3):  # noqa: PLR2004
                fixed["three_aces"] = 0
        for name, value in fixed.items():
            self._set(name, value)

    def _check_deck(self) -> None:
        """R8: a deal must leave room to play."""
        draw = self.play_style == PlayStyle.DRAW
        needed = self.num_players * self.hand_size + (2 if draw else 3)
        if len(self.deck) < needed:
            most = (len(self.deck) - (2 if draw else 3)) // self.hand_size
            raise InvalidRulesError(
                "num_players",
                self.num_players,
                f"{self.num_players} hands of {self.hand_size} need a deck of at least {needed} cards (R8), this one "
                f"has {len(self.deck)}: seat at most {max(most, 0)}, or add ranks or suits",
            )
        if len(self.ranks) < self.hand_size:
            raise InvalidRulesError(
                "ranks",
                self.ranks,
                f"the best hand is {self.hand_size} cards of one suit (R4): name at least as many ranks",
            )
