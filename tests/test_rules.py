"""`Rules`: validation, replacing, writing down, fingerprints; what normalises to what is in tests/rules."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import itertools
import pickle
import random
from typing import Any

import numpy as np
import pytest

import trente_env.rules
from tests.play import any_rules
from trente_env import PRESETS, InvalidRulesError, Rules, UnknownNameError, preset
from trente_env.rules import AllOut, KnockerTie, PlayStyle, Scoring, StockExhaustion

FINGERPRINTS = {
    "quebec": "b88b234060be003f",
    "classic": "0dbe7ba0e2a445f3",
    "kawu": "b3595d34701ca992",
    "exchange": "9510bee1f4dc3526",
    "quebec_points": "7e82b82928190925",
    "schwimmen": "35746a3651ba57f6",
    "italian40": "debb1375c75d8483",
    "four_card": "f15b482f7c14fc48",
    "no_trips": "0799c3e426154066",
    "buy_in": "cb321385e8997b9c",
    "scat": "0dbe7ba0e2a445f3",
    "trentuno": "0dbe7ba0e2a445f3",
}
"""Recorded: a change would orphan everything learned under these rules, so it must be meant."""


@pytest.mark.parametrize("name", PRESETS)
def test_fingerprints_are_stable(name: str) -> None:
    """The fingerprint of each preset, stored with what is learned under it, is the recorded one."""
    assert preset(name).fingerprint == FINGERPRINTS[name]


@pytest.mark.parametrize(
    ("field", "value", "remedy"),
    [
        ("num_players", 1, "2 to 9"),
        ("num_players", 10, "2 to 9"),
        ("num_players", 2.0, "whole number"),
        ("num_players", "2", "whole number"),
        ("num_players", True, "whole number"),
        ("num_players", None, "whole number"),
        ("hand_size", 1, "2 to 4"),
        ("hand_size", 5, "2 to 4"),
        ("ranks", "", "ranks once"),
        ("ranks", "AKA", "ranks once"),
        ("ranks", "A1", "ranks once"),
        ("ranks", 5, "text"),
        ("ranks", "AK", "as many ranks"),
        ("suits", "", "suits once"),
        ("suits", "cc", "suits once"),
        ("suits", "cx", "suits once"),
        ("suits", None, "text"),
        ("three_of_a_kind", 30, "half points"),
        ("three_of_a_kind", 62, "half points"),
        ("three_of_a_kind", 30.5, "whole"),
        ("three_aces", 66, "R48"),
        ("three_aces", 33, "half points"),
        ("failed_knock_penalty", 0, "1 to 2"),
        ("failed_knock_penalty", 3, "1 to 2"),
        ("knocker_tie", "both", "spared, doubled, shares"),
        ("knocker_tie", None, "choose one"),
        ("stock_exhaustion", "stop", "reshuffle, last_call"),
        ("scoring", "money", "lives, points"),
        ("play_style", "auction", "draw, exchange"),
        ("all_out", "", "void, playoff"),
        ("starting_lives", 0, "1 to 100"),
        ("starting_lives", 101, "1 to 100"),
        ("buy_ins", -1, "0 to 100"),
        ("buy_ins", 101, "0 to 100"),
        ("round_limit", 0, "1 to"),
        ("max_rounds", 0, "1 to"),
        ("max_rounds", 10**9, "1 to"),
        ("grace", "yes", "True or False"),
        ("grace", 2, "True or False"),
        ("grace", None, "True or False"),
        ("may_return_upcard", "no", "True or False"),
        ("separate_close", True, "R48"),
    ],
)
def test_nonsense_is_refused(field: str, value: Any, remedy: str) -> None:
    """A value that makes no sense is refused; the error carries field, value and remedy, and its message all three."""
    with pytest.raises(InvalidRulesError, match=remedy) as caught:
        Rules(**{field: value})
    error = caught.value
    assert error.field == field
    assert error.remedy in str(error)
    assert f"{error.field!r} cannot be {error.value!r}" in str(error)
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("name", "changes", "field"),
    [
        ("exchange", {"hand_size": 4}, "hand_size"),
        ("exchange", {"scoring": "points"}, "scoring"),
        ("schwimmen", {"play_style": "draw"}, "three_aces"),
        ("buy_in", {"scoring": "points"}, "buy_ins"),
        ("four_card", {"ranks": "A2345678", "num_players": 8}, "num_players"),
        ("quebec_points", {"target_points": 0}, "target_points"),
        ("quebec_points", {"target_points": 1_001}, "target_points"),
    ],
)
def test_combinations_that_make_no_sense_are_refused(name: str, changes: dict[str, Any], field: str) -> None:
    """Fields that do not go together are refused, and the error names the one to change."""
    with pytest.raises(InvalidRulesError) as caught:
        preset(name, **changes)
    assert caught.value.field == field


@pytest.mark.parametrize("make", [lambda: preset("quebec", colour=1), lambda: Rules.from_dict({"colour": 1})])
def test_an_unknown_field_is_refused(make: Any) -> None:
    """A field that does not exist is refused with the list of those that do, not ignored."""
    with pytest.raises(InvalidRulesError, match=r"no such field; the fields are .*num_players") as caught:
        make()
    assert (caught.value.field, caught.value.value) == ("colour", 1)


def test_an_unknown_preset_is_refused() -> None:
    """A preset that does not exist is refused with the list of those that do, as a KeyError too."""
    with pytest.raises(UnknownNameError, match=r"no preset named 'poker'\. Known: quebec, classic") as caught:
        preset("poker")
    assert isinstance(caught.value, KeyError)


def test_the_presets_cannot_be_changed() -> None:
    """Neither a preset's fields nor the table of presets can be written to."""
    with pytest.raises(dataclasses.FrozenInstanceError):
        PRESETS["quebec"].num_players = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        PRESETS["mine"] = Rules()  # type: ignore[index]


