"""A batch plays the same games as `Game`, row by row, and refuses what makes no sense."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import numpy as np
import pytest

from tests.batch.rows import check_row, snapshot
from tests.play import NAMES, choose, table_rules
from trente_env import Game, GameBatch, IllegalActionError, InvalidOptionError, UnknownNameError, preset
from trente_env.core.layout import GAME
from trente_env.core.rng import next_game_seed


def choices(games: list[Game], dice: random.Random) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return an action for each game (0 where it is over)."""
    return np.array([0 if game.is_over else choose(game, dice, patience=0.4) for game in games], np.int64)


@pytest.mark.parametrize("num_games", [1, 3, 17])
@pytest.mark.parametrize("name", NAMES)
def test_row_k_is_the_game_of_seed_k(name: str, num_games: int) -> None:
    """Row k of a batch of any size is `Game(rules, seeds[k])`, action for action, to its end."""
    rules = table_rules(name, 3)
    batch = GameBatch(rules, num_games, seed=5, autoreset=False, reward="lives")
    games = [Game(rules, int(seed)) for seed in batch.seeds]
    out = batch.reset()
    dice = random.Random(num_games)
    for _ in range(120 // num_games + 30):
        for row, game in enumerate(games):
            check_row(batch, out, row, game)
        actions = choices(games, dice)
        batch.step(actions, out)
        for row, game in enumerate(games):
            if game.is_over:
                assert (out.rewards_BN[row].any(), out.terminated_B[row], out.truncated_B[row]) == (False, False, False)
                continue
            game.apply(int(actions[row]))
            assert out.rewards_BN[row].tolist() == list(game.rewards("lives"))
            assert out.terminated_B[row] == (game.is_over and not game.is_truncated)
            assert out.truncated_B[row] == game.is_truncated
    assert all(batch.game(row) == game for row, game in enumerate(games))


@pytest.mark.parametrize("reward", ["game", "lives", "round", "pot"])
def test_rewards_of_every_kind(reward: str) -> None:
    """Each kind of reward is the single game's."""
    rules = table_rules("buy_in", 3)
    batch = GameBatch(rules, 4, seed=2, autoreset=False, reward=reward)
    games = [Game(rules, int(seed)) for seed in batch.seeds]
    out = batch.reset()
    dice = random.Random(7)
    paid = 0
    while not all(game.is_over for game in games):
        actions = choices(games, dice)
        before = [game.is_over for game in games]
        batch.step(actions, out)
        for row, game in enumerate(games):
            if not before[row]:
                game.apply(int(actions[row]))
                assert out.rewards_BN[row].tolist() == [float(np.float32(each)) for each in game.rewards(reward)]
                paid += any(game.rewards(reward))
    assert paid > 0


def test_autoreset_begins_the_next_game_in_the_same_step() -> None:
    """With autoreset the step that ends a game gives its rewards and flags, and shows the next game's start."""
    rules = preset("quebec", num_players=2, starting_lives=1, grace=False)
    batch = GameBatch(rules, 3, seed=1, reward="game")
    games = [Game(rules, int(seed)) for seed in batch.seeds]
    out = batch.reset()
    dice = random.Random(2)
    finished = 0
    for _ in range(150):
        actions = choices(games, dice)
        batch.step(actions, out)
        for row, game in enumerate(games):
            game.apply(int(actions[row]))
            assert bool(out.terminated_B[row]) is game.is_over
            assert out.rewards_BN[row].tolist() == list(game.rewards("game"))
            if game.is_over:
                finished += 1
                games[row] = Game(rules, next_game_seed(game.seed, 0))
            check_row(batch, out, row, games[row])
    assert finished >= 10


def test_truncated_games_are_flagged() -> None:
    """A game stopped by `max_rounds` is truncated, not terminated."""
    batch = GameBatch(preset("quebec", num_players=2, max_rounds=1), 8, seed=1, autoreset=False)
    out = batch.reset()
    truncated = np.zeros(8, bool)
    for _ in range(60):
        batch.step(
            np.where(out.to_move_B < 0, 0, out.masks_BA.shape[1] - 1 - out.masks_BA[:, ::-1].argmax(axis=1)), out
        )
        truncated |= out.truncated_B
        assert not out.terminated_B.any()
    assert truncated.all()


def test_single_rounds_end_after_one_round() -> None:
    """With `single_round` each game is one round, with no winner of the game but its round's rewards."""
    rules = preset("quebec", num_players=3)
    batch = GameBatch(rules, 5, seed=3, single_round=True, autoreset=False, reward="lives")
    games = [Game(rules, int(seed), single_round=True) for seed in batch.seeds]
    out = batch.reset()
    dice = random.Random(4)
    while (out.to_move_B >= 0).any():
        actions = choices(games, dice)
        batch.step(actions, out)
        for row, game in enumerate(games):
            if not game.is_over:
                game.apply(int(actions[row]))
                assert bool(out.terminated_B[row]) is game.is_over
                if game.is_over:
                    assert out.rewards_BN[row].sum() < 0
                    assert game.winner is None
    assert all(game.is_over for game in games)


def test_padding_for_more_players() -> None:
    """`max_players` pads the per-seat sections: a table of two is seen in the layout of a table of six."""
    batch = GameBatch(preset("quebec", num_players=2), 2, seed=1, max_players=6)
    out = batch.reset()
    for row in range(2):
        check_row(batch, out, row, batch.game(row))
    seen = batch.spec.split(out.observations_BS)
    assert not seen["lives"][:, 2:].any()
    assert seen["lives"].shape == (2, 6)


def test_reset_gives_the_same_games_again() -> None:
    """`reset()` begins the same games anew, also after games have followed others; a new seed gives new ones."""
    batch = GameBatch(preset("quebec", num_players=2, starting_lives=1, grace=False), 4, seed=6)
    out = batch.reset()
    first = snapshot(out)
    for _ in range(80):
        batch.step(61 - out.masks_BA[:, ::-1].argmax(axis=1), out)
    assert snapshot(batch.reset(out)) == first
    assert snapshot(batch.reset(seed=6)) == first
    assert snapshot(batch.reset(seed=7)) != first
    given = np.array([3, 4, 5, 6])
    batch.reset(seeds=given)
    assert [batch.game(row).seed for row in range(4)] == given.tolist()


@pytest.mark.parametrize("action", [-1, 62, 999, 0])
def test_an_illegal_action_changes_nothing(action: int) -> None:
    """If one action is illegal no game is changed and no array written; the error names the game and what is legal."""
    batch = GameBatch(preset("quebec", num_players=2), 3, seed=1)
    out = batch.reset()
    before, saved = snapshot(out), batch.save()
    actions = out.masks_BA.argmax(axis=1)
    actions[1] = action
    with pytest.raises(IllegalActionError, match=r"Game 1: .* Legal: draw, take, knock\. No game was changed"):
        batch.step(actions, out)
    assert snapshot(out) == before
    assert batch.save().tobytes() == saved.tobytes()


def test_actions_of_finished_games_are_ignored() -> None:
    """Where a game is over any number will do as its action."""
    batch = GameBatch(preset("quebec", num_players=2, max_rounds=1), 2, seed=1, autoreset=False)
    out = batch.reset()
    while (out.to_move_B >= 0).any():
        batch.step(61 - out.masks_BA[:, ::-1].argmax(axis=1), out)
    batch.step(np.array([999, -7]), out)
    assert not out.rewards_BN.any()
    assert not out.masks_BA.any()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"num_games": 0}, InvalidOptionError),
        ({"num_games": -3}, InvalidOptionError),
        ({"num_games": 2.0}, InvalidOptionError),
        ({"num_games": True}, InvalidOptionError),
        ({"num_games": "2"}, InvalidOptionError),
        ({"rules": "quebec"}, InvalidOptionError),
        ({"rules": None}, InvalidOptionError),
        ({"seed": -1}, InvalidOptionError),
        ({"seed": 2**63}, InvalidOptionError),
        ({"seed": 1.5}, InvalidOptionError),
        ({"reward": "money"}, UnknownNameError),
        ({"max_players": 1}, InvalidOptionError),
        ({"max_players": 3}, InvalidOptionError),
        ({"max_players": 10}, InvalidOptionError),
    ],
)
def test_arguments_that_make_no_sense(options: dict[str, Any], error: type[Exception]) -> None:
    """A batch of no games, of no rules, of an impossible seed, reward or table is refused."""
    with pytest.raises(error):
        GameBatch(**({"rules": preset("quebec", num_players=4), "num_games": 2} | options))


