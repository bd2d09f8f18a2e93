"""From text to a record: every line is read by its own pattern, nothing is ever evaluated."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from trente_env.cards import bits_of, card_text, hand_text, parse_card, parse_cards
from trente_env.core.actions import ACTION_NAMES
from trente_env.core.layout import END_NAMES, OUTCOME_NAMES
from trente_env.core.positions import opening_lives
from trente_env.core.rng import MAX_SEED
from trente_env.errors import InvalidOptionError, InvalidRecordError, TrenteError
from trente_env.game import Hand
from trente_env.presets import PRESETS, field_value, preset
from trente_env.record.entries import (
    OUT_TEXT,
    SINGLE_ROUND,
    TRUNCATED,
    UNFINISHED,
    VERSION,
    WINNER,
    Comment,
    Deal,
    End,
    Entry,
    Lives,
    Move,
    Points,
    Record,
    Refresh,
    Reshuffle,
    Result,
    Round,
    Show,
    TableCards,
    Upcard,
)
from trente_env.record.writing import CUSTOM, MAGIC, MAX_LINE, MAX_SHOWN, MAX_SIZE, UNFIT
from trente_env.rules import Rules

__all__ = ["load", "parse"]


def load(path: Path | str) -> Record:
    """Read a record from a file.

    Raises:
        InvalidOptionError: If there is no such file, or it may not be read.
        InvalidRecordError: If it is no record.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_SIZE + 1)
    except (OSError, ValueError) as error:
        raise InvalidOptionError(f"{str(path)!r} cannot be read ({error}): name a file that holds a record.") from error
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidRecordError(line, repr(data[error.start : error.start + 4]), "text in UTF-8") from None
    return parse(text)


