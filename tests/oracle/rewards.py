"""What a decision brings each seat, by kind of reward."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.oracle.rounds import Round


def game_rewards(seats: int, took_part: Sequence[int], winner: int | None) -> tuple[float, ...]:
    """Return 1 for the winner and -1 shared by the others who took part; nothing without a winner."""
    rewards = [0.0] * seats
    if winner is not None:
        for seat in took_part:
            rewards[seat] = 1.0 if seat == winner else -1.0 / (len(took_part) - 1)
    return tuple(rewards)


def pot_rewards(rules: Any, took_part: Sequence[int], buy_ins: Sequence[int], winner: int | None) -> tuple[float, ...]:
    """R24, R46: a loser loses its stakes, the winner gets them all; nothing without a winner.

    Decided here: in the exchange game a stake is `starting_lives` coins, even for a seat that began with fewer lives.
    """
    rewards = [0.0] * len(buy_ins)
    if winner is not None:
        coins = rules.starting_lives if rules.play_style == "exchange" else 1
        for seat in took_part:
            if seat != winner:
                rewards[seat] -= coins * (1 + buy_ins[seat])
                rewards[winner] += coins * (1 + buy_ins[seat])
    return tuple(rewards)


def lives_rewards(seats: int, settled: Sequence[Round]) -> tuple[float, ...]:
    """Return the points gained minus the lives charged in the rounds that a decision settled."""
    return tuple(float(sum(round_.points[seat] - round_.losses[seat] for round_ in settled)) for seat in range(seats))


def round_rewards(seats: int, settled: Sequence[Round]) -> tuple[float, ...]:
    """Return the same, round by round against the mean of the other seats dealt in."""
    rewards = [0.0] * seats
    for round_ in settled:
        gains = {
            seat: round_.points[seat] - round_.losses[seat] for seat, hand in enumerate(round_.hands) if len(hand) > 0
        }
        for seat, gain in gains.items():
            others = [other_gain for other, other_gain in gains.items() if other != seat]
            rewards[seat] += gain - sum(others) / len(others)
    return tuple(rewards)
