"""A game copied in mid-play goes on exactly as the original: clone, copy, pickle, bytes, arrays."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable

import pytest

from tests.play import NAMES, TABLES, choose, random_games, table_rules
from trente_env import Game, preset

WAYS: dict[str, Callable[[Game], Game]] = {
    "clone": Game.clone,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda game: pickle.loads(pickle.dumps(game)),
    "bytes": lambda game: Game.from_bytes(game.to_bytes()),
    "array": lambda game: Game.from_array(game.rules, game.to_array()),
}


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_a_copy_is_equal_at_every_step(name: str, num_players: int) -> None:
    """Copied in any way at any decision, a game equals the original and hands out the same actions and views."""
    ways = list(WAYS.values())
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 40)):
        other = ways[number % len(ways)](game)
        assert other == game
        assert other is not game
        assert other.to_array().tobytes() == game.to_array().tobytes()
        assert other.legal_actions() == game.legal_actions()
        assert str(other) == str(game)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_a_copy_goes_on_identically(name: str, way: str) -> None:
    """The same actions give the same game after a copy, to its end: chance is part of what is copied."""
    for game, _ in random_games(table_rules(name, 3), 30):
        if game.num_decisions % 7 != 3:
            continue
        other = WAYS[way](game)
        original = game.clone()
        dice = random.Random(5)
        for _ in range(60):
            if original.is_over:
                break
            action = choose(original, dice, patience=0.5)
            original.apply(action)
            other.apply(action)
        assert other == original
        assert other.last_round == original.last_round


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_a_copy_is_independent(name: str, way: str) -> None:
    """Playing on with a copy leaves the original as it was."""
    game = Game(table_rules(name, 3), seed=3)
    before = game.to_bytes()
    other = WAYS[way](game)
    other.apply(other.legal_actions()[0])
    assert game.to_bytes() == before
    assert other != game


@pytest.mark.parametrize("way", WAYS)
def test_a_finished_game_can_be_copied(way: str) -> None:
    """A game that is over, and how it ended, survives a copy."""
    game = Game(preset("quebec", num_players=2, starting_lives=1), seed=9)
    dice = random.Random(1)
    while not game.is_over:
        game.apply(choose(game, dice, patience=0.0))
    other = WAYS[way](game)
    assert other == game
    assert (other.winner, other.last_round, other.rewards()) == (game.winner, game.last_round, game.rewards())


def test_games_differ_by_rules_and_position() -> None:
    """Two games are equal only under equal rules and in equal positions; a game is no key of a dict."""
    game = Game(preset("quebec"), seed=1)
    assert game == Game(preset("quebec"), seed=1)
    assert game != Game(preset("quebec"), seed=2)
    assert game != Game(preset("quebec", failed_knock_penalty=1), seed=1)
    assert game != "quebec"
    with pytest.raises(TypeError, match="unhashable"):
        hash(game)


def test_aliases_give_equal_games() -> None:
    """Rules that are the same game under two names give the same games."""
    assert Game(preset("scat"), seed=4) == Game(preset("classic"), seed=4)


def test_bytes_are_the_same_on_every_copy() -> None:
    """Saving twice, or saving a loaded game, gives the same bytes."""
    game = Game(preset("exchange"), seed=8)
    data = game.to_bytes()
    assert data == game.to_bytes() == Game.from_bytes(data).to_bytes() == Game.from_bytes(bytearray(data)).to_bytes()
