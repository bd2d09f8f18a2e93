"""Faulty copies of a module: Cosmic Ray's operators, and each statement left out or with another `+=`, `|=`, `&=`."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

CORE: Final = Path(__file__).resolve().parents[2] / "trente_env" / "core"
UNUSED: Final = ("RemoveDecorator", "_Is", "_IsNot")
"""Ends of the names of Cosmic Ray's operators that say nothing here: `kernel` returns its function where nothing is
compiled, and small ints are one object."""
OTHER_ASSIGNMENT: Final[dict[type[ast.operator], tuple[str, ...]]] = {
    ast.Add: ("-=", "="),
    ast.Sub: ("+=", "="),
    ast.BitOr: ("&=", "="),
    ast.BitAnd: ("|=", "="),
    ast.BitXor: ("&=", "|=", "="),
}
SIMPLE: Final = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Break, ast.Continue)


@dataclass(frozen=True)
class Mutant:
    """One fault in one module."""

    module: str
    name: str
    """Module, function, the first line that differs, and what it has become; numbered where lines are alike."""
    line: int
    source: str
    """The whole module with the fault."""


def mutants(module: str) -> list[Mutant]:
    """Return every mutant of a module of `trente_env.core`, each text once, by line."""
    source = (CORE / f"{module}.py").read_text(encoding="utf-8")
    texts = dict.fromkeys([*by_cosmic_ray(source), *by_statement(source)])
    texts.pop(source, None)
    found = [_described(module, source, text) for text in texts if _compiles(text)]
    seen = Counter[str]()
    named = []
    for mutant in sorted(found, key=lambda mutant: mutant.line):
        seen[mutant.name] += 1
        count = seen[mutant.name]
        named.append(mutant if count == 1 else replace(mutant, name=f"{mutant.name} #{count}"))
    return [mutant for mutant in named if ": @" not in mutant.name]


def by_cosmic_ray(source: str) -> Iterator[str]:
    """Yield the source with each fault that Cosmic Ray makes."""
    for before, chunk, after in _chunks(source):
        nodes = list(ast_nodes(get_ast(chunk)))
        for name in operator_names():
            if name.endswith(UNUSED) or get_operator(name).arguments():
                continue
            operator = get_operator(name)()
            for occurrence in range(sum(1 for node in nodes for _ in operator.mutation_positions(node))):
                yield before + str(mutate_code(chunk, operator, occurrence)) + after


def _chunks(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield each definition or statement of a module, with what stands before it and after: it is quicker to parse."""
    lines = source.splitlines(keepends=True)
    for node in ast.parse(source).body:
        decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        start = min([node.lineno, *(each.lineno for each in decorators)]) - 1
        yield "".join(lines[:start]), "".join(lines[start : node.end_lineno]), "".join(lines[node.end_lineno :])


def by_statement(source: str) -> Iterator[str]:
    """Yield the source with each simple statement of a function left out, and each `+=` and the like changed."""
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, SIMPLE) and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                yield _replaced(source, node, "pass")
            if isinstance(node, ast.AugAssign):
                target, value = ast.get_source_segment(source, node.target), ast.get_source_segment(source, node.value)
                for sign in OTHER_ASSIGNMENT[type(node.op)]:
                    yield _replaced(source, node, f"{target} {sign} {value}")


def _replaced(source: str, node: ast.stmt, text: str) -> str:
    """Return the source with another statement in the place of one."""
    lines = source.splitlines(keepends=True)
    assert node.end_lineno is not None
    head, tail = lines[node.lineno - 1][: node.col_offset], lines[node.end_lineno - 1][node.end_col_offset :]
    return "".join([*lines[: node.lineno - 1], head + text + tail, *lines[node.end_lineno :]])


def _compiles(text: str) -> bool:
    """Return whether the text is Python (`is` beside a number is not, under warnings as errors)."""
    try:
        compile(text, "mutant", "exec")
    except (SyntaxError, SyntaxWarning):
        return False
    return True


def _described(module: str, source: str, text: str) -> Mutant:
    """Say where a mutant differs from the source."""
    old, new = source.splitlines(), text.splitlines()
    line = next(number for number, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    heads = [head for head in old[: line + 1] if head.startswith("def ")]
    function = heads[-1][4:].partition("(")[0] if heads and not old[line][:1].isalpha() else "module"
    return Mutant(module, f"{module}.{function}: {old[line].strip()} -> {new[line].strip()}", line + 1, text)
