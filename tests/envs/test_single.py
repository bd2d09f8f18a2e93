"""`OneSeatEnv`, `gymnasium.make("trente_env:trente/TrenteEtUn-v0")`: one seat learns, policies hold the others."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from trente_env import (
    Game,
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
    NotResetError,
    Rules,
    UnknownNameError,
    preset,
)
from trente_env.core.rng import next_game_seed
from trente_env.envs.aec import TrenteEtUn
from trente_env.envs.single import OneSeatEnv
from trente_env.policy import make_policy, sample_actions

ENV_ID = "trente_env:trente/TrenteEtUn-v0"
THREE = preset("quebec", num_players=3)


def any_legal(env: OneSeatEnv, dice: np.random.Generator) -> int:
    """Draw a legal action."""
    return int(dice.choice(np.flatnonzero(env.action_masks())))


def transcript(env: OneSeatEnv, dice: np.random.Generator, steps: int) -> Iterator[tuple[Any, ...]]:
    """Play any legal actions, resetting where an episode ends; yield all that is handed out."""
    for _ in range(steps):
        *outcome, terminated, truncated, info = env.step(any_legal(env, dice))
        yield *outcome, terminated, truncated, info
        if terminated or truncated:
            yield env.reset()


# Gymnasium's contract.


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"preset": "exchange", "num_players": 3, "opponents": ["random", "adaptive"]},
        {"preset": "buy_in", "seat": 2},
        {"dtype": "float32", "mask_in_observation": True, "max_players": 9},
        {"episode": "round", "reward": "lives", "num_players": 2, "render_mode": "ansi"},
    ],
)
def test_gymnasiums_checkers_find_nothing(options: dict[str, Any]) -> None:
    """check_env passes, and neither it nor the passive checker of make() warns of anything."""
    env = gymnasium.make(ENV_ID, **options)
    check_env(env.unwrapped, skip_render_check=options.get("render_mode") is None)
    env.reset(seed=1)
    for _ in range(30):
        _, _, terminated, truncated, _ = env.step(any_legal(env.unwrapped, np.random.default_rng(0)))
        if terminated or truncated:
            env.reset()
    env.close()


@pytest.mark.parametrize(
    "program",
    [
        "import trente_env; import gymnasium; gymnasium.make('trente/TrenteEtUn-v0')",
        "import trente_env; import gymnasium; gymnasium.make('trente_env:trente/TrenteEtUn-v0')",
        "import gymnasium; import trente_env; gymnasium.make('trente/TrenteEtUn-v0')",
        "import gymnasium; gymnasium.make_vec('trente_env:trente/TrenteEtUn-v0', num_envs=2)",
    ],
)
def test_the_name_is_known_in_either_order_of_imports(program: str) -> None:
    """Importing trente_env registers the name, before Gymnasium is imported and after; no finder is left behind."""
    check = "; import sys; print([finder for finder in sys.meta_path if 'trente_env' in type(finder).__module__])"
    done = subprocess.run(
        [sys.executable, "-c", program + check],
        env=os.environ | {"TRENTE_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")


# The games played.


@pytest.mark.parametrize(
    ("rules", "reward"),
    [
        (preset("quebec", num_players=2, starting_lives=1), "game"),
        (preset("quebec", num_players=4), "game"),
        (THREE, "pot"),
        (preset("exchange", num_players=3), "lives"),
        (preset("buy_in", num_players=3), "round"),
        (preset("quebec", num_players=3, max_rounds=4), "round"),
    ],
)
def test_a_seed_gives_the_game_of_the_aec_environment(rules: Rules, reward: str) -> None:
    """The learner's agent sees the same, and is paid the same, in the AEC env stepped by hand with the same seed."""
    policy = make_policy("knock@27")
    env = OneSeatEnv(rules=rules, opponents=[policy], reward=reward, illegal="raise")
    aec = TrenteEtUn(rules=rules, reward=reward)
    decided = ended = 0
    for seed in range(12):
        dice = np.random.default_rng(seed)
        observation, info = env.reset(seed=seed)
        seat, paid, terminated, truncated = info["seat"], 0.0, False, False
        assert seat == seed % rules.num_players
        aec.reset(seed=seed)
        agent = f"player_{seat}"
        while True:
            while aec.agent_selection != agent:
                mover = int(aec.agent_selection.removeprefix("player_"))
                _, _, is_done, is_stopped, others = aec.last()
                views, mask = aec.game.views(mover), others["action_mask"][None]
                aec.step(
                    None if is_done or is_stopped else int(sample_actions(policy, views, mask, np.array([seed]))[0])
                )
            if (aec.terminations[agent] or aec.truncations[agent]) and not decided:
                break  # over before the learner's first decision
            expected, owed, is_done, is_stopped, _ = aec.last()
            assert expected is not None
            np.testing.assert_array_equal(observation, expected["observation"])
            np.testing.assert_array_equal(info["action_mask"], expected["action_mask"])
            if decided:
                assert (paid, terminated, truncated) == (pytest.approx(owed), is_done, is_stopped)
            if is_done or is_stopped:
                ended += 1
                break
            action = any_legal(env, dice)
            aec.step(action)
            # What was owed before the first decision reaches it.
            before = 0.0 if decided else owed
            observation, paid, terminated, truncated, info = env.step(action)
            paid -= before
            decided += 1
        decided = 0
    assert ended >= 10


