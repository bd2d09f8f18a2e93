"""docs/rules.md: its generated parts are what the code gives now, and its clauses and the code name one another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from eval import rule_book
from eval.__main__ import main
from eval.rule_book import BLOCKS, FOLDER, field_docs, fill_blocks, rules_text, write_rules
from eval.rule_examples import EXAMPLES
from eval.transcript import Example, play
from trente_env import Game, preset
from trente_env._jit import JIT_ENABLED
from trente_env.core.layout import END_NAMES, OUTCOME_NAMES
from trente_env.errors import InvalidDataError, WriteError

ROOT = Path(__file__).resolve().parents[1]
PAGE = (FOLDER / "rules.md").read_text(encoding="utf-8")
CLAUSES = [*range(1, 18), *range(20, 26), *range(30, 33), *range(40, 49), 50, 51]
ALL_EXAMPLES = [example for examples in EXAMPLES.values() for example in examples]
CODE_AND_ACCOUNT = re.compile(r"```python\n(game = .*?)```\n\n```text\n(.*?)```", re.DOTALL)


def clause_texts() -> dict[str, str]:
    """Return the text of each clause by its number, "R16"."""
    parts = re.split(r"^### (R\d+)\. |^#+ ", PAGE, flags=re.MULTILINE)
    return {name: text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name}


def one_line(text: str) -> str:
    """Return a text with every run of white space made one space."""
    return " ".join(text.split())


def run(code: str) -> tuple[Game, list[str]]:
    """Run the code of an example; return its game and what it prints."""
    printed: list[str] = []
    names: dict[str, Any] = {"Game": Game, "preset": preset, "print": lambda *what: printed.extend(map(str, what))}
    exec(code, names)  # noqa: S102 - our own page
    return names["game"], printed


@pytest.mark.parametrize("name", BLOCKS)
def test_generated_parts_are_up_to_date(name: str) -> None:
    """Each generated part of the rule book is what the code gives now; `make docs` writes it anew."""
    if name == "deals" and not JIT_ENABLED:
        pytest.skip("a million deals as plain Python take minutes")
    assert f"<!-- generated: {name} -->\n\n{BLOCKS[name]()}\n\n<!-- end -->" in PAGE


def test_every_clause_has_its_heading() -> None:
    """The clauses stand in the book once each, in the order of their numbers, under an unbroken list of them."""
    assert list(clause_texts()) == [f"R{number}" for number in CLAUSES]
    assert re.findall(r"^### (R\d+)", PAGE, re.MULTILINE) == [f"R{number}" for number in CLAUSES]


@pytest.mark.parametrize("field", field_docs())
def test_every_field_is_named_by_its_clause(field: str) -> None:
    """A field of `Rules` is named by a clause that its docstring cites, or by the section it cites."""
    cited = re.findall(r"R\d+", field_docs()[field])
    if cited:
        assert any(f"`{field}`" in clause_texts()[clause] for clause in cited)
    else:
        assert PAGE.count(f'`{field}="') >= 2


def test_no_source_cites_a_clause_that_is_not_there() -> None:
    """Every clause number in the packages, the tests and the other pages is a clause of the book."""
    folders = ("trente_env", "agents", "train", "eval", "tests", "docs")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md"}]
    cited = {number for path in files for number in re.findall(r"\bR(\d{1,2})\b(?!/)", path.read_text("utf-8"))}
    assert {int(number) for number in cited} <= set(CLAUSES)


def test_examples_run_as_printed() -> None:
    """The code of each example, pasted after the import the book gives, ends as the account below it says."""
    found = CODE_AND_ACCOUNT.findall(PAGE)
    assert len(found) == len(ALL_EXAMPLES)
    for code, account in found:
        game, printed = run(code)
        assert len(printed) <= 1
        assert all(one_line(sentence) in one_line(account) for sentence in printed)
        if not printed:
            assert game.last_round is None
            assert f"the round goes on: seat {game.seat_to_move} to move" in account


def test_examples_show_every_end_and_outcome() -> None:
    """Among the examples each way for a round to end occurs, and each thing that can come of it."""
    accounts = [line for example in ALL_EXAMPLES for line in play(example).lines if line.startswith("Round ")]
    for end in set(END_NAMES) - {"none"}:
        assert any(f" ended by {end} (" in line for line in accounts), end
    for outcome in OUTCOME_NAMES:
        assert any(f"({outcome};" in line for line in accounts), outcome


def test_an_example_beyond_the_end_of_its_game_is_refused() -> None:
    """An example whose actions go on after the game is over is an error of its author."""
    example = Example(
        title="", text="", preset="kawu", changes={"num_players": 2},
        position={"hands": ["As Ks Qs", "9h 8h 2c"], "lives": [1, 1], "upcard": "5h"}, actions=["draw"],
    )  # fmt: skip
    with pytest.raises(ValueError, match="after the end"):
        play(example)


def test_rules_are_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`write_rules` renews the parts and leaves nothing else behind; the rest of the page stays as it was."""
    monkeypatch.setattr(rule_book, "BLOCKS", {"one": lambda: "1 | 1", "two": lambda: r"\2"})
    page = "a\n<!-- generated: one -->\nold\n<!-- end -->\nb\n<!-- generated: two -->\n<!-- end -->\nc\n"
    (tmp_path / "rules.md").write_text(page)
    write_rules(tmp_path)
    expected = (
        "a\n<!-- generated: one -->\n\n1 | 1\n\n<!-- end -->\nb\n<!-- generated: two -->\n\n\\2\n\n<!-- end -->\nc\n"
    )
    assert (tmp_path / "rules.md").read_text() == expected
    assert rules_text(tmp_path) == expected
    assert [path.name for path in tmp_path.iterdir()] == ["rules.md"]


def test_the_docs_command_writes_the_rule_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`python -m eval docs` renews the rule book beside the other pages, and names it."""
    monkeypatch.setattr(rule_book, "BLOCKS", {"one": lambda: "new"})
    (tmp_path / "rules.md").write_text("<!-- generated: one -->\nold\n<!-- end -->\n")
    main(["docs", "--folder", str(tmp_path)])
    assert (tmp_path / "rules.md").read_text() == "<!-- generated: one -->\n\nnew\n\n<!-- end -->\n"
    assert str(tmp_path / "rules.md") in capsys.readouterr().out


def test_a_failed_write_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the new page cannot be put in place, the old one stays and no part of the new one is left."""
    monkeypatch.setattr(rule_book, "BLOCKS", {"one": lambda: "new"})
    (tmp_path / "rules.md").write_text("<!-- generated: one -->\nold\n<!-- end -->\n")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(WriteError, match="disk full"):
        write_rules(tmp_path)
    assert "old" in (tmp_path / "rules.md").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["rules.md"]


@pytest.mark.parametrize(
    "page",
    [
        "no parts",
        "<!-- generated: one -->\n<!-- end -->\n<!-- generated: one -->\n<!-- end -->\n",
        "<!-- generated: other -->\n<!-- end -->\n",
        "<!-- generated: one -->\nnever ends\n",
    ],
)
def test_a_page_with_wrong_markers_is_refused(page: str) -> None:
    """A part that is missing, unknown, twice there or without an end is an error, not a silent omission."""
    with pytest.raises(InvalidDataError, match="generated parts"):
        fill_blocks(page, {"one": lambda: "1"})


def test_a_missing_rule_book_is_refused(tmp_path: Path) -> None:
    """Where there is no rules.md the error says so and what to do."""
    with pytest.raises(InvalidDataError, match="run this in a checkout"):
        rules_text(tmp_path)
