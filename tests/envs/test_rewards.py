"""What each agent is paid, and when it hears of it."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction

import pytest

from tests.envs.driver import put, steps
from trente_env import PRESETS, Game, preset, trente_et_un_v0
from trente_env.envs.aec import TrenteEtUn

FOR_LIVES = [name for name in PRESETS if name != "quebec_points"]


def collect(env: TrenteEtUn, seed: int) -> dict[str, float]:
    """Play a game and return what each agent heard from its own last(), summed."""
    env.reset(seed=seed)
    heard: dict[str, float] = defaultdict(float)
    for agent, _ in steps(env, random.Random(seed)):
        heard[agent] += env.last()[1]
    return heard


@pytest.mark.parametrize("num_players", [2, 3, 4, 7])
@pytest.mark.parametrize("name", ["quebec", "classic", "quebec_points"])
def test_game_reward_is_shared_by_the_losers(name: str, num_players: int) -> None:
    """By "game" the winner hears +1 and each of the others -1/(n-1), whenever it goes out."""
    env = trente_et_un_v0.env(name, num_players, **({"target_points": 3} if name == "quebec_points" else {}))
    for seed in range(5):
        heard = collect(env, seed)
        for seat, agent in enumerate(env.possible_agents):
            assert heard[agent] == pytest.approx(1 if seat == env.game.winner else -1 / (num_players - 1))


@pytest.mark.parametrize("kind", ["game", "round", "pot"])
@pytest.mark.parametrize("name", [*FOR_LIVES, "quebec_points"])
def test_rewards_of_a_whole_game_sum_to_zero(name: str, kind: str) -> None:
    """By "game", "round" and "pot", what all agents hear in a finished game sums to zero."""
    env = trente_et_un_v0.env(name, 4, reward=kind, **({"target_points": 3} if name == "quebec_points" else {}))
    for seed in range(3):
        assert sum(collect(env, seed).values()) == pytest.approx(0)


@pytest.mark.parametrize("kind", ["lives", "round"])
@pytest.mark.parametrize("name", ["quebec", "classic", "exchange", "quebec_points", "buy_in"])
def test_round_rewards_are_those_of_the_rounds(name: str, kind: str) -> None:
    """By "lives" and "round" each step pays what the rounds it ended cost or brought, to every agent still there."""
    env = trente_et_un_v0.env(name, 4, reward=kind)
    env.reset(seed=20)
    twin = Game(env.rules, 20)
    expected = (0.0,) * 4
    num_paid = 0
    for _, action in steps(env, random.Random(20)):
        for agent, reward in env.rewards.items():
            assert reward == pytest.approx(expected[env.possible_agents.index(agent)])
            num_paid += reward != 0
        if action is not None:
            twin.apply(action)
        expected = twin.rewards(kind) if action is not None else (0.0,) * 4
    assert num_paid > 0


def test_lives_reward_is_the_loss_charged() -> None:
    """By "lives" the strictly lowest knocker hears -2, everyone else 0, each at its own last()."""
    game = Game.set_up(
        preset("quebec", num_players=3), hands=["9s 2h 3d", "Ks Qs 9h", "Kd Qd 9c"], upcard="2c", stock="3c 4c"
    )
    env = put(trente_et_un_v0.env("quebec", 3, reward="lives"), game)
    for name in ("knock", "draw", "discard 3c", "draw", "discard 4c"):
        step_by_name(env, name)
    assert env.rewards == {"player_0": -2, "player_1": 0, "player_2": 0}
    heard: dict[str, float] = {}
    for agent in env.agent_iter(6):
        heard.setdefault(agent, env.last()[1])
        env.step(env.game.legal_actions()[0])
    assert heard == {"player_0": -2, "player_1": 0, "player_2": 0}


def test_round_reward_is_relative_to_the_others() -> None:
    """By "round" two lives lost against none are -2 for the loser and +1 for each of two others."""
    game = Game.set_up(
        preset("quebec", num_players=3), hands=["9s 2h 3d", "Ks Qs 9h", "Kd Qd 9c"], upcard="2c", stock="3c 4c"
    )
    env = put(trente_et_un_v0.env("quebec", 3, reward="round"), game)
    for name in ("knock", "draw", "discard 3c", "draw", "discard 4c"):
        step_by_name(env, name)
    assert env.rewards == {"player_0": -2, "player_1": 1, "player_2": 1}


def test_rewards_are_those_of_the_last_step_alone() -> None:
    """The step after a round's end pays nothing, and `rewards` says so."""
    game = Game.set_up(preset("quebec", num_players=2), hands=["9s 2h 3d", "Ks Qs 9h"], upcard="2c", stock="3c")
    env = put(trente_et_un_v0.env("quebec", 2, reward="lives"), game)
    for name in ("knock", "draw", "discard 3c"):
        step_by_name(env, name)
    assert env.rewards == {"player_0": -2, "player_1": 0}
    step_by_name(env, "draw")
    assert env.rewards == {"player_0": 0, "player_1": 0}


