"""`python -m eval`: what a person types, sees, and finds in the file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eval import arena, report
from eval.__main__ import main
from trente_env import WriteError

ROOT = Path(__file__).resolve().parents[2]


def test_match_prints_a_table_and_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One command plays a match, shows it, and leaves a file with result and origin, and no other."""
    file = tmp_path / "match.json"
    main(
        [
            "match",
            "random",
            "random",
            "--deals",
            "20",
            "--seed",
            "5",
            "--json",
            str(file),
            "--rules",
            "starting_lives=1",
        ]
    )
    printed = capsys.readouterr().out
    assert "50.0 %" in printed
    assert "20 deals" in printed
    assert "Truncated games" in printed
    document = json.loads(file.read_text())
    assert [agent["name"] for agent in document["agents"]] == ["random", "random"]
    assert document["agents"][0]["win_rate_ci"] == [0.5, 0.5]
    assert (document["deals"], document["truncated"]) == (20, 0)
    assert document["seed"] == 5
    assert document["preset"] == "quebec"
    assert document["rules"]["starting_lives"] == 1
    assert document["num_players"] == 2
    assert document["command"].startswith("python -m eval match random random --deals 20")
    assert document["version"]
    assert {"git_commit", "rules_fingerprint"} <= document.keys()
    assert list(tmp_path.iterdir()) == [file]


def test_the_same_match_is_the_same_file(tmp_path: Path) -> None:
    """A file holds no time or chance of its own, so it can be compared."""
    file = tmp_path / "match.json"
    command = ["match", "random", "random", "--players", "3", "--deals", "10", "--json", str(file)]
    main(command)
    first = file.read_text()
    main(command)
    assert file.read_text() == first


def test_table_seats_the_named_policies(capsys: pytest.CaptureFixture[str]) -> None:
    """`--table` plays one table; the number of players follows from it."""
    main(["match", "--table", "random,random,random", "--deals", "10", "--episode", "round"])
    assert "3 players" in capsys.readouterr().out


def test_baselines_prints_a_line_each_and_the_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`baselines` judges one policy against each of several, with their mean, in Markdown if wanted."""
    file = tmp_path / "judged.json"
    main(["baselines", "random", "--against", "random", "random", "--deals", "10", "--json", str(file), "--markdown"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("| against | wins |")
    assert [line.split("|")[1].strip() for line in lines[4:7]] == ["random", "random", "mean"]
    document = json.loads(file.read_text())
    assert document["mean_win_rate"] == 0.5
    assert len(document["matches"]) == 2


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("match random nobody", "Known: "),
        ("match random", "two policies, not 1"),
        ("match random random --table random,random", "not both"),
        ("match --table random,,random", "a policy for every seat"),
        ("match --table random,random,random --players 4", "has 3 seats"),
        ("match random random --preset nope", "quebec"),
        ("match random random --rules lives=4", "starting_lives"),
        ("match random random --rules grace", "field=value"),
        ("match random random --rules grace=perhaps", "true, yes"),
        ("match random random --rules starting_lives=many", "whole number"),
        ("match random random --rules starting_lives=2 starting_lives=3", "once"),
        ("match random random --rules num_players=3", "--players"),
        ("match random random --players 1", "from 2 to 9"),
        ("match random random --deals 0", "from 2"),
        ("baselines", "Name a policy"),
        ("bench --runs 0", "runs from 1"),
        ("bench --only nothing", "no layer has that"),
        ("bench --games -1", "number of games"),
        ("bench --docs nowhere", "no results.md"),
        ("cold-start --runs 0", "runs from 1"),
        ("cold-start --docs nowhere", "no results.md"),
        ("docs --folder nowhere", "no such folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be is said in one line on standard error, with what would do, and no traceback."""
    with pytest.raises(SystemExit) as left:
        main(arguments.split())
    captured = capsys.readouterr()
    assert left.value.code == 2
    assert captured.out == ""
    assert captured.err.startswith("error: ")
    assert captured.err.count("\n") == 1
    assert reason in captured.err


def test_a_file_that_cannot_be_written_is_told_before_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing folder, a folder for a file, a folder that refuses: said at once, not after hours of play."""
    monkeypatch.setattr(arena, "play_games", lambda *_, **__: pytest.fail("a game was played"))
    (tmp_path / "file").touch()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    for path, reason in (
        (tmp_path / "no" / "m.json", "no folder"),
        (tmp_path, "is a folder"),
        (tmp_path / "m.json", "denied"),
    ):
        if reason == "denied":
            monkeypatch.setattr("eval.options.tempfile.TemporaryFile", refuse)
        with pytest.raises(SystemExit) as left:
            main(["match", "random", "random", "--json", str(path)])
        assert left.value.code == 2
        assert reason in capsys.readouterr().err


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is replaced whole or not at all, and nothing half written stays behind."""
    file = tmp_path / "match.json"
    file.write_text("old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(WriteError, match="disk full"):
        report.write_json(file, {"a": 1})
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_interrupting_is_not_an_error_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends with one line and the customary exit code."""
    monkeypatch.setattr(arena, "play_games", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(SystemExit) as left:
        main(["match", "random", "random", "--deals", "10"])
    assert left.value.code == 130
    assert capsys.readouterr().err == "Interrupted: nothing was written.\n"


def test_the_command_works_from_a_shell_without_torch(tmp_path: Path) -> None:
    """`python -m eval` runs as a person runs it, and a match of heuristics loads no learning library."""
    program = (
        "import sys; from eval.__main__ import main; main(['match', 'random', 'random', '--deals', '10']); "
        "assert not {'torch', 'gymnasium', 'pettingzoo'} & set(sys.modules), sorted(sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    wrong = subprocess.run(
        [sys.executable, "-m", "eval", "match", "random", "nobody"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: There is no policy named 'nobody'")
