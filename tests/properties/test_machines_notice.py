"""The machines can fail: each fault, put into an engine that has none, is found."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test
from numpy.typing import NDArray

from tests.properties.test_batch_machine import BatchMachine
from tests.properties.test_game_machine import GameMachine
from trente_env import Game, GameBatch, IllegalActionError
from trente_env.batch import BatchArrays
from trente_env.core.rng import MAX_SEED

SEARCH = settings(
    max_examples=150,
    stateful_step_count=20,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate,),
    verbosity=Verbosity.quiet,
    report_multiple_bugs=False,
    print_blob=False,
    suppress_health_check=list(HealthCheck),
)
INIT, APPLY, LEGAL, REWARDS, SEAT_VIEW = Game.__init__, Game.apply, Game.legal_actions, Game.rewards, Game.seat_view
STEP, LOOK, RESET, RESTORE = GameBatch.step, GameBatch.look, GameBatch.reset, GameBatch.restore
FROM_BYTES = Game.from_bytes
counter = itertools.count()


def getter(name: str) -> Callable[[Game], Any]:
    """Return how a property of the sound `Game` is read."""
    read: Callable[[Game], Any] = vars(Game)[name].fget
    return read


PILE, LIVES, DEALER, SEAT_TO_MOVE, WINNER = map(getter, ("discard_pile", "lives", "dealer", "seat_to_move", "winner"))
IN_GAME, IS_TRUNCATED = map(getter, ("in_game", "is_truncated"))


# Faults of a game.


def ignore_what_is_illegal(game: Game, action: int | str) -> None:
    """Take an illegal action for no action."""
    if game.is_legal(action):
        APPLY(game, action)


def play_on_after_refusing(game: Game, action: int | str) -> None:
    """Refuse an illegal action, but only after something has changed."""
    if not game.is_over and not game.is_legal(action):
        APPLY(game, LEGAL(game)[0])
    APPLY(game, action)


def seat_view_without_a_card(game: Game, seat: int) -> np.void:
    """Forget the lowest unseen card."""
    view = SEAT_VIEW(game, seat)
    view["unseen"] = int(view["unseen"]) & (int(view["unseen"]) - 1)
    return view


def seat_view_with_a_mask_for_all(game: Game, seat: int) -> np.void:
    """Give waiting seats the mask of the seat to move."""
    view = SEAT_VIEW(game, seat)
    view["legal"] = sum(1 << action for action in LEGAL(game))
    return view


def begin_from_any_seed(game: Game, rules: Any, seed: int = 0, **options: Any) -> None:
    """Begin another game each time."""
    INIT(game, rules, (seed + next(counter)) % MAX_SEED, **options)


def loaded_at_its_beginning(cls: type[Game], data: bytes) -> Game:
    """Load rules and seed of a game, but not where it stands."""
    saved = FROM_BYTES(data)
    return cls(saved.rules, saved.seed)


def without_losses(game: Game, kind: str = "game") -> tuple[float, ...]:
    """Pay who gains, and charge nobody."""
    return tuple(max(0.0, reward) for reward in REWARDS(game, kind))


def next_winner(game: Game) -> int | None:
    """Name the seat after the winner."""
    winner = WINNER(game)
    return None if winner is None else (winner + 1) % game.rules.num_players


def lives_back_from_grace(game: Game) -> tuple[int, ...]:
    """Give a seat in its grace a life again."""
    return tuple(1 if is_in and left == 0 else left for left, is_in in zip(LIVES(game), IN_GAME(game), strict=True))


def anticlockwise(game: Game) -> int | None:
    """Count seats the other way round."""
    seat = SEAT_TO_MOVE(game)
    return None if seat is None else game.rules.num_players - 1 - seat


GAME_FAULTS: dict[str, tuple[str, Any]] = {
    "a card is lost from the pile": ("discard_pile", property(lambda game: PILE(game)[:1])),
    "an action is missing from the mask": ("legal_actions", lambda game: LEGAL(game)[: max(1, len(LEGAL(game)) - 1)]),
    "the mask is one off": ("legal_actions", lambda game: [action + 1 for action in LEGAL(game)]),
    "an illegal action is ignored": ("apply", ignore_what_is_illegal),
    "a refusal leaves a trace": ("apply", play_on_after_refusing),
    "a clone is no copy": ("clone", lambda game: game),
    "a saved game begins anew": ("from_bytes", classmethod(loaded_at_its_beginning)),
    "lives rise": ("lives", property(lives_back_from_grace)),
    "the loser's reward is lost": (
        "rewards",
        without_losses,
    ),
    "the dealer never changes": ("dealer", property(lambda _: 0)),
    "play goes anticlockwise": ("seat_to_move", property(anticlockwise)),
    "another wins": ("winner", property(next_winner)),
    "truncation is no end": ("is_truncated", property(lambda _: False)),
    "a view forgets a card": ("seat_view", seat_view_without_a_card),
    "a waiting seat has a mask": ("seat_view", seat_view_with_a_mask_for_all),
    "a seed is no seed": ("__init__", begin_from_any_seed),
}
"""Fault: the attribute of `Game` to be replaced, and what by."""


# Faults of a batch.


def mixed_up(batch: GameBatch, out: BatchArrays) -> None:
    """Write each observation one row further."""
    LOOK(batch, out)
    out.observations_BS[:] = np.roll(out.observations_BS, 1, axis=0)


def masks_everywhere(batch: GameBatch, out: BatchArrays) -> None:
    """Allow everything where a game is over."""
    LOOK(batch, out)
    out.masks_BA[out.to_move_B < 0] = 1


def without_rewards(batch: GameBatch, actions_B: NDArray[np.int64], out: BatchArrays) -> BatchArrays:
    """Lose the reward of a step that ends a game."""
    STEP(batch, actions_B, out)
    out.rewards_BN[out.terminated_B | out.truncated_B] = 0
    return out


def truncation_as_termination(batch: GameBatch, actions_B: NDArray[np.int64], out: BatchArrays) -> BatchArrays:
    """Say of a truncated game that it was terminated."""
    STEP(batch, actions_B, out)
    out.terminated_B[:] |= out.truncated_B
    out.truncated_B[:] = False
    return out


def resetting_all(batch: GameBatch, actions_B: NDArray[np.int64], out: BatchArrays) -> BatchArrays:
    """Begin every game anew when one ends."""
    STEP(batch, actions_B, out)
    if out.terminated_B.any():
        batch.reset()
    return out


def stepping_some(batch: GameBatch, actions_B: NDArray[np.int64], out: BatchArrays) -> BatchArrays:
    """Refuse an illegal action after the games before it have moved."""
    try:
        return STEP(batch, actions_B, out)
    except IllegalActionError:
        saved = batch.save()
        saved[:] = saved[::-1]
        RESTORE(batch, saved)
        raise


BATCH_FAULTS: dict[str, tuple[str, Any]] = {
    "rows are mixed up": ("look", mixed_up),
    "games that are over have a mask": ("look", masks_everywhere),
    "the last reward is lost": ("step", without_rewards),
    "truncation is taken for termination": ("step", truncation_as_termination),
    "one end resets all": ("step", resetting_all),
    "a refusal moves some games": ("step", stepping_some),
    "a clone is no copy": ("clone", lambda batch: batch),
    "nothing is restored": ("restore", lambda *_: None),
}
"""Fault: the attribute of `GameBatch` to be replaced, and what by."""


def assert_found(machine: type[RuleBasedStateMachine]) -> None:
    """Run a machine and demand that it fails."""
    with pytest.raises((AssertionError, pytest.fail.Exception, IllegalActionError)):
        run_state_machine_as_test(machine, settings=SEARCH)


@pytest.mark.parametrize("fault", sorted(GAME_FAULTS))
def test_a_fault_of_the_game_is_found(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """With the fault in `Game`, its machine fails."""
    monkeypatch.setattr(Game, *GAME_FAULTS[fault])
    assert_found(GameMachine)


@pytest.mark.parametrize("fault", sorted(BATCH_FAULTS))
def test_a_fault_of_the_batch_is_found(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """With the fault in `GameBatch`, its machine fails."""
    monkeypatch.setattr(GameBatch, *BATCH_FAULTS[fault])
    assert_found(BatchMachine)