def test_the_losers_last_reward_arrives() -> None:
    """Heads-up, the seat that is put out on the other's move hears of its loss in its last last()."""
    game = Game.set_up(
        preset("quebec", num_players=2), hands=["Ks Qs 9s", "2c 3d 4h"], upcard="5d", stock="2d", lives=[3, 0]
    )
    for kind, loss, gain in (("game", -1, 1), ("lives", -1, 0), ("round", -1, 1), ("pot", -1, 1)):
        env = put(trente_et_un_v0.env("quebec", 2, reward=kind), game)
        for name in ("knock", "draw", "discard 2d"):
            step_by_name(env, name)
        heard = {}
        for agent in env.agent_iter():
            _, heard[agent], terminated, truncated, _ = env.last()
            assert terminated
            assert not truncated
            env.step(None)
        assert heard == {"player_1": loss, "player_0": gain}


def test_a_seat_is_paid_when_it_goes_out() -> None:
    """At three players a seat that goes out hears its -1/2 in its None step, and the winner +1 at the end."""
    game = Game.set_up(
        preset("quebec", num_players=3),
        hands=["Ks Qs 9s", "2c 3d 4h", "As 9d 8d"],
        upcard="5d",
        stock="2d 3h",
        lives=[0, 0, 0],
    )
    env = put(trente_et_un_v0.env("quebec", 3), game)
    for name in ("knock", "draw", "discard 2d", "draw", "discard 3h"):
        step_by_name(env, name)
    assert env.agent_selection == "player_1"
    assert env.last()[1:4] == (-0.5, True, False)
    env.step(None)
    heard: dict[str, float] = defaultdict(float)
    for agent, _ in steps(env, random.Random(1)):
        heard[agent] += env.last()[1]
    assert sorted(heard.values()) == [-0.5, 1]


def test_pot_counts_stakes_and_buy_ins() -> None:
    """By "pot" each loser hears minus its entry and buy-ins, and the winner their sum."""
    env = trente_et_un_v0.env("buy_in", 4, reward="pot", starting_lives=1)
    buy_ins = set()
    for seed in range(8):
        heard = collect(env, seed)
        game = env.game
        stakes = [1 + count for count in game.buy_ins]
        buy_ins |= set(game.buy_ins)
        for seat, agent in enumerate(env.possible_agents):
            expected = sum(stakes) - stakes[seat] if seat == game.winner else -stakes[seat]
            assert heard[agent] == pytest.approx(expected)
    assert buy_ins == {0, 1}


def test_seats_never_in_have_no_part() -> None:
    """A seat out from the start neither pays nor shares: among the three who play, the losers share -1."""
    env = trente_et_un_v0.env("quebec", 4)
    env.reset(seed=21, options={"lives": [3, None, 3, 3]})
    heard: dict[str, Fraction] = defaultdict(Fraction)
    for agent, _ in steps(env, random.Random(21)):
        heard[agent] += Fraction(env.last()[1])
    assert sorted(heard) == ["player_0", "player_2", "player_3"]
    assert sorted(heard.values()) == [Fraction(-1, 2), Fraction(-1, 2), 1]


@pytest.mark.parametrize("kind", ["game", "pot"])
def test_truncation_pays_nothing(kind: str) -> None:
    """R50: a game stopped by max_rounds has no result, so those still playing get nothing."""
    env = trente_et_un_v0.env("quebec", 4, reward=kind, max_rounds=1)
    assert set(collect(env, 22).values()) == {0}


def step_by_name(env: TrenteEtUn, name: str) -> None:
    """Take a decision given by its name."""
    env.step(env.game.verify(name))
