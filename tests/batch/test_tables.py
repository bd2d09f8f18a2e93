"""Batches whose games are played by different rules, at tables of different sizes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.batch.rows import TABLE, check_row, fill, legal_choices, snapshot
from tests.play import choose
from trente_env import Game, GameBatch, InvalidDataError, InvalidOptionError, preset
from trente_env.core.rng import next_game_seed

WHICH = np.random.default_rng(0).permutation(np.arange(16) % len(TABLE))
PAIR = (preset("quebec", num_players=2), preset("exchange", num_players=3))


@pytest.mark.parametrize("reward", ["game", "lives", "round", "pot"])
def test_game_k_is_the_game_of_its_rules_and_seed(reward: str) -> None:
    """Each game is `Game(rules_of(k), seeds[k])` and then its successors; columns of no seat earn 0, whatever stood."""
    batch = GameBatch(TABLE, len(WHICH), seed=6, reward=reward, which=WHICH)
    assert [batch.rules_of(row) for row in range(len(WHICH))] == [TABLE[place] for place in WHICH]
    assert (batch.num_seats, batch.spec.seats) == (9, 9)
    games = [Game(batch.rules_of(row), int(seed)) for row, seed in enumerate(batch.seeds)]
    out = batch.reset()
    dice = random.Random(reward)
    ended = set()
    for _ in range(70):
        for row, game in enumerate(games):
            check_row(batch, out, row, game)
        actions = [choose(game, dice, patience=0.3) for game in games]
        fill(out, 1)
        batch.step(np.array(actions), out)
        for row, game in enumerate(games):
            game.apply(actions[row])
            expected = np.zeros(9, np.float32)
            expected[: game.rules.num_players] = game.rewards(reward)
            assert out.rewards_BN[row].tolist() == expected.tolist()
            assert bool(out.terminated_B[row]) is game.is_over
            if game.is_over:
                ended.add(int(WHICH[row]))
                games[row] = Game(game.rules, next_game_seed(game.seed, 0))
    for row, game in enumerate(games):
        seats = range(game.rules.num_players)
        mine = batch.game(row)
        assert [mine.seat_view(seat).tobytes() for seat in seats] == [game.seat_view(seat).tobytes() for seat in seats]
        assert (mine.hands, mine.stock, mine.last_round) == (game.hands, game.stock, game.last_round)
    assert len(ended) >= 3


def test_games_begun_in_a_used_batch_are_those_of_their_seeds() -> None:
    """Whether a batch has played before or not, a game begun in it is `Game(rules, seed)` to the last byte."""
    batch, dice = GameBatch(TABLE, 24, seed=6), np.random.default_rng(6)
    out = batch.reset()
    for _ in range(60):
        batch.step(legal_choices(out.masks_BA, dice), out)
    batch.reset(out)
    assert all(batch.game(row) == Game(batch.rules_of(row), int(batch.seeds[row])) for row in range(24))


def test_rules_go_by_turns_unless_told() -> None:
    """Without `which` the games take the rules by turns."""
    batch = GameBatch(PAIR, 5)
    assert [batch.rules_of(row) for row in range(5)] == [PAIR[row % 2] for row in range(5)]
    with pytest.raises(InvalidOptionError, match="different rules"):
        _ = batch.rules


def test_what_was_given_is_the_callers_again() -> None:
    """Writing into `which`, seeds, actions or rows afterwards changes nothing in the batch."""
    which, seeds = np.array([0, 1]), np.array([5, 6])
    batch = GameBatch(PAIR, 2, which=which)
    out = batch.reset(seeds=seeds)
    which[:], seeds[:] = 7, -1
    assert [batch.rules_of(row) for row in range(2)] == list(PAIR)
    assert snapshot(batch.reset()) == snapshot(out)


@pytest.mark.parametrize(
    "which",
    [[0], [0, 1, 0], [0, 2], [-1, 0], [0.0, 1.0], [[0, 1]], "01", [True, False], [0, 2**63], [0, None], [[0], 1]],
)
def test_a_wrong_which_is_refused(which: Any) -> None:
    """`which` is one place of the table for each game."""
    with pytest.raises(InvalidOptionError, match="which"):
        GameBatch(PAIR, 2, which=which)


@pytest.mark.parametrize("rules", [[], (), [1], [PAIR[0], None], {PAIR[0]: 1}, iter(PAIR), "quebec", ["quebec"]])
def test_a_wrong_table_is_refused(rules: Any) -> None:
    """A table is a list of rules, one at least."""
    with pytest.raises(InvalidOptionError, match="rules must be Rules or a list of them"):
        GameBatch(rules, 2)


def test_a_record_under_other_rules_is_refused() -> None:
    """`restore` takes back what was saved under the same table, and refuses records at places of other rules."""
    batch = GameBatch(TABLE, len(WHICH), seed=8, which=WHICH)
    twin = GameBatch(TABLE, len(WHICH), seed=9, which=WHICH)
    twin.restore(batch.save())
    assert twin.save().tobytes() == batch.save().tobytes()
    before = twin.save().tobytes()
    for shift in range(1, len(TABLE)):
        other = GameBatch(TABLE, len(WHICH), seed=8, which=(WHICH + shift) % len(TABLE))
        with pytest.raises(InvalidDataError, match="no position of its rules"):
            twin.restore(other.save())
    assert twin.save().tobytes() == before


def test_some_rows_of_a_mixed_batch() -> None:
    """`views` and `step_rows` go by each game's own rules."""
    batch = GameBatch(TABLE, len(WHICH), seed=10, which=WHICH)
    playing = {int(row): batch.game(int(row)) for row in np.random.default_rng(1).permutation(len(WHICH))[:9]}
    dice = np.random.default_rng(2)
    for _ in range(8):
        playing = {row: game for row, game in playing.items() if not game.is_over}
        rows = np.array(list(playing))
        views, masks = batch.views(rows)
        actions = legal_choices(masks, dice)
        batch.step_rows(rows, actions)
        for place, (row, game) in enumerate(playing.items()):
            assert game.seat_to_move is not None
            assert views[place].tobytes() == game.seat_view(game.seat_to_move).tobytes()
            game.apply(int(actions[place]))
            assert batch.game(row) == game
