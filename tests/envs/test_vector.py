"""`OneSeatVectorEnv`, `gymnasium.make_vec`: as many single environments, stepped at once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from numpy.typing import NDArray

from trente_env import GameOverError, IllegalActionError, InvalidOptionError, NotResetError, TrenteError
from trente_env.core.rng import next_game_seed
from trente_env.envs.single import OneSeatEnv
from trente_env.envs.vector import OneSeatVectorEnv

ENV_ID = "trente_env:trente/TrenteEtUn-v0"
SHORT = {"num_players": 3, "starting_lives": 1, "opponents": ["knock@25", "random"]}


def any_legal(masks_BA: NDArray[Any], dice: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action in every game; anything where none is legal."""
    return (dice.random(masks_BA.shape) * masks_BA).argmax(axis=1)


def with_some_illegal(masks_BA: NDArray[Any], dice: np.random.Generator) -> NDArray[np.int64]:
    """Draw actions of which a few are not legal."""
    actions_B = any_legal(masks_BA, dice)
    return np.where(dice.random(len(actions_B)) < 0.02, dice.integers(-5, 70, len(actions_B)), actions_B)


# The same games as single environments.


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(
    "options",
    [
        SHORT,
        {**SHORT, "preset": "exchange", "reward": "pot", "mask_in_observation": True, "dtype": "float32"},
        {"preset": "buy_in", "num_players": 3, "reward": "lives", "episode": "round", "seat": 1},
        {"num_players": 2, "max_rounds": 2, "reward": "round", "weights": [1, 3], "opponents": ["greedy", "knock@22"]},
    ],
)
def test_games_are_those_of_single_environments(options: dict[str, Any], mode: AutoresetMode) -> None:
    """Observations, rewards, flags and infos equal those of SyncVectorEnv over single environments, in each mode."""
    count = 5
    native = OneSeatVectorEnv(count, autoreset_mode=mode, **options)
    single = SyncVectorEnv([lambda: OneSeatEnv(**options)] * count, autoreset_mode=mode)
    assert native.single_observation_space == single.single_observation_space
    assert native.observation_space == single.observation_space
    assert native.action_space == single.action_space
    seen = native.reset(seed=20)
    assert data_equivalence(seen, single.reset(seed=20), exact=True)
    dice = np.random.default_rng(3)
    ended = illegal = 0
    for _ in range(90):
        actions_B = with_some_illegal(native.action_masks(), dice)
        outcome = native.step(actions_B)
        assert data_equivalence(outcome, single.step(actions_B), exact=True)
        dones_B = outcome[2] | outcome[3]
        ended += int(dones_B.sum())
        illegal += "illegal_action" in str(outcome[4].keys()) + str(outcome[4].get("final_info", {}).keys())
        if mode is AutoresetMode.DISABLED and dones_B.any():
            seen, infos = native.reset(options={"reset_mask": dones_B})
            expected, theirs = single.reset(options={"reset_mask": dones_B})
            assert data_equivalence(seen, expected, exact=True)
            np.testing.assert_array_equal(infos["action_mask"][dones_B], theirs["action_mask"][dones_B])
    assert ended > 5
    assert illegal > 1


def test_a_game_does_not_depend_on_how_many_there_are() -> None:
    """Row by row a batch of 40 plays what batches of 8 and 1 play with the same seeds."""
    sizes = (40, 8, 1)
    batches = [OneSeatVectorEnv(size, illegal="raise", **SHORT) for size in sizes]
    outcomes = [
        batch.reset(seed=[7 + 3 * row for row in range(size)]) for batch, size in zip(batches, sizes, strict=True)
    ]
    for _ in range(120):
        for batch, outcome in zip(batches, outcomes, strict=True):
            np.testing.assert_array_equal(outcomes[0][0][: batch.num_envs], outcome[0])
            for flags, others in zip(outcomes[0][1:-1], outcome[1:-1], strict=True):
                np.testing.assert_array_equal(flags[: batch.num_envs], others)
        outcomes = [batch.step(batch.action_masks().argmax(axis=1)) for batch in batches]