def test_seeded_games_repeat_and_go_on_alike() -> None:
    """reset(seed) repeats the game and, by later reset()s, those that follow; another seed gives others."""
    env = OneSeatEnv(opponents=["random", "knock@25"], num_players=3, starting_lives=1)
    runs = []
    for seed in (5, 5, 6):
        first = env.reset(seed=seed)
        runs.append([first, *transcript(env, np.random.default_rng(0), 150)])
    assert data_equivalence(runs[0], runs[1], exact=True)
    assert not data_equivalence(runs[0], runs[2], exact=True)


def test_without_a_seed_games_differ() -> None:
    """Environments that were never seeded play different games, by their np_random."""
    seeds = set()
    for _ in range(4):
        env = OneSeatEnv()
        env.reset()
        seeds.add(env.game.seed)
    assert len(seeds) == 4
    env.np_random = np.random.default_rng(7)
    fresh = OneSeatEnv()
    fresh.np_random = np.random.default_rng(7)
    fresh.reset()
    assert fresh.game.seed == int(np.random.default_rng(7).integers(2**63))


def test_the_seat_rotates_or_stays() -> None:
    """The first seat is the seed modulo the seats, the next one further in each game; a fixed seat stays."""
    rotating, fixed = OneSeatEnv(num_players=3), OneSeatEnv(num_players=3, seat=2)
    seats = [rotating.reset(seed=4)[1]["seat"]] + [rotating.reset()[1]["seat"] for _ in range(4)]
    assert seats == [1, 2, 0, 1, 2]
    assert {fixed.reset(seed=4)[1]["seat"]} | {fixed.reset()[1]["seat"] for _ in range(4)} == {2}


def test_going_on_follows_the_seeds_of_games() -> None:
    """reset() in mid-game leaves it for the next game; with round episodes, after a round, it goes on with the game."""
    env = OneSeatEnv(num_players=2, episode="round", reward="lives", opponents=["knock@20"])
    env.reset(seed=3)
    env.reset()
    assert env.game.seed == next_game_seed(3, 0), "in mid-round the game is left"
    lives = set()
    for _ in range(6):
        terminated = False
        while not terminated:
            _, _, terminated, _, _ = env.step(int(env.action_masks().argmax()))
        lives.add(env.game.lives)
        before = env.game.seed
        env.reset()
        assert env.game.seed == before or min(lives) < (1, 1)
    assert len(lives) > 1


# Ends.


def test_a_learner_put_out_is_told_its_loss_while_others_play_on() -> None:
    """R21: terminated, and paid its share of -1, though the game goes on without it."""
    env = OneSeatEnv(num_players=3, starting_lives=1, grace=False, opponents=["knock@25"])
    out = 0
    for seed in range(40):
        env.reset(seed=seed)
        terminated = False
        while not terminated:
            observation, reward, terminated, truncated, info = env.step(any_legal(env, np.random.default_rng(seed)))
            assert not truncated
            assert reward == 0 or terminated
        assert reward in {1.0, -0.5}
        assert observation in env.observation_space
        assert not info["action_mask"].any()
        if not env.game.is_over:
            out += 1
            assert reward == -0.5
            assert not env.game.in_game[info["seat"]]
    assert out > 3


def test_a_game_stopped_by_max_rounds_is_truncated() -> None:
    """R50: truncated, not terminated, and nothing is won."""
    env = OneSeatEnv(num_players=2, max_rounds=1)
    env.reset(seed=0)
    terminated = truncated = False
    while not (terminated or truncated):
        _, reward, terminated, truncated, _ = env.step(int(env.action_masks().argmax()))
    assert (terminated, truncated, reward) == (False, True, 0.0)


