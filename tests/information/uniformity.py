"""Whether draws are uniform over what is possible: Pearson's chi-squared against a list of the possible outcomes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.information.enumeration import Hands, possible_hands
from trente_env import Game
from trente_env.core.worlds import redeal

Sampler = Callable[[Game, int, int], Game]
"""Game, seat, seed: a world. `redeal` is one."""
Outcome = tuple[Hands, str]
"""Hands by seat, and the card drawn next ("" where nobody draws)."""
P_LIMIT = 1e-4
"""Less likely than this, and the draws are not uniform."""


class ImpossibleWorldError(AssertionError):
    """A world was drawn that is none."""


def p_value(observed: Counter[Any], possible: Sequence[Any]) -> float:
    """Return how likely it is that uniform draws differ from their expectation at least as much as these."""
    total = sum(observed.values())
    expected = total / len(possible)
    statistic = sum((observed[outcome] - expected) ** 2 / expected for outcome in possible)
    return chi_squared_tail(statistic, len(possible) - 1)


def chi_squared_tail(statistic: float, degrees: int) -> float:
    """Return the chance of at least this statistic (Wilson and Hilferty's approximation, 1931)."""
    spread = 2 / (9 * degrees)
    z = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return math.erfc(z / math.sqrt(2)) / 2


def hands_of(game: Game) -> Hands:
    """Return the hands by seat."""
    return tuple(frozenset(hand) for hand in game.hands)


def outcome_of(world: Game, *, draws: bool) -> Outcome:
    """Return how a world lies: its hands and, if the seat to move is to draw, the card it would get."""
    hands = hands_of(world)
    if not draws:
        return hands, ""
    mover = world.seat_to_move or 0
    after = world.clone()
    after.apply("draw")
    (drawn,) = set(after.hands[mover]) - hands[mover]
    return hands, drawn


def possible_outcomes(game: Game, seat: int, *, draws: bool) -> list[Outcome]:
    """Return everything that `outcome_of` can give for the worlds that a seat thinks possible, all equally likely."""
    possible = possible_hands(game.seat_view(seat), game.rules)
    if not draws:
        return [(hands, "") for hands in possible]
    in_sight = {card for hands in possible for hand in hands for card in hand} | game.stock
    placed = {*game.hands[seat], *game.discard_pile, *game.table}
    return [(hands, card) for hands in possible for card in sorted(in_sight - placed - frozenset().union(*hands))]


def uniformity(
    game: Game,
    seat: int,
    *,
    draws: bool = False,
    per_outcome: int = 8,
    sample: Sampler = redeal,
    seeds: Iterable[int] = (),
) -> tuple[float, int]:
    """Draw worlds and compare them with what is possible.

    Args:
        game: The position.
        seat: Whose knowledge is kept.
        draws: Whether the card drawn next belongs to the outcome; the seat to move must be able to draw.
        per_outcome: Worlds drawn for each possible outcome.
        sample: How a world is drawn.
        seeds: Seeds to draw them by; 0 on if there are none.

    Returns:
        The p-value, and the number of possible outcomes.

    Raises:
        ImpossibleWorldError: If a world is drawn that is not possible.
    """
    possible = possible_outcomes(game, seat, draws=draws)
    chosen = list(seeds) or range(per_outcome * len(possible))
    observed = Counter(outcome_of(sample(game, seat, seed), draws=draws) for seed in chosen)
    strangers = set(observed) - set(possible)
    if strangers:
        raise ImpossibleWorldError(f"Seat {seat} cannot think {strangers.pop()} possible in\n{game.describe()}")
    return p_value(observed, possible), len(possible)
