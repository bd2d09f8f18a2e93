"""No file that is read by default can run code: neither a pickle where a checkpoint should be, nor any other way."""

from __future__ import annotations

import ast
import json
import os
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import agents
from agents.learned import checkpoint as files
from tests.fuzz.checkpoints import small_checkpoint
from tests.fuzz.mutations import with_hash
from trente_env import Game, InvalidDataError, InvalidRecordError, TrenteError, preset
from trente_env import record as records
from trente_env._jit import cache

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("trente_env", "agents", "train", "eval")
FORBIDDEN = {
    "eval", "exec", "compile", "__import__", "pickle.load", "pickle.loads", "pickle.Unpickler", "marshal.load",
    "marshal.loads",
    "shelve.open", "dill.load", "dill.loads", "joblib.load", "yaml.load", "yaml.unsafe_load", "np.load", "numpy.load",
    "torch.load", "jsonpickle.decode", "os.system", "os.popen", "runpy.run_path",
}  # fmt: skip
"""Ways to run what a file says. None is needed."""


COMPILED = "trente_env/_jit/compiling.py:"
"""Compiled code is code: it is kept in the user's own cache, and read from no folder that others can write."""


class Bomb:
    """An object whose unpickling leaves a mark."""

    def __init__(self, mark: Path) -> None:
        """Name the file that is made."""
        self.mark = mark

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Have the mark made."""
        return Path.touch, (self.mark,)


@pytest.fixture
def bomb(tmp_path: Path) -> tuple[bytes, Path]:
    """Return a pickle that makes a file when it is read, and that file."""
    mark = tmp_path / "mark"
    data = pickle.dumps(Bomb(mark))
    pickle.loads(data)
    assert mark.exists()  # it works
    mark.unlink()
    return data, mark


def test_a_pickle_in_a_checkpoints_place_is_refused_and_not_run(tmp_path: Path, bomb: tuple[bytes, Path]) -> None:
    """As weights, hash and all, or as description, or both: data that cannot be read, and nothing has happened."""
    data, mark = bomb
    run = tmp_path / "run"
    files.save(run, small_checkpoint(preset("quebec", num_players=2)))
    policy = (run / "policy.json").read_bytes()
    (run / "policy.safetensors").write_bytes(data)
    for description in (with_hash(policy, data), data, json.dumps({"format": 1, "weights_sha256": "x"}).encode()):
        (run / "policy.json").write_bytes(description)
        with pytest.raises(InvalidDataError):
            agents.make(f"file:{run}")
    assert not mark.exists()


def test_a_pickle_is_no_game_and_no_record(tmp_path: Path, bomb: tuple[bytes, Path]) -> None:
    """Neither a saved game nor a record is ever unpickled."""
    data, mark = bomb
    with pytest.raises(InvalidDataError):
        Game.from_bytes(data)
    (tmp_path / "game.txt").write_bytes(data)
    with pytest.raises(InvalidRecordError):
        records.load(tmp_path / "game.txt")
    assert not mark.exists()


def test_a_pickled_game_is_checked_like_its_bytes() -> None:
    """Unpickling a game whose bytes were altered on the way is refused as reading the bytes is."""
    game = Game(preset("quebec"), seed=1)
    whole = pickle.dumps(game)
    place = whole.index(b"TRENTE-") + 200
    for spoiled in (
        whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :],
        whole.replace(b"TRENTE-", b"TRENTE="),
    ):
        with pytest.raises(InvalidDataError):
            pickle.loads(spoiled)
    assert pickle.loads(whole) == game


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield (place, call) of every call in the source."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_the_source_has_no_way_to_run_what_a_file_says() -> None:
    """No unpickling, no eval, no import by name from data: `torch.load` and `np.load` are not called at all."""
    found = [f"{place}: {ast.unparse(call.func)}" for place, call in calls() if ast.unparse(call.func) in FORBIDDEN]
    assert [each for each in found if not each.startswith(COMPILED)] == []


def test_no_file_is_read_by_a_library_that_unpickles() -> None:
    """Stable-Baselines3's zips hold pickles: they are written on request; no library's `.load` reads them."""
    found = {f"{place}: {ast.unparse(call)}" for place, call in calls() if ast.unparse(call.func).endswith(".load")}
    # The third is an entry point of the installed packages, the last compiled code that reads its own memory.
    harmless = ("json.", "safetensors.numpy.load(", "point.load()", "builder.load(")
    assert {each for each in found if not any(name in each for name in harmless)} == set()


def test_what_is_no_checkpoint_at_all_is_refused(tmp_path: Path) -> None:
    """A folder, a device, a zip or a text in a file's place is refused with one of our errors."""
    run = tmp_path / "run"
    files.save(run, small_checkpoint(preset("quebec", num_players=2)))
    (weights,) = run.glob("policy-*")
    for content in (
        b"",
        b"PK\x03\x04" + bytes(500),
        b"{}",
        bytes(8),
        (2**63).to_bytes(8, "little") + b"{}",
        b"[" * 10_000,
    ):
        weights.write_bytes(content)
        with pytest.raises(InvalidDataError):
            files.load(run)
        policy = run / "policy.json"
        before = policy.read_bytes()
        policy.write_bytes(with_hash(before, content).replace(b"policy.safetensors", weights.name.encode()))
        with pytest.raises(InvalidDataError):
            files.load(run)
        policy.write_bytes(content)
        with pytest.raises(InvalidDataError):
            files.load(run)
        policy.write_bytes(before)
    weights.unlink()
    weights.mkdir()
    with pytest.raises(TrenteError, match=r"cannot be read \(Is a directory\)"):
        files.load(run)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners here")
@pytest.mark.parametrize(
    ("mode", "is_used"), [(0o700, True), (0o755, True), (0o777, False), (0o770, False), (0o702, False)]
)
def test_compiled_code_is_not_read_from_where_others_can_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, is_used: bool
) -> None:
    """Among everybody's temporary files, a folder of the cache's name that others can write is not used at all."""
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(cache, "_candidates", lambda: [cache._temporary_root()])
    folder = cache._temporary_root()
    folder.mkdir()
    folder.chmod(mode)
    assert cache.cache_root.__wrapped__() == (folder if is_used else None)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert cache.cache_root.__wrapped__() is None
