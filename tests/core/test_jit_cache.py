"""The cache of compiled kernels: never stale, never needed, and safe to share."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trente_env import _jit
from trente_env._jit import JIT_ENABLED, cache, source_hash
from trente_env.core import engine, scoring, turns

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("trente_env", "agents", "eval", "train")
CALLEE = "from trente_env._jit import kernel\nSTEP = {step}\n\n\n@kernel\ndef callee(x):\n    return x + STEP\n"
CALLER = (
    "from trente_env._jit import kernel\nfrom rules_of_thumb.callee import callee\n\n\n"
    "@kernel\ndef caller(x):\n    return callee(x) * 10\n"
)
PROGRAM = "from rules_of_thumb.caller import caller; print(caller(1))"
compiled_only = pytest.mark.skipif(not JIT_ENABLED, reason="there is no cache without the compiler")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Write a package with a kernel that calls a kernel of another file; return the folder it lies in."""
    folder = tmp_path / "rules_of_thumb"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "callee.py").write_text(CALLEE.format(step=1))
    (folder / "caller.py").write_text(CALLER)
    return tmp_path


@pytest.fixture
def engine_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy trente_env's sources, and have them hashed in place of those imported."""
    copy = tmp_path / "trente_env"
    shutil.copytree(ROOT / "trente_env", copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "_PACKAGE", copy)
    forget_hashes()
    yield copy
    monkeypatch.undo()
    forget_hashes()


def forget_hashes() -> None:
    """Forget the hashes of this process, as a new one would not know them."""
    for function in (cache._digest, cache.kernel_sources, cache.source_hash):
        function.cache_clear()


def start(program: str, folder: Path, **environment: str) -> subprocess.Popen[str]:
    """Start a program beside a package."""
    inherited = {name: value for name, value in os.environ.items() if name != "TRENTE_CACHE_DIR"}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        env=inherited
        | {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "PYTHONDONTWRITEBYTECODE": "1"}
        | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def printed(process: subprocess.Popen[str]) -> str:
    """Return what a program prints; it must end well."""
    out, errors = process.communicate()
    assert process.returncode == 0, errors
    return out.strip()


def run(program: str, folder: Path, cache_dir: Path) -> str:
    """Run a program beside a package, with a cache folder, and return what it prints."""
    return printed(start(program, folder, TRENTE_CACHE_DIR=str(cache_dir)))


def code_files(folder: Path) -> set[Path]:
    """Return the files of compiled code below a folder."""
    return {file for file in folder.rglob("*") if file.suffix == ".code"}


def test_an_edited_callee_gives_a_different_hash(package: Path) -> None:
    """Compiled code is named by a hash of the whole package: an edit in one file renames the code of all."""
    caller = str(package / "rules_of_thumb" / "caller.py")
    before = source_hash(caller)
    (package / "rules_of_thumb" / "callee.py").write_text(CALLEE.format(step=2))
    forget_hashes()
    assert source_hash(caller) != before


def test_kernels_of_the_engine_share_one_hash() -> None:
    """The engine's own kernels are cached together, so that no rule can outlive an edit of another."""
    assert source_hash(scoring.__file__) == source_hash(turns.__file__)


@pytest.mark.parametrize(
    "name", ["core/scoring.py", "encoding/encode.py", "batch/kernels.py", "envs/kernels.py", "policy.py", "cards.py"]
)
def test_an_edit_of_any_kernel_of_the_package_renames_all(name: str, engine_copy: Path) -> None:
    """Kernels of the batch and of the environments call the engine's and may be called: all share one hash."""
    before = source_hash(str(engine_copy / "core" / "engine.py"))
    with (engine_copy / name).open("a") as file:
        file.write("# edited\n")
    forget_hashes()
    for user in ("core/engine.py", "batch/kernels.py", "envs/kernels.py"):
        assert source_hash(str(engine_copy / user)) not in {before, source_hash(engine.__file__)}


def test_an_edit_that_no_kernel_can_see_compiles_nothing_anew(engine_copy: Path) -> None:
    """Texts and shells hold no kernels: their edits leave the compiled code in use."""
    before = source_hash(str(engine_copy / "core" / "engine.py"))
    with (engine_copy / "text.py").open("a") as file:
        file.write("# edited\n")
    forget_hashes()
    assert source_hash(str(engine_copy / "core" / "engine.py")) == before


@pytest.mark.parametrize("file", [file for name in PACKAGES for file in sorted((ROOT / name).rglob("*.py"))], ids=str)
def test_whatever_a_kernel_names_is_hashed_with_it(file: Path) -> None:
    """Every function and constant that a kernel takes from another file of ours stands in a file of its hash."""
    tree = ast.parse(file.read_text())
    kernels = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any("kernel" in ast.unparse(each) for each in node.decorator_list)
    ]
    used = {each.id for node in kernels for each in ast.walk(node) if isinstance(each, ast.Name)}
    is_ours = ROOT / "trente_env" in file.parents
    sources = {*cache.kernel_sources(), *([] if is_ours else cache._sources_beside(file))}
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or (node.module or "").partition(".")[0] not in PACKAGES:
            continue
        taken = {alias.name for alias in node.names if (alias.asname or alias.name) in used}
        module = ROOT.joinpath(*str(node.module).split("."))
        origin = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        assert not taken or origin in sources, f"{file}: {taken}"


