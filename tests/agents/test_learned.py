"""Learned policies: what is saved is what plays, under its own rules alone; what is no checkpoint is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import agents
from agents.learned import checkpoint as files
from agents.learned.checkpoint import Checkpoint
from agents.learned.networks import ActorCritic, masked_log_softmax
from agents.learned.policy import LearnedPolicy
from trente_env import GameBatch, InvalidDataError, InvalidOptionError, Rules, preset
from trente_env.encoding.sections import observation_spec
from trente_env.policy import Policy

RULES = preset("quebec", num_players=2)


def network(rules: Rules = RULES, hidden: tuple[int, ...] = (32, 24)) -> ActorCritic:
    """Return a network whose scores differ from action to action."""
    torch.manual_seed(0)
    made = ActorCritic(observation_spec(rules.num_players), hidden)
    with torch.no_grad():
        made.actor[-1].weight.mul_(50.0)
        made.actor[-1].bias.normal_()
    return made


def checkpoint(rules: Rules = RULES, hidden: tuple[int, ...] = (32, 24)) -> Checkpoint:
    """Return a checkpoint of that network."""
    spec = observation_spec(rules.num_players)
    return Checkpoint(rules, spec, hidden, network(rules, hidden).weights(), {"seed": 0}, "abc")


def weights_of(folder: Path) -> Path:
    """Return the file of weights in a run folder."""
    (weights,) = folder.glob("policy-*.safetensors")
    return weights


def positions(rules: Rules = RULES, count: int = 300) -> tuple[GameBatch, NDArray[np.void], NDArray[np.int8]]:
    """Return games some decisions in, with views and masks."""
    batch = GameBatch(rules, count, seed=4)
    out = batch.reset()
    random = np.random.default_rng(0)
    for _ in range(15):
        batch.step((random.random(out.masks_BA.shape) * out.masks_BA).argmax(axis=1), out)
    views_B, masks_BA = batch.views(np.arange(count))
    return batch, views_B, masks_BA


@pytest.mark.parametrize("preset_name", ["quebec", "classic", "exchange", "quebec_points"])
@pytest.mark.parametrize("num_players", [2, 4])
def test_kernels_play_what_torch_trained(preset_name: str, num_players: int) -> None:
    """The policy's probabilities are those of the network in torch, on the encoded observations."""
    rules = preset(preset_name, num_players=num_players)
    batch, views_B, masks_BA = positions(rules)
    out = batch.arrays()
    batch.look(out)
    trained = network(rules)
    with torch.no_grad():
        scores = trained.scores(torch.from_numpy(out.observations_BS).float())
        expected = masked_log_softmax(scores, torch.from_numpy(masks_BA) != 0).exp().numpy()
    probabilities = LearnedPolicy(checkpoint(rules)).probabilities(views_B, masks_BA)
    np.testing.assert_allclose(probabilities, expected, atol=2e-5)
    assert (probabilities[masks_BA == 0] == 0).all()


def test_what_was_saved_plays_the_same(tmp_path: Path) -> None:
    """Saved and read again, by folder or by file, a policy gives the same probabilities to the last bit."""
    _, views_B, masks_BA = positions()
    before = LearnedPolicy(checkpoint()).probabilities(views_B, masks_BA)
    files.save(tmp_path / "run", checkpoint())
    for name in ("run", "run/policy.json", weights_of(tmp_path / "run").relative_to(tmp_path)):
        policy = agents.make(f"file:{tmp_path / name}")
        assert isinstance(policy, Policy)
        np.testing.assert_array_equal(policy.probabilities(views_B, masks_BA), before)
    loaded = files.load(tmp_path / "run")
    assert (loaded.rules, loaded.hidden, loaded.training, loaded.commit) == (RULES, (32, 24), {"seed": 0}, "abc")


def test_torch_takes_a_checkpoint_over(tmp_path: Path) -> None:
    """A network that loads a checkpoint has its weights."""
    files.save(tmp_path, checkpoint())
    other = ActorCritic(observation_spec(2), (32, 24))
    other.load(files.load(tmp_path))
    for name, array in checkpoint().weights.items():
        np.testing.assert_array_equal(other.weights()[name], array)


