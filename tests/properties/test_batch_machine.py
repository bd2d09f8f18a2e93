"""A batch under any rules: a state machine in which every row stays the single game of its seed."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from numpy.typing import NDArray

from tests.batch.rows import snapshot
from tests.play import choose, observe
from tests.properties.openings import rule_sets, seeds
from trente_env import Game, GameBatch, IllegalActionError, Rules
from trente_env._jit import JIT_ENABLED
from trente_env.batch import BatchArrays
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.rng import next_game_seed
from trente_env.rules import MAX_PLAYERS

KINDS = ("game", "lives", "round", "pot")
WAYS: dict[str, Callable[[GameBatch], GameBatch]] = {
    "clone": lambda batch: batch.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda batch: pickle.loads(pickle.dumps(batch)),
}
"""Ways to copy a batch."""


def make_batch(rules: Rules, num_games: int, **options: Any) -> GameBatch:
    """Make a batch: the one place where these tests do."""
    return GameBatch(rules, num_games, **options)


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a batch's options."""
    chosen = {
        "reward": draw(st.sampled_from(KINDS)),
        "single_round": draw(st.booleans()),
        "autoreset": draw(st.booleans()),
        "threads": draw(st.sampled_from((1, 2, 7))),
    }
    return chosen | ({"max_players": MAX_PLAYERS} if draw(st.booleans()) else {})


class BatchMachine(RuleBasedStateMachine):
    """Step a batch and, beside it, the single games that its rows must be."""

    rules: Rules
    options: dict[str, Any]
    batch: GameBatch
    out: BatchArrays
    games: list[Game]
    saved: tuple[NDArray[np.void], list[Game]]

    @initialize(rules=rule_sets, num_games=st.integers(1, 6), seed=seeds, options=options())
    def begin(self, rules: Rules, num_games: int, seed: int, options: dict[str, Any]) -> None:
        """Begin a batch."""
        self.rules, self.options = rules, options
        self.batch = make_batch(rules, num_games, seed=seed, **options)
        self.out = self.batch.reset()
        self.open_games()
        self.saved = self.batch.save(), [game.clone() for game in self.games]

    def open_games(self) -> None:
        """Begin the single games from the seeds that the batch says it has."""
        self.games = [self.opened(int(seed)) for seed in self.batch.seeds]

    def opened(self, seed: int) -> Game:
        """Begin one game."""
        return Game(self.rules, seed, single_round=self.options["single_round"])

    @rule(seed=st.integers(0, 2**32), count=st.integers(1, 25), patience=st.sampled_from((0.0, 0.7, 1.0)))
    def play_on(self, seed: int, count: int, patience: float) -> None:
        """Legal actions never raise; each row earns and ends as its game does. Games that are over take anything."""
        dice = random.Random(seed)
        for _ in range(count):
            actions = [
                dice.randrange(-5, 100) if game.is_over else choose(game, dice, patience=patience)
                for game in self.games
            ]  # fmt: skip
            self.batch.step(np.array(actions, np.int64), self.out)
            for row, action in enumerate(actions):
                self.step_game(row, action)

    def step_game(self, row: int, action: int) -> None:
        """Take a row's action in its single game, and compare what the batch says of it."""
        game, out = self.games[row], self.out
        if game.is_over:
            assert not out.rewards_BN[row].any()
            assert not out.terminated_B[row]
            assert not out.truncated_B[row]
            return
        game.apply(action)
        expected = np.array(game.rewards(self.options["reward"]), np.float32)
        assert out.rewards_BN[row].tolist() == expected.tolist()
        assert out.terminated_B[row] == (game.is_over and not game.is_truncated)
        assert out.truncated_B[row] == game.is_truncated
        if game.is_over and self.options["autoreset"]:
            self.games[row] = self.opened(next_game_seed(game.seed, 0))

    @rule(row=st.integers(0, 5), place=st.integers(0, NUM_ACTIONS))
    def refuse(self, row: int, place: int) -> None:
        """One illegal action is refused for all: no game changes, and no array."""
        row %= len(self.games)
        assume(not self.games[row].is_over)
        wrong = [action for action in range(-1, NUM_ACTIONS + 1) if action not in self.games[row].legal_actions()]
        actions = np.array([0 if game.is_over else game.legal_actions()[0] for game in self.games], np.int64)
        actions[row] = wrong[place % len(wrong)]
        before, shown = self.batch.save().tobytes(), snapshot(self.out)
        with pytest.raises(IllegalActionError, match=f"Game {row}:"):
            self.batch.step(actions, self.out)
        assert self.batch.save().tobytes() == before
        assert snapshot(self.out) == shown

    @rule(way=st.sampled_from(sorted(WAYS)))
    def copy(self, way: str) -> None:
        """A copy goes on alike, and the original is not disturbed by it."""
        original, before = self.batch, self.batch.save().tobytes()
        self.batch = WAYS[way](self.batch)
        self.play_on(len(before), 2, 0.0)
        assert original.save().tobytes() == before

    @rule()
    def save(self) -> None:
        """What is saved stays as it was, whatever is played afterwards."""
        self.saved = self.batch.save(), [game.clone() for game in self.games]

    @rule()
    def restore(self) -> None:
        """A batch put back to what was saved goes on from there."""
        saved, games = self.saved
        self.batch.restore(saved)
        self.batch.look(self.out)
        self.games = [game.clone() for game in games]

    @rule(order=st.randoms(use_true_random=False))
    def deal_rows_anew(self, order: random.Random) -> None:
        """In another order, and in a batch of another size, each game goes on as it would have."""
        rows = list(range(len(self.games)))
        order.shuffle(rows)
        rows = rows[: order.randint(1, len(rows))] + rows[: order.randint(0, 2)]
        saved = self.batch.save()[rows]
        self.batch = make_batch(self.rules, len(rows), **self.options)
        self.batch.restore(saved)
        self.games = [self.games[row].clone() for row in rows]
        self.out = self.batch.arrays()
        self.batch.look(self.out)
        self.save()

    @rule(seed=st.one_of(st.none(), seeds), given=st.booleans())
    def begin_again(self, seed: int | None, given: bool) -> None:
        """A reset begins the games of the new seed, of the seeds given, or of the old ones."""
        if given and seed is not None:
            seeds_B = np.array([(seed + row) % 2**63 for row in range(len(self.games))], np.int64)
            self.batch.reset(self.out, seeds=seeds_B)
            assert self.batch.seeds.tolist() == seeds_B.tolist()
        else:
            self.batch.reset(self.out, seed=seed)
        self.open_games()

    @invariant()
    def rows_are_the_single_games(self) -> None:
        """Row k is game k: position, seat to move, mask, and what that seat observes."""
        for row, game in enumerate(self.games):
            seat = game.seat_to_move
            assert self.out.to_move_B[row] == (-1 if seat is None else seat)
            assert self.out.masks_BA[row].tolist() == game.action_mask().tolist()
            assert (self.out.masks_BA[row].sum() > 0) == (seat is not None)
            seen = np.zeros(self.batch.spec.size, np.int8)
            if seat is not None:
                seen = np.concatenate(list(observe(game, seat, self.batch.spec.seats).values()))
            assert self.out.observations_BS[row].tolist() == seen.tolist()
            mine = self.batch.game(row)
            viewer = game.num_decisions % self.rules.num_players
            assert mine.views(viewer).tobytes() == game.views(viewer).tobytes()
            assert (mine.hands, mine.lives, mine.winner) == (game.hands, game.lives, game.winner)


TestBatch = BatchMachine.TestCase
TestBatch.settings = settings(max_examples=30 if JIT_ENABLED else 15, stateful_step_count=12)