def test_replace_changes_only_what_it_is_asked() -> None:
    """`replace` gives other rules and leaves the old ones as they were."""
    old = preset("quebec")
    new = old.replace(num_players=7, failed_knock_penalty=1)
    assert (new.num_players, new.failed_knock_penalty, old.num_players) == (7, 1, 4)
    assert new.replace(num_players=4, failed_knock_penalty=2) == old
    assert old.replace() == old


def test_replace_between_lives_and_points() -> None:
    """Changing how a game is scored brings the usual target, or the usual lives, unless others are given."""
    points = preset("quebec", scoring="points")
    assert (points.target_points, points.starting_lives) == (31, 0)
    assert preset("quebec", scoring="points", target_points=5).target_points == 5
    assert points.replace(scoring="lives").starting_lives == 3
    assert points.replace(scoring="lives", starting_lives=7).starting_lives == 7


def test_values_are_coerced() -> None:
    """Texts become enum members, 0 and 1 truth values, whole numbers of numpy plain ints: equal rules are equal."""
    rules = Rules(play_style="draw", grace=1, may_return_upcard=0, num_players=np.int64(2), knocker_tie="spared")
    assert rules == Rules()
    assert type(rules.num_players) is int
    assert rules.grace is True
    members = (rules.play_style, rules.knocker_tie, rules.stock_exhaustion, rules.scoring, rules.all_out)
    assert [type(member) for member in members] == [PlayStyle, KnockerTie, StockExhaustion, Scoring, AllOut]


@pytest.mark.parametrize("ranks", ["AKQJT98765432", "10 2 3 4 5 6 7 8 9 J Q K A", "a,k,q,j,t,9,8,7,6,5,4,3,2"])
def test_ranks_in_any_order_and_form(ranks: str) -> None:
    """Ranks may be named in any order, with 10 or T, spaces or commas."""
    assert Rules(ranks=ranks, suits="S H D C") == Rules()


@pytest.mark.parametrize("name", PRESETS)
def test_rules_can_be_written_down_and_read_back(name: str) -> None:
    """Through a dict of plain values, a pickle or a copy, rules stay equal, of equal hash and fingerprint."""
    rules = preset(name)
    assert all(type(value) in {str, int, bool} for value in rules.to_dict().values())
    for other in (Rules.from_dict(rules.to_dict()), pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert other == rules
        assert (hash(other), other.fingerprint) == (hash(rules), rules.fingerprint)


def test_any_rules_are_stable_under_normalising() -> None:
    """Normalising twice changes nothing: rules made from any rules' own fields are equal to them."""
    dice = random.Random(5)
    for _ in range(100):
        rules = any_rules(dice)
        assert Rules(**rules.to_dict()) == rules
        assert rules.replace() == rules


def test_the_defaults_are_quebec_heads_up() -> None:
    """`Rules()` is quebec for two."""
    assert Rules() == preset("quebec", num_players=2)


def test_every_field_is_documented_with_its_clause() -> None:
    """Each field of `Rules` has a docstring below it, and all but the texts of a deck cite a clause."""
    tree = ast.parse(inspect.getsource(trente_env.rules))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Rules").body
    fields = {}
    for node, after in itertools.pairwise(body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            fields[node.target.id] = str(text)
    assert set(fields) == {field.name for field in dataclasses.fields(Rules)}
    for name, text in fields.items():
        assert "R" in text or "ection" in text, name
