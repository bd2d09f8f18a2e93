"""Faults of training with one learner among others, each seen in public code: none of them is here."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trente_env import preset
from trente_env.envs.one_seat import OneSeatBatch


class Uniform:
    """Plays any legal action."""

    name = "uniform"

    def probabilities(self, views_B: Any, masks_BA: Any) -> Any:  # noqa: ARG002 - the protocol's signature
        """Weigh all legal actions alike."""
        return masks_BA / masks_BA.sum(axis=1, keepdims=True)


def any_legal(batch: OneSeatBatch, dice: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action in every game."""
    return (dice.random(batch.out.masks_BA.shape) * batch.out.masks_BA).argmax(axis=1)


def test_a_learner_hears_of_what_another_did() -> None:
    """Fault: each step pays the seat that moved, so that a loss on another's move is nobody's."""
    rules = preset("quebec", num_players=2, starting_lives=1)
    batch = OneSeatBatch(rules, 32, [Uniform()], seed=11, episode="game", reward="game")
    paid: list[float] = []
    dice = np.random.default_rng(11)
    while len(paid) < 200:
        batch.decide(any_legal(batch, dice))
        assert not batch.rewards_B[batch.dones_B == 0].any()
        paid += batch.rewards_B[batch.dones_B == 1].tolist()
    won, played = (sum(column) for column in zip(*batch.take_results().values(), strict=True))
    assert set(paid) == {1.0, -1.0}, "every episode is won or lost, whoever made the last move"
    assert (paid.count(1.0), len(paid)) == (won, played)


@pytest.mark.parametrize("max_rounds", [1, 1_000])
def test_a_stopped_episode_is_truncated(max_rounds: int) -> None:
    """Fault: an episode that was only stopped is told as one that has ended (R50)."""
    rules = preset("quebec", num_players=2, max_rounds=max_rounds)
    batch = OneSeatBatch(rules, 8, [Uniform()], seed=12, episode="game", reward="game")
    dice = np.random.default_rng(12)
    ended = 0
    for _ in range(150):
        batch.decide(any_legal(batch, dice))
        assert batch.truncated_B.tolist() == (batch.dones_B.tolist() if max_rounds == 1 else [0] * 8)
        assert not batch.rewards_B[batch.truncated_B == 1].any()
        ended += int(batch.dones_B.sum())
    assert ended > 8


def test_a_round_that_ends_is_over() -> None:
    """Fault: the last round before `max_rounds` is told as a stopped one, though it was played to its end."""
    batch = OneSeatBatch(preset("quebec", num_players=2, max_rounds=1), 8, [Uniform()], seed=13)
    ended = 0
    for _ in range(60):
        batch.decide(batch.out.masks_BA.argmax(axis=1))
        ended += int(batch.dones_B.sum())
        assert not batch.truncated_B.any()
    assert ended > 8


def test_an_episode_that_ends_leaves_the_other_games_alone() -> None:
    """Fault: when one game is over, all are begun anew."""
    rules = preset("kawu", num_players=2, starting_lives=1)
    batch = OneSeatBatch(rules, 8, [Uniform()], seed=14, episode="game", reward="game")
    dice = np.random.default_rng(14)
    seeds_B = batch.column("seed")
    mixed = 0
    for _ in range(60):
        batch.decide(any_legal(batch, dice))
        is_new_B = batch.column("seed") != seeds_B
        assert is_new_B.tolist() == (batch.dones_B == 1).tolist()
        seeds_B = batch.column("seed")
        mixed += bool(is_new_B.any() and not is_new_B.all())
    assert mixed > 5


def test_masks_are_those_of_the_decision_asked_for() -> None:
    """Fault: the masks kept are those of before the others moved, or of the game that has just ended."""
    batch = OneSeatBatch(preset("classic", num_players=3, starting_lives=1), 8, [Uniform()], seed=15)
    dice = np.random.default_rng(15)
    for _ in range(60):
        batch.decide(any_legal(batch, dice))
        for row, learner in enumerate(batch.learners_B.tolist()):
            game = batch.game(row)
            assert game.seat_to_move == learner
            assert batch.out.masks_BA[row].tolist() == game.action_mask().tolist()
            hand = batch.out.observations_BS[row, batch.spec["hand"]]
            assert len(game.hands[learner]) == hand.sum()


def test_chance_is_the_batchs_own() -> None:
    """Fault: opponents are drawn, and play, by the process's generators."""
    states = random.getstate(), repr(np.random.get_state())  # noqa: NPY002 - it is what is tested
    batch = OneSeatBatch(preset("quebec", num_players=2), 4, [Uniform(), Uniform()], seed=16)
    for _ in range(30):
        batch.decide(batch.out.masks_BA.argmax(axis=1))
    assert (random.getstate(), repr(np.random.get_state())) == states  # noqa: NPY002 - as above
