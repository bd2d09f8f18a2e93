"""Whom the learner plays against: heuristics, and its own past selves."""

from __future__ import annotations

import random
from collections.abc import Sequence

from trente_env.adapters.sb3 import SelfPlayVecEnv
from trente_env.policy import Policy

__all__ = ["OpponentPool"]


class OpponentPool:
    """Fixed opponents and a bounded number of snapshots, handed to the environment whenever they change.

    A new snapshot takes the place of the oldest or, half of the time, of any: recent selves prevail, some early ones
    stay.

    Args:
        env: Where they play.
        fixed: Opponents that stay, and how often each is drawn beside the others.
        snapshots: How many snapshots at most.
        share: How often a seat is drawn from the snapshots, once there are any.
        seed: Decides which snapshots stay.
    """

    def __init__(
        self, env: SelfPlayVecEnv, fixed: Sequence[tuple[Policy, float]], *, snapshots: int, share: float, seed: int
    ) -> None:
        """Begin with the fixed opponents alone."""
        self._env = env
        self._fixed = list(fixed)
        self._limit = snapshots
        self._share = share
        self._random = random.Random(seed)  # noqa: S311 - no secret
        self.snapshots: list[Policy] = []

    @property
    def wants_snapshots(self) -> bool:
        """Whether a snapshot would be played against."""
        return self._limit > 0 and self._share > 0

    def add(self, snapshot: Policy) -> None:
        """Let the learner's present self be among the opponents of games that begin from now on."""
        if len(self.snapshots) >= self._limit:
            self.snapshots.pop(0 if self._random.random() < 0.5 else self._random.randrange(len(self.snapshots)))  # noqa: PLR2004
        self.snapshots.append(snapshot)
        total = sum(weight for _, weight in self._fixed)
        fixed = [(1 - self._share) * weight / total for _, weight in self._fixed]
        past = [self._share / len(self.snapshots)] * len(self.snapshots)
        self._env.set_opponents([*(policy for policy, _ in self._fixed), *self.snapshots], fixed + past)
