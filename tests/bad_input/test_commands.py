"""Commands given what cannot be: exit status 2 and what is wrong in words, no traceback, nothing written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.learned.checkpoint import save
from eval.__main__ import main as evaluate
from tests.fuzz.checkpoints import small_checkpoint
from train.__main__ import main as train
from trente_env import preset

EVAL = (
    "", "nothing", "match", "match random", "match random random random", "match random nobody", "match random knock@",
    "match random knock@99x", "match random file:missing", "match random random --deals 1",
    "match random random --deals -5",
    "match random random --deals x", "match random random --deals 1e3", "match random random --seed -1",
    "match random random --seed 99999999999999999999", "match random random --players 1",
    "match random random --players 99",
    "match random random --preset poker", "match random random --rules grace",
    "match random random --rules grace=perhaps",
    "match random random --rules colour=red", "match random random --rules starting_lives=1e2",
    "match random random --batch 0",
    "match random random --episode day", "match random random --json /nowhere/at/all.json",
    "match random random --colour",
    "match --table random", "match --table random,,random", "match --table random,nobody",
    "match random random --table random,random",
    "baselines", "baselines nobody", "baselines random --against nobody", "baselines file:missing",
    "baselines knock@nan",
    "bench --runs 0", "bench --runs x", "bench --seconds nan", "bench --players 0", "bench --games -1",
    "bench --only nothing", "bench --docs /nowhere/at/all", "cold-start --runs 0", "cold-start --docs /nowhere/at/all",
    "docs --folder /nowhere/at/all",
)  # fmt: skip
TRAIN = (
    "--minutes nan", "--minutes -1", "--minutes x", "--minutes inf", "--learning-rate nan", "--learning-rate -1",
    "--opponents nobody", "--opponents knock@", "--opponents file:missing", "--opponents", "--preset poker",
    "--players 1",
    "--players 99", "--rules grace=perhaps", "--rules colour=red", "--games 0", "--games 99999999999999", "--steps 1",
    "--games 1000000 --steps 1000000", "--hidden 0", "--hidden x", "--hidden 9 9 9 9 9 9 9 9 9", "--seed -1",
    "--seed 99999999999", "--episode day", "--reward money", "--reward game --episode round", "--eval-deals 1",
    "--decisions 0",
    "--gamma 2", "--run-dir /dev/null", "--run-dir /dev/null/run", "--export-sb3 /nowhere/at/all.zip", "--colour red",
)  # fmt: skip


def shown(capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command said, without colours and boxes."""
    captured = capsys.readouterr()
    return captured.out + captured.err


@pytest.mark.parametrize("line", EVAL)
def test_eval_says_what_is_wrong(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m eval` leaves with 2 and a readable message."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        evaluate(line.split())
    said = shown(capsys)
    assert left.value.code == 2, said
    assert "Traceback" not in said
    assert len(said) > 30
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", TRAIN)
def test_train_says_what_is_wrong(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`python -m train` leaves with 2 and a readable message, before anything is trained or written."""
    monkeypatch.chdir(tmp_path)
    try:
        status = train(["--eval-deals", "0", "--decisions", "512", *line.split()])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else -1
    said = shown(capsys)
    assert status == 2, said
    assert "Traceback" not in said
    assert len(said) > 30
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fault", ["truncated", "version", "fingerprint", "rules"])
def test_a_spoiled_checkpoint_is_told(fault: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A truncated, foreign, altered or mismatched checkpoint on the command line is one line on standard error."""
    save(tmp_path, small_checkpoint(preset("quebec", num_players=2)))
    policy = tmp_path / "policy.json"
    document = json.loads(policy.read_text())
    spoiled = {
        "truncated": policy.read_text()[:100], "version": json.dumps(document | {"format": 99}),
        "fingerprint": json.dumps(document | {"rules_fingerprint": "0" * 16}), "rules": policy.read_text(),
    }  # fmt: skip
    policy.write_text(spoiled[fault])
    line = f"match file:{tmp_path} random --deals 2" + (" --players 3" if fault == "rules" else "")
    with pytest.raises(SystemExit) as left:
        evaluate(line.split())
    captured = capsys.readouterr()
    assert left.value.code == 2
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
