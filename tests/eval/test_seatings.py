from __future__ import annotations

import math

import numpy as np
import pytest

from eval.seatings import MAX_ARRANGEMENTS, match_seatings, table_seatings
from trente_env.errors import InvalidOptionError


def test_heads_up_both_seatings_are_played() -> None:
    """Two players sit both ways round, and each is a side."""
    seatings = match_seatings(2)
    assert seatings.policies_SN.tolist() == [[0, 1], [1, 0]]
    assert [side.policy for side in seatings.sides] == [0, 1]


@pytest.mark.parametrize("num_players", [3, 4, 9])
def test_each_policy_sits_alone_among_the_other_in_each_seat(num_players: int) -> None:
    """At larger tables each of the two is alone once in each seat, the other in all the rest; sides are kept apart."""
    seatings = match_seatings(num_players)
    assert seatings.policies_SN.shape == (2 * num_players, num_players)
    for policy in (0, 1):
        rows = [row for row in seatings.policies_SN.tolist() if row.count(policy) == 1]
        assert sorted(row.index(policy) for row in rows) == list(range(num_players))
    reported = [index for index, side in enumerate(seatings.sides) if side.is_reported]
    assert [seatings.sides[side].policy for side in reported] == [0, 1]
    for side, other in zip(reported, (1, 0), strict=True):
        assert seatings.games_of(side) == num_players
        assert (seatings.sides_SN == side).sum(axis=0).tolist() == [1] * num_players
        assert seatings.sides[side].against == (other,) * (num_players - 1)


def test_without_return_only_the_first_sits_alone() -> None:
    """Leaving out the return halves the seatings; the first side stays as it was."""
    seatings = match_seatings(4, is_return_played=False)
    assert seatings.policies_SN.tolist() == match_seatings(4).policies_SN.tolist()[:4]
    assert [side.is_reported for side in seatings.sides] == [True, False]


@pytest.mark.parametrize("table", ["AB", "ABC", "ABBC", "ABCD", "AABB", "ABBBBBBBB", "AAAA"])
def test_small_tables_are_played_in_every_distinct_arrangement(table: str) -> None:
    """With at most 24 arrangements each of them is played once."""
    policies = [ord(letter) - ord("A") for letter in table]
    seatings = table_seatings(policies)
    rows = [tuple(row) for row in seatings.policies_SN.tolist()]
    expected = math.factorial(len(table)) // math.prod(math.factorial(table.count(each)) for each in set(table))
    assert len(rows) == len(set(rows)) == expected <= MAX_ARRANGEMENTS
    assert all(sorted(row) == sorted(policies) for row in rows)


def test_large_tables_are_played_in_every_rotation() -> None:
    """With more arrangements than 24 the order given is kept and turned, so each policy has each seat equally often."""
    seatings = table_seatings([0, 1, 2, 3, 4])
    assert seatings.policies_SN.shape == (5, 5)
    for policy in range(5):
        assert (seatings.policies_SN == policy).sum(axis=0).tolist() == [1] * 5
    assert {tuple(np.roll(row, -row.index(0))) for row in seatings.policies_SN.tolist()} == {(0, 1, 2, 3, 4)}


def test_a_policy_in_several_seats_is_one_side() -> None:
    """Equal policies at a table are one side of several seats, and sit against what is left."""
    seatings = table_seatings([0, 1, 1, 2])
    assert [side.policy for side in seatings.sides] == [0, 1, 2]
    assert [seatings.seats_of(side) for side in range(3)] == [1, 2, 1]
    assert seatings.sides[1].against == (0, 1, 2)
    assert [seatings.games_of(side) for side in range(3)] == [12, 24, 12]


def test_a_table_of_one_is_refused() -> None:
    """A game needs two."""
    with pytest.raises(InvalidOptionError, match="at least two"):
        table_seatings([0])