def test_opponents_are_drawn_by_weight_from_the_games_seed() -> None:
    """A weight of 3 holds three times as many seats as one of 1, of 0 none; the seat's holder follows from the seed."""
    names = ["greedy", "random", "knock@30"]
    envs = OneSeatVectorEnv(1_000, opponents=names, weights=[3, 1, 0], num_players=3)
    envs.reset(seed=0)
    keys, counts = np.unique(envs.batch.opponents_BN, return_counts=True)
    held = {
        envs.batch.opponents.policies[int(key)].name: int(count)
        for key, count in zip(keys[1:], counts[1:], strict=True)
    }
    assert (keys[0], counts[0]) == (-1, 1_000), "one seat of each game is the learner's"
    assert held.keys() == {"greedy", "random"}
    assert held["greedy"] == pytest.approx(1_500, abs=80)
    alone = OneSeatEnv(opponents=names, weights=[3, 1, 0], num_players=3)
    alone.reset(seed=123)
    assert alone.batch.opponents_BN[0].tolist() == envs.batch.opponents_BN[123].tolist()


# Gymnasium's contract.


def test_make_vec_makes_it() -> None:
    """The name makes the native environment, by itself and asked for, which declares its autoreset mode."""
    for arguments in ({}, {"vectorization_mode": "vector_entry_point", "autoreset_mode": "SameStep"}):
        envs = gymnasium.make_vec(ENV_ID, num_envs=3, **arguments)
        assert isinstance(envs, OneSeatVectorEnv)
        assert isinstance(envs.metadata["autoreset_mode"], AutoresetMode)
        observations, infos = envs.reset(seed=0)
        assert observations in envs.observation_space
        observations, *_ = envs.step(infos["action_mask"].argmax(axis=1))
        assert observations in envs.observation_space
        envs.close()
    assert OneSeatVectorEnv.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP, "an instance's mode is its own"


def test_gymnasiums_wrappers_work_on_it() -> None:
    """RecordEpisodeStatistics sums the rewards of each episode."""
    envs = RecordEpisodeStatistics(OneSeatVectorEnv(8, **SHORT))
    _, infos = envs.reset(seed=1)
    dice = np.random.default_rng(0)
    returns: list[float] = []
    while len(returns) < 20:
        *_, infos = envs.step(any_legal(infos["action_mask"], dice))
        if "episode" in infos:
            returns += infos["episode"]["r"][infos["_episode"]].tolist()
    assert set(returns) == {1.0, -0.5}


def test_what_is_handed_out_is_not_written_again() -> None:
    """Arrays returned by one step stay as they are while later ones are played."""
    envs = OneSeatVectorEnv(4, autoreset_mode=AutoresetMode.SAME_STEP, mask_in_observation=True, **SHORT)
    kept = [envs.reset(seed=1)]
    dice = np.random.default_rng(0)
    kept += [envs.step(any_legal(envs.action_masks(), dice)) for _ in range(30)]
    again = OneSeatVectorEnv(4, autoreset_mode=AutoresetMode.SAME_STEP, mask_in_observation=True, **SHORT)
    dice = np.random.default_rng(0)
    assert data_equivalence(again.reset(seed=1), kept[0], exact=True)
    for old in kept[1:]:
        assert data_equivalence(again.step(any_legal(again.action_masks(), dice)), old, exact=True)


def test_seeds_are_one_for_all_or_one_for_each() -> None:
    """An int seeds game k with seed + k; a list gives each its own, None goes on; no seed goes on everywhere."""
    envs = OneSeatVectorEnv(3)
    envs.reset(seed=50)
    assert envs.batch.column("seed").tolist() == [50, 51, 52]
    assert envs.np_random_seed == 50
    envs.reset(seed=[9, None, np.int64(4)])
    assert envs.batch.column("seed").tolist() == [9, next_game_seed(51, 0), 4]
    envs.reset()
    assert envs.batch.column("seed").tolist() == [next_game_seed(seed, 0) for seed in (9, next_game_seed(51, 0), 4)]
    fresh = OneSeatVectorEnv(3), OneSeatVectorEnv(3)
    for each in fresh:
        each.reset()
    assert len({*fresh[0].batch.column("seed").tolist(), *fresh[1].batch.column("seed").tolist()}) == 6


def test_only_the_games_of_a_reset_mask_are_reset() -> None:
    """The others stand as they are, and are seen as before."""
    envs = OneSeatVectorEnv(4, autoreset_mode=AutoresetMode.DISABLED)
    before, _ = envs.reset(seed=0)
    after, _ = envs.reset(seed=90, options={"reset_mask": np.array([False, True, False, True]), "seat": 0})
    assert envs.batch.column("seed").tolist() == [0, 91, 2, 93]
    assert envs.batch.learners_B.tolist() == [0, 0, 2, 0]
    np.testing.assert_array_equal(before[[0, 2]], after[[0, 2]])


