"""Faults of environments, each seen in public code for games like this one: none of them is here."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.envs.driver import put, shown, steps
from trente_env import Game, IllegalActionError, Rules, preset, trente_et_un_v0
from trente_env.cards import parse_cards
from trente_env.envs.aec import TrenteEtUn

DUEL, THREE = preset("quebec", num_players=2), preset("quebec", num_players=3)
OUT_ON_ANOTHERS_MOVE = ("knock", "draw", "discard 2d", "draw", "discard 3h")


def take(env: TrenteEtUn, *names: str) -> None:
    """Take decisions given by name."""
    for name in names:
        env.step(env.game.verify(name))


def put_out(rules: Rules, **options: Any) -> TrenteEtUn:
    """Return an environment in which seat 1 has just been put out by the move of another."""
    hands = ["Ks Qs 9s", "2c 3d 4h", "As 9d 8d"]
    game = Game.set_up(rules, hands, upcard="5d", stock="2d 3h", lives=[3, 0, 3])
    env = put(trente_et_un_v0.env(rules=rules, **options), game)
    take(env, *OUT_ON_ANOTHERS_MOVE)
    return env


@pytest.mark.parametrize("kind", ["game", "lives", "round", "pot"])
def test_the_losers_reward_arrives(kind: str) -> None:
    """Fault: the game ends on the winner's move, and the loser never hears of its loss from last()."""
    game = Game.set_up(DUEL, ["As Ks 2d", "9h 8h 2c"], upcard="Qs", lives=[3, 0])
    env = put(trente_et_un_v0.env("quebec", 2, reward=kind), game)
    take(env, "take", "discard 2d")
    heard: dict[str, float] = {}
    for agent in env.agent_iter():
        assert agent not in heard
        heard[agent] = env.last()[1]
        env.step(None)
    assert heard == {"player_0": 0 if kind == "lives" else 1, "player_1": -1}


def test_a_waiting_agents_reward_is_kept_for_it() -> None:
    """Fault: a reward earned while others were to move is cleared before the agent's own next last()."""
    game = Game.set_up(THREE, ["As Ks 2d", "9h 8h 2c", "9d 8d 3c"], upcard="Qs", dealer=2)
    env = put(trente_et_un_v0.env("quebec", 3, reward="lives"), game)
    take(env, "take", "discard 2d")
    heard: dict[str, list[float]] = defaultdict(list)
    for agent in env.agent_iter(6):
        heard[agent].append(env.last()[1])
        env.step(env.game.legal_actions()[0])
    assert {agent: rewards[0] for agent, rewards in heard.items()} == {"player_0": 0, "player_1": -1, "player_2": -1}
    assert not any(any(rewards[1:]) for rewards in heard.values())


def test_seat_0_seed_0_and_action_0_are_something() -> None:
    """Fault: 0 is false: player_0's win pays nobody, seed 0 seeds nothing, action 0 is no action."""
    game = Game.set_up(DUEL, ["As Ks 2c", "9h 8h 3c"], upcard="Qs", lives=[0, 0])
    env = put(trente_et_un_v0.env("quebec", 2, illegal="terminate"), game)
    take(env, "take")
    env.step(0)
    assert env.game.winner == 0
    assert env.rewards == {"player_0": 1, "player_1": -1}
    env.reset(seed=0)
    assert env.game == Game(DUEL, 0)


