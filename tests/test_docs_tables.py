"""The generated pages of docs/ are what the code declares, and what it declares is how it plays."""

from __future__ import annotations

import dataclasses
import random
from collections import defaultdict
from enum import StrEnum
from pathlib import Path

import pytest

from trente_env import PRESETS, Game, Rules
from trente_env.core.layout import PHASE_NAMES, RULES, lower, to_array
from trente_env.encoding import doc_tables

DOCS = Path(__file__).resolve().parents[1] / "docs"


@pytest.mark.parametrize("name", doc_tables.pages())
def test_a_generated_page_is_up_to_date(name: str) -> None:
    """A page on disk is the one the code would write now; if not: `make docs`."""
    assert (DOCS / name).read_text(encoding="utf-8") == doc_tables.pages()[name], "run `make docs`"


def test_pages_are_written_where_asked(tmp_path: Path) -> None:
    """write_docs() writes every page into the folder and says which."""
    written = doc_tables.write_docs(tmp_path)
    assert {path.name: path.read_text(encoding="utf-8") for path in written} == doc_tables.pages()


def test_actions_are_legal_in_the_phases_declared() -> None:
    """Over games of every preset, each action is legal in all the phases that the page names and in no other."""
    seen: dict[int, set[int]] = defaultdict(set)
    dice = random.Random(0)
    for rules in dict.fromkeys(PRESETS.values()):
        for seed in range(3):
            game = Game(rules.replace(max_rounds=6), seed)
            while not game.is_over:
                legal = game.legal_actions()
                for action in legal:
                    seen[action].add(PHASE_NAMES.index(game.phase))
                game.apply(dice.choice(legal))
    assert {action: phases for action, phases in seen.items() if action >= 52} == {
        action: set(phases) for action, phases in doc_tables.ACTION_PHASES.items()
    }
    assert set.union(*(seen[card] for card in range(52))) == set(doc_tables.CARD_PHASES)


def test_rules_are_numbered_as_the_page_says() -> None:
    """A rule that is a word is the number of its place in its enum, in the observation's rules too."""
    for field in dataclasses.fields(Rules):
        if isinstance(field.default, StrEnum):
            for code, option in enumerate(type(field.default)):
                rules = Rules() if option == field.default else rules_with(field.name, option)
                assert to_array(lower([rules]), RULES)[field.name][0] == code
                assert f"{code} {option}" in doc_tables.observation_page()


def rules_with(name: str, option: StrEnum) -> Rules:
    """Return some rules with a field at a value."""
    return next(rules for rules in PRESETS.values() if getattr(rules, name) == option)


def test_card_actions_read_as_declared() -> None:
    """A card's action has the verb that the page gives it in each phase."""
    verbs = {}
    dice = random.Random(1)
    for name in ("quebec", "exchange"):
        game = Game(PRESETS[name], 1)
        while not game.is_over:
            legal = game.legal_actions()
            for action in legal:
                if action < 52:
                    verbs[PHASE_NAMES.index(game.phase)] = game.action_name(action).rsplit(" ", 1)[0]
            game.apply(dice.choice(legal))
    assert verbs == {phase: verb for phase, (verb, _) in doc_tables.CARD_PHASES.items()}
