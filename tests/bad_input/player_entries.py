"""Policies, checkpoints, files, matches and training as rows of the table of public entry points."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import agents
from agents.learned import checkpoint as files
from agents.learned.policy import LearnedPolicy
from eval import arena, options
from tests.bad_input.entry import Entry
from tests.fuzz.checkpoints import small_checkpoint
from train.config import TrainConfig
from trente_env import GameBatch, preset
from trente_env.encoding.sections import observation_spec
from trente_env.files import write_whole
from trente_env.policy import checked_probabilities, sample_actions

RULES = preset("quebec", num_players=2)
TABLE = preset("quebec", num_players=3)


def policy_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points that take or are policies."""
    batch = GameBatch(RULES, 2, seed=1)
    views, masks = batch.views(np.arange(2))
    seeds = batch.seeds.copy()
    policy = agents.make("knock@27")
    learned = LearnedPolicy(small_checkpoint(RULES))
    others = (None, "random", 5, object())
    short = views[:1]
    bad_views = (None, 5, "x", np.zeros(2), short, np.zeros(2, "i8,i8"), [1, 2], views[None])
    bad_masks = (None, 5, "x", masks[:1], masks[:, :5], masks.astype("U1"), [[1]], np.zeros((2, 62), object))
    yield "policy.sample_actions", Entry(
        sample_actions, {"policy": policy, "views_B": views, "masks_BA": masks, "seeds_B": seeds},
        {
            "policy": others, "views_B": bad_views, "masks_BA": bad_masks,
            "seeds_B": (None, 5, seeds[:1], seeds.astype(float), ["a", "b"], [-1, -1], [[1], [2, 3]]),
        },
    )  # fmt: skip
    yield (
        "policy.checked_probabilities",
        Entry(checked_probabilities, {"policy": policy, "views_B": views, "masks_BA": masks}, {"policy": others}),
    )
    for each in (agents.make("random"), policy, agents.make("adaptive"), agents.make("seeds"), learned):
        yield f"policies.{type(each).__name__}.probabilities", Entry(
            each.probabilities, {"views_B": views, "masks_BA": masks},
            {"views_B": () if each.name == "random" else bad_views, "masks_BA": bad_masks},
        )  # fmt: skip
    yield (
        "learned.policy.LearnedPolicy.check_rules",
        Entry(learned.check_rules, {"rules": RULES}, {"rules": (None, 5, TABLE, "quebec")}),
    )
    yield (
        "learned.policy.LearnedPolicy.scores",
        Entry(learned.scores, {"views_B": views}, {"views_B": tuple(view for view in bad_views if view is not short)}),
    )
    yield (
        "learned.policy.LearnedPolicy",
        Entry(LearnedPolicy, {"checkpoint": small_checkpoint(RULES)}, {"checkpoint": (None, "runs/x", 5)}),
    )
    folder = Path(tempfile.mkdtemp(prefix="trente-bad-input-"))
    files.save(folder / "run", small_checkpoint(RULES))
    (folder / "file").write_text("x")
    paths = (None, 5, folder / "missing", folder / "file", folder, Path("\0"), Path("x" * 10_000), b"x", [])
    yield "checkpoint.load", Entry(files.load, {"path": folder / "run"}, {"path": paths})
    yield "checkpoint.save", Entry(
        files.save, {"folder": folder / "run", "checkpoint": small_checkpoint(RULES)},
        {
            "folder": (None, 5, folder / "file", folder / "file" / "run", Path("x" * 10_000), Path("\0")),
            "checkpoint": (None, 5, small_checkpoint(RULES).weights),
        },
        (folder / "run" / "policy.json").read_bytes,
    )  # fmt: skip
    yield (
        "checkpoint.Checkpoint.layers",
        Entry(small_checkpoint(RULES).layers, {"part": "actor"}, {"part": ("x", None, 5)}),
    )
    yield "files.write_whole", Entry(
        write_whole, {"path": folder / "text", "data": "x"},
        {
            "path": (None, 5, folder, folder / "file" / "x", folder / "no" / "x", "x" * 10_000, "\0", []),
            "data": (None, 5, ["x"], "\ud800", object()),
        },
        lambda: (folder / "text").read_bytes() if (folder / "text").exists() else b"",
    )  # fmt: skip
    yield (
        "sections.observation_spec",
        Entry(observation_spec, {"seats": 2}, {"seats": (1, 10, 2.5, "2", None, float("nan"), True)}),
    )
    yield (
        "sections.ObservationSpec.place",
        Entry(observation_spec(2).place, {"name": "lives"}, {"name": ("x", None, 5, [])}),
    )


