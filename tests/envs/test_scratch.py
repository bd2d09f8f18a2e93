"""The environment works in memory of its own: nothing handed out is part of it, whatever is asked in what order."""

from __future__ import annotations

import copy
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest

from tests.envs.driver import choose, shown, steps
from trente_env import UnknownNameError, trente_et_un_v0
from trente_env._jit import handle
from trente_env.envs.aec import TrenteEtUn
from trente_env.envs.kernels import look_at, put_on_desk, state_at

GAMES = [("quebec", 3), ("quebec", 2), ("exchange", 3), ("buy_in", 3)]
COPIES = {
    "clone": TrenteEtUn.clone,
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def make(name: str, num_players: int, **options: Any) -> TrenteEtUn:
    """Return an environment in the middle of nothing yet: short games."""
    env = trente_et_un_v0.env(name, num_players, starting_lives=1, **options)
    env.reset(seed=5)
    return env


def arrays_of(env: TrenteEtUn, dice: random.Random) -> list[np.ndarray[Any, Any]]:
    """Ask for whatever can be asked, in any order and any number of times; return all arrays that come back."""
    arrays = []
    for _ in range(dice.randint(0, 4)):
        way = dice.choice(("observe", "observe", "last", "info", "state"))
        if way == "observe":
            arrays += list(env.observe(dice.choice(env.possible_agents)).values())
        elif way == "last":
            seen, _, _, _, info = env.last()
            arrays += [*(seen or {}).values(), *info.values()]
        elif way == "info":
            arrays.append(env.infos[env.agent_selection]["action_mask"])
        else:
            arrays.append(env.state())
    return arrays


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_what_was_handed_out_never_changes(name: str, num_players: int, dtype: str) -> None:
    """Observations, masks, infos and states kept from earlier are, at the end of the game, what they were."""
    env, dice = make(name, num_players, dtype=dtype), random.Random(6)
    kept = []
    for _ in steps(env, random.Random(5)):
        kept += [(array, array.copy()) for array in arrays_of(env, dice)]
    env.reset()
    assert len(kept) > 20
    assert all(np.array_equal(array, before) for array, before in kept)


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_writing_into_it_does_no_harm(name: str, num_players: int, dtype: str) -> None:
    """Whoever writes into all that it is given plays the same game, and sees the same, as one who does not."""
    env, twin = make(name, num_players, dtype=dtype), make(name, num_players, dtype=dtype)
    dice = random.Random(7)
    for agent, action in steps(twin, random.Random(5)):
        for array in arrays_of(env, dice):
            array[:] = 77
        for asked in dice.sample(env.possible_agents, num_players):
            mine, theirs = env.observe(asked), twin.clone().observe(asked)
            assert all(np.array_equal(mine[key], theirs[key]) for key in theirs)
            for array in mine.values():
                array[:] = 77
        assert env.agent_selection == agent
        env.step(action)
        info = env.infos[env.agent_selection]["action_mask"] if env.agents else None
        assert info is None or info.tolist() == env.observe(env.agent_selection)["action_mask"].tolist()


@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_whoever_is_asked_about_is_shown(name: str, num_players: int) -> None:
    """An agent observed before a step and again after it, nobody in between, is shown its own cards both times."""
    env = make(name, num_players)
    for _ in steps(env, random.Random(5)):
        for asked in env.possible_agents:
            # A copy that has been asked about `asked` before the step, and is asked about nobody else after it.
            twin = env.clone()
            twin.observe(asked)
            action = choose(twin, random.Random(1))
            twin.step(action)
            fresh = twin.clone()
            mine, theirs = twin.observe(asked), fresh.observe(asked)
            assert all(np.array_equal(mine[key], theirs[key]) for key in theirs)


@pytest.mark.parametrize("kind", COPIES)
@pytest.mark.parametrize(("name", "num_players"), GAMES)
def test_copies_in_every_phase_go_on_alike(name: str, num_players: int, kind: str) -> None:
    """A copy made in any phase, at a None step and at the end too, after any look at the table, goes on alike."""
    env, dice = make(name, num_players, reward="pot"), random.Random(8)
    phases = set()
    for _, action in steps(env, random.Random(5)):
        phases.add(env.game.phase if action is not None else "None step")
        arrays_of(env, dice)
        twin, third = COPIES[kind](env), env.clone()
        for _ in range(3):
            if twin.agents:
                step = choose(twin, random.Random(9))
                twin.step(step)
                third.step(step)
        assert shown(twin) == shown(third)
    assert phases >= {"None step"} | (
        {"DEALER_CHOICE", "EXCHANGE", "LEAVE"} if name == "exchange" else {"DRAW", "DISCARD"}
    )
    assert shown(COPIES[kind](env)) == shown(env)


@pytest.mark.parametrize("agent", ["player_9", "PLAYER_0", None, 0, ["player_0"], b"player_0", ("player_0",)])
def test_who_is_no_agent_is_no_agent_at_any_time(agent: Any) -> None:
    """A name that no agent has is refused after a reset, a step, a copy."""
    env = make("quebec", 2)
    for each in (env, env.clone(), pickle.loads(pickle.dumps(env))):
        for _ in range(3):
            with pytest.raises(UnknownNameError):
                each.observe(agent)
            each.step(choose(each, random.Random(1)))


def test_the_empty_name_is_no_agents() -> None:
    """The empty text is nobody's name, in a copy neither."""
    with pytest.raises(UnknownNameError):
        make("quebec", 2).clone().observe("")


@pytest.mark.parametrize("num_players", range(2, 10))
@pytest.mark.parametrize("name", ["quebec", "exchange", "quebec_points"])
def test_kernels_write_within_their_memory(name: str, num_players: int) -> None:
    """Observation, mask and state, each between bytes that nothing may write, are written as anywhere else."""
    env = trente_et_un_v0.env(name, num_players)
    env.reset(seed=4)
    sizes = {"observation": env.spec.size, "mask": 62, "state": env.state_space.shape[0]}
    blocks = {key: np.full(size + 128, 0x5A, np.int8) for key, size in sizes.items()}
    inside = {key: block[64:-64] for key, block in blocks.items()}
    put_on_desk(env._desk_rows, observation=inside["observation"], mask=inside["mask"])
    twin = trente_et_un_v0.env(name, num_players)
    twin.reset(seed=4)
    for place, (agent, action) in enumerate(steps(twin, random.Random(4))):
        if place >= 40 or action is None:
            break
        look_at(env._desk, env.possible_agents.index(agent))
        state_at(env._desk, handle(inside["state"]))
        expected = twin.observe(agent)
        assert inside["observation"].tolist() == expected["observation"].tolist()
        assert inside["mask"].tolist() == expected["action_mask"].tolist()
        assert inside["state"].tolist() == twin.state().tolist()
        env.step(action)
    assert all((block[:64] == 0x5A).all() and (block[-64:] == 0x5A).all() for block in blocks.values())


def trace(env: TrenteEtUn, dice: random.Random, count: int) -> list[Any]:
    """Play some steps; return what was shown at each."""
    told = []
    for _ in range(count):
        if not env.agents:
            env.reset()
        env.step(choose(env, dice))
        told.append(shown(env))
    return told


def test_threads_one_after_another() -> None:
    """An environment handed from thread to thread goes on as in one."""
    alone = trace(make("quebec", 3), random.Random(3), 40)
    env, dice, told = make("quebec", 3), random.Random(3), []
    for _ in range(4):
        worker = threading.Thread(target=lambda: told.extend(trace(env, dice, 10)))
        worker.start()
        worker.join(60)
    assert told == alone


def test_environments_in_threads_of_their_own() -> None:
    """Environments played at once, each in its thread, do not meddle with one another's memory."""
    alone = [trace(make("quebec", size), random.Random(size), 60) for size in (2, 3, 4, 5)]
    told: dict[int, list[Any]] = {}

    def play(size: int) -> None:
        told[size] = trace(make("quebec", size), random.Random(size), 60)

    workers = [threading.Thread(target=play, args=(size,)) for size in (2, 3, 4, 5)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [told[size] for size in (2, 3, 4, 5)] == alone
