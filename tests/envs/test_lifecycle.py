"""Who is an agent and for how long: elimination, None steps, buy-ins, the end of a game or a round, truncation."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.envs.driver import put, shown, steps
from trente_env import (
    PRESETS,
    Game,
    GameOverError,
    IllegalActionError,
    NotResetError,
    NotSteppedError,
    Rules,
    preset,
    trente_et_un_v0,
)
from trente_env.envs.aec import TrenteEtUn


def put_out(rules: Rules) -> TrenteEtUn:
    """Return an environment of three in which seat 1 has just lost its last life, seats 0 and 2 playing on."""
    game = Game.set_up(
        rules, hands=["Ks Qs 9s", "2c 3d 4h", "As 9d 8d"], upcard="5d", stock="2d 3h", lives=[3, 0, 3], turns=1
    )
    env = put(trente_et_un_v0.env(rules=rules), game)
    for name in ("knock", "draw", "discard 2d", "draw", "discard 3h"):
        env.step(env.game.verify(name))
    return env


def test_a_seat_that_goes_out_takes_one_none_step() -> None:
    """It is terminated and selected first, its mask is zero, and after step(None) it is no agent any more."""
    env = put_out(preset("quebec", num_players=3))
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert env.terminations == {"player_0": False, "player_1": True, "player_2": False}
    assert env.agent_selection == "player_1"
    assert not env.observe("player_1")["action_mask"].any()
    env.step(None)
    assert env.agents == ["player_0", "player_2"]
    assert env.agent_selection == env.possible_agents[env.game.seat_to_move or 0]
    for values in (env.rewards, env.terminations, env.truncations, env.infos, env._cumulative_rewards):
        assert list(values) == ["player_0", "player_2"]
    assert env.infos[env.agent_selection]["action_mask"].any()


def test_nobody_has_a_mask_while_another_takes_its_none_step() -> None:
    """The seat whose turn comes next waits for the None step, so its mask is zero until then."""
    env = put_out(preset("quebec", num_players=3))
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    assert not any(info["action_mask"].any() for info in env.infos.values())


def test_a_seat_that_is_out_is_never_selected_again() -> None:
    """After its None step it is selected no more, but can still be asked what it observes."""
    env = put_out(preset("quebec", num_players=3))
    env.step(None)
    assert "player_1" not in {agent for agent, _ in steps(env, random.Random(1))}
    observation = env.observe("player_1")
    assert not observation["observation"][env.spec["hand"]].any()


def test_a_none_step_takes_no_action() -> None:
    """An action from an agent that is done is refused, and it still has its None step."""
    env = put_out(preset("quebec", num_players=3))
    before = shown(env)
    with pytest.raises(IllegalActionError, match=r"step\(None\)"):
        env.step(52)
    assert shown(env) == before


@pytest.mark.parametrize("num_players", [2, 3, 5, 9])
@pytest.mark.parametrize("name", ["quebec", "classic", "kawu", "exchange", "buy_in"])
def test_agents_follow_the_game(name: str, num_players: int) -> None:
    """At every decision the agents are the seats still in (or to be asked to buy in), and the mover is selected."""
    env = trente_et_un_v0.env(name, num_players, starting_lives=1)
    env.reset(seed=2)
    for agent, action in steps(env, random.Random(2)):
        game = env.game
        if action is not None:
            assert agent == env.possible_agents[game.seat_to_move or 0]
            assert set(env.agents) >= {env.possible_agents[seat] for seat, is_in in enumerate(game.in_game) if is_in}
            if game.phase != "BUY_IN":
                assert len(env.agents) == sum(game.in_game)
    assert env.game.is_over
    assert env.agents == []


def test_each_agent_takes_exactly_one_none_step() -> None:
    """In a whole game every agent is done once, the winner included."""
    env = trente_et_un_v0.env("quebec", 5)
    env.reset(seed=3)
    done = [agent for agent, action in steps(env, random.Random(3)) if action is None]
    assert sorted(done) == env.possible_agents


def test_all_are_terminated_when_the_game_is_won() -> None:
    """The last round's end terminates everyone still there; nobody is truncated."""
    env = trente_et_un_v0.env("quebec", 2)
    env.reset(seed=4)
    for _, action in steps(env, random.Random(4)):
        if action is None:
            assert set(env.terminations.values()) == {True}
            assert set(env.truncations.values()) == {False}


