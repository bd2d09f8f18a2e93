"""Bytes and records that are no saved game are refused, and never reach a kernel."""

from __future__ import annotations

import json
import random
import zlib
from typing import Any

import numpy as np
import pytest

from tests.play import NAMES, choose, random_games, table_rules
from trente_env import Game, InvalidDataError, InvalidOptionError, preset
from trente_env.core.layout import GAME


def sealed(body: bytes) -> bytes:
    """Return bytes with the magic and the right checksum before a body."""
    return b"TRENTE-2" + zlib.crc32(body).to_bytes(4, "little") + body


def with_rules(game: Game, rules: bytes) -> bytes:
    """Return a saved game whose rules are replaced by other bytes, checksum included."""
    return sealed(len(rules).to_bytes(4, "little") + rules + game.to_array().tobytes())


def changed(game: Game, field: str, value: Any, index: int | None = None) -> bytes:
    """Return a saved game one field of which was overwritten, checksum included."""
    array = game.to_array()
    if index is None:
        array[field][0] = value
    else:
        array[field][0, index] = value
    rules = json.dumps(game.rules.to_dict()).encode()
    return sealed(len(rules).to_bytes(4, "little") + rules + array.tobytes())


def test_the_way_of_changing_a_field_is_sound() -> None:
    """The helper that these tests overwrite fields with leaves a game readable when it changes nothing."""
    game = Game(preset("quebec"), seed=1)
    assert Game.from_bytes(changed(game, "seed", game.seed)) == game


@pytest.mark.parametrize("data", [b"", b"TRENTE-2", b"TRENTE-2" + bytes(600), b"PK\x03\x04" + bytes(600), bytes(1_000)])
def test_bytes_that_are_no_game_are_refused(data: bytes) -> None:
    """Empty, foreign, or of another version: refused as data."""
    with pytest.raises(InvalidDataError):
        Game.from_bytes(data)


@pytest.mark.parametrize("data", [None, "TRENTE-2", 5, [1, 2]])
def test_what_is_not_bytes_is_refused(data: Any) -> None:
    """Anything but bytes is refused with what to pass instead."""
    with pytest.raises(InvalidDataError, match="to_bytes"):
        Game.from_bytes(data)


@pytest.mark.parametrize("name", ["quebec", "schwimmen"])
def test_truncated_bytes_are_refused(name: str) -> None:
    """Cut off anywhere, or with bytes added, a saved game is refused."""
    data = Game(preset(name), seed=3).to_bytes()
    for length in range(0, len(data), 13):
        with pytest.raises(InvalidDataError):
            Game.from_bytes(data[:length])
    with pytest.raises(InvalidDataError):
        Game.from_bytes(data + b"\0")


@pytest.mark.parametrize("name", ["quebec", "schwimmen"])
def test_a_flipped_bit_is_refused(name: str) -> None:
    """Any byte changed on the way is noticed by the checksum."""
    data = Game(preset(name), seed=3).to_bytes()
    for place in range(0, len(data), 7):
        spoiled = bytearray(data)
        spoiled[place] ^= 0x10
        with pytest.raises(InvalidDataError):
            Game.from_bytes(spoiled)


@pytest.mark.parametrize(
    "rules", [b"", b"{", b"[]", b"5", b"null", b'{"num_players": 99}', b'{"colour": 1}', b'{"ranks": 5}', b"\xff\xfe"]
)
def test_rules_that_cannot_be_read_are_refused(rules: bytes) -> None:
    """A saved game whose rules are broken, checksum and all, is refused."""
    with pytest.raises(InvalidDataError):
        Game.from_bytes(with_rules(Game(preset("quebec"), seed=1), rules))


def test_the_rules_of_another_table_are_refused() -> None:
    """A position does not fit other rules: another deck, hand size or number of seats."""
    game = Game(preset("quebec", num_players=4), seed=1)
    for other in ("exchange", "italian40", "four_card"):
        with pytest.raises(InvalidDataError):
            Game.from_array(preset(other, num_players=4), game.to_array())
    for count in (2, 3):
        with pytest.raises(InvalidDataError):
            Game.from_array(preset("quebec", num_players=count), game.to_array())


