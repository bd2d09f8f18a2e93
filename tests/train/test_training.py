"""Training runs, small: they learn, repeat themselves, save, stop, and reach the table."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from agents.learned.checkpoint import load
from agents.learned.policy import make_from_file
from eval.arena import play_match
from train.__main__ import main
from train.config import TrainConfig
from train.learner import SelfPlayPPO
from train.selfplay import Progress, Training
from trente_env import InvalidOptionError, preset

SMALL = {
    "games": 32, "steps": 16, "minibatch": 128, "epochs": 1, "hidden": (32,), "threads": 1, "progress": False,
    "opponents": ("random", "greedy"), "eval_deals": 0,
}  # fmt: skip
COMMAND = [sys.executable, "-m", "train", "--threads", "1", "--hidden", "64", "--games", "64", "--steps", "32"]
ONE_THREAD = os.environ | {"OMP_NUM_THREADS": "1"}


def config(folder: Path, **changes: object) -> TrainConfig:
    """Return the options of a small run."""
    return TrainConfig(run_dir=folder, **(SMALL | changes))  # type: ignore[arg-type]


def weights(folder: Path) -> dict[str, np.ndarray]:
    """Return the weights of a run folder."""
    return dict(load(folder).weights)


@pytest.mark.slow
def test_it_learns(tmp_path: Path) -> None:
    """In a few seconds, from nothing, a policy comes to beat random play and to knock.

    A deck of 32 cards is a quicker game than one of 52.
    """
    options = config(
        tmp_path, rules=("ranks=789TJQKA",), decisions=120_000, hidden=(64, 64), games=128, steps=32, minibatch=512,
        epochs=3, learning_rate=1e-3, opponents=("random", "knock@27"),
    )  # fmt: skip
    Training(options).run()
    rules = options.rule_set()
    result = play_match(make_from_file(str(tmp_path)), "random", rules, deals=500).agents[0]
    assert result.win_rate_ci[0] > 0.8
    assert result.knock_rate > 0.1


def test_a_run_bounded_by_decisions_repeats_itself(tmp_path: Path) -> None:
    """Two runs with the same seed end with the same weights, another seed with others."""
    changes = {"decisions": 4_096, "snapshots": 2, "snapshot_every": 1e-6}
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        Training(config(tmp_path / name, seed=seed, **changes)).run()
    first, again, other = (weights(tmp_path / name) for name in "abc")
    for name, array in first.items():
        np.testing.assert_array_equal(array, again[name])
    assert any((array != other[name]).any() for name, array in first.items())


def test_the_run_folder_says_what_it_holds(tmp_path: Path) -> None:
    """Config, policy, weights and TensorBoard logs lie in the folder, no file of which is a pickle."""
    options = config(tmp_path, decisions=1_024)
    Training(options).run()
    assert json.loads((tmp_path / "config.json").read_text()) == json.loads(options.to_json())
    checkpoint = load(tmp_path)
    assert checkpoint.rules == preset("quebec", num_players=2)
    assert checkpoint.training["decisions"] == 1_024
    assert checkpoint.training["interrupted"] is False
    (weights,) = tmp_path.glob("policy-*.safetensors")
    assert {path.name for path in tmp_path.iterdir()} == {"config.json", "policy.json", weights.name, "tensorboard"}
    assert list((tmp_path / "tensorboard").glob("events.out.*"))


def test_an_earlier_run_in_the_folder_is_replaced(tmp_path: Path) -> None:
    """A second run takes the place of the first, curves and all, and touches nothing else that lies there."""
    Training(config(tmp_path, decisions=512)).run()
    (tmp_path / "tensorboard" / "notes.txt").write_text("mine")
    training = Training(config(tmp_path, decisions=1_024, seed=3))
    assert not (tmp_path / "policy.json").exists()
    training.run()
    assert load(tmp_path).training["decisions"] == 1_024
    assert len(list((tmp_path / "tensorboard").glob("events.out.*"))) == 1
    assert (tmp_path / "tensorboard" / "notes.txt").exists()


def test_progress_is_told(tmp_path: Path) -> None:
    """The run tells its share, decisions, rate and win rate, ever further."""
    told: list[Progress] = []
    Training(config(tmp_path, decisions=4_096), told.append).run()
    shares = [progress.share for progress in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert any(progress.win_rate is not None and 0 <= progress.win_rate <= 1 for progress in told)
    assert told[-1].decisions == 4_096
    assert told[-1].per_second > 0


def test_snapshots_become_opponents(tmp_path: Path) -> None:
    """Past selves join the opponents, at most as many as asked for, and play with the weights they had."""
    training = Training(config(tmp_path, decisions=6_144, snapshots=2, snapshot_every=1e-6))
    training.run()
    snapshots = training.pool.snapshots
    assert len(snapshots) == 2
    assert len({id(policy) for policy in snapshots}) == 2
    opponents = training.env.batch.opponents
    pool = {opponents.policies[key].name for key in opponents.pool_K.tolist()}
    assert pool == {"random", "greedy", "snapshot"}


def test_time_bounds_a_run(tmp_path: Path) -> None:
    """A run of a second ends soon after a second."""
    training = Training(config(tmp_path, minutes=1 / 60))
    began = time.monotonic()
    training.run()
    assert time.monotonic() - began < 10
    assert training.model.is_time_over
    assert (tmp_path / "policy.json").exists()


def test_the_collecting_loop_is_the_librarys(tmp_path: Path) -> None:
    """Our loop fills the buffer exactly as MaskablePPO's own does."""
    buffers = []
    for loop in (SelfPlayPPO.collect_rollouts, MaskablePPO.collect_rollouts):
        training = Training(config(tmp_path))
        _, callback = training.model._setup_learn(512)
        assert loop(training.model, training.env, callback, training.model.rollout_buffer, 16)
        buffers.append(training.model.rollout_buffer)
    for name in ("observations", "actions", "rewards", "advantages", "returns", "episode_starts", "action_masks"):
        np.testing.assert_allclose(getattr(buffers[0], name), getattr(buffers[1], name), atol=1e-6)