def test_a_row_does_not_depend_on_its_batch() -> None:
    """Alone, in a few or in many, a position gets the same probabilities to the last bit."""
    _, views_B, masks_BA = positions()
    policy = LearnedPolicy(checkpoint())
    together = policy.probabilities(views_B, masks_BA)
    for size in (1, 7, 64):
        for start in (0, 101):
            part = slice(start, start + size)
            np.testing.assert_array_equal(policy.probabilities(views_B[part], masks_BA[part]), together[part])
    assert policy.probabilities(views_B[:0], masks_BA[:0]).shape == (0, 62)


def test_greedy_takes_the_likeliest(tmp_path: Path) -> None:
    """With "?greedy" behind the name all probability lies on the likeliest action."""
    files.save(tmp_path, checkpoint())
    _, views_B, masks_BA = positions()
    sampled = agents.make(f"file:{tmp_path}").probabilities(views_B, masks_BA)
    greedy = agents.make(f"file:{tmp_path}?greedy").probabilities(views_B, masks_BA)
    np.testing.assert_array_equal(greedy.argmax(axis=1), sampled.argmax(axis=1))
    assert (greedy.max(axis=1) == 1).all()


def test_other_rules_are_refused() -> None:
    """Under other rules, or at another table, a policy does not play; the message names the differences."""
    policy = LearnedPolicy(checkpoint(), "mine")
    policy.check_rules(preset("quebec", num_players=2))
    with pytest.raises(InvalidOptionError, match=r"'mine'.*starting_lives is 5 instead of 3"):
        policy.check_rules(RULES.replace(starting_lives=5))
    with pytest.raises(InvalidOptionError, match="num_players is 4 instead of 2"):
        policy.check_rules(RULES.replace(num_players=4))
    _, views_B, masks_BA = positions(RULES.replace(num_players=4))
    with pytest.raises(InvalidOptionError, match="tables of 2, not of 4"):
        policy.probabilities(views_B, masks_BA)


@pytest.mark.parametrize("name", ["policy.json", "weights"])
@pytest.mark.parametrize("kept", [0, 10, 0.5, -1])
def test_truncated_files_are_refused(tmp_path: Path, name: str, kept: float) -> None:
    """Either file cut off anywhere is refused as no such data."""
    files.save(tmp_path, checkpoint())
    file = weights_of(tmp_path) if name == "weights" else tmp_path / name
    content = file.read_bytes()
    file.write_bytes(content[: int(kept * len(content)) if kept == 0.5 else int(kept)])
    if name == "policy.json" and kept == -1:
        files.load(tmp_path)  # only the line's end is missing
        return
    with pytest.raises(InvalidDataError):
        files.load(tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "reads format 1"),
        ({"rules_fingerprint": "0"}, "altered by hand"),
        ({"observation": {"seats": 2, "fingerprint": "0"}}, "observes layout 0"),
        ({"observation": {"seats": 77, "fingerprint": "0"}}, "makes no sense"),
        ({"network": {"hidden": [32, 24], "activation": "tanh", "num_actions": 62, "scaling": 1}}, "plays no network"),
        ({"network": {"hidden": [32, 25], "activation": "relu", "num_actions": 62, "scaling": 1}}, "other arrays"),
        ({"rules": {"num_players": 1}}, "num_players"),
        ({"weights_sha256": "0"}, "truncated, altered"),
    ],
)
def test_what_does_not_fit_together_is_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """Another format, layout, network or set of rules than the files say is refused with the reason."""
    files.save(tmp_path, checkpoint())
    description = json.loads((tmp_path / "policy.json").read_text())
    (tmp_path / "policy.json").write_text(json.dumps(description | change))
    with pytest.raises(InvalidDataError, match=message):
        agents.make(f"file:{tmp_path}")


