"""Ways to spoil an input: bytes, texts, JSON values, fields of a saved game's record."""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from typing import Any

import numpy as np

from trente_env import PRESETS, Game

RECORD: np.dtype[Any] = Game(PRESETS["quebec"]).to_array().dtype
HEADER = 12
"""Bytes of a saved game before its body: eight of magic, four of checksum."""
INTERESTING = (0, 1, 2, 7, 15, 16, 31, 32, 51, 52, 53, 63, 64, 100, 126, 127, 128, 200, 254, 255)
NUMBERS = (0, 1, -1, 2, 3, 9, 10, 51, 52, 63, 64, 127, 128, 255, 256, 2**15 - 1, 2**31 - 1, 2**31, 2**52, 2**63 - 1)
VALUES: tuple[Any, ...] = (
    None, True, False, "", "draw", "exchange", "TJQKA", "cdhs", [], {}, 0.5, 1e308, float("nan"), float("inf"),
    -(2**63),
    2**64, 10**30, [1, 2], {"a": 1}, "\uff11", "é", "\u0000", *NUMBERS,
)  # fmt: skip
LETTERS = " ,@:?#=_-.+eE0123456789AKQJTakqjtcdhsCDHS♣♦♥♠\ufe0f½\n\r\t\u0000\u00a0\u2028é\uff11\u0663\\/\"'{}[]%"
WORDS = (
    "10h", "As", "2c", "knock", "draw", "discard ", "take table ", "leave ", "rest", "nan", "inf", "-0", "1e9", "0x1f",
    "file:", "@27", "true", "null", "../..", "~", "seat", "round",
)  # fmt: skip


def spoil_bytes(dice: random.Random, data: bytes) -> bytes:
    """Change one to eight things in bytes: bits, bytes, pieces cut, copied, or swapped."""
    spoiled = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        if not spoiled:
            spoiled = bytearray(dice.randbytes(8))
        place = dice.randrange(len(spoiled))
        match dice.randrange(6):
            case 0:
                spoiled[place] ^= 1 << dice.randrange(8)
            case 1:
                spoiled[place] = dice.choice(INTERESTING)
            case 2:
                spoiled[place : place + 8] = dice.choice(NUMBERS).to_bytes(9, "little", signed=True)[:8]
            case 3:
                del spoiled[place : place + dice.choice((1, 2, 8, 64, len(spoiled)))]
            case 4:
                spoiled[place:place] = spoiled[place : place + dice.choice((1, 2, 8, 64))]
            case _:
                other = dice.randrange(len(spoiled))
                spoiled[place], spoiled[other] = spoiled[other], spoiled[place]
    return bytes(spoiled)


def spoil_text(dice: random.Random, text: str) -> str:
    """Change one to eight things in a text: letters, words, lines cut, copied or swapped."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        place = dice.randrange(len(text) + 1)
        match dice.randrange(6):
            case 0:
                text = text[:place] + dice.choice(LETTERS) + text[place + 1 :]
            case 1:
                text = text[:place] + dice.choice(LETTERS) + text[place:]
            case 2:
                text = text[:place] + dice.choice(WORDS) + text[place:]
            case 3:
                text = text[:place] + text[place + dice.choice((1, 2, 8, 64)) :]
            case 4:
                text = (
                    text[:place]
                    + text[place : place + dice.choice((1, 8, 64))] * dice.choice((1, 2, 50))
                    + text[place:]
                )
            case _:
                lines = text.split("\n")
                lines.insert(dice.randrange(len(lines)), lines.pop(dice.randrange(len(lines))))
                text = "\n".join(lines)
    return text


def spoil_value(dice: random.Random, value: Any) -> Any:
    """Change one thing somewhere inside a JSON value."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        spoiled = dict(value)
        key = dice.choice(list(spoiled))
        match dice.randrange(6):
            case 0:
                del spoiled[key]
            case 1:
                spoiled[spoil_text(dice, key)] = spoiled.pop(key)
            case _:
                spoiled[key] = spoil_value(dice, spoiled[key])
        return spoiled
    if isinstance(value, list) and value and dice.random() < 0.8:
        place = dice.randrange(len(value))
        return [*value[:place], spoil_value(dice, value[place]), *value[place + 1 :]]
    if isinstance(value, str) and dice.random() < 0.6:
        return spoil_text(dice, value)
    if isinstance(value, int) and dice.random() < 0.5:
        return value + dice.choice((-1, 1, 2, 10))
    return dice.choice(VALUES)