@pytest.mark.parametrize("max_rounds", [1, 2, 3])
def test_max_rounds_truncates(max_rounds: int) -> None:
    """R50: a game that runs into max_rounds is truncated for everyone and terminated for nobody."""
    env = trente_et_un_v0.env("quebec", 3, max_rounds=max_rounds, starting_lives=50)
    env.reset(seed=5)
    done = []
    for agent, action in steps(env, random.Random(5)):
        if action is None:
            _, _, terminated, truncated, _ = env.last()
            done.append((agent, terminated, truncated))
    assert sorted(done) == [(agent, False, True) for agent in env.possible_agents]
    assert env.game.last_round is not None
    assert env.game.last_round.number == max_rounds


def test_a_buy_in_is_asked_before_a_seat_is_done() -> None:
    """R24: the seat asked is selected to decide, not terminated; when it declines it takes its None step."""
    env = put_out(preset("buy_in", num_players=3))
    assert env.agent_selection == "player_1"
    assert not env.terminations["player_1"]
    assert np.flatnonzero(env.infos["player_1"]["action_mask"]).tolist() == env.game.legal_actions()
    env.step(env.game.verify("decline"))
    assert env.agent_selection == "player_1"
    assert env.terminations["player_1"]
    env.step(None)
    assert env.agents == ["player_0", "player_2"]


def test_a_seat_that_buys_in_stays() -> None:
    """R24: after buying in the seat goes on as the same agent, with full lives."""
    env = put_out(preset("buy_in", num_players=3))
    env.step(env.game.verify("buy in"))
    assert env.agents == ["player_0", "player_1", "player_2"]
    assert not any(env.terminations.values())
    assert env.game.lives[1] == 3


def test_declining_can_end_the_game() -> None:
    """R24: heads-up, when the seat put out declines, the game is won and both are terminated."""
    rules = preset("buy_in", num_players=2)
    game = Game.set_up(rules, hands=["Ks Qs 9s", "2c 3d 4h"], upcard="5d", stock="2d", lives=[3, 0])
    env = put(trente_et_un_v0.env(rules=rules), game)
    for name in ("knock", "draw", "discard 2d", "decline"):
        env.step(env.game.verify(name))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1, "player_1": -1}


@pytest.mark.parametrize("reward", ["lives", "round"])
@pytest.mark.parametrize("name", PRESETS)
def test_an_episode_can_be_one_round(name: str, reward: str) -> None:
    """With episode="round" everyone is terminated at the end of the first round, and its reward arrives."""
    env = trente_et_un_v0.env(name, 3, reward=reward, episode="round")
    for seed in range(5):
        env.reset(seed=seed)
        heard = {}
        for agent, action in steps(env, random.Random(seed)):
            if action is None:
                _, heard[agent], terminated, truncated, _ = env.last()
                assert terminated
                assert not truncated
        game = env.game
        assert sorted(heard) == env.possible_agents
        assert game.winner is None
        assert list(heard.values()) == pytest.approx([game.rewards(reward)[int(agent[-1])] for agent in heard])


def test_stepping_on_after_the_end_is_refused() -> None:
    """When every agent is done, step() says to reset."""
    env = trente_et_un_v0.env("quebec", 2)
    env.reset(seed=6)
    for _ in steps(env, random.Random(6)):
        pass
    with pytest.raises(GameOverError, match="reset"):
        env.step(None)


