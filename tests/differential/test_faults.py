"""The comparison can fail: other rules on one side, or a fault in the oracle, are noticed and reported."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.differential import compare
from tests.differential.compare import KNOWLEDGE, DisagreementError, Pair
from tests.differential.rules import Start
from tests.differential.run import play_rules
from tests.oracle import drawing, exchange, game, knowledge, points, rewards, showdown, standing
from trente_env import Rules

TINY = {"ranks": "QKA", "num_players": 3, "round_limit": 8}
EXCHANGE = {"play_style": "exchange", "ranks": "9TJQKA", "num_players": 3}
OTHER_RULES: tuple[tuple[dict[str, Any], str, Any], ...] = (
    ({}, "play_style", "exchange"),
    ({}, "num_players", 3),
    ({}, "ranks", "3456789TJQKA"),
    ({}, "suits", "cdh"),
    ({}, "hand_size", 4),
    (TINY, "three_of_a_kind", 60),
    (EXCHANGE, "three_aces", 66),
    ({}, "may_knock_on_first_turn", False),
    ({}, "may_pass_on_last_turn", True),
    ({}, "may_return_upcard", True),
    (TINY, "blitz_after_knock", False),
    ({}, "failed_knock_penalty", 1),
    (TINY, "knocker_tie", "doubled"),
    (TINY, "knocker_tie", "shares"),
    (TINY, "stock_exhaustion", "last_call"),
    ({}, "scoring", "points"),
    ({}, "starting_lives", 2),
    ({}, "grace", False),
    ({**TINY, "num_players": 2, "knocker_tie": "shares"}, "all_out", "playoff"),
    ({}, "buy_ins", 1),
    ({"scoring": "points", "target_points": 1}, "target_points", 2),
    (EXCHANGE, "separate_close", True),
    ({}, "round_limit", 5),
    ({}, "max_rounds", 2),
)
"""An engine's rules, and how the oracle's differ: each field in turn."""


@pytest.mark.parametrize(
    ("rules", "name", "value"), OTHER_RULES, ids=[f"{name}={value}" for _, name, value in OTHER_RULES]
)
def test_one_field_of_the_rules_makes_a_difference(rules: dict[str, Any], name: str, value: object) -> None:
    """R51: an engine that read this field wrongly would be noticed."""
    engine_rules = Rules(**rules)
    other = engine_rules.replace(**{name: value})
    assert play_rules(engine_rules, 4_000, seed=0, oracle_rules=other).disagreements


def test_every_field_of_the_rules_is_tried() -> None:
    """R51: the list above leaves no field out."""
    assert {name for _, name, _ in OTHER_RULES} == {field.name for field in dataclasses.fields(Rules)}


def _spoiled(function: Callable[..., Any], change: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *arguments, **options: change(function(*arguments, **options))


FAULTS: tuple[tuple[Any, str, Callable[[Any], Any], dict[str, Any]], ...] = (
    (drawing, "may_knock", lambda _: True, {"may_knock_on_first_turn": False}),
    (drawing, "may_discard", lambda _: True, {}),
    (drawing, "ends_the_round", lambda _: False, TINY),
    (exchange, "is_top_hand", lambda _: False, EXCHANGE),
    (showdown, "penalty", lambda _: 1, {}),
    (showdown, "is_void", lambda _: False, {**EXCHANGE, "num_players": 2}),
    (standing, "goes_out", lambda _: False, {"starting_lives": 1}),
    (standing, "may_buy_in", lambda _: True, {"starting_lives": 1}),
    (points, "winner_on_points", lambda _: None, {"scoring": "points", "target_points": 1}),
    (rewards, "game_rewards", lambda each: each[::-1], {"starting_lives": 1}),
    (rewards, "lives_rewards", lambda each: each[::-1], {}),
    (rewards, "round_rewards", lambda each: tuple(value / 2 for value in each), {}),
    (rewards, "pot_rewards", lambda each: tuple(value / 2 for value in each), {"starting_lives": 1}),
)
"""A function of the oracle, what becomes of its answer, and rules under which it matters."""


@pytest.mark.parametrize(("module", "name", "change", "rules"), FAULTS, ids=[fault[1] for fault in FAULTS])
def test_a_fault_in_a_rule_is_noticed(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, change: Callable[[Any], Any], rules: dict[str, Any]
) -> None:
    """A clause that one of the two reads otherwise is reported."""
    assert not play_rules(Rules(**rules), 200, seed=0).disagreements
    monkeypatch.setattr(module, name, _spoiled(getattr(module, name), change))
    assert play_rules(Rules(**rules), 4_000, seed=0).disagreements


def test_a_fault_in_what_is_known_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """R17: a seat that forgets what a reshuffle proved is reported, after the first reshuffle and not before."""

    def forgetful(*arguments: Any) -> knowledge.Knowledge:
        known = knowledge.knowledge_of(*arguments)
        others = [cards for seat, cards in enumerate(known.known_cards) if seat != known.seat]
        return dataclasses.replace(known, held_by_others=frozenset().union(*others))

    monkeypatch.setattr(game, "knowledge_of", forgetful)
    (report,) = play_rules(Rules(ranks="789TJQKA", num_players=4), 6_000, seed=0).disagreements
    assert re.match(r"Engine and oracle disagree on: seat \d knows held_by_others\n", report)
    assert "'draw'" in report


@pytest.mark.parametrize("name", KNOWLEDGE)
def test_each_thing_known_is_compared(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A wrong answer of the oracle about any single thing that seat 1 knows is reported under its name."""

    def wrong(*arguments: Any) -> knowledge.Knowledge:
        known = knowledge.knowledge_of(*arguments)
        return dataclasses.replace(known, **{name: ("wrong",)}) if known.seat == 1 else known

    monkeypatch.setattr(game, "knowledge_of", wrong)
    with pytest.raises(DisagreementError, match="wrong") as caught:
        Pair(Rules(), Start(seed=1))
    assert caught.value.field == f"seat 1 knows {name}"