def lost_at_once(lives: list[int]) -> Game:
    """Return a position in which seat 0 takes the upcard and shows 31 before seat 1 has decided anything."""
    hands = ["As Ks 2d", "9h 8h 3c", "9d 8d 4c"]
    return Game.set_up(THREE, hands=hands, upcard="Qs", stock="5d", to_move=0, lives=lives, seed=11)


def test_an_episode_over_before_the_first_decision_is_skipped() -> None:
    """The learner is out before it could decide: reset() returns the first decision of the next game."""
    env = OneSeatEnv(rules=THREE, opponents=["knock@27"])
    _, info = env.reset(options={"position": lost_at_once([3, 0, 3]), "seat": 1})
    game = env.game
    assert (game.seed, info["seat"], game.seat_to_move) == (next_game_seed(11, 0), 2, 2)


def test_what_is_lost_before_the_first_decision_reaches_it() -> None:
    """A life lost before the learner's first decision of a game is part of that decision's reward."""
    env = OneSeatEnv(rules=THREE, opponents=["knock@27"], reward="lives")
    env.reset(options={"position": lost_at_once([3, 3, 3]), "seat": 1})
    assert env.game.lives == (3, 2, 2)
    assert env.step(int(env.action_masks().argmax()))[1] == -1.0


# Illegal actions and wrong use.


def illegal_action(env: OneSeatEnv) -> int:
    """Return an action that is not legal now."""
    return int(np.flatnonzero(~env.action_masks())[0])


@pytest.mark.parametrize("action", [None, 62, -1, 2**70, "knock", 1.5])
def test_an_illegal_action_ends_the_game_at_the_learners_cost(action: object) -> None:
    """By default any action may be stepped: an illegal one costs 1, ends the episode, and says so."""
    env = OneSeatEnv()
    env.reset(seed=2)
    chosen: Any = illegal_action(env) if action is None else action
    observation, reward, terminated, truncated, info = env.step(chosen)
    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, True)
    assert observation in env.observation_space
    assert not info["action_mask"].any()
    env.reset()
    assert env.game.seed == next_game_seed(2, 0), "the game is not played on"


@pytest.mark.parametrize("action", [None, 62, -1, 2**70, "draw", 1.5])
def test_an_illegal_action_is_refused_where_that_is_asked_for(action: object) -> None:
    """With illegal="raise" it is an error, and nothing is changed."""
    env = OneSeatEnv(illegal="raise")
    env.reset(seed=2)
    before = env.game
    chosen: Any = illegal_action(env) if action is None else action
    with pytest.raises(IllegalActionError, match=r"not legal|no action"):
        env.step(chosen)
    assert env.game == before
    env.step(any_legal(env, np.random.default_rng(0)))


def test_steps_out_of_order_are_refused() -> None:
    """Before the first reset() and after the end of an episode there is nothing to step."""
    env = OneSeatEnv()
    with pytest.raises(NotResetError, match=r"call env.reset\(\)"):
        env.step(0)
    env.reset(seed=2)
    env.step(illegal_action(env))
    with pytest.raises(GameOverError, match=r"call env.reset\(\)"):
        env.step(0)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"opponents": []}, InvalidOptionError),
        ({"opponents": [5]}, InvalidOptionError),
        ({"opponents": ["nobody"]}, UnknownNameError),
        ({"opponents": "knock"}, InvalidOptionError),
        ({"weights": [1, 2]}, InvalidOptionError),
        ({"seat": 4}, InvalidOptionError),
        ({"seat": "first"}, InvalidOptionError),
        ({"seat": True}, InvalidOptionError),
        ({"reward": "money"}, UnknownNameError),
        ({"episode": "round"}, InvalidOptionError),
        ({"episode": "day"}, InvalidOptionError),
        ({"dtype": "float16"}, InvalidOptionError),
        ({"illegal": "ignore"}, InvalidOptionError),
        ({"render_mode": "rgb_array"}, InvalidOptionError),
        ({"max_players": 3}, InvalidOptionError),
        ({"rules": "quebec"}, InvalidOptionError),
        ({"preset": "bridge"}, UnknownNameError),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    """Each is refused by an error of its own class, when the environment is made."""
    with pytest.raises(error):
        OneSeatEnv(**options)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": -1}, InvalidOptionError),
        ({"seed": 1.5}, InvalidOptionError),
        ({"options": 5}, InvalidOptionError),
        ({"options": {"table": 1}}, InvalidOptionError),
        ({"options": {"seat": 9}}, InvalidOptionError),
        ({"options": {"seat": 1, "lives": [3, None, 3, 3]}}, InvalidOptionError),
        ({"options": {"dealer": 4}}, InvalidOptionError),
        ({"options": {"position": lost_at_once([3, 3, 3])}}, InvalidOptionError),
    ],
)
def test_a_reset_that_cannot_be_changes_nothing(arguments: dict[str, Any], error: type[Exception]) -> None:
    """A wrong seed or option is refused, and the game goes on as if nothing had been asked."""
    env, twin = OneSeatEnv(), OneSeatEnv()
    env.reset(seed=8)
    twin.reset(seed=8)
    with pytest.raises(error):
        env.reset(**arguments)
    assert env.game == twin.game
    assert data_equivalence(env.step(int(env.action_masks().argmax())), twin.step(int(twin.action_masks().argmax())))