@pytest.mark.parametrize(
    ("field", "value", "index"),
    [
        ("to_move", 4, None), ("to_move", -1, None), ("to_move", 127, None), ("phase", 7, None), ("phase", -1, None),
        ("phase", 3, None), ("phase", 1, None), ("phase", 6, None), ("dealer", 4, None), ("dealer", -1, None),
        ("knocker", 9, None), ("winner", 5, None), ("seed", -1, None), ("key", -5, None), ("round", 0, None),
        ("decisions", -1, None), ("in_game", 1, None), ("in_game", 16, None), ("in_game", 0, None), ("hands", 7, 0),
        ("hands", -1, 1), ("hands", 7, 6), ("known", 1 << 51, 1), ("deck", 60, 30), ("deck", -3, 30),
        ("num_drawn", 60, None), ("num_drawn", -1, None), ("num_drawn", 12, None), ("num_fixed", 90, None),
        ("deck_size", 53, None), ("deck_size", 40, None), ("num_discards", 0, None), ("num_discards", 2, None),
        ("num_discards", 99, None), ("discards", 52, 0), ("discards", -1, 0), ("table", 7, None), ("taken", 55, None),
        ("last_turns", 9, None), ("turn", -1, None), ("passes", 9, None), ("lives", -1, 0), ("lives", 3, 5),
        ("points", -1, 0), ("buy_ins", -1, 0), ("is_playoff", 2, None), ("step_relative", float("nan"), 0),
        ("last_deltas", 3, 0), ("last_end", 7, None), ("last_outcome", 3, None), ("turns", -1, 0),
        ("may_buy_in", 99, None),
    ],
)  # fmt: skip
def test_a_field_out_of_range_is_refused(field: str, value: Any, index: int | None) -> None:
    """A record no kernel could have written is refused, even with the right checksum."""
    game = Game(preset("quebec", num_players=4), seed=1)
    with pytest.raises(InvalidDataError):
        Game.from_bytes(changed(game, field, value, index))


def test_a_settled_round_without_an_end_is_refused() -> None:
    """A record that says a round was settled, but not how it ended, is refused, not found out when asked about it."""
    game = Game(preset("quebec", num_players=4), seed=1)
    with pytest.raises(InvalidDataError):
        Game.from_bytes(changed(game, "last_round", 1))


def test_an_event_with_no_such_card_is_refused() -> None:
    """A record whose public events name a card that does not exist is refused, not found out when it is shown."""
    game = Game(preset("quebec", num_players=4), seed=1)
    game.apply("take")
    event = int(game.to_array()["events"][0, 0])
    with pytest.raises(InvalidDataError):
        Game.from_bytes(changed(game, "events", (event | 63) - 2, 0))


@pytest.mark.parametrize(
    "array", [None, np.zeros(1, GAME), np.zeros(2, GAME), np.zeros((), GAME), np.zeros(1), np.zeros(1, "i8,i8"), b"x"]
)
def test_arrays_that_are_no_record_are_refused(array: Any) -> None:
    """`from_array` takes one row of dtype GAME that is a position, and nothing else."""
    with pytest.raises(InvalidDataError):
        Game.from_array(preset("quebec"), array)


def test_rules_are_asked_for() -> None:
    """A record with something that is no Rules is refused as an option."""
    with pytest.raises(InvalidOptionError, match="preset"):
        Game.from_array("quebec", Game(preset("quebec"), seed=1).to_array())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_spoiled_records_are_refused_or_can_be_played(name: str) -> None:
    """A record with a random byte changed is either refused or a position that can be shown and played on."""
    rules = table_rules(name, 3).replace(max_rounds=50)
    dice = random.Random(name)
    accepted = refused = 0
    for game, _ in random_games(rules, 40):
        for _ in range(8):
            data = bytearray(game.to_array().tobytes())
            data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
            try:
                spoiled = Game.from_array(rules, np.frombuffer(bytes(data), GAME).copy())
            except InvalidDataError:
                refused += 1
                continue
            accepted += 1
            assert str(spoiled)
            assert spoiled.describe(0)
            assert spoiled.last_round is None or str(spoiled.last_round)
            for _ in range(30):
                if spoiled.is_over:
                    break
                spoiled.apply(choose(spoiled, dice, patience=0.5))
            assert len(spoiled.views(1)) == 1
    assert accepted > 20
    assert refused > 20
