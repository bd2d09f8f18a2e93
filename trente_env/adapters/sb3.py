"""Stable-Baselines3: `SelfPlayVecEnv`, a native `VecEnv` over a batch of games, one seat of each the learner's.

    env = SelfPlayVecEnv(preset("quebec", num_players=2), 256, [agents.make("knock@27")])
    model = MaskablePPO("MlpPolicy", env, gamma=1.0)

One call of a compiled kernel steps all games: no subprocesses, no per-game Python. Every step of the learner is one of
its own decisions; see `trente_env.envs.one_seat` for what its reward holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from trente_env.batch import checked_ints
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.rng import next_game_seed
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.errors import NotResetError
from trente_env.game import checked_seed
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["SelfPlayVecEnv"]


class SelfPlayVecEnv(VecEnv):
    """A Stable-Baselines3 vector environment in which the learner plays one seat of every game.

    Observations are int8 rows; masks come from `action_masks()`, as `MaskablePPO` asks for them, and in
    `env_method("action_masks")`. With "round" episodes, rewards carry no discounting across rounds: use `gamma=1.0`.

    Args:
        rules: The rule set.
        num_envs: How many games.
        opponents: Who may hold the other seats: drawn when a game begins.
        weights: How often each of them is drawn; alike if None.
        seed: Seeds games and drawing, as `seed()` does for the next `reset()`. A `reset()` without a new seed begins
            other games, which follow from the last seed and the number of resets since.
        episode: "round" or "game".
        reward: Kind of reward (see `Game.rewards`).
        max_players: Places in the observation's per-seat sections, if more than there are seats.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int,
        opponents: Sequence[Policy],
        *,
        weights: Sequence[float] | None = None,
        seed: int = 0,
        episode: str = "round",
        reward: str = "round",
        max_players: int | None = None,
    ) -> None:
        """Begin every game."""
        self.batch = OneSeatBatch(
            rules, num_envs, opponents,
            weights=weights, seed=seed, episode=episode, reward=reward, max_players=max_players,
        )  # fmt: skip
        self.render_mode: str | None = None
        spec = self.batch.spec
        super().__init__(num_envs, spaces.Box(spec.lows, spec.highs, dtype=np.int8), spaces.Discrete(NUM_ACTIONS))
        self._actions: NDArray[np.int64] | None = None
        self._base_seed = seed
        self._seed_given: int | None = None
        self._resets_since = -1  # the games begun above are for the first reset
        self._nothing: dict[str, Any] = {}
        self._returns_B: NDArray[np.float64] = np.zeros(num_envs)
        self._lengths_B: NDArray[np.int64] = np.zeros(num_envs, np.int64)

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.batch.rules

    def set_opponents(self, opponents: Sequence[Policy], weights: Sequence[float] | None = None) -> None:
        """Change who is drawn when games begin. Games under way are played out against whom they began with."""
        self.batch.set_opponents(opponents, weights)

    def take_results(self) -> dict[str, list[float]]:
        """Return, by opponent, [games won, games played] since the last call."""
        return self.batch.take_results()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Seed the games that the next `reset` begins, and those of the resets after it."""
        self._seed_given = None if seed is None else checked_seed(seed)
        return [seed] * self.num_envs

    def reset(self) -> NDArray[np.int8]:
        """Begin every game: from the seed just given, or else other games than before, which follow from the last."""
        if self._seed_given is not None:
            self.batch.begin(self._seed_given)
            self._base_seed, self._seed_given, self._resets_since = self._seed_given, None, 0
        else:
            self._resets_since += 1
            if self._resets_since > 0:
                self.batch.begin(next_game_seed(self._base_seed, self._resets_since - 1))
        self._returns_B[:] = 0
        self._lengths_B[:] = 0
        self._actions = None
        return self.batch.out.observations_BS.copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions in every game, (B, A)."""
        return self.batch.out.masks_BA.astype(np.bool_)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Take note of the learner's decisions, (B,).

        Raises:
            InvalidOptionError: If they are no whole numbers, one for each game.
        """
        self._actions = checked_ints("actions", actions, self.num_envs)

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Apply them and let the others play up to the learner's next ones.

        Returns:
            Observations, rewards, whether episodes ended, and infos: where one ended, `terminal_observation` and the
            `episode`'s return and length; elsewhere one shared, empty dict.
        """
        if self._actions is None:
            raise NotResetError("step_wait() without step_async(): call step(actions).")
        out = self.batch.decide(self._actions)
        self._actions = None
        rewards_B = self.batch.rewards_B.astype(np.float32)
        dones_B = self.batch.dones_B.astype(np.bool_)
        self._returns_B += rewards_B
        self._lengths_B += 1
        infos = [self._nothing] * self.num_envs
        ended = np.flatnonzero(dones_B)
        if len(ended):
            last_BS = self.batch.last_BS[ended]
            returns, lengths = self._returns_B[ended].tolist(), self._lengths_B[ended].tolist()
            for place, row in enumerate(ended.tolist()):
                infos[row] = {
                    "terminal_observation": last_BS[place],
                    "episode": {"r": returns[place], "l": lengths[place]},
                    "TimeLimit.truncated": bool(self.batch.truncated_B[row]),
                }
            self._returns_B[ended] = 0
            self._lengths_B[ended] = 0
        return out.observations_BS.copy(), rewards_B, dones_B, infos

    def close(self) -> None:
        """Nothing is held open."""

    def _indices(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """Return an attribute, which all games share, once a game."""
        value = getattr(self, attr_name)
        return [value for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:  # noqa: ARG002
        """Set an attribute, which all games share."""
        setattr(self, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method; what it returns for every game is handed out by game."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        shared = not (isinstance(result, np.ndarray) and len(result) == self.num_envs)
        return [result if shared else result[index] for index in self._indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: int | Iterable[int] | None = None) -> list[bool]:  # noqa: ARG002
        """Return that no game is wrapped in anything."""
        return [False for _ in self._indices(indices)]
