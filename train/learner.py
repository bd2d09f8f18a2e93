"""`SelfPlayPPO`: sb3-contrib's MaskablePPO with a collecting loop for one large vector environment."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from trente_env.adapters.sb3 import SelfPlayVecEnv

__all__ = ["SelfPlayPPO"]


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO on `SelfPlayVecEnv`, bounded by time as well as by decisions.

    It learns exactly as the base class does. Collecting asks the environment for all masks at once and loops over no
    games in Python; and what remains of the training, which schedules depend on, may be measured in seconds.
    """

    seconds: float | None = None
    """Train for so long, from the first call of `learn`; None: until the decisions asked for are taken."""
    _began: float | None = None

    def begin_clock(self, seconds: float | None) -> None:
        """Bound the training by time from now on."""
        self.seconds = seconds
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock began; 0 before."""
        return 0.0 if self._began is None else time.monotonic() - self._began

    @property
    def is_time_over(self) -> bool:
        """Whether the time given has passed."""
        return self.seconds is not None and self.elapsed >= self.seconds

    def _update_current_progress_remaining(self, num_timesteps: int, total_timesteps: int) -> None:
        super()._update_current_progress_remaining(num_timesteps, total_timesteps)
        if self.seconds is not None:
            remaining = 1.0 - self.elapsed / self.seconds
            self._current_progress_remaining = max(0.0, min(self._current_progress_remaining, remaining))

    def collect_rollouts(
        self,
        env: VecEnv,
        callback: BaseCallback,
        rollout_buffer: RolloutBuffer,
        n_rollout_steps: int,
        use_masking: bool = True,  # noqa: FBT001, FBT002 - the base class's signature
    ) -> bool:
        """Fill the buffer with decisions of the present policy; return False if the callback stopped it."""
        if not (use_masking and isinstance(env, SelfPlayVecEnv) and isinstance(rollout_buffer, MaskableRolloutBuffer)):
            return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, use_masking)
        self.policy.set_training_mode(False)
        rollout_buffer.reset()
        callback.on_rollout_start()
        observations: Any = self._last_obs
        starts: Any = self._last_episode_starts
        for _ in range(n_rollout_steps):
            masks = env.action_masks()
            with torch.no_grad():
                actions, values, log_probs = self.policy(torch.from_numpy(observations), action_masks=masks)
            chosen = actions.numpy()
            following: Any
            following, rewards, dones, infos = env.step(chosen)
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
            self._update_info_buffer([infos[row] for row in np.flatnonzero(dones)[:8]])
            self._credit_what_was_cut(env, rewards)
            rollout_buffer.add(
                observations, chosen.reshape(-1, 1), rewards, starts, values, log_probs, action_masks=masks
            )  # fmt: skip
            observations, starts = following, dones
            self._last_obs, self._last_episode_starts = following, dones
        with torch.no_grad():
            values = self.policy.predict_values(torch.from_numpy(observations))
        rollout_buffer.compute_returns_and_advantage(last_values=values, dones=starts)
        callback.on_rollout_end()
        return True

    def _credit_what_was_cut(self, env: SelfPlayVecEnv, rewards: NDArray[np.float32]) -> None:
        """Add the critic's guess of what would have followed where a game was stopped without a result (R50)."""
        cut = np.flatnonzero(env.batch.truncated_B)
        if len(cut):
            with torch.no_grad():
                values: Any = self.policy.predict_values(torch.from_numpy(env.batch.last_BS[cut]))
            rewards[cut] += self.gamma * values.numpy().ravel()
