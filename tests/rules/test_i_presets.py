"""Section I: the presets, and that equal rules are equal (R51)."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.play import NAMES
from trente_env import PRESETS, Game, Rules, UnknownNameError, preset
from trente_env.rules import AllOut, KnockerTie, PlayStyle, Scoring, StockExhaustion

CLASSIC: dict[str, Any] = {
    "play_style": "draw", "num_players": 4, "ranks": "23456789TJQKA", "suits": "cdhs", "hand_size": 3,
    "three_of_a_kind": 61, "three_aces": 0, "may_knock_on_first_turn": False, "may_pass_on_last_turn": True,
    "may_return_upcard": True, "blitz_after_knock": False, "failed_knock_penalty": 2, "knocker_tie": "spared",
    "stock_exhaustion": "last_call", "scoring": "lives", "starting_lives": 3, "grace": True, "all_out": "playoff",
    "buy_ins": 0, "target_points": 0, "separate_close": False, "round_limit": 100, "max_rounds": 1_000,
}  # fmt: skip
QUEBEC = CLASSIC | {
    "may_knock_on_first_turn": True, "may_pass_on_last_turn": False, "may_return_upcard": False,
    "blitz_after_knock": True, "stock_exhaustion": "reshuffle", "all_out": "void",
}  # fmt: skip
KAWU = QUEBEC | {"three_of_a_kind": 60, "may_return_upcard": True, "knocker_tie": "doubled", "grace": False}
EXCHANGE = CLASSIC | {
    "play_style": "exchange", "ranks": "6789TJQKA", "may_knock_on_first_turn": True, "may_pass_on_last_turn": True,
    "failed_knock_penalty": 1, "knocker_tie": "shares",
}  # fmt: skip
TABLE = {
    "classic": CLASSIC,
    "scat": CLASSIC,
    "trentuno": CLASSIC,
    "kawu": KAWU,
    "exchange": EXCHANGE,
    "schwimmen": EXCHANGE | {"ranks": "789TJQKA", "separate_close": True, "three_aces": 66},
    "quebec": QUEBEC,
    "quebec_points": QUEBEC | {"scoring": "points", "target_points": 31},
    "italian40": CLASSIC | {"ranks": "234567JQKA"},
    "four_card": CLASSIC | {"hand_size": 4},
    "no_trips": CLASSIC | {"three_of_a_kind": 0},
    "buy_in": CLASSIC | {"buy_ins": 1},
}
"""The rule book's table, a field a row."""
APPLIES = {
    "draw": {
        "may_knock_on_first_turn", "may_pass_on_last_turn", "may_return_upcard", "blitz_after_knock",
        "failed_knock_penalty", "knocker_tie", "stock_exhaustion", "starting_lives", "grace", "all_out",
    },
    "exchange": {
        "starting_lives", "grace", "failed_knock_penalty", "knocker_tie", "may_knock_on_first_turn",
        "may_pass_on_last_turn",
    },
    "points": {
        "may_knock_on_first_turn", "may_pass_on_last_turn", "may_return_upcard", "stock_exhaustion", "target_points",
    },
}  # fmt: skip
"""Of the fields that depend on others, those that count in each kind of game."""
ALWAYS = {
    "play_style", "num_players", "ranks", "suits", "hand_size", "three_of_a_kind", "three_aces", "scoring", "buy_ins",
    "separate_close", "round_limit", "max_rounds",
}  # fmt: skip


def kind_of(name: str) -> str:
    """Return which fields of a preset count."""
    rules = PRESETS[name]
    return "points" if rules.scoring == Scoring.POINTS else str(rules.play_style)


@pytest.mark.parametrize("name", TABLE)
def test_r51_every_preset_is_as_the_table_says(name: str) -> None:
    """R51: each field of each preset has the value of the rule book's table, where it counts."""
    fields = PRESETS[name].to_dict()
    counting = ALWAYS | APPLIES[kind_of(name)]
    assert {field: fields[field] for field in counting} == {field: TABLE[name][field] for field in counting}


def test_r51_the_table_has_every_preset_and_field() -> None:
    """R51: there is no preset and no field besides those of the table."""
    assert set(PRESETS) == set(TABLE)
    assert {field.name for field in dataclasses.fields(Rules)} == set(CLASSIC)


@pytest.mark.parametrize("alias", ["scat", "trentuno"])
def test_r51_aliases_are_the_same_rules(alias: str) -> None:
    """R51: a game under two names is one: equal, of equal hash and fingerprint."""
    assert preset(alias) == preset("classic")
    assert hash(preset(alias)) == hash(preset("classic"))
    assert preset(alias).fingerprint == preset("classic").fingerprint


