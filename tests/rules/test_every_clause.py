"""The rule book's clauses and their tests."""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
CLAUSES = [*range(1, 18), *range(20, 26), *range(30, 33), *range(40, 49), 50, 51]
"""The numbers of the rule book."""


@functools.cache
def rule_tests() -> dict[str, str]:
    """Return the tests of this folder: their names and docstrings."""
    found = {}
    for file in sorted(FOLDER.glob("test_[b-i]_*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[node.name] = ast.get_docstring(node) or ""
    return found


@pytest.mark.parametrize("clause", CLAUSES)
def test_each_clause_has_a_test(clause: int) -> None:
    """Every clause of the rule book has a test named with its number."""
    assert any(name.startswith(f"test_r{clause}_") for name in rule_tests())


def test_each_test_says_its_clause() -> None:
    """A rule test's docstring begins with the clause in its name, a clause that exists, and is one sentence."""
    for name, text in rule_tests().items():
        numbered = re.match(r"test_r(\d+)_", name)
        assert numbered, name
        assert int(numbered[1]) in CLAUSES, name
        assert text.startswith(f"R{numbered[1]}: "), name
        assert text.endswith("."), name