def test_a_script_is_hashed_with_the_engine(tmp_path: Path) -> None:
    """A kernel in a script of its own is named by the script and by the engine it calls."""
    one, two = tmp_path / "one.py", tmp_path / "two.py"
    one.write_text("x = 1\n")
    two.write_text("x = 2\n")
    assert len({source_hash(str(one)), source_hash(str(two)), source_hash(scoring.__file__)}) == 3


@compiled_only
def test_an_edited_callee_is_compiled_anew(package: Path, tmp_path: Path) -> None:
    """After an edit of a callee's constant a caller in another file runs the new code, though it was cached before."""
    folder = tmp_path / "cache"
    assert run(PROGRAM, package, folder) == "20"
    files = code_files(folder)
    assert files
    assert run(PROGRAM, package, folder) == "20"
    assert code_files(folder) == files
    (package / "rules_of_thumb" / "callee.py").write_text(CALLEE.format(step=2))
    assert run(PROGRAM, package, folder) == "30"


@compiled_only
def test_damaged_files_are_compiled_anew(package: Path, tmp_path: Path) -> None:
    """Code cut short, or overwritten, is found out and replaced."""
    folder = tmp_path / "cache"
    assert run(PROGRAM, package, folder) == "20"
    whole = {file: file.read_bytes() for file in code_files(folder)}
    assert whole
    for damage in (lambda code: code[:1000], lambda code: code[:-1] + bytes([code[-1] ^ 1]), lambda _: b""):
        for file, code in whole.items():
            file.write_bytes(damage(code))
        assert run(PROGRAM, package, folder) == "20"
        assert {len(file.read_bytes()) > 1000 for file in whole} == {True}


@compiled_only
def test_processes_that_start_cold_at_once_do_not_disturb_each_other(package: Path, tmp_path: Path) -> None:
    """Four processes with one empty cache compile and write the same code; it is whole afterwards, and used."""
    folder = tmp_path / "cache"
    processes = [start(PROGRAM, package, TRENTE_CACHE_DIR=str(folder)) for _ in range(4)]
    assert [printed(process) for process in processes] == ["20"] * 4
    files = code_files(folder)
    assert {file for file in folder.rglob("*") if file.is_file()} == files
    program = f"{PROGRAM}; assert sum(caller.stats.cache_hits.values()) == 1, caller.stats"
    assert run(program, package, folder) == "20"


@compiled_only
def test_an_install_that_cannot_be_written_uses_the_cache_of_the_user(package: Path, tmp_path: Path) -> None:
    """Nothing is written into the package's own folder: compiled code goes to the user's cache folder."""
    folder, home = package / "rules_of_thumb", tmp_path / "home"
    home.mkdir()
    before = set(folder.iterdir())
    for path in (*before, folder):
        path.chmod(path.stat().st_mode & ~0o222)
    places = {"HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "LOCALAPPDATA": str(home)}
    try:
        assert printed(start(PROGRAM, package, **places)) == "20"
        assert set(folder.iterdir()) == before
    finally:
        folder.chmod(0o755)
    assert code_files(home)


@compiled_only
def test_a_cache_that_cannot_be_written_does_no_harm(package: Path, tmp_path: Path) -> None:
    """Where no cache folder can be made, kernels are compiled in the process, without a warning."""
    blocker = tmp_path / "a_file"
    blocker.write_text("")
    assert run(PROGRAM, package, blocker / "below") == "20"
    program = "from trente_env import _jit; print(repr(_jit.cache_folder(_jit.__file__)))"
    assert run(program, package, blocker / "below") == "''"


def test_without_any_folder_to_write_to_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the user's cache folder nor one for temporary files can be made: none is used."""
    blocker = tmp_path / "a_file"
    blocker.write_text("")
    monkeypatch.delenv("TRENTE_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(blocker / "below"))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(blocker))
    assert cache.cache_root.__wrapped__() is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners here")
def test_a_temporary_folder_that_others_can_write_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code in the cache is run, so among everybody's temporary files only a private folder will do."""
    blocker = tmp_path / "a_file"
    blocker.write_text("")
    monkeypatch.delenv("TRENTE_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda _: str(blocker / "below"))
    monkeypatch.setattr(cache.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = cache.cache_root.__wrapped__()
    assert folder == cache._temporary_root()
    assert folder.parent == tmp_path
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)
    assert cache.cache_root.__wrapped__() is None


def test_code_that_cannot_be_kept_is_no_error(tmp_path: Path) -> None:
    """A full or vanished disk costs the time to compile again, and leaves nothing half written."""
    files = cache.CodeFiles(tmp_path / "cache", "kernel")
    files.write("key", b"code")
    assert files.read("key") == b"code"
    assert files.read("another") is None
    (tmp_path / "a_file").write_text("")
    blocked = cache.CodeFiles(tmp_path / "a_file" / "below", "kernel")
    blocked.write("key", b"code")
    assert blocked.read("key") is None


def test_the_cache_folder_is_the_one_asked_for(package: Path, tmp_path: Path) -> None:
    """`TRENTE_CACHE_DIR` names the folder; nothing is kept without the compiler."""
    program = "from trente_env import _jit; print(_jit.cache_folder(_jit.__file__))"
    assert run(program, package, tmp_path / "mine").startswith(str(tmp_path / "mine")) is JIT_ENABLED
    assert _jit.cache_folder(_jit.__file__) == "" or JIT_ENABLED
