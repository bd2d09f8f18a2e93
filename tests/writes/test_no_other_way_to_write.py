"""Every file is written whole, through `write_whole`: nothing else in the source opens one for writing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("trente_env", "agents", "train", "eval")
WRITING_METHODS = {
    "write_text",
    "write_bytes",
    "savez",
    "savetxt",
    "tofile",
    "to_csv",
    "save_file",
    "NamedTemporaryFile",
    "mkstemp",
}
WRITING_CALLS = {
    "json.dump", "np.save", "numpy.save", "torch.save", "pickle.dump", "os.open", "os.fdopen", "shutil.copy",
    "shutil.copyfile",
    "shutil.move", "os.replace", "os.rename", "safetensors.torch.save_file",
}  # fmt: skip
ALLOWED = {
    "trente_env/files.py": "the one place",
    "trente_env/_jit/cache.py": "the compiler's own cache, written beside its place and moved there too",
    "model.save(exported": "into memory",
}


def writes_in(path: str, text: str) -> Iterator[str]:
    """Yield the calls in a source text that write a file."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        method = name.rpartition(".")[2]
        is_open = method == "open" and name != "os.open" and any(letter in mode_of(node, name) for letter in "wax+")
        if is_open or method in WRITING_METHODS or name in WRITING_CALLS:
            yield f"{path}:{node.lineno}: {ast.unparse(node)[:80]}"


def mode_of(call: ast.Call, name: str) -> str:
    """Return the mode with which a call opens a file; "r" if it names none, "w" if it is worked out."""
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    given += call.args[1:2] if name in {"open", "io.open"} else call.args[:1]
    if not given:
        return "r"
    return str(given[0].value) if isinstance(given[0], ast.Constant) else "w"


@pytest.mark.parametrize("package", PACKAGES)
def test_files_are_written_by_one_function(package: str) -> None:
    """Outside `trente_env/files.py` no call in the source writes a file."""
    found = [
        write
        for path in sorted((ROOT / package).rglob("*.py"))
        for write in writes_in(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    ]
    assert [write for write in found if not any(each in write for each in ALLOWED)] == []


@pytest.mark.parametrize(
    "line",
    [
        "open(path, 'w')", "open(path, mode='ab')", "path.open('w')", "path.write_text(text)", "path.write_bytes(data)",
        "open(path, mode)", "path.open('r+')", "json.dump(value, file)", "np.save(path, array)",
        "torch.save(model, path)",
    ],
)  # fmt: skip
def test_the_ways_to_write_are_recognised(line: str) -> None:
    """What this test looks for is found where it stands; reading is not taken for writing."""
    assert len(list(writes_in("x.py", line))) == 1
    assert list(writes_in("x.py", "open(path)\nopen(path, 'rb')\npath.open()\npath.open('rb')\npath.read_text()")) == []
