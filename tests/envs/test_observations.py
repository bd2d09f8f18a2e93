"""What agents are shown: masks, observations, state, text; and that nothing hidden is among it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.envs.driver import put, steps
from trente_env import PRESETS, Game, preset, trente_et_un_v0
from trente_env.cards import parse_card
from trente_env.core.worlds import redeal
from trente_env.encoding.sections import state_spec

TABLES = [(name, num_players) for name in ("quebec", "classic") for num_players in (2, 4, 7)]


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_only_the_agent_selected_has_a_mask(name: str, num_players: int) -> None:
    """The agent to move is shown its legal actions; waiting agents and those that are done see only zeros."""
    env = trente_et_un_v0.env(name, num_players)
    env.reset(seed=1)
    for selected, action in steps(env, random.Random(1)):
        for agent in env.possible_agents:
            mask = env.observe(agent)["action_mask"]
            is_to_move = agent == selected and action is not None
            assert mask.tolist() == (env.game.action_mask().tolist() if is_to_move else [0] * 62)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_info_has_the_same_mask(name: str, num_players: int) -> None:
    """`infos[agent]["action_mask"]` is what `observe(agent)` has, for every agent at every step, and nothing else."""
    env = trente_et_un_v0.env(name, num_players)
    env.reset(seed=2)
    for _ in steps(env, random.Random(2)):
        assert list(env.infos) == env.agents
        for agent, info in env.infos.items():
            assert list(info) == ["action_mask"]
            assert info["action_mask"].dtype == np.int8
            assert np.array_equal(info["action_mask"], env.observe(agent)["action_mask"])


def test_observations_are_the_callers_own() -> None:
    """Writing into an observation, its mask or the state changes nothing in the environment."""
    env = trente_et_un_v0.env()
    env.reset(seed=4)
    agent = env.agent_selection
    spoiled, before, state = env.observe(agent), env.observe(agent), env.state()
    spoiled["observation"][:] = 9
    spoiled["action_mask"][:] = 1
    env.state()[:] = 9
    after = env.observe(agent)
    assert np.array_equal(after["observation"], before["observation"])
    assert np.array_equal(after["action_mask"], before["action_mask"])
    assert np.array_equal(env.state(), state)
    with pytest.raises(ValueError, match="not legal"):
        env.step(next(action for action in range(62) if not before["action_mask"][action]))


def test_earlier_infos_stay_as_they_were() -> None:
    """An info kept by a training loop is not written over by later steps."""
    env = trente_et_un_v0.env()
    env.reset(seed=5)
    kept = []
    for place, (agent, _) in enumerate(steps(env, random.Random(5))):
        kept.append((env.infos[agent]["action_mask"], env.infos[agent]["action_mask"].copy()))
        if place >= 60:
            break
    assert all(np.array_equal(mask, copy) for mask, copy in kept)


def test_observation_begins_with_ones_own_hand() -> None:
    """Sections are found by name, and the hand is the observer's, whoever is to move."""
    game = Game.set_up(preset("quebec", num_players=2), hands=["Ks Qs 9s", "9h 8h 2c"], upcard="5d", to_move=0)
    env = put(trente_et_un_v0.env("quebec", 2), game)
    row = env.observe("player_1")["observation"]
    assert np.flatnonzero(row[env.spec["hand"]]).tolist() == sorted(map(parse_card, ["9h", "8h", "2c"]))
    assert row[env.spec["hand_value"]].tolist() == [34]
    assert row[env.spec["to_move"]].tolist() == [0, 1]


@pytest.mark.parametrize("name", ["quebec", "exchange"])
def test_float32_is_the_int8_cast(name: str) -> None:
    """With dtype="float32" every observation is the int8 one cast, and the space says so; masks stay int8."""
    narrow, wide = trente_et_un_v0.env(name, 3), trente_et_un_v0.env(name, 3, dtype="float32")
    narrow.reset(seed=6)
    wide.reset(seed=6)
    for _, action in steps(narrow, random.Random(6)):
        for agent in narrow.possible_agents:
            mine, theirs = narrow.observe(agent), wide.observe(agent)
            assert mine["observation"].dtype == np.int8
            assert theirs["observation"].dtype == np.float32
            assert np.array_equal(mine["observation"].astype(np.float32), theirs["observation"])
            assert theirs["action_mask"].dtype == np.int8
            assert wide.observation_space(agent).contains(theirs)
        wide.step(action)


def test_padding_adds_empty_places() -> None:
    """With max_players the layout is that of a larger table, and the places of seats that do not exist are zero."""
    plain, padded = trente_et_un_v0.env("quebec", 3), trente_et_un_v0.env("quebec", 3, max_players=5)
    plain.reset(seed=7)
    padded.reset(seed=7)
    small, large = plain.observe("player_0")["observation"], padded.observe("player_0")["observation"]
    assert large.shape == (padded.spec.size,)
    for name in ("in_game", "lives", "turns"):
        assert large[padded.spec[name]].tolist() == [*small[plain.spec[name]].tolist(), 0, 0]


