"""Random legal play that never leaves compiled code: the engine's own speed."""

from __future__ import annotations

from typing import Final

from trente_env._jit import count_bits, kernel, lowest_bit
from trente_env.core.engine import apply_action
from trente_env.core.layout import PHASE_OVER, Rows
from trente_env.core.rng import next_game_seed, random_below
from trente_env.core.rounds import start_game

__all__ = ["play_randomly"]

FEW: Final = 3
"""Most actions that most decisions leave besides one."""


@kernel
def play_randomly(games: Rows, rules: Rows, steps: int, key: int) -> int:
    """Take `steps` random decisions in every game, beginning another where one ends; return how many were taken."""
    count = 0
    for _ in range(steps):
        for row in range(len(games)):
            legal = games[row].legal
            skipped = random_below(key, count, count_bits(legal))
            for _ in range(FEW):  # without branches, which would be guessed wrong
                legal &= legal - (1 if skipped > 0 else 0)
                skipped -= 1
            while skipped > 0:
                legal &= legal - 1
                skipped -= 1
            apply_action(games[row], rules[0], lowest_bit(legal))
            if games[row].phase == PHASE_OVER:
                start_game(games[row], rules[0], next_game_seed(games[row].seed, 0))
            count += 1
    return count