def parse(text: str) -> Record:
    """Read a record. Lines may end in CRLF, and a byte order mark is passed over; `write` gives the canonical form.

    Raises:
        InvalidRecordError: If it breaks the format, with the number of the line. What it says is checked by `replay`.
    """
    if not isinstance(text, str):
        raise InvalidRecordError(1, type(text).__name__, "a text: pass what write() returned")
    if len(text) > MAX_SIZE:
        raise InvalidRecordError(1, f"{len(text)} characters", f"at most {MAX_SIZE} in the whole record")
    return _Reader(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")).record()


class _Reader:
    """Reads a record line by line."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.number = 0
        self.raw = ""
        self.note = ""
        self.rules = Rules()
        self.entries: list[Entry] = []

    def wrong(self, expected: str) -> InvalidRecordError:
        """Return the error for the present line."""
        shown = self.raw if len(self.raw) <= MAX_SHOWN else self.raw[:MAX_SHOWN] + "…"
        return InvalidRecordError(self.number, shown, expected)

    def next_line(self) -> str | None:
        """Return the next line that says something, without its note; comments are kept as entries."""
        while self.number < len(self.lines):
            self.number += 1
            self.raw = self.lines[self.number - 1]
            if len(self.raw) > MAX_LINE:
                raise self.wrong(f"at most {MAX_LINE} characters in a line")
            if unfit := UNFIT.search(self.raw):
                raise self.wrong(f"no control character ({unfit[0]!r} at column {unfit.start() + 1})")
            said, sign, note = self.raw.partition("#")
            said, self.note = " ".join(said.split()), note.strip()
            if said:
                return said
            if sign:
                self.entries.append(Comment(self.note, line=self.number))
        return None

    def record(self) -> Record:
        """Read everything."""
        line = self.next_line()
        if line is None or not line.startswith(f"{MAGIC}:"):
            self.number = max(self.number, 1)
            raise self.wrong(f"'{MAGIC}: {VERSION}' as the first line")
        if line != f"{MAGIC}: {VERSION}":
            raise self.wrong(f"version {VERSION}, the only one that this program reads")
        self.keep_note()
        header, line = self.header()
        while line is not None and not isinstance(self.entry(line), End):
            line = self.next_line()
        if line is None:
            self.raw = "the end of the text"
            raise self.wrong(f"a last line 'end: …' ({UNFINISHED} if the game goes on): the record is cut short")
        if self.next_line() is not None:
            raise self.wrong("nothing after the end of the game")
        return Record(entries=tuple(self.entries), **header)

    def keep_note(self) -> None:
        """Keep a note behind a line of the header as a comment below it."""
        if self.note:
            self.entries.append(Comment(self.note, line=self.number))

    def header(self) -> tuple[dict[str, Any], str | None]:
        """Read the header; return it with the first line behind it."""
        found: dict[str, str] = {}
        places: dict[str, tuple[int, str]] = {}
        while (line := self.next_line()) is not None:
            name, sign, value = line.partition(":")
            if name.startswith("round ") or name == "end":
                break
            if not sign or name not in _HEADER:
                raise self.wrong(f"a line of the header ({', '.join(_HEADER)}) or 'round 1: dealer …'")
            if name in found:
                raise self.wrong(f"{name!r} once")
            found[name], places[name] = value.strip(), (self.number, self.raw)
            self.keep_note()
        after = (self.number, self.raw, self.note)
        if "rules" not in found:
            raise self.wrong("'rules: …' in the header, before this")
        header: dict[str, Any] = {}
        for name in _HEADER:  # the rules first: the others are checked against them
            if name in found:
                self.number, self.raw = places[name]
                header |= getattr(self, f"read_{name.replace('-', '_')}")(found[name])
        if header.get("dealer") is not None and (lives := header.get("lives")) and lives[header["dealer"]] is None:
            self.number, self.raw = places["dealer"]
            raise self.wrong("a dealer that is in the game")
        self.number, self.raw, self.note = after
        return header, line

    def read_rules(self, value: str) -> dict[str, Any]:
        """Read "quebec num_players=2"."""
        name, *changes = value.split(" ")
        fields: dict[str, Any] = {}
        if name not in {CUSTOM, *PRESETS}:
            raise self.wrong(f"{CUSTOM} or the name of a preset ({', '.join(PRESETS)})")
        try:
            for change in changes:
                field, sign, text = change.partition("=")
                if not (field and sign) or field in fields:
                    raise self.wrong("field=value for each change of the rules, each field once")
                fields[field] = field_value(field, text)
            self.rules = Rules.from_dict(fields) if name == CUSTOM else preset(name, **fields)
        except InvalidRecordError:
            raise
        except TrenteError as error:
            raise self.wrong(f"rules that can be ({error})") from error
        return {"rules": self.rules, "preset": name}

    def read_fingerprint(self, value: str) -> dict[str, Any]:
        """Check that the rules are those that were meant."""
        if value != self.rules.fingerprint:
            raise self.wrong(f"{self.rules.fingerprint}, which the rules above have: they are not those of the game")
        return {}

    def read_players(self, value: str) -> dict[str, Any]:
        """Read names by seat."""
        names = tuple(name.strip() for name in value.split(","))
        if len(names) != self.rules.num_players or not all(names):
            raise self.wrong(f"{self.rules.num_players} names with commas between")
        return {"players": names}

    def read_seed(self, value: str) -> dict[str, Any]:
        """Read the game's seed."""
        return {"seed": self.whole(value, 0, MAX_SEED)}

    def read_dealer(self, value: str) -> dict[str, Any]:
        """Read the first dealer."""
        return {"dealer": self.seat(value)}

    def read_lives(self, value: str) -> dict[str, Any]:
        """Read the lives at the beginning."""
        lives = self.lives(value)
        try:
            opening_lives(self.rules, lives)
        except TrenteError as error:
            raise self.wrong(f"lives that can be ({error})") from error
        return {"lives": lives}

    def read_single_round(self, value: str) -> dict[str, Any]:
        """Read whether the game is one round."""
        if value not in {"yes", "no"}:
            raise self.wrong("yes or no")
        return {"is_single_round": value == "yes"}

    def entry(self, line: str) -> Entry:
        """Read a line below the header, and keep it."""
        word = line.split(" ", 1)[0].rstrip(":")
        pattern, form, build = _MOVE if word.isdecimal() else _LINES.get(word, (None, _FORMS, None))
        match = pattern.fullmatch(line) if pattern is not None else None
        if match is None or build is None:
            raise self.wrong(form)
        entry = dataclasses.replace(build(self, match), line=self.number, note=self.note)
        self.entries.append(entry)
        return entry

    def whole(self, text: str, low: int, high: int) -> int:
        """Read a whole number in range."""
        if not (text.isascii() and text.isdecimal() and len(text) <= len(str(high)) and low <= int(text) <= high):
            raise self.wrong(f"a whole number from {low} to {high} in place of {text!r}")
        return int(text)

    def seat(self, text: str) -> int:
        """Read a seat."""
        return self.whole(text, 0, self.rules.num_players - 1)

    def cards(self, text: str | None) -> Hand:
        """Read cards, in the order in which hands are written."""
        try:
            cards = parse_cards(text or "")
        except TrenteError as error:
            raise self.wrong(f"cards such as 'Ks 10h 7d' ({error})") from error
        if text and not cards:
            raise self.wrong("cards such as 'Ks 10h 7d'")
        return Hand(hand_text(bits_of(cards)).split())

    def card(self, text: str) -> str:
        """Read one card."""
        try:
            return card_text(parse_card(text))
        except TrenteError as error:
            raise self.wrong(f"a card ({error})") from error

    def lives(self, text: str) -> tuple[int | None, ...]:
        """Read lives by seat."""
        parts = text.split(" ")
        if len(parts) != self.rules.num_players:
            raise self.wrong(f"{self.rules.num_players} numbers of lives, {OUT_TEXT!r} for a seat that is out")
        return tuple(None if part == OUT_TEXT else self.whole(part, 0, MAX_SEED) for part in parts)

    def points(self, text: str) -> tuple[int, ...]:
        """Read points by seat."""
        parts = text.split(" ")
        if len(parts) != self.rules.num_players:
            raise self.wrong(f"{self.rules.num_players} numbers of points")
        return tuple(self.whole(part, 0, MAX_SEED) for part in parts)

    def move(self, match: re.Match[str]) -> Move:
        """Read a decision."""
        seat, action, verb, card, cards = match.groups()
        return Move(self.seat(seat), action or f"{verb} {self.card(card)}", self.cards(cards))

    def show(self, match: re.Match[str]) -> Show:
        """Read a hand shown."""
        seat, cards, points, half, loses, scores, out = match.groups()
        half_points = 2 * self.whole(points, 0, MAX_VALUE) + bool(half)
        lost, scored = (self.whole(text or "0", 0, MAX_VALUE) for text in (loses, scores))
        return Show(self.seat(seat), self.cards(cards), half_points, lost, scored, bool(out))


_Line = tuple[re.Pattern[str], str, Callable[[_Reader, re.Match[str]], Entry]]
MAX_VALUE: Final = 99
_MAX_COUNT: Final = 10**9
_HEADER: Final = ("rules", "fingerprint", "players", "seed", "dealer", "lives", "single-round")
_ENDS: Final = "|".join(dict.fromkeys(END_NAMES[1:]))
_OUTCOMES: Final = "|".join(OUTCOME_NAMES)
_LINES: Final[dict[str, _Line]] = {
    "round": (
        re.compile(r"round (\d+): dealer (\d+)(, playoff)?"),
        "'round NUMBER: dealer SEAT', with ', playoff' behind where it is one",
        lambda reader, match: Round(reader.whole(match[1], 1, _MAX_COUNT), reader.seat(match[2]), bool(match[3])),
    ),
    "deal": (
        re.compile(r"deal (\d+): (.+)"),
        "'deal SEAT: CARDS'",
        lambda reader, match: Deal(reader.seat(match[1]), reader.cards(match[2])),
    ),
    "upcard": (re.compile(r"upcard: (.+)"), "'upcard: CARD'", lambda reader, match: Upcard(reader.card(match[1]))),
    "table": (re.compile(r"table: (.+)"), "'table: CARDS'", lambda reader, match: TableCards(reader.cards(match[1]))),
    "reshuffle": (
        re.compile(r"reshuffle: stock (\d+)"),
        "'reshuffle: stock NUMBER'",
        lambda reader, match: Reshuffle(reader.whole(match[1], 0, MAX_VALUE)),
    ),
    "refresh": (
        re.compile(r"refresh: (.+)"),
        "'refresh: CARDS'",
        lambda reader, match: Refresh(reader.cards(match[1])),
    ),
    "result": (
        re.compile(rf"result: ({_ENDS})(?: by (\d+))?, ({_OUTCOMES})"),
        f"'result: END, OUTCOME' or 'result: END by SEAT, OUTCOME'; END one of {_ENDS}, OUTCOME one of {_OUTCOMES}",
        lambda reader, match: Result(match[1], match[3], None if match[2] is None else reader.seat(match[2])),
    ),
    "show": (
        re.compile(r"show (\d+): ([^=]+) = (\d+)(½|\.5)?(?:, loses (\d+))?(?:, scores (\d+))?(, out)?"),
        "'show SEAT: CARDS = VALUE', with ', loses NUMBER', ', scores NUMBER', ', out' behind as it is",
        lambda reader, match: reader.show(match),
    ),
    "lives": (
        re.compile(r"lives: (.+)"),
        f"'lives: NUMBERS', one a seat, {OUT_TEXT!r} for a seat that is out",
        lambda reader, match: Lives(reader.lives(match[1])),
    ),
    "points": (
        re.compile(r"points: (.+)"),
        "'points: NUMBERS', one a seat",
        lambda reader, match: Points(reader.points(match[1])),
    ),
    "end": (
        re.compile(rf"end: (?:({WINNER}) (\d+)|({TRUNCATED}|{SINGLE_ROUND}|{UNFINISHED}))"),
        f"'end: {WINNER} SEAT', 'end: {TRUNCATED}', 'end: {SINGLE_ROUND}' or 'end: {UNFINISHED}'",
        lambda reader, match: End(match[1] or match[3], None if match[2] is None else reader.seat(match[2])),
    ),
}
_VERBS: Final = "discard|take table|leave"
"""Verbs of the actions that name a card."""
_MOVE: Final[_Line] = (
    re.compile(rf"(\d+) (?:({'|'.join(ACTION_NAMES.values())})|({_VERBS}) ([^ :]+))(?:: (.+))?"),
    f"'SEAT ACTION' or 'SEAT ACTION: CARDS'; ACTION one of {', '.join(ACTION_NAMES.values())}, or {_VERBS} and a card",
    lambda reader, match: reader.move(match),
)
_FORMS: Final = f"a decision such as '1 draw: 7h', or a line that begins with {', '.join(_LINES)}"
