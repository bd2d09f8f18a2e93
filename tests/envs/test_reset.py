"""How games begin: seeds, and the options of reset()."""

from __future__ import annotations

from typing import Any

import pytest

from tests.envs.driver import shown
from trente_env import Game, InvalidDataError, InvalidOptionError, InvalidPositionError, preset, trente_et_un_v0
from trente_env.core.rng import next_game_seed

RULES = preset("quebec", num_players=3)
POSITION = Game.set_up(RULES, hands=["Ks Qs 9s", "9h 8h 2c", "As 3d 4d"], upcard="5d", to_move=2, lives=[1, 2, 3])


def test_the_seed_is_the_games() -> None:
    """reset(seed) begins the very game that Game(rules, seed) is."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=41)
    assert env.game == Game(RULES, 41)


def test_resets_without_a_seed_follow_from_the_last_seed() -> None:
    """After reset(seed), the k-th reset() without one has the same game each time: next_game_seed(seed, k)."""
    env = trente_et_un_v0.env("quebec", 3)
    runs = []
    for _ in range(2):
        env.reset(seed=42)
        seeds = [env.game.seed]
        for _ in range(3):
            env.reset()
            seeds.append(env.game.seed)
        runs.append(seeds)
    assert runs[0] == runs[1] == [42, *(next_game_seed(42, number) for number in range(3))]


def test_environments_never_seeded_differ() -> None:
    """Without any seed each environment draws fresh entropy, and its games differ from one another too."""
    seeds = set()
    for _ in range(3):
        env = trente_et_un_v0.env("quebec", 3)
        for _ in range(2):
            env.reset()
            seeds.add(env.game.seed)
    assert len(seeds) == 6


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True])
def test_a_seed_that_cannot_be_is_refused(seed: Any) -> None:
    """Seeds are whole numbers from 0 to 2**63 - 1; after a refusal the environment is as before."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=43)
    before = shown(env)
    with pytest.raises(InvalidOptionError, match="seed"):
        env.reset(seed=seed)
    assert shown(env) == before
    env.reset()
    assert env.game.seed == next_game_seed(43, 0)


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_the_dealer_can_be_chosen(dealer: int) -> None:
    """options["dealer"] is the first dealer; the seat after it begins."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=44, options={"dealer": dealer})
    assert env.game.dealer == dealer
    assert env.game == Game(RULES, 44, dealer=dealer)


def test_lives_can_be_chosen() -> None:
    """options["lives"] gives lives by seat; a seat given None is out and no agent."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=45, options={"lives": [1, None, 0]})
    assert env.agents == ["player_0", "player_2"]
    assert env.game.lives == (1, 0, 0)
    assert env.game.in_game == (True, False, True)


@pytest.mark.parametrize("form", [lambda game: game, Game.to_bytes])
def test_a_position_can_be_played_on(form: Any) -> None:
    """options["position"], a Game or its bytes, is played on from a copy."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(options={"position": form(POSITION)})
    assert env.game == POSITION
    assert env.agent_selection == "player_2"
    env.step(env.game.verify("draw"))
    assert env.game != POSITION


def test_a_position_in_a_round_episode_ends_with_its_round() -> None:
    """A position of a game can be played for the rest of its round only."""
    env = trente_et_un_v0.env("quebec", 3, reward="round", episode="round")
    env.reset(options={"position": POSITION})
    for name in ("knock", "draw", None, "draw", None):
        env.step(env.game.verify(name) if name else env.game.legal_actions()[0])
    assert set(env.terminations.values()) == {True}


def test_a_position_with_seats_out_has_fewer_agents() -> None:
    """Seats that are out in the position are no agents; one that will be asked to buy in is."""
    rules = preset("buy_in", num_players=3)
    game = Game.set_up(rules, hands=["Ks Qs 9s", "2c 3d 4h", ""], upcard="5d", stock="2d", lives=[3, 0, None])
    env = trente_et_un_v0.env(rules=rules)
    env.reset(options={"position": game})
    assert env.agents == ["player_0", "player_1"]
    for name in ("knock", "draw", "discard 2d"):
        game.apply(name)
    assert game.phase == "BUY_IN"
    env.reset(options={"position": game})
    assert env.agents == ["player_0", "player_1"]
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"dealr": 1}, InvalidOptionError),
        ({"dealer": 3}, InvalidOptionError),
        ({"dealer": 1, "lives": [1, None, 1]}, InvalidOptionError),
        ({"lives": [1, 2]}, InvalidPositionError),
        ({"lives": [1, None, None]}, InvalidPositionError),
        ({"lives": [1, 1, 4]}, InvalidPositionError),
        ({"position": b"nonsense"}, InvalidDataError),
        ({"position": 7}, InvalidDataError),
        ({"position": Game(preset("classic", num_players=3), 1)}, InvalidOptionError),
        ({"position": POSITION, "dealer": 1}, InvalidOptionError),
        ({"position": POSITION, "lives": [1, 1, 1]}, InvalidOptionError),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, Any], error: type[Exception]) -> None:
    """Each wrong option has a typed error, after which the environment is as before."""
    env = trente_et_un_v0.env("quebec", 3)
    env.reset(seed=46)
    before = shown(env)
    with pytest.raises(error):
        env.reset(seed=47, options=options)
    assert shown(env) == before


def test_a_finished_position_is_refused() -> None:
    """A reset never returns a finished game."""
    game = Game(RULES, 48)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    with pytest.raises(InvalidOptionError, match="over"):
        trente_et_un_v0.env("quebec", 3).reset(options={"position": game})


def test_a_buy_in_is_no_round() -> None:
    """A position between two rounds cannot be played as a round."""
    rules = preset("buy_in", num_players=2)
    game = Game.set_up(rules, hands=["Ks Qs 9s", "2c 3d 4h"], upcard="5d", stock="2d", lives=[3, 0])
    for name in ("knock", "draw", "discard 2d"):
        game.apply(name)
    env = trente_et_un_v0.env(rules=rules, reward="round", episode="round")
    with pytest.raises(InvalidOptionError, match="between two rounds"):
        env.reset(options={"position": game})