@pytest.mark.parametrize("max_players", ["5", 4.5])
def test_a_table_is_a_whole_number(max_players: Any) -> None:
    """`max_players` that is no whole number is refused as an option."""
    with pytest.raises(InvalidOptionError):
        GameBatch(preset("quebec", num_players=4), 2, max_players=max_players).reset()


@pytest.mark.parametrize(
    "actions",
    [np.zeros(2, np.int64), np.zeros((3, 1), np.int64), np.zeros(3), np.zeros(3, bool), 52, ["draw"] * 3, None],
)
def test_actions_of_the_wrong_form(actions: Any) -> None:
    """Actions must be one whole number a game."""
    batch = GameBatch(preset("quebec", num_players=2), 3, seed=1)
    out = batch.reset()
    saved = batch.save()
    with pytest.raises(InvalidOptionError, match="actions must be 3 whole numbers"):
        batch.step(actions, out)
    assert batch.save().tobytes() == saved.tobytes()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.int64])
def test_actions_of_any_whole_type(dtype: Any) -> None:
    """Whole numbers of any size are taken, lists too."""
    batch = GameBatch(preset("quebec", num_players=2), 2, seed=1)
    out = batch.reset()
    batch.step(np.array([52, 53], dtype), out)
    assert batch.column("decisions").tolist() == [1, 1]
    batch.step(out.masks_BA.argmax(axis=1).tolist(), out)
    assert batch.column("decisions").tolist() == [2, 2]