def test_r51_different_presets_are_different_rules() -> None:
    """R51: no two presets but the aliases are equal or share a fingerprint."""
    assert len({preset(name) for name in NAMES}) == len(NAMES)
    assert len({preset(name).fingerprint for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("exchange", {"may_knock_on_first_turn": False}),
        ("exchange", {"may_pass_on_last_turn": False}),
        ("exchange", {"may_return_upcard": True}),
        ("exchange", {"blitz_after_knock": False}),
        ("exchange", {"failed_knock_penalty": 2}),
        ("exchange", {"knocker_tie": "spared"}),
        ("exchange", {"stock_exhaustion": "last_call"}),
        ("exchange", {"all_out": "playoff"}),
        ("quebec_points", {"starting_lives": 5}),
        ("quebec_points", {"grace": True}),
        ("quebec_points", {"all_out": "playoff"}),
        ("quebec_points", {"failed_knock_penalty": 2}),
        ("quebec_points", {"knocker_tie": "doubled"}),
        ("quebec_points", {"blitz_after_knock": False}),
        ("quebec", {"target_points": 31}),
        ("classic", {"target_points": 12}),
    ],
)
def test_r51_fields_that_do_not_apply_are_normalised(name: str, changes: dict[str, Any]) -> None:
    """R51: a field that makes no difference to the game makes none to the rules' equality, hash and fingerprint."""
    changed = preset(name, **changes)
    assert changed == preset(name)
    assert (hash(changed), changed.fingerprint) == (hash(preset(name)), preset(name).fingerprint)


@pytest.mark.parametrize(
    ("name", "other", "changes"),
    [
        ("classic", "no_trips", {"three_of_a_kind": 0}),
        ("classic", "four_card", {"hand_size": 4}),
        ("classic", "buy_in", {"buy_ins": 1}),
        ("classic", "italian40", {"ranks": "A 2 3 4 5 6 7 J Q K"}),
        ("quebec", "quebec_points", {"scoring": "points"}),
        (
            "quebec_points",
            "quebec",
            {"scoring": "lives", "grace": True, "failed_knock_penalty": 2, "knocker_tie": "spared"},
        ),
        ("exchange", "schwimmen", {"ranks": "AKQJT987", "separate_close": True, "three_aces": 66}),
        ("kawu", "quebec", {"three_of_a_kind": 61, "may_return_upcard": False, "knocker_tie": "spared", "grace": True}),
    ],
)
def test_r51_one_preset_made_into_another(name: str, other: str, changes: dict[str, Any]) -> None:
    """R51: rules reached another way are equal to the preset they amount to."""
    assert preset(name, **changes) == preset(other)
    assert preset(name, **changes).fingerprint == preset(other).fingerprint


def test_r51_the_order_of_ranks_and_suits_does_not_matter() -> None:
    """R51: a deck is a set: named in another order, or with 10 for T, it is the same."""
    rules = preset("classic", ranks="A K Q J 10 9 8 7 6 5 4 3 2", suits="shdc")
    assert rules == preset("classic")


@pytest.mark.parametrize("name", NAMES)
def test_r51_every_field_is_written_down(name: str) -> None:
    """R51: `to_dict` gives every field, and `from_dict` reads the same rules back."""
    fields = preset(name).to_dict()
    assert set(fields) == set(CLASSIC)
    assert Rules.from_dict(fields) == preset(name)


@pytest.mark.parametrize("name", NAMES)
def test_r51_the_hash_is_stored_with_a_game(name: str) -> None:
    """R51: a saved game knows its rules, whatever preset they came from."""
    game = Game(preset(name), seed=5)
    assert Game.from_bytes(game.to_bytes()).rules.fingerprint == preset(name).fingerprint


def test_r51_an_unknown_preset_lists_the_known_ones() -> None:
    """R51: a name that is no preset is refused with the list of those that are."""
    with pytest.raises(UnknownNameError, match="schwimmen") as caught:
        preset("poker")
    assert set(caught.value.known) == set(TABLE)


def test_r51_enums_are_their_texts() -> None:
    """R51: options may be given as texts or as enum members, to the same effect."""
    with_texts = Rules(
        play_style="draw", knocker_tie="spared", stock_exhaustion="reshuffle", scoring="lives", all_out="void"
    )
    with_members = Rules(
        play_style=PlayStyle.DRAW, knocker_tie=KnockerTie.SPARED, stock_exhaustion=StockExhaustion.RESHUFFLE,
        scoring=Scoring.LIVES, all_out=AllOut.VOID,
    )  # fmt: skip
    assert with_texts == with_members
    assert with_texts.to_dict() == with_members.to_dict()
