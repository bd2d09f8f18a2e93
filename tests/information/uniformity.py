"""Whether draws are uniform over what is possible: Pearson's chi-squared against a list of the possible outcomes."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.information.enumeration import Hands, possible_hands
from tests.play import any_rules, random_games
from trente_env import Game
from trente_env.core.worlds import redeal

Sampler = Callable[[Game, int, int], Game]
"""Game, seat, seed: a world. `redeal` is one."""
Outcome = tuple[Hands, str]
"""Hands by seat, and the card drawn next ("" where nobody draws)."""
FEWEST, MOST = 8, 60
"""How many outcomes a position met in play must have to be looked at."""
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


def met_in_play(count: int, seed: int) -> list[float]:
    """Return the p-values of worlds drawn in positions of random games, with decks small enough to list them all."""
    dice = random.Random(f"worlds {seed}")
    values: list[float] = []
    while len(values) < count:
        rules = any_rules(dice)
        for game, _ in random_games(rules, 40, seed=dice.randrange(1_000)):
            seat = dice.randrange(rules.num_players)
            is_asked = dice.random() < 0.1 and game.phase != "BUY_IN" and game.in_game[seat]
            if is_asked and FEWEST <= num_dealings(game, seat) <= 3 * MOST:
                possible = possible_outcomes(game, seat, draws=False)
                if FEWEST <= len(possible) <= MOST:
                    values.append(uniformity(game, seat, per_outcome=5)[0])
                    break
    return values


def num_dealings(game: Game, seat: int) -> int:
    """Return in how many ways the cards that a seat cannot place can be dealt to the hidden places."""
    view = game.seat_view(seat)
    left = int(view["unseen"]).bit_count()
    ways = 1
    for other in range(game.rules.num_players):
        if other != seat:
            places = len(game.hands[other]) - int(view["known"][other]).bit_count()
            ways *= math.comb(left, places)
            left -= places
    return ways
