"""Who sits where: the seatings that each deal is played with.

A *side* is what is reported as one: a policy with its opponents. Heads-up there are two sides and two seatings. At
larger tables two policies are compared as strangers: the first alone among the second, in each seat, and the second
alone among the first, in each seat; each of the two settings has two sides, the one alone and the others. A table of
named policies is played as it is, in every distinct arrangement if there are at most `MAX_ARRANGEMENTS`, else in
every rotation of the order given.

Axis letters: S seatings, N seats.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trente_env.errors import InvalidOptionError

__all__ = ["MAX_ARRANGEMENTS", "Seatings", "Side", "match_seatings", "table_seatings"]

MAX_ARRANGEMENTS: Final = 24
"""Distinct arrangements of a table up to which all are played: those of four different policies."""
HEADS_UP: Final = 2


@dataclass(frozen=True, slots=True)
class Side:
    """What is reported as one."""

    policy: int
    """Index of the policy that plays it."""
    against: tuple[int, ...]
    """Policies of the other seats at its table."""
    is_reported: bool = True
    """Whether it has a line of its own; the others of a one-against-the-others setting have none."""


@dataclass(frozen=True, slots=True)
class Seatings:
    """The seatings each deal is played with."""

    sides: tuple[Side, ...]
    sides_SN: NDArray[np.int64]
    """Which side sits in each seat of each seating."""

    @property
    def policies_SN(self) -> NDArray[np.int64]:  # noqa: N802 - axis letters
        """Which policy sits in each seat of each seating."""
        policy_of_side = np.array([side.policy for side in self.sides], np.int64)
        chosen_SN: NDArray[np.int64] = policy_of_side[self.sides_SN]
        return chosen_SN

    def games_of(self, side: int) -> int:
        """Return how many seats a side has over all seatings of a deal: a game counts once for each seat it holds."""
        return int((self.sides_SN == side).sum())

    def seats_of(self, side: int) -> int:
        """Return how many seats a side has at its table."""
        return int((self.sides_SN == side).sum(axis=1).max())


def match_seatings(num_players: int, *, is_return_played: bool = True) -> Seatings:
    """Seat two policies, 0 and 1.

    Args:
        num_players: Seats at the table.
        is_return_played: At more than two seats, whether 1 is seated alone among 0 too. Heads-up that is the same.
    """
    if num_players == HEADS_UP:
        return Seatings((Side(0, (1,)), Side(1, (0,))), np.array([[0, 1], [1, 0]], np.int64))
    others = num_players - 1
    sides = [Side(0, (1,) * others), Side(1, (0, *(1,) * (others - 1)), is_reported=False)]
    rows = _one_against_others(num_players, alone=0, others=1)
    if is_return_played:
        sides += [Side(1, (0,) * others), Side(0, (1, *(0,) * (others - 1)), is_reported=False)]
        rows += _one_against_others(num_players, alone=2, others=3)
    return Seatings(tuple(sides), np.array(rows, np.int64))


def _one_against_others(num_players: int, *, alone: int, others: int) -> list[list[int]]:
    """Seat one side alone in each seat in turn."""
    return [[alone if seat == place else others for seat in range(num_players)] for place in range(num_players)]


def table_seatings(table: Sequence[int]) -> Seatings:
    """Seat a table: `table[k]` is the policy on chair k; the same number twice is the same policy.

    Raises:
        InvalidOptionError: If fewer than two sit at it.
    """
    if len(table) < HEADS_UP:
        raise InvalidOptionError(f"A table needs at least two players, not {len(table)}: name them all, A,B,B,C.")
    counts = Counter(table)
    arrangements = math.factorial(len(table)) // math.prod(math.factorial(count) for count in counts.values())
    if arrangements <= MAX_ARRANGEMENTS:
        orders = list(_arrangements(counts))
    else:
        orders = [
            tuple(table[(seat + shift) % len(table)] for seat in range(len(table))) for shift in range(len(table))
        ]
    policies = sorted(counts)
    sides = tuple(Side(policy, _without_one(table, policy)) for policy in policies)
    sides_SN = np.array([[policies.index(policy) for policy in order] for order in orders], np.int64)
    return Seatings(sides, sides_SN)


def _arrangements(counts: Counter[int]) -> Iterator[tuple[int, ...]]:
    """Yield every distinct order of as many policies as are counted, in ascending order."""
    left = [policy for policy in sorted(counts) if counts[policy]]
    if not left:
        yield ()
    for policy in left:
        for rest in _arrangements(counts - Counter([policy])):
            yield (policy, *rest)


def _without_one(table: Sequence[int], policy: int) -> tuple[int, ...]:
    """Return the others at the table of one seat of a policy."""
    others = list(table)
    others.remove(policy)
    return tuple(others)
