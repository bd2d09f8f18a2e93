"""Rewards of the last step, by kind (R22, R24, R46, R50; the kinds are described in `trente_env.game.Game.rewards`)."""

from __future__ import annotations

from typing import Any, Final

from trente_env._jit import kernel
from trente_env.core.layout import NOBODY, OUT, PHASE_OVER, STYLE_EXCHANGE

REWARD_GAME: Final = 0
REWARD_LIVES: Final = 1
REWARD_ROUND: Final = 2
REWARD_POT: Final = 3
REWARD_KINDS: Final = {"game": REWARD_GAME, "lives": REWARD_LIVES, "round": REWARD_ROUND, "pot": REWARD_POT}


@kernel
def seat_stake(game: Any, rules: Any, seat: int) -> int:
    """R24: what a seat has put into the pot: its entry and its buy-ins, 1 each; R46: its coins in the exchange game."""
    if game.opening_lives[seat] == OUT:
        return 0
    entries = 1 + game.buy_ins[seat]
    return entries * rules.starting_lives if rules.play_style == STYLE_EXCHANGE else entries


@kernel
def loss_of_game(game: Any, rules: Any, kind: int, seat: int) -> float:
    """Return what a seat is charged for not winning the game: its share of -1, or its stake; 0 by the round."""
    if game.opening_lives[seat] == OUT:
        return 0.0
    if kind == REWARD_POT:
        return -float(seat_stake(game, rules, seat))
    if kind != REWARD_GAME:
        return 0.0
    others = -1
    for other in range(rules.num_players):
        if game.opening_lives[other] != OUT:
            others += 1
    return -1.0 / others


@kernel
def seat_reward(game: Any, rules: Any, kind: int, seat: int) -> float:
    """Return a seat's reward for the last step. A seat that never was in the game has no part in it."""
    if kind == REWARD_LIVES:
        return float(game.step_deltas[seat])
    if kind == REWARD_ROUND:
        return float(game.step_relative[seat])
    if game.phase != PHASE_OVER or game.winner == NOBODY:
        return 0.0
    if seat != game.winner:
        return loss_of_game(game, rules, kind, seat)
    if kind == REWARD_GAME:
        return 1.0
    pot = 0
    for other in range(rules.num_players):
        if other != seat:
            pot += seat_stake(game, rules, other)
    return float(pot)