@pytest.mark.parametrize("name", PRESETS)
def test_nobody_is_shown_a_hidden_card(name: str) -> None:
    """Deal anew all that a seat cannot know: its observation, mask, info and text, moving or waiting, stay the same."""
    env, other = (trente_et_un_v0.env(name, 3, render_mode="ansi") for _ in range(2))
    env.reset(seed=8)
    for place, (selected, _) in enumerate(steps(env, random.Random(8))):
        if place >= 80:
            break
        game = env.game
        if game.is_over:
            continue
        for seat, agent in enumerate(env.possible_agents):
            world = redeal(game, seat, seed=place)
            put(other, world)
            mine, theirs = env.observe(agent), other.observe(agent)
            assert np.array_equal(mine["observation"], theirs["observation"])
            assert game.describe(seat) == world.describe(seat)
            if selected == other.agent_selection:  # not while someone takes its None step
                assert np.array_equal(mine["action_mask"], theirs["action_mask"])
                if agent in other.infos:
                    assert np.array_equal(env.infos[agent]["action_mask"], other.infos[agent]["action_mask"])
                if agent == selected:
                    assert env.render() == other.render()


def test_the_worlds_of_the_leak_test_differ() -> None:
    """Worlds that a seat cannot tell apart do differ in the state: the leak test would see a leak."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=9)
    states = {put(env, redeal(Game(env.rules, 9), 0, seed=seed)).state().tobytes() for seed in range(10)}
    assert len(states) == 10


def test_render_shows_the_selected_agents_hand_alone() -> None:
    """The text has the cards of the agent to move and of no other."""
    game = Game.set_up(preset("quebec", num_players=2), hands=["Ks Qs 9s", "9h 8h 2c"], upcard="5d", to_move=0)
    text = put(trente_et_un_v0.env("quebec", 2, render_mode="ansi"), game).render()
    assert text is not None
    assert "K♠ Q♠ 9♠" in text
    assert "5♦" in text
    assert all(card not in text for card in ("9♥", "8♥", "2♣"))


def test_render_tells_how_the_last_round_ended() -> None:
    """At the start of a round the text says how the one before ended; later in the round it no longer does."""
    env = trente_et_un_v0.env("quebec", 3, render_mode="ansi")
    env.reset(seed=10)
    for _ in steps(env, random.Random(10)):
        game = env.game
        text = str(env.render())
        if game.round_number > 1 and game.turn_number == 1:
            assert text.startswith(f"Round {game.round_number - 1} ended by")
        elif not game.is_over:
            assert text.startswith("Round")
            assert "ended by" not in text
    assert f"Seat {env.game.winner} wins." in str(env.render())


def test_human_mode_prints_each_position_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With render_mode="human" every step prints the table, and render() does not print it again."""
    env = trente_et_un_v0.env("quebec", 2, render_mode="human")
    env.reset(seed=11)
    first = capsys.readouterr().out
    assert first.startswith("Round 1")
    assert env.render() is None
    assert capsys.readouterr().out == ""
    for _ in steps(env, random.Random(11)):
        pass
    shown = capsys.readouterr().out
    assert shown.count(" sees it") == env.game.num_decisions
    assert f"Seat {env.game.winner} wins." in shown


def test_render_without_a_mode_warns() -> None:
    """Without a render mode render() shows nothing and says why."""
    env = trente_et_un_v0.env()
    env.reset(seed=12)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_state_has_every_card_once() -> None:
    """The state's hands, stock, pile and table hold each card of the deck exactly once, at every step."""
    for name in ("quebec", "exchange"):
        env = trente_et_un_v0.env(name, 3)
        env.reset(seed=13)
        spec = state_spec(3)
        for place, _ in enumerate(steps(env, random.Random(13))):
            if place >= 100:
                break
            sections = spec.split(env.state())
            cards = sections["hands"].reshape(3, 52).sum(axis=0) + sections["stock"] + sections["discard_pile"]
            cards = cards + sections["table"]
            assert np.flatnonzero(cards).tolist() == list(env.rules.deck)
            assert cards.max() == 1


def test_state_counts_seats_from_seat_0() -> None:
    """In the state, place k of a per-seat section is seat k, whoever is to move."""
    game = Game.set_up(
        preset("quebec", num_players=3),
        hands=["Ks Qs 9s", "9h 8h 2c", "3d 4d 5d"],
        upcard="5h",
        to_move=1,
        lives=[3, 1, 2],
        dealer=2,
    )
    env = put(trente_et_un_v0.env("quebec", 3), game)
    sections = state_spec(3).split(env.state())
    hands = [np.flatnonzero(hand).tolist() for hand in sections["hands"].reshape(3, 52)]
    assert hands == [sorted(map(parse_card, hand)) for hand in game.hands]
    assert sections["hand_values"].tolist() == [58, 34, 24]
    assert sections["to_move"].tolist() == [0, 1, 0]
    assert sections["lives"].tolist() == [3, 1, 2]
    assert sections["dealer"].tolist() == [0, 0, 1]
    assert np.flatnonzero(sections["upcard"]).tolist() == [parse_card("5h")]
