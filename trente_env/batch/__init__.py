"""Many games at once: stepped in compiled code, on one thread or several, into arrays that the caller owns."""

from __future__ import annotations

from trente_env.batch.arrays import BatchArrays, checked_ints
from trente_env.batch.game_batch import MAX_GAMES, GameBatch

__all__ = ["MAX_GAMES", "BatchArrays", "GameBatch", "checked_ints"]