def spoil_json(dice: random.Random, text: bytes) -> bytes:
    """Change the values of a JSON text, or the text itself; now and then nest it deeper than anyone can read."""
    if dice.random() < 0.01:
        return b"[" * 100_000
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return spoil_bytes(dice, text)
    if dice.random() < 0.2:
        return spoil_bytes(dice, text)
    for _ in range(dice.choice((1, 1, 2, 4))):
        value = spoil_value(dice, value)
    return json.dumps(value).encode()


def sealed(data: bytes) -> bytes:
    """Return a saved game with the checksum that its body has."""
    return data[: HEADER - 4] + zlib.crc32(data[HEADER:]).to_bytes(4, "little") + data[HEADER:]


def parts(data: bytes) -> tuple[bytes, bytes]:
    """Return the rules, as JSON, and the record of a saved game."""
    length = int.from_bytes(data[HEADER : HEADER + 4], "little")
    return data[HEADER + 4 : HEADER + 4 + length], data[HEADER + 4 + length :]


def joined(data: bytes, rules: bytes, record: bytes) -> bytes:
    """Return a saved game of other parts, well sealed."""
    return sealed(data[:HEADER] + len(rules).to_bytes(4, "little") + rules + record)


def spoil_saved(dice: random.Random, data: bytes) -> bytes:
    """Spoil the bytes of a saved game; most of the time with the right checksum."""
    spoiled = spoil_bytes(dice, data)
    return sealed(spoiled) if dice.random() < 0.9 else spoiled


def spoil_rules(dice: random.Random, data: bytes) -> bytes:
    """Change the rules that a saved game says it is played by."""
    rules, record = parts(data)
    return joined(data, spoil_json(dice, rules), record)


def spoil_fields(dice: random.Random, data: bytes) -> bytes:
    """Set some fields of a saved game's record to values of their kind: extreme ones, small ones, another field's."""
    rules, record = parts(data)
    if len(record) != RECORD.itemsize:
        return spoil_saved(dice, data)
    array = np.frombuffer(record, RECORD).copy()
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        field = array[dice.choice(RECORD.names)].reshape(-1)
        place = dice.randrange(len(field))
        old = field[place].item()
        if field.dtype.kind == "f":
            field[place] = dice.choice((float("nan"), float("inf"), -1e300, 1.0, 3e4, -0.0))
            continue
        bounds = np.iinfo(field.dtype)
        value = dice.choice((
            int(bounds.min), int(bounds.max), old + 1, old - 1, -old, old ^ 1 << dice.randrange(8 * field.itemsize - 1),
            dice.choice(NUMBERS), dice.randrange(-2, 12), dice.randrange(64), field[dice.randrange(len(field))].item(),
        ))  # fmt: skip
        field[place] = min(max(value, int(bounds.min)), int(bounds.max))
    return joined(data, rules, array.tobytes())


def with_hash(policy: bytes, weights: bytes) -> bytes:
    """Return a checkpoint's description that names the hash of some weights, if it still can."""
    try:
        value = json.loads(policy)
    except (ValueError, RecursionError):
        return policy
    if not isinstance(value, dict):
        return policy
    names = {"weights_sha256": hashlib.sha256(weights).hexdigest(), "weights_file": "policy.safetensors"}
    return json.dumps(value | names).encode()
