"""Who may hold the seats that are not the learner's: drawn by weight, known by keys, and a tally for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray

from trente_env.errors import InvalidOptionError, is_list
from trente_env.policy import Policy

__all__ = ["Opponents"]


class Opponents:
    """Policies with a small key each, from which kernels draw, and a tally of games for each."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.policies: dict[int, Policy] = {}
        """Everybody who holds a seat or may be drawn, by key."""
        self.pool_K: NDArray[np.int64] = np.zeros(0, np.int64)
        """Keys of those who may be drawn."""
        self.bounds_K: NDArray[np.float64] = np.zeros(0)
        """Running sums of their shares, up to 1."""
        self.sizes_K: NDArray[np.int64] = np.zeros(0, np.int64)
        """Scratch: how many decisions each key has in a wave."""
        self.starts_K: NDArray[np.int64] = np.zeros(0, np.int64)
        """Scratch."""
        self.tallies_K2: NDArray[np.float64] = np.zeros((1, 2))
        """Games won by the learner, and played, against each key; in the last place, at a table of several."""
        self._results: dict[str, list[float]] = {}

    def choose(self, opponents: Sequence[Policy], weights: Sequence[float] | None, seated: set[int]) -> None:
        """Change who is drawn from now on.

        Args:
            opponents: Who may hold a seat.
            weights: How often each of them is drawn; alike if None.
            seated: Keys of those who hold seats now, and keep them.

        Raises:
            InvalidOptionError: If there is nobody, or a weight is missing, negative or not finite.
        """
        shares = _checked_shares(opponents, weights)
        self._collect()
        policies = {key: policy for key, policy in self.policies.items() if key in seated}
        known = {id(policy): key for key, policy in policies.items()}
        for policy in opponents:
            if id(policy) not in known:
                key = next(key for key in range(len(policies) + 1) if key not in policies)
                policies[key] = policy
                known[id(policy)] = key
        self.policies = policies
        self.pool_K = np.array([known[id(policy)] for policy in opponents], np.int64)
        self.bounds_K = np.cumsum(shares) / shares.sum()
        self.bounds_K[np.flatnonzero(shares)[-1] :] = 1.0  # whatever rounding left
        self.sizes_K, self.starts_K = (np.zeros(max(policies) + 1, np.int64) for _ in range(2))
        self.tallies_K2 = np.zeros((len(self.sizes_K) + 1, 2))

    def take_results(self) -> dict[str, list[float]]:
        """Return [games won, games played] by name since the last call."""
        self._collect()
        results, self._results = self._results, {}
        return results

    def clone(self) -> Self:
        """Return an independent copy; the policies themselves are shared."""
        twin = type(self)()
        for name, value in vars(self).items():
            setattr(twin, name, value.copy())
        twin._results = {name: list(result) for name, result in self._results.items()}  # noqa: SLF001 - our own copy
        return twin

    def _collect(self) -> None:
        """Move the tallies to the names they belong to."""
        names = [self.policies[key].name if key in self.policies else "" for key in range(len(self.tallies_K2) - 1)]
        for name, (won, played) in zip([*names, "the table"], self.tallies_K2.tolist(), strict=True):
            if played > 0:
                before = self._results.get(name, [0.0, 0.0])
                self._results[name] = [before[0] + won, before[1] + played]
        self.tallies_K2[:] = 0.0


def _checked_shares(opponents: Sequence[Policy], weights: Sequence[float] | None) -> NDArray[np.float64]:
    if not is_list(opponents, Policy):
        raise InvalidOptionError(f"opponents cannot be {opponents!r}: give a list of policies (agents.make(name)).")
    count = len(opponents)
    try:
        shares = np.ones(count) if weights is None else np.array(weights, np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(f"weights cannot be {weights!r}: give a number for each opponent.") from error
    if not count or shares.shape != (count,):
        raise InvalidOptionError(
            f"opponents must be at least one policy with one weight each, not {count} with {shares.shape}."
        )
    if not np.isfinite(shares).all() or (shares < 0).any() or not shares.sum() > 0:
        raise InvalidOptionError(f"weights cannot be {shares.tolist()}: give numbers from 0, not all 0.")
    return shares
