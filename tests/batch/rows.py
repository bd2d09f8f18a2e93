"""Batches in tests: the bytes of what a step wrote, a row beside the single game it must be, legal play."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.play import observe
from trente_env import Game, GameBatch, preset
from trente_env.batch import BatchArrays

TABLE = (
    preset("quebec", num_players=2, starting_lives=1, grace=False),
    preset("exchange", num_players=5, starting_lives=1),
    preset("quebec_points", num_players=3, target_points=3),
    preset("classic", num_players=9, starting_lives=1),
    preset("italian40", num_players=4, starting_lives=2),
    preset("schwimmen", num_players=3, starting_lives=1),
    preset("four_card", num_players=2, starting_lives=2),
    preset("buy_in", num_players=6, starting_lives=1),
)
"""Drawing and exchange, lives and points, decks of 32, 40 and 52 cards, two to nine seats: short games all."""


def snapshot(out: BatchArrays) -> list[bytes]:
    """Return the bytes of every array of a step."""
    return [getattr(out, field.name).tobytes() for field in dataclasses.fields(out)]


def legal_choices(masks_BA: NDArray[np.int8], dice: np.random.Generator) -> NDArray[np.int64]:
    """Return a legal action for each game, drawn uniformly; 0 where it is over."""
    return (dice.random(masks_BA.shape) * masks_BA).argmax(axis=1)


def check_row(batch: GameBatch, out: BatchArrays, row: int, game: Game) -> None:
    """Compare what the batch wrote for a row with a single game."""
    seat = game.seat_to_move
    assert out.to_move_B[row] == (-1 if seat is None else seat)
    assert out.masks_BA[row].tolist() == game.action_mask().tolist()
    if seat is None:
        assert not out.observations_BS[row].any()
    else:
        seen = np.concatenate(list(observe(game, seat, batch.spec.seats).values()))
        assert out.observations_BS[row].tolist() == seen.tolist()


def fill(out: BatchArrays, value: int) -> None:
    """Write one value into every array."""
    for field in dataclasses.fields(out):
        getattr(out, field.name)[:] = value


def between_canaries(out: BatchArrays, margin: int = 256) -> tuple[BatchArrays, list[NDArray[Any]]]:
    """Return arrays like those given, and the memory in which each lies between bytes that nothing may write."""
    arrays, memory = {}, []
    for field in dataclasses.fields(out):
        array = getattr(out, field.name)
        block = np.full(array.nbytes + 2 * margin, 0x5A, np.uint8)
        arrays[field.name] = block[margin : margin + array.nbytes].view(array.dtype).reshape(array.shape)
        memory.append(block)
    return BatchArrays(**arrays), memory


def are_canaries_alive(memory: list[NDArray[Any]], margin: int = 256) -> bool:
    """Return whether the bytes around every array are as they were."""
    return all((block[:margin] == 0x5A).all() and (block[-margin:] == 0x5A).all() for block in memory)