@pytest.mark.parametrize("seed", range(3))
def test_an_illegal_action_changes_nothing(seed: int) -> None:
    """Whatever is not legal raises an IllegalActionError that names what is, and everything shown stays as it was."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=seed)
    for place, _ in enumerate(steps(env, random.Random(seed))):
        if place >= 8:
            break
        before, legal = shown(env), env.game.legal_actions()
        for wrong in [None, "draw", 3.5, -1, 62, 10**30, *(action for action in range(62) if action not in legal)]:
            with pytest.raises(IllegalActionError):
                env.step(wrong)  # type: ignore[arg-type]  # that is what is tested
        assert shown(env) == before


def test_numpy_integers_are_actions() -> None:
    """An action may be any whole number: what a space samples, what a network's argmax gives."""
    env = trente_et_un_v0.env("quebec", 2)
    for kind in (int, np.int8, np.int32, np.int64, np.uint8, lambda action: np.array(action, np.int64)):
        env.reset(seed=7)
        env.step(kind(env.game.legal_actions()[0]))
        assert env.game.num_decisions == 1


@pytest.mark.parametrize("wrong", [61, 99, None])
def test_an_illegal_action_can_end_the_game(wrong: int | None) -> None:
    """With illegal="terminate" the offender gets -1, the others 0, and everyone is terminated."""
    env = trente_et_un_v0.env("quebec", 3, illegal="terminate")
    env.reset(seed=8)
    offender = env.agent_selection
    env.step(wrong)
    assert env.rewards == {agent: -1 if agent == offender else 0 for agent in env.possible_agents}
    assert set(env.terminations.values()) == {True}
    assert not any(info["action_mask"].any() for info in env.infos.values())
    heard = {}
    for agent in env.agent_iter():
        heard[agent] = env.last()[1]
        env.step(None)
    assert heard == {agent: -1 if agent == offender else 0 for agent in env.possible_agents}


def test_a_loop_without_a_step_is_refused() -> None:
    """A loop over agent_iter() that never steps would go on for ever: it is told so."""
    env = trente_et_un_v0.env()
    env.reset(seed=9)
    agents = iter(env.agent_iter())
    next(agents)
    with pytest.raises(NotSteppedError, match="step"):
        next(agents)


def test_a_loop_can_be_left_and_entered_again() -> None:
    """Leaving agent_iter() before stepping, and starting another, is fine."""
    env = trente_et_un_v0.env()
    env.reset(seed=10)
    for _ in range(2):
        for agent in env.agent_iter():
            assert agent == env.agent_selection
            break


def test_agent_iter_counts() -> None:
    """agent_iter(n) yields n times at most."""
    env = trente_et_un_v0.env()
    env.reset(seed=11)
    count = 0
    for _ in env.agent_iter(5):
        env.step(env.game.legal_actions()[0])
        count += 1
    assert count == 5


@pytest.mark.parametrize(
    "use",
    [
        lambda env: env.step(0),
        lambda env: env.observe("player_0"),
        lambda env: env.last(),
        lambda env: env.state(),
        lambda env: env.render(),
        lambda env: env.agent_iter(),
        lambda env: env.game,
        lambda env: env.agents,
        lambda env: env.num_agents,
        lambda env: env.agent_selection,
        lambda env: env.rewards,
        lambda env: env.infos,
    ],
)
def test_nothing_works_before_reset(use: object) -> None:
    """Every use of an environment that has not been reset raises a NotResetError that says what to do."""
    assert callable(use)
    with pytest.raises(NotResetError, match=r"call env\.reset\(\)"):
        use(trente_et_un_v0.env(render_mode="ansi"))


def test_what_is_missing_before_reset_is_no_attribute() -> None:
    """hasattr() says so, as with PettingZoo's own wrapper; spaces and possible agents are there from the start."""
    env = trente_et_un_v0.env()
    assert not hasattr(env, "agents")
    assert not hasattr(env, "no_such_thing")
    assert env.possible_agents
    assert env.max_num_agents == 4
    env.close()