@pytest.mark.parametrize(
    ("field", "array"),
    [
        ("observations_BS", np.zeros((3, 10), np.int8)),
        ("masks_BA", np.zeros((3, 62), np.float32)),
        ("masks_BA", np.zeros((62, 3), np.int8).T),
        ("to_move_B", np.zeros(2, np.int64)),
        ("rewards_BN", np.zeros((3, 2), np.float64)),
        ("rewards_BN", np.zeros((3, 4), np.float32)),
        ("terminated_B", np.zeros(3, np.int8)),
        ("truncated_B", np.zeros((3, 1), bool)),
    ],
)
def test_arrays_of_the_wrong_form(field: str, array: Any) -> None:
    """Output arrays of another shape, type or order are refused before anything is changed."""
    batch = GameBatch(preset("quebec", num_players=2), 3, seed=1)
    out = dataclasses.replace(batch.arrays(), **{field: array})
    actions = batch.reset().masks_BA.argmax(axis=1)
    saved = batch.save()
    with pytest.raises(InvalidOptionError, match=f"out.{field}"):
        batch.step(actions, out)
    assert batch.save().tobytes() == saved.tobytes()


def test_a_refused_reset_changes_nothing() -> None:
    """`reset` into arrays of the wrong form leaves the games, and the batch's seeds, as they were."""
    batch = GameBatch(preset("quebec", num_players=2), 3, seed=1)
    batch.step(batch.reset().masks_BA.argmax(axis=1), batch.arrays())
    saved, seeds = batch.save(), batch.seeds.copy()
    with pytest.raises(InvalidOptionError):
        batch.reset(GameBatch(preset("quebec", num_players=2), 2).arrays(), seed=9)
    assert batch.save().tobytes() == saved.tobytes()
    assert batch.seeds.tolist() == seeds.tolist()


@pytest.mark.parametrize("seeds", [np.zeros(2, np.int64), np.zeros(3), np.array([1, -1, 2]), [[1, 2, 3]]])
def test_seeds_of_the_wrong_form(seeds: Any) -> None:
    """Seeds must be one whole number from 0 a game."""
    with pytest.raises(InvalidOptionError, match="seeds must be 3 whole numbers"):
        GameBatch(preset("quebec", num_players=2), 3).reset(seeds=seeds)


def test_seeds_too_large() -> None:
    """A seed above 2**63 - 1 is refused here as it is by `Game`."""
    with pytest.raises(InvalidOptionError):
        GameBatch(preset("quebec", num_players=2), 1).reset(seeds=np.array([2**63 + 1], np.uint64))


def test_games_can_be_taken_out() -> None:
    """`game(k)` is an independent copy of row k; there is no other row."""
    batch = GameBatch(preset("quebec", num_players=2), 3, seed=1)
    game = batch.game(2)
    game.apply("draw")
    assert batch.game(2) != game
    assert batch.game(np.int64(1)) == Game(batch.rules, int(batch.seeds[1]))
    for index in (3, -1, True, 1.0, "1"):
        with pytest.raises(InvalidOptionError, match="games run from 0 to 2"):
            batch.game(index)  # type: ignore[arg-type]


def test_save_restore_and_clone() -> None:
    """A batch goes back to what it saved, and a clone goes its own way."""
    batch = GameBatch(preset("kawu", num_players=3), 4, seed=1)
    out = batch.reset()
    saved, other = batch.save(), batch.clone()
    batch.step(out.masks_BA.argmax(axis=1), out)
    assert other.save().tobytes() == saved.tobytes() != batch.save().tobytes()
    batch.restore(saved)
    assert batch.save().tobytes() == saved.tobytes()
    one, two = batch.reset(), other.reset()
    batch.step(one.masks_BA.argmax(axis=1), one)
    other.step(two.masks_BA.argmax(axis=1), two)
    assert snapshot(one) == snapshot(two)


@pytest.mark.parametrize("saved", [np.zeros(3, GAME), np.zeros(2), None, b"x"])
def test_restore_takes_what_save_gave(saved: Any) -> None:
    """`restore` refuses anything but the records of a batch of the same size."""
    batch = GameBatch(preset("quebec", num_players=2), 2)
    with pytest.raises(InvalidOptionError, match="save"):
        batch.restore(saved)


def test_views_and_steps_of_some_rows() -> None:
    """`views` gives what the seats to move of some rows know, `step_rows` applies actions to just those."""
    rules = preset("classic", num_players=3)
    batch = GameBatch(rules, 5, seed=2)
    rows = np.array([3, 0])
    views, masks = batch.views(rows)
    for place, row in enumerate(rows):
        game = batch.game(int(row))
        seat = game.seat_to_move
        assert seat is not None
        assert views[place].tobytes() == game.seat_view(seat).tobytes()
        assert masks[place].tolist() == game.action_mask().tolist()
    batch.step_rows(rows, np.array([52, 53]))
    assert batch.column("decisions").tolist() == [1, 0, 0, 1, 0]


def test_step_writes_into_the_arrays_given() -> None:
    """The arrays a step is given are those it writes and returns."""
    batch = GameBatch(preset("quebec", num_players=2), 2, seed=1)
    out = batch.arrays()
    assert batch.reset(out) is out
    assert batch.step(out.masks_BA.argmax(axis=1), out) is out
    assert (out.masks_BA.sum(axis=1) > 0).all()