def eval_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of matches and training."""
    names = (None, 5, "nobody", "knock@", [], object())
    deals = (0, 1, -1, 2.5, "3", None, True, float("nan"), 2**63, [2])
    seeds = (-1, 1.5, "0", None, True, 2**63, [0])
    sizes = (0, -1, 1.5, "3", None, True, [1])
    common = {"rules": RULES, "deals": 2, "seed": 0, "batch_size": 4}
    refused = {"rules": (None, "quebec", 5), "deals": deals, "seed": seeds, "batch_size": sizes}
    more = {"episode": (None, "day", 5, []), "resamples": (0, 1.5, None, "1000", True)}
    yield "arena.play_match", Entry(
        arena.play_match, {**common, "first": "random", "second": "greedy", "episode": "game", "resamples": 1_000},
        {**refused, **more, "first": names, "second": names},
    )  # fmt: skip
    yield "arena.play_table", Entry(
        arena.play_table, {**common, "table": ["random", "greedy"], "episode": "game", "resamples": 1_000},
        {**refused, **more, "table": (None, 5, [], ["random"], "random", ["random"] * 3, [None, "random"],
        [["random"], "x"])},
    )  # fmt: skip
    yield "arena.judge", Entry(
        arena.judge, {**common, "policy": "random", "baselines": ["greedy"]},
        {**refused, "policy": names, "baselines": (None, 5, ["nobody"], "random")},
    )  # fmt: skip
    yield "arena.mean_win_rate", Entry(arena.mean_win_rate, {}, {"results": (None, 5, [], [1], "x")})
    yield "options.parse_rules", Entry(
        options.parse_rules, {"preset_name": "quebec", "num_players": 2, "changes": ["grace=no"]},
        {
            "preset_name": ("poker", "", None), "num_players": (1, 10, None),
            "changes": (["grace"], ["=1"], ["grace=maybe"], ["x=1"], ["starting_lives=x"], ["grace=no", "grace=no"],
            [""]),
        },
    )  # fmt: skip
    yield "options.parse_table", Entry(options.parse_table, {"text": "a,b"}, {"text": ("", ",", "a,,b", "a,")})
    folder = Path(tempfile.gettempdir())
    yield (
        "options.check_output",
        Entry(
            options.check_output,
            {"path": folder / "x.json"},
            {"path": (folder, folder / "no" / "x", Path("\0") / "x", Path("x" * 10_000))},
        ),
    )
    numbers = (float("nan"), float("inf"), -1.0, "x", None, [1])
    least_one = (0, -1, 1.5, "x", None, float("nan"), 2**70)
    yield "config.TrainConfig", Entry(
        TrainConfig, {"preset": "quebec", "players": 2},
        {
            "preset": ("poker", None, 5), "players": (1, 10, None, "2"), "rules": (("x=1",), ("grace",), 5),
            "seed": (-1, 1.5, None, "x", 2**64), "minutes": (0.0, *numbers), "decisions": (0, -1, 1.5, "x",
            float("nan")),
            "learning_rate": (0.0, *numbers), "clip": numbers, "max_gradient": numbers, "snapshot_every": numbers,
            "gamma": (1.5, *numbers), "gae_lambda": (1.5, *numbers), "snapshot_share": (1.5, *numbers),
            "entropy": numbers,
            "value_weight": numbers, "games": least_one, "steps": (1, *least_one), "minibatch": (1, *least_one),
            "epochs": least_one, "threads": least_one, "eval_threads": least_one, "eval_deals": (1, -1, 1.5, "x", None),
            "eval_seed": (-1, 1.5, None, 2**64), "snapshots": (-1, 1.5, None, "x"), "opponents": ((), None, 5),
            "hidden": ((), (0,), (1.5,), ("x",), None, 5, (10**9,), (8,) * 9), "reward": ("money", None),
            "episode": ("day", None),
            "run_dir": (5, ""), "export_sb3": (5,),
        },
    )  # fmt: skip
