"""`SelfPlayPPO`: sb3-contrib's MaskablePPO with a collecting loop for one large vector environment."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from trente_env.adapters.sb3 import SelfPlayVecEnv
from trente_env.policy import Policy

__all__ = ["SelfPlayPPO"]


class SelfPlayPPO(MaskablePPO):
    """MaskablePPO on `SelfPlayVecEnv`, bounded by time as well as by decisions.

    It learns exactly as the base class does. Collecting asks the environment for all masks at once and loops over no
    games in Python; and what remains of the training, which schedules depend on, may be measured in seconds.
    """

    seconds: float | None = None
    """Train for so long, from the first call of `learn`; None: until the decisions asked for are taken."""
    _began: float = 0.0

    def begin_clock(self, seconds: float | None) -> None:
        """Bound the training by time from now on."""
        self.seconds = seconds
        self._began = time.monotonic()

    @property
    def elapsed(self) -> float:
        """Seconds since the clock began."""
        return time.monotonic() - self._began

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

    def imitate(
        self, teacher: Policy, *, decisions: int, seconds: float, goes_on: Callable[[], bool] = lambda: True
    ) -> int:
        """Fit the actor to what a teacher would do, and the critic to what comes of it, before learning from rewards.

        The teacher plays the learner's seat and says what it would do; one pass is made over each batch of decisions.

        Args:
            teacher: Whom to imitate.
            decisions: Stop after so many decisions,
            seconds: or after so long,
            goes_on: or when this says so.

        Returns:
            The number of decisions.
        """
        env, buffer, policy = self.env, self.rollout_buffer, self.policy
        assert isinstance(env, SelfPlayVecEnv)  # noqa: S101 - for the type checker
        end = time.monotonic() + seconds
        observations: Any = env.reset()
        starts = np.ones(env.num_envs, np.bool_)
        taken = 0
        policy.set_training_mode(True)
        while taken < decisions and time.monotonic() < end and goes_on():
            buffer.reset()
            for _ in range(buffer.buffer_size):
                masks = env.action_masks()
                actions = env.batch.ask(teacher)
                with torch.no_grad():
                    values = policy.predict_values(torch.from_numpy(observations))
                following, rewards, dones, _ = env.step(actions)
                buffer.add(
                    observations, actions.reshape(-1, 1), rewards, starts, values, values.squeeze(1), action_masks=masks
                )  # fmt: skip
                observations, starts = following, dones
            taken += buffer.buffer_size * env.num_envs
            with torch.no_grad():
                values = policy.predict_values(torch.from_numpy(observations))
            buffer.compute_returns_and_advantage(last_values=values, dones=starts)
            for batch in buffer.get(self.batch_size):
                fitted, log_probs, _ = policy.evaluate_actions(
                    batch.observations, batch.actions.long().flatten(), action_masks=batch.action_masks
                )
                loss = self.vf_coef * torch.nn.functional.mse_loss(fitted.flatten(), batch.returns) - log_probs.mean()
                policy.optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]  # torch's own
                torch.nn.utils.clip_grad_norm_(policy.parameters(), self.max_grad_norm)
                policy.optimizer.step()
        return taken