@pytest.mark.parametrize("side", ["oracle_position", "oracle_rounds", "oracle_rewards"])
def test_each_thing_on_the_table_is_compared(monkeypatch: pytest.MonkeyPatch, side: str) -> None:
    """A wrong answer of the oracle about any single thing that a spectator sees is reported under its name."""
    pair = Pair(Rules(starting_lives=1, grace=False), Start(seed=1))
    for name in ("knock", "draw"):
        pair.apply(name)
    pair.apply(pair.legal[0])
    right = getattr(compare, side)
    for name in right(pair.oracle, *{"oracle_position": [frozenset()], "oracle_rounds": [0]}.get(side, [])):
        monkeypatch.setattr(compare, side, lambda *args, name=name: right(*args) | {name: ("wrong",)})
        with pytest.raises(DisagreementError, match="wrong") as caught:
            pair.compare()
        assert caught.value.field.removeprefix("reward ") == name
    monkeypatch.setattr(compare, side, right)
    pair.compare()


def test_a_report_leads_back_to_the_disagreement() -> None:
    """A report names both answers, the rules, the beginning and every action."""
    rules = Rules(failed_knock_penalty=1)
    start = Start(seed=5, dealer=1, lives=[3, 3])
    pair = Pair(rules, start, oracle_rules=rules.replace(failed_knock_penalty=2))
    for name in ("knock", "draw"):
        pair.apply(name)
    drawn = pair.legal[0]
    with pytest.raises(DisagreementError) as caught:
        pair.apply(drawn)
    report = str(caught.value)
    assert "engine: (2, 3)\n  oracle: (1, 3)\n" in report
    assert f"{rules.to_dict()}" in report
    assert f"{start}" in report
    assert f"{['knock', 'draw', drawn]}" in report