def test_sb3s_zip_is_an_export(tmp_path: Path) -> None:
    """--export-sb3 writes a zip that the library loads, with the same policy."""
    training = Training(config(tmp_path / "run", decisions=1_024, export_sb3=tmp_path / "model.zip"))
    training.run()
    loaded = MaskablePPO.load(tmp_path / "model.zip", device="cpu")
    observations, masks = training.env.reset(), training.env.action_masks()
    expected, _ = training.model.predict(observations, action_masks=masks, deterministic=True)
    actions, _ = loaded.predict(observations, action_masks=masks, deterministic=True)
    np.testing.assert_array_equal(actions, expected)


def test_opponents_must_accept_the_rules(tmp_path: Path) -> None:
    """A policy learned under other rules is refused as an opponent before training begins."""
    Training(config(tmp_path / "first", decisions=512)).run()
    with pytest.raises(InvalidOptionError, match="cannot play under"):
        Training(config(tmp_path / "second", players=3, opponents=(f"file:{tmp_path / 'first'}",)))
    assert not (tmp_path / "second").exists()


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    """A run folder in the place of a file is refused."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidOptionError, match="--run-dir cannot be"):
        Training(config(tmp_path / "file"))


@pytest.mark.parametrize(("preset_name", "players"), [("exchange", 3), ("quebec_points", 2), ("buy_in", 2)])
def test_every_kind_of_game_trains(tmp_path: Path, preset_name: str, players: int) -> None:
    """Swapping, points and buying in again: a short run ends with a policy that plays."""
    options = config(tmp_path, preset=preset_name, players=players, decisions=2_048)
    Training(options).run()
    result = play_match(make_from_file(str(tmp_path)), "random", options.rule_set(), deals=10)
    assert len(result.agents) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("preset_name", "players"), [("quebec", 4), ("classic", 2)])
def test_the_command_ends_with_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], preset_name: str, players: int
) -> None:
    """Trained for some seconds, the policy is judged against each baseline."""
    options = ["--preset", preset_name, "--players", str(players), "--minutes", "0.1", "--eval-deals", "200"]
    small = ["--threads", "1", "--hidden", "64", "--games", "64", "--steps", "32", "--run-dir", str(tmp_path)]
    assert main([*options, *small]) == 0
    shown = capsys.readouterr().out
    for name in ("random", "greedy", "adaptive", "seeds", "knock@22", "knock@31"):
        assert name in shown


@pytest.mark.slow
def test_ctrl_c_saves_and_shows_a_short_table(tmp_path: Path) -> None:
    """Interrupted, the command saves the policy, says how to judge it, and prints what it has."""
    command = [*COMMAND, "--minutes", "5", "--eval-deals", "20", "--run-dir", str(tmp_path / "run")]
    process = subprocess.Popen(
        command, env=ONE_THREAD, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "learning" in line:
            break
    process.send_signal(signal.SIGINT)
    shown, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    assert "python -m eval baselines file:" in shown
    assert "knock@31" in shown
    assert load(tmp_path / "run").training["interrupted"] is True


def test_options_can_be_replaced() -> None:
    """The options are a frozen dataclass: a changed copy is checked like any other."""
    with pytest.raises(InvalidOptionError, match="--epochs"):
        dataclasses.replace(TrainConfig(), epochs=0)