def test_a_waiting_agent_sees_its_own_hand_and_no_actions() -> None:
    """Fault: observe() of a waiting agent returns what the agent selected sees, its mask or even its hand."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=1)
    for selected, action in steps(env, random.Random(1)):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert np.flatnonzero(seen["observation"][env.spec["hand"]]).tolist() == sorted(
                parse_cards(env.game.hands[seat])
            )
            is_to_move = agent == selected and action is not None
            assert seen["action_mask"].tolist() == (env.game.action_mask().tolist() if is_to_move else [0] * 62)


def test_unseeded_resets_go_on_to_other_games() -> None:
    """Fault: a reset without seed deals the seeded game again, or, after a seed, is not reproducible any more."""
    runs = []
    for _ in range(2):
        env = trente_et_un_v0.env("quebec", 3)
        env.reset(seed=2)
        games = [env.game.to_bytes()]
        for _ in range(4):
            take(env, "draw")
            env.reset()
            games.append(env.game.to_bytes())
        runs.append(games)
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 5


@pytest.mark.parametrize("max_rounds", [1, 1_000])
def test_stopped_is_not_over(max_rounds: int) -> None:
    """Fault: a game stopped for its length is terminated, or one that is won is truncated, or both (R50)."""
    env = trente_et_un_v0.env("quebec", 3, max_rounds=max_rounds)
    env.reset(seed=3)
    is_stopped = max_rounds == 1
    ends = [env.last()[2:4] for _, action in steps(env, random.Random(3)) if action is None]
    assert ends == [(not is_stopped, is_stopped)] * 3
    assert (env.game.winner is None) == is_stopped


def test_one_agent_out_ends_nothing_for_the_others() -> None:
    """Fault: when one agent is eliminated all are terminated, or the environment is begun anew."""
    env = put_out(THREE)
    assert env.terminations == {"player_0": False, "player_1": True, "player_2": False}
    round_number = env.game.round_number
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    take(env, "draw")
    assert env.game.round_number == round_number == 2


def test_a_dead_agent_is_not_selected() -> None:
    """Fault: after an elimination the agent selected is the dead one still, or not the one that the game asks."""
    env = put_out(THREE)
    assert env.agent_selection == "player_1", "for its None step"
    env.step(None)
    for agent, action in steps(env, random.Random(4)):
        assert agent in env.agents
        assert agent != "player_1"
        assert action is None or agent == f"player_{env.game.seat_to_move}"


@pytest.mark.parametrize("way", [copy.deepcopy, TrenteEtUn.clone, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_keeps_the_position(way: Any) -> None:
    """Fault: in mid-game a deepcopy or a pickle fails, or quietly begins the game anew."""
    env = trente_et_un_v0.env("classic", 3)
    env.reset(seed=5)
    take(env, "draw", f"discard {env.game.hands[env.game.seat_to_move or 0][0]}", "draw")
    twin = way(env)
    assert twin.game.num_decisions == 3
    for each in (env, twin):
        for _ in steps(each, random.Random(5)):
            pass
    assert shown(twin) == shown(env)


def test_what_was_returned_is_not_written_again() -> None:
    """Fault: observations, masks and infos returned earlier are buffers that the next step writes into."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=6)
    kept = []
    for place, (agent, _) in enumerate(steps(env, random.Random(6))):
        seen, _, _, _, info = env.last()
        arrays = [
            seen["observation"],
            seen["action_mask"],
            info["action_mask"],
            *env.observe(agent).values(),
            env.state(),
        ]
        kept += [(array, array.copy()) for array in arrays]
        if place >= 80:
            break
    assert all(np.array_equal(array, as_it_was) for array, as_it_was in kept)


def test_observation_and_mask_are_of_one_moment() -> None:
    """Fault: the mask is that of the decision before, or of the game after the next step."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=7)
    for agent, action in steps(env, random.Random(7)):
        if action is None:
            continue
        seen, _, _, _, info = env.last()
        sections = env.spec.split(seen["observation"])
        is_mid_turn = env.game.phase == "DISCARD"
        assert sections["hand"].sum() == 3 + is_mid_turn
        assert bool(seen["action_mask"][:52].any()) == is_mid_turn
        assert (seen["action_mask"][:52] <= sections["hand"]).all()
        assert seen["action_mask"].tolist() == info["action_mask"].tolist() == env.game.action_mask().tolist()
        assert agent == f"player_{env.game.seat_to_move}"


def test_sampling_with_the_mask_is_legal() -> None:
    """Fault: the mask's type or length is not what the action space samples by, so that samples are illegal."""
    env = trente_et_un_v0.env("classic", 3)
    env.reset(seed=8)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(seen["action_mask"]))
    assert env.game.winner is not None


@pytest.mark.parametrize("where", ["observation", "info"])
def test_a_mask_written_into_makes_nothing_legal(where: str) -> None:
    """Fault: the mask handed out is the one that the environment judges by."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=9)
    seen, _, _, _, info = env.last()
    mask = (seen if where == "observation" else info)["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    mask[:] = 1
    before = env.game.to_bytes()
    with pytest.raises(IllegalActionError):
        env.step(illegal)
    assert env.game.to_bytes() == before
    assert env.observe(env.agent_selection)["action_mask"].tolist() == env.game.action_mask().tolist()


def test_environments_do_not_meddle() -> None:
    """Fault: environments of different sizes share a module's global, or a class's attributes."""
    sizes = (2, 7, 4)

    def play(size: int) -> Iterator[dict[str, Any]]:
        env = trente_et_un_v0.env("quebec", size, starting_lives=1)
        env.reset(seed=size)
        return (shown(env) for _ in steps(env, random.Random(size)))

    alone = [list(itertools.islice(play(size), 40)) for size in sizes]
    in_turn = itertools.islice(itertools.zip_longest(*map(play, sizes)), 40)
    for place, states in enumerate(in_turn):
        for expected, state in zip(alone, states, strict=True):
            assert state is None or expected[place] == state


def test_chance_is_the_environments_own() -> None:
    """Fault: playing draws from the process's generators, so that it depends on, and changes, whatever else does."""
    states = random.getstate(), repr(np.random.get_state())  # noqa: NPY002 - it is what is tested
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=10)
    for _ in steps(env, random.Random(10)):
        env.observe(env.possible_agents[0])
    env.reset()
    assert (random.getstate(), repr(np.random.get_state())) == states  # noqa: NPY002 - as above
