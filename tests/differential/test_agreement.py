from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from tests import prove
from tests.differential import seat_views
from tests.differential.compare import KNOWLEDGE
from tests.differential.events import EVENTS
from tests.differential.rules import rule_sets
from tests.differential.run import Tally, play_rules
from tests.oracle.knowledge import Knowledge
from trente_env import Rules, preset
from trente_env.core.layout import SEAT_VIEW

NUM_RULES = 84
NUM_DECISIONS = 120
SLICE = rule_sets(NUM_RULES, seed=1)


@pytest.mark.parametrize("number", range(0, NUM_RULES, 12))
def test_engine_and_oracle_agree(number: int) -> None:
    """Every clause: under these rules both see the same game, decision by decision, and so does every seat."""
    tally = Tally()
    for rules in SLICE[number : number + 12]:
        tally.add(play_rules(rules, NUM_DECISIONS, seed=1))
    assert not tally.disagreements, tally.disagreements[0]
    assert tally.decisions == 12 * NUM_DECISIONS


def test_rule_sets_differ_and_leave_no_field_alone() -> None:
    """R51: no two have one fingerprint, each field takes several values, and every preset is among them."""
    found = rule_sets(600, seed=0)
    assert len({rules.fingerprint for rules in found}) == 600
    assert found == rule_sets(600, seed=0)
    for field in dataclasses.fields(Rules):
        assert len({getattr(rules, field.name) for rules in found}) > 1, field.name
    for name in ("quebec", "classic", "kawu", "exchange", "quebec_points", "schwimmen"):
        assert {preset(name, num_players=seats) for seats in range(2, 10)} <= set(found), name


def test_every_field_of_a_view_is_compared() -> None:
    """A view has nothing beside what is compared, the rules, and room up to the next eight bytes."""
    compared = {*seat_views.PUBLIC, *seat_views.PRIVATE}
    other_names = {"discards": "discard_pile", "known": "known_cards"}
    names = [name for name in SEAT_VIEW.names or () if not name.startswith("padding")]
    read = {other_names.get(name, name) for name in names} - set(seat_views.ECHO)
    assert read == compared


def test_everything_the_oracle_knows_is_compared() -> None:
    """All fields of the oracle's knowledge have a reading in the engine's view."""
    assert set(KNOWLEDGE) == {field.name for field in dataclasses.fields(Knowledge)}
    assert set(KNOWLEDGE) <= {*seat_views.PUBLIC, *seat_views.PRIVATE}


def test_the_command_writes_what_it_has_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m tests.prove` plays what it is told, counts it, and ends with status 0 where nothing differs."""
    path = tmp_path / "prove.json"
    status = prove.main(["--decisions", "700", "--rules", "7", "--seed", "3", "--short", "--json", str(path)])
    result = json.loads(path.read_text(encoding="utf-8"))
    assert status == 0, capsys.readouterr().out
    assert (result["decisions"], result["rules"], result["disagreements"]) == (700, 7, [])
    assert set(result["events"]) == set(EVENTS)
    assert "| decisions | 700 |" in capsys.readouterr().out


def test_the_command_fails_where_an_event_was_not_reached(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --short a run that has missed a rare event is no proof: it names it and ends with status 1."""
    assert prove.main(["--decisions", "20", "--rules", "1"]) == 1
    assert "Not reached: " in capsys.readouterr().out


def test_shares_sum_up() -> None:
    """Decisions are divided evenly and none is lost."""
    assert prove.shares(11, 4) == [3, 3, 3, 2]