def test_the_weights_of_another_run_are_noticed(tmp_path: Path) -> None:
    """Weights that the description beside them was not written with are refused rather than played."""
    files.save(tmp_path / "old", checkpoint())
    changed = {name: array + 1 for name, array in checkpoint().weights.items()}
    files.save(tmp_path / "new", Checkpoint(RULES, observation_spec(2), (32, 24), changed))
    weights_of(tmp_path / "new").replace(weights_of(tmp_path / "old"))
    with pytest.raises(InvalidDataError, match="of another run"):
        files.load(tmp_path / "old")


def test_a_save_leaves_nothing_but_its_files(tmp_path: Path) -> None:
    """Saving takes away what came before: other weights, and what a save that was killed left; nothing else."""
    files.save(tmp_path, checkpoint())
    first = weights_of(tmp_path)
    (tmp_path / ".policy.json.0123.part").touch()
    (tmp_path / "policy.safetensors").touch()
    (tmp_path / "policy-notes.txt").touch()
    changed = {name: array + 1 for name, array in checkpoint().weights.items()}
    files.save(tmp_path, Checkpoint(RULES, observation_spec(2), (32, 24), changed))
    second = weights_of(tmp_path)
    assert second != first
    assert {path.name for path in tmp_path.iterdir()} == {"policy.json", second.name, "policy-notes.txt"}


def test_weights_under_their_old_name_are_read(tmp_path: Path) -> None:
    """A description that names no file of weights means `policy.safetensors`, as it once was."""
    files.save(tmp_path, checkpoint())
    weights_of(tmp_path).rename(tmp_path / "policy.safetensors")
    description = json.loads((tmp_path / "policy.json").read_text())
    del description["weights_file"]
    (tmp_path / "policy.json").write_text(json.dumps(description))
    assert files.load(tmp_path).rules == RULES
    assert files.load(tmp_path / "policy.safetensors").rules == RULES


@pytest.mark.parametrize("name", ["../policy.safetensors", "/etc/passwd", "policy-1.safetensors", "", None, 5])
def test_weights_are_read_from_the_run_folder_alone(tmp_path: Path, name: object) -> None:
    """A description cannot send the reader to a file elsewhere."""
    files.save(tmp_path / "run", checkpoint())
    weights_of(tmp_path / "run").rename(tmp_path / "policy.safetensors")
    description = json.loads((tmp_path / "run" / "policy.json").read_text())
    (tmp_path / "run" / "policy.json").write_text(json.dumps(description | {"weights_file": name}))
    with pytest.raises(InvalidDataError, match="no name that a policy's weights have"):
        files.load(tmp_path / "run")


def test_names_without_a_policy_are_refused(tmp_path: Path) -> None:
    """No name, an empty folder, another file: each is refused with what to name instead."""
    with pytest.raises(InvalidOptionError, match="named by its run folder"):
        agents.make("file:")
    with pytest.raises(InvalidOptionError, match=r"There is no policy\.json"):
        agents.make(f"file:{tmp_path}")
    (tmp_path / "model.zip").write_bytes(b"")
    with pytest.raises(InvalidOptionError, match="is no run folder"):
        agents.make(f"file:{tmp_path / 'model.zip'}")


def test_weights_that_do_not_fit_are_not_saved(tmp_path: Path) -> None:
    """A checkpoint whose weights are not those of its network is refused before a file is written."""
    broken = Checkpoint(RULES, observation_spec(2), (32, 25), checkpoint().weights)
    with pytest.raises(InvalidOptionError, match="do not fit"):
        files.save(tmp_path / "run", broken)
    assert not (tmp_path / "run").exists()


def test_playing_needs_no_torch(tmp_path: Path) -> None:
    """A policy is read and asked without importing torch."""
    files.save(tmp_path, checkpoint())
    program = (
        "import sys, numpy as np, agents; from trente_env import GameBatch, preset;"
        f"policy = agents.make('file:{tmp_path}');"
        "views, masks = GameBatch(preset('quebec', num_players=2), 2).views(np.arange(2));"
        "assert policy.probabilities(views, masks).shape == (2, 62);"
        "assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
