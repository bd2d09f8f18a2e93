"""The Policy protocol: sampling keyed by game, seat and decision, and answers that are no distribution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trente_env import Game, GameBatch, InvalidOptionError, UnknownNameError, preset
from trente_env.core.rng import policy_uniform
from trente_env.policy import Policy, checked_probabilities, make_policy, policy_names, sample_actions

DRAW, TAKE, KNOCK = 52, 53, 54


@dataclass
class Fixed:
    """Answers every view with the same weights on draw, take and knock."""

    weights: tuple[float, ...]
    name: str = "fixed"

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[Any]:
        """Return the weights, once a view."""
        probabilities_BA = np.zeros((len(views_B), masks_BA.shape[1]))
        probabilities_BA[:, DRAW : DRAW + len(self.weights)] = self.weights
        return probabilities_BA


@dataclass
class Saying:
    """Answers with whatever it was made with."""

    answer: Any
    name: str = "saying"

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> Any:  # noqa: ARG002 - the protocol
        """Return the answer."""
        return self.answer


def seats(count: int, seed: int = 1) -> tuple[NDArray[np.void], NDArray[np.int8], NDArray[np.int64]]:
    """Return views, masks and game seeds of seats at the start of a turn."""
    batch = GameBatch(preset("quebec", num_players=3), count, seed=seed)
    views, masks = batch.views(np.arange(count))
    return views, masks, batch.column("seed")


def test_sampling_follows_the_distribution() -> None:
    """Over many games each action is chosen about as often as the policy says."""
    views, masks, seeds = seats(3_000)
    actions = sample_actions(Fixed((0.6, 0.3, 0.1)), views, masks, seeds)
    counts = np.bincount(actions, minlength=62)
    assert counts.sum() == counts[DRAW : KNOCK + 1].sum() == 3_000
    assert np.abs(counts[DRAW : KNOCK + 1] / 3_000 - [0.6, 0.3, 0.1]).max() < 0.03


def test_sampling_is_keyed_by_game_seat_and_decision() -> None:
    """A choice is that of the number keyed by (game seed, seat, decision), so batching changes nothing."""
    views, masks, seeds = seats(40)
    policy = Fixed((0.5, 0.25, 0.25))
    actions = sample_actions(policy, views, masks, seeds)
    assert sample_actions(policy, views, masks, seeds).tolist() == actions.tolist()
    order = np.arange(40)[::-1].copy()
    assert sample_actions(policy, views[order], masks[order], seeds[order]).tolist() == actions[order].tolist()
    one_by_one = [sample_actions(policy, views[[k]], masks[[k]], seeds[[k]])[0] for k in range(40)]
    assert one_by_one == actions.tolist()
    for k in range(40):
        number = policy_uniform(int(seeds[k]), int(views["seat"][k]), int(views["decisions"][k]))
        assert actions[k] == (DRAW if number < 0.5 else TAKE if number < 0.75 else KNOCK)


def test_other_decisions_are_other_numbers() -> None:
    """Another seat, decision or game gives another number."""
    numbers = {policy_uniform(seed, seat, decision) for seed in range(3) for seat in range(3) for decision in range(3)}
    assert len(numbers) == 27


def test_equal_policies_choose_equally() -> None:
    """Two policies with the same probabilities choose the same in the same game: duplicate deals tie exactly."""
    views, masks, seeds = seats(50)
    one, two = Fixed((0.4, 0.4, 0.2), name="one"), Fixed((0.4, 0.4, 0.2), name="two")
    assert sample_actions(one, views, masks, seeds).tolist() == sample_actions(two, views, masks, seeds).tolist()


def test_a_sure_choice_is_always_taken() -> None:
    """An action of probability 1 is chosen whatever the number, and one of probability 0 never."""
    views, masks, seeds = seats(500)
    assert set(sample_actions(Fixed((0.0, 1.0, 0.0)), views, masks, seeds).tolist()) == {TAKE}
    assert KNOCK not in sample_actions(Fixed((0.5, 0.5, 0.0)), views, masks, seeds)


def test_rounding_is_forgiven() -> None:
    """A sum a rounding error away from 1 is a distribution; float32 is as good as float64."""
    views, masks, seeds = seats(20)
    answer = np.zeros(masks.shape, np.float32)
    answer[:, [DRAW, TAKE, KNOCK]] = np.float32(1 / 3)
    actions = sample_actions(Saying(answer), views, masks, seeds)
    assert set(actions.tolist()) <= {DRAW, TAKE, KNOCK}
    assert set(sample_actions(Fixed((0.5, 0.4999)), views, masks, seeds).tolist()) <= {DRAW, TAKE}


@pytest.mark.parametrize(
    "weights",
    [
        (0.5, 0.4),
        (0.6, 0.6),
        (0.0, 0.0),
        (1.5, -0.5),
        (float("nan"), 1.0),
        (float("inf"), 0.0),
        (0.5, 0.0, 0.0, 0.5),
        (0.0, 0.0, 0.0, 1.0),
    ],
)
def test_what_is_no_distribution_is_refused(weights: tuple[float, ...]) -> None:
    """Weights that are negative, not numbers, on illegal actions, or do not sum to 1, are refused by policy and row."""
    views, masks, seeds = seats(3)
    with pytest.raises(InvalidOptionError, match="Policy 'fixed' gave no distribution over the legal actions in row 0"):
        sample_actions(Fixed(weights), views, masks, seeds)


def test_the_wrong_row_is_named() -> None:
    """The error names the first row that is wrong."""
    views, masks, seeds = seats(4)
    answer = Fixed((1.0,)).probabilities(views, masks)
    answer[2:] = 0.0
    with pytest.raises(InvalidOptionError, match="in row 2"):
        sample_actions(Saying(answer), views, masks, seeds)


@pytest.mark.parametrize(
    "answer", [np.zeros((3, 61)), np.zeros((2, 62)), np.zeros(62), np.zeros((3, 62), int), None, [[0.5]], "draw"]
)
def test_answers_of_the_wrong_form_are_refused(answer: Any) -> None:
    """Probabilities must be floats, one row a view and one column an action."""
    views, masks, seeds = seats(3)
    with pytest.raises(InvalidOptionError, match=r"return floats of shape \(3, 62\)"):
        sample_actions(Saying(answer), views, masks, seeds)


def test_checked_probabilities_are_contiguous() -> None:
    """An answer of another memory order is put into the one that kernels read."""
    views, masks, _ = seats(3)
    answer = np.asfortranarray(Fixed((0.5, 0.5)).probabilities(views, masks))
    checked = checked_probabilities(Saying(answer), views, masks)
    assert checked.flags.c_contiguous
    assert (checked == answer).all()


def test_a_single_game_is_a_batch_of_one() -> None:
    """The views of a single game are sampled for as those of a batch are."""
    game = Game(preset("quebec", num_players=3), seed=1)
    seat = game.seat_to_move
    assert seat is not None
    actions = sample_actions(
        Fixed((0.0, 0.0, 1.0)), game.views(seat), game.action_mask()[None, :], np.array([game.seed])
    )
    game.apply(int(actions[0]))
    assert game.knocker == seat


def test_a_policy_is_anything_with_a_name_and_probabilities() -> None:
    """The protocol asks for nothing else, and `make_policy` returns such an object as it is."""
    policy = Fixed((1.0,))
    assert isinstance(policy, Policy)
    assert make_policy(policy) is policy
    for wrong in (None, 5, object()):
        with pytest.raises(InvalidOptionError, match="is no policy"):
            make_policy(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["nobody", "", "nobody@27", "nobody:x", "@27"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    """A name that nobody registered is refused with those that are."""
    with pytest.raises(UnknownNameError) as caught:
        make_policy(name)
    assert caught.value.known == policy_names()
    assert "trente_env.agents" in str(caught.value)


def test_names_come_from_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows "@" or ":" in a name is given to the factory of its head, whose refusals are explained."""
    from trente_env import policy

    class Point:
        def load(self) -> Any:
            def factory(argument: str) -> Policy:
                return Fixed((float(argument or 1),), name=f"mine {argument}")

            return factory

    monkeypatch.setattr(policy, "_entry_points", lambda: {"mine": Point()})
    assert policy_names() == ["mine"]
    assert [make_policy(name).name for name in ("mine", "mine@0.5", "mine:2")] == ["mine ", "mine 0.5", "mine 2"]
    with pytest.raises(InvalidOptionError, match="Policy 'mine@x' cannot be made"):
        make_policy("mine@x")