def test_reset_options_begin_the_game_they_describe() -> None:
    """Seat, dealer and lives of one game; the next one begins as usual."""
    env = OneSeatEnv()
    _, info = env.reset(seed=3, options={"seat": 2, "dealer": 0, "lives": [1, None, 2, 3]})
    assert (info["seat"], env.game.dealer, env.game.seed) == (2, 0, 3)
    assert env.game.in_game == (True, False, True, True)
    _, info = env.reset()
    assert (info["seat"], env.game.lives) == (3, (3, 3, 3, 3))


# Others.


def test_masks_are_offered_in_every_form() -> None:
    """info, action_masks() and, where asked for, the observation have the game's own legal actions."""
    env = OneSeatEnv(mask_in_observation=True)
    observation, info = env.reset(seed=1)
    for _ in range(20):
        mask = env.game.action_mask()
        np.testing.assert_array_equal(info["action_mask"], mask)
        np.testing.assert_array_equal(observation["action_mask"], mask)
        np.testing.assert_array_equal(env.action_masks(), mask.astype(np.bool_))
        assert env.action_space.sample(info["action_mask"]) in np.flatnonzero(mask)
        observation, _, terminated, _, info = env.step(int(mask.argmax()))
        if terminated:
            observation, info = env.reset()


def test_maskable_ppo_finds_the_masks() -> None:
    """sb3-contrib asks the environment, through Gymnasium's wrappers and its own, for `action_masks()`."""
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.vec_env import DummyVecEnv

    vector = DummyVecEnv([lambda: gymnasium.make(ENV_ID)])
    vector.reset()
    assert is_masking_supported(vector)
    assert get_action_masks(vector)[0].tolist() == vector.envs[0].unwrapped.game.action_mask().astype(bool).tolist()


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_alike_and_apart(duplicate: Any) -> None:
    """In mid-game a copy plays on as the original does, and neither disturbs the other."""
    env = OneSeatEnv(num_players=3, opponents=["random", "adaptive"])
    env.reset(seed=9)
    list(transcript(env, np.random.default_rng(1), 10))
    twin = duplicate(env)
    histories = [list(transcript(each, np.random.default_rng(2), 60)) for each in (env, twin)]
    assert data_equivalence(*histories, exact=True)


def test_opponents_may_change_between_games() -> None:
    """set_opponents takes names, for the games that begin from then on."""
    env = OneSeatEnv(opponents="random", num_players=2)
    env.reset(seed=1)
    env.set_opponents(["greedy"], [1.0])
    assert {env.batch.opponents.policies[int(key)].name for key in env.batch.opponents_BN[0] if key >= 0} == {"random"}
    env.reset()
    assert {env.batch.opponents.policies[int(key)].name for key in env.batch.opponents_BN[0] if key >= 0} == {"greedy"}


def test_rendering_shows_what_the_learner_knows(capsys: pytest.CaptureFixture[str]) -> None:
    """The mode "ansi" returns the table from the learner's seat, "human" prints each position once, no mode warns."""
    env = OneSeatEnv(render_mode="ansi", seat=1)
    env.reset(seed=1)
    text = env.render()
    assert text is not None
    assert "as seat 1 sees it" in text
    assert text.count("??") == 3
    human = OneSeatEnv(render_mode="human", seat=1)
    human.reset(seed=1)
    assert human.render() is None
    assert capsys.readouterr().out == text + "\n\n"
    silent = OneSeatEnv()
    silent.reset(seed=1)
    with pytest.warns(UserWarning, match="without a render mode"):
        assert silent.render() is None