def test_without_autoreset_a_finished_game_is_not_stepped() -> None:
    """The error says which games wait, and how they begin again; nothing is changed."""
    envs = OneSeatVectorEnv(3, autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=0)
    actions_B = envs.action_masks().argmax(axis=1)
    actions_B[1] = 61
    *_, terminations, truncations, _ = envs.step(actions_B)
    assert (terminations.tolist(), truncations.any()) == ([False, True, False], False)
    before = envs.batch.save()
    with pytest.raises(GameOverError, match=r"games \[1\] .*reset_mask"):
        envs.step(envs.action_masks().argmax(axis=1))
    np.testing.assert_array_equal(envs.batch.save(), before)
    envs.reset(options={"reset_mask": terminations})
    envs.step(envs.action_masks().argmax(axis=1))


def test_an_illegal_action_is_refused_where_that_is_asked_for() -> None:
    """With illegal="raise" the error names the game, and no game is changed; a game that waits may be given any."""
    envs = OneSeatVectorEnv(3, illegal="raise", num_players=2, max_rounds=1)
    with pytest.raises(NotResetError, match=r"call envs\.reset"):
        envs.step(np.zeros(3, np.int64))
    envs.reset(seed=0)
    before = envs.batch.save()
    actions_B = envs.action_masks().argmax(axis=1)
    actions_B[2] = 61
    with pytest.raises(IllegalActionError, match="Game 2: Decline is not legal"):
        envs.step(actions_B)
    np.testing.assert_array_equal(envs.batch.save(), before)
    dones_B = np.zeros(3, np.bool_)
    while not dones_B.any():
        _, _, terminations, truncations, infos = envs.step(envs.action_masks().argmax(axis=1))
        dones_B = terminations | truncations
    assert not infos["action_mask"][dones_B].any()
    _, rewards, *_ = envs.step(np.where(dones_B, 61, envs.action_masks().argmax(axis=1)))
    assert not rewards[dones_B].any()
    assert envs.action_masks().any(axis=1).all()


@pytest.mark.parametrize(
    "options",
    [
        {"num_envs": 0},
        {"num_envs": "3"},
        {"autoreset_mode": "Never"},
        {"render_mode": "human"},
        {"dtype": "int16"},
        {"opponents": None},
        {"seat": -1},
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    """Each is refused when the environment is made."""
    with pytest.raises(InvalidOptionError):
        OneSeatVectorEnv(**options)


@pytest.mark.parametrize(
    "arguments",
    [
        {"seed": -1},
        {"seed": "5"},
        {"seed": [1, 2]},
        {"seed": [1, 2, -3]},
        {"seed": 2**63 - 2},
        {"options": {"reset_mask": [True, False, True]}},
        {"options": {"reset_mask": np.zeros(3, np.bool_)}},
        {"options": {"reset_mask": np.ones(4, np.bool_)}},
        {"options": {"lives": [3, None, None, None]}},
        {"options": 5},
        {"options": {"seat": 1, "lives": [3, None, 3, 3]}},
    ],
)
def test_a_reset_that_cannot_be_changes_no_game(arguments: dict[str, Any]) -> None:
    """A wrong seed, mask or option is refused, and every game stays as it is."""
    envs = OneSeatVectorEnv(3)
    envs.reset(seed=0)
    before = envs.batch.save(), envs.batch.learners_B.copy(), envs.action_masks()
    with pytest.raises(TrenteError):
        envs.reset(**arguments)
    assert data_equivalence(before, (envs.batch.save(), envs.batch.learners_B, envs.action_masks()), exact=True)


@pytest.mark.parametrize("actions", [np.zeros(2, np.int64), np.zeros(3), [0, 1, None], 5])
def test_actions_that_are_none_are_refused(actions: Any) -> None:
    """Actions are whole numbers, one for each game."""
    envs = OneSeatVectorEnv(3)
    envs.reset(seed=0)
    with pytest.raises(InvalidOptionError, match="actions must be"):
        envs.step(actions)


def test_every_table_can_be_shown() -> None:
    """With render mode "ansi" each game is a text, from its learner's seat."""
    envs = OneSeatVectorEnv(3, render_mode="ansi")
    envs.reset(seed=0)
    texts = envs.render()
    assert texts is not None
    assert [f"as seat {seat} sees it" in text for seat, text in enumerate(texts)] == [True] * 3
    assert OneSeatVectorEnv(3).render() is None


def test_the_guide_runs_as_it_stands() -> None:
    """Each program of docs/gymnasium.md runs, by itself and without a warning."""
    guide = (Path(__file__).resolve().parents[2] / "docs" / "gymnasium.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(programs) == 2
    for program in programs:
        exec(compile(program, "gymnasium.md", "exec"), {})  # noqa: S102 - our own guide
