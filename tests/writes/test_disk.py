"""A full disk, or one that may not be written: told at the start or at the save, and the last good file stands."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agents.learned.checkpoint import load, save
from eval.__main__ import main as evaluate
from tests.fuzz.checkpoints import small_checkpoint
from tests.kill_while_saving import numbered
from train.__main__ import main as train
from train.config import TrainConfig
from train.selfplay import Training
from trente_env import Game, InvalidOptionError, WriteError, preset
from trente_env.record import Recorder
from trente_env.record import save as save_record

RULES = preset("quebec", num_players=2)
SMALL = {
    "games": 16,
    "steps": 16,
    "minibatch": 64,
    "epochs": 1,
    "hidden": (16,),
    "opponents": ("random",),
    "decisions": 256,
}
FAULTS = {"ENOSPC": errno.ENOSPC, "EROFS": errno.EROFS, "EDQUOT": errno.EDQUOT, "EIO": errno.EIO}


def failing(code: int) -> Callable[..., Any]:
    """Return a function of the operating system that always fails."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    return fail


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("call", ["open", "fsync"])
def test_a_save_that_fails_says_why_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, call: str
) -> None:
    """At the first or the last call to the system: a WriteError with file, reason, remedy; the folder as it was."""
    save(tmp_path, numbered(1))
    before = contents(tmp_path)
    monkeypatch.setattr(os, call, failing(FAULTS[fault]))
    with pytest.raises(WriteError, match=rf"policy-.*cannot be written \({os.strerror(FAULTS[fault]).lower()}\): \w+"):
        save(tmp_path, numbered(2))
    monkeypatch.undo()
    assert contents(tmp_path) == before
    assert load(tmp_path).training["number"] == 1


def test_a_disk_that_fills_between_the_two_files_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the weights written and no room for the description, the new weights go again and the old policy stands."""
    save(tmp_path, numbered(1))
    before = contents(tmp_path)
    replace = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if Path(target).name == "policy.json":
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(WriteError, match=r"policy\.json.*no space left.*free some space"):
        save(tmp_path, numbered(2))
    assert contents(tmp_path) == before


LIMITED = """
import resource, signal, sys
from pathlib import Path
from agents.learned.checkpoint import save
from tests.kill_while_saving import numbered
from trente_env import WriteError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    save(Path(sys.argv[1]), numbered(2))
except WriteError as error:
    sys.exit(str(error))
"""


def test_the_systems_own_refusal_to_write_more_is_told(tmp_path: Path) -> None:
    """A process that really may write no more than 100 kB in a file says so, and leaves the last good policy."""
    save(tmp_path, numbered(1))
    before = contents(tmp_path)
    command = [sys.executable, "-c", LIMITED, str(tmp_path)]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=Path(__file__).resolve().parents[2]
    )
    assert result.returncode == 1
    assert "cannot be written (file too large): free some space" in result.stderr
    assert contents(tmp_path) == before


def config(folder: Path, **changes: Any) -> TrainConfig:
    """Return the options of a run of a second."""
    return TrainConfig(run_dir=folder, eval_deals=0, progress=False, **{**SMALL, **changes})


@pytest.mark.parametrize("fault", FAULTS)
def test_training_is_told_before_the_minutes_are_spent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Where the first file cannot be written, a run ends before it begins, and an earlier run's policy stands."""
    save(tmp_path, small_checkpoint(RULES))
    before = contents(tmp_path)
    monkeypatch.setattr(os, "fsync", failing(FAULTS[fault]))
    with pytest.raises(WriteError, match=r"config\.json"):
        Training(config(tmp_path))
    monkeypatch.undo()
    assert contents(tmp_path) == before


def test_a_folder_that_cannot_be_made_is_told_before_training(tmp_path: Path) -> None:
    """Below a file there is no folder: neither for a run, nor for an export, nor for a result."""
    (tmp_path / "file").touch()
    with pytest.raises(InvalidOptionError, match=r"--run-dir cannot be .*Not a directory"):
        Training(config(tmp_path / "file" / "run"))
    with pytest.raises(InvalidOptionError, match="--export-sb3 cannot be"):
        Training(config(tmp_path / "run", export_sb3=tmp_path / "file" / "model.zip"))
    assert not (tmp_path / "run").exists()
    with pytest.raises(SystemExit) as left:
        evaluate(["match", "random", "random", "--deals", "2", "--json", str(tmp_path / "file" / "m.json")])
    assert left.value.code == 2


def test_a_disk_that_fills_during_training_is_told_at_the_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The save at the end fails in words, exit status 2; what can be read in the folder is still what was there."""
    made = Training.__init__

    def fill_the_disk(training: Training, *arguments: Any, **keywords: Any) -> None:
        made(training, *arguments, **keywords)
        save(tmp_path / "run", small_checkpoint(RULES))
        monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))

    monkeypatch.setattr(Training, "__init__", fill_the_disk)
    options = ["--decisions", "256", "--games", "16", "--steps", "16", "--hidden", "16", "--opponents", "random"]
    assert train([*options, "--eval-deals", "0", "--run-dir", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "error: " in said
    assert "no space left on device" in said
    assert "Traceback" not in said
    assert load(tmp_path / "run").hidden == (4,)


def test_results_records_and_docs_are_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match's result, a record, a generated page: each fails as a WriteError, and the old one stands."""
    result = tmp_path / "match.json"
    result.write_text("old")
    recorder = Recorder(Game(RULES, seed=1))
    monkeypatch.setattr(os, "fsync", failing(errno.ENOSPC))
    with pytest.raises(SystemExit) as left:
        evaluate(["match", "random", "random", "--deals", "2", "--json", str(result)])
    assert left.value.code == 2
    assert result.read_text() == "old"
    with pytest.raises(WriteError, match="no space left"):
        save_record(recorder.record(), result)
    assert result.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["match.json"]
