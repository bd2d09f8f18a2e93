"""`OneSeatVectorEnv`: many games as a Gymnasium vector environment, a shell over a `OneSeatBatch`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from trente_env.batch import checked_ints
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.rng import MAX_SEED
from trente_env.envs import options as checks
from trente_env.envs.rendering import table_text
from trente_env.envs.seated import GO_ON, begin_rows, check_shown, checked_options, new_batch, space_of
from trente_env.errors import GameOverError, InvalidOptionError, NotResetError, is_list, is_whole
from trente_env.game import checked_seed
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["OneSeatVectorEnv"]

RENDER_MODES = ("ansi",)


class OneSeatVectorEnv(VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Many games of Thirty-One, one seat of each the learner's; policies decide for the others, all games at once.

    `gymnasium.make_vec("trente_env:trente/TrenteEtUn-v0", num_envs=4096)` makes one. Each game plays as a
    `OneSeatEnv` of the same options and seed does, whatever the number of games: `reset(seed=s)` seeds game k with
    s + k, a list gives each its own. `docs/gymnasium.md` is the guide.

    Args:
        num_envs: How many games.
        preset: As for `OneSeatEnv`, like all that is not said here.
        num_players: Seats at each table.
        autoreset_mode: `AutoresetMode` or its value. NEXT_STEP: the step after the end of an episode ignores its action
            and begins the next one, reward 0. SAME_STEP: the step that ends an episode begins the next one, and has the
            end in `info["final_obs"]` and `info["final_info"]`. DISABLED: `reset(options={"reset_mask": mask})` begins
            them.
        opponents: Who may hold the other seats.
        weights: How often each of them is drawn.
        seat: The learner's seat, or "rotate".
        reward: Kind of reward.
        episode: "game" or "round".
        render_mode: "ansi" has `render()` return every table as text; None shows nothing.
        dtype: "int8" or "float32".
        illegal: "terminate" or "raise"; then no game is changed.
        mask_in_observation: Whether observations are dicts with "action_mask".
        max_players: Places in the observation's per-seat sections.
        rules: Rules instead of a preset.
        **rule_changes: Fields of `Rules` to change in the preset.

    Raises:
        UnknownNameError: If there is no such preset, policy or kind of reward.
        InvalidRulesError: If the rules make no sense.
        InvalidOptionError: If another argument makes none.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        preset: str = "quebec",
        num_players: int | None = 4,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        opponents: str | Policy | Sequence[str | Policy] = ("knock@27",),
        weights: Sequence[float] | None = None,
        seat: int | str = "rotate",
        reward: str = "game",
        episode: str = "game",
        render_mode: str | None = None,
        dtype: str = "int8",
        illegal: str = "terminate",
        mask_in_observation: bool = False,
        max_players: int | None = None,
        rules: Rules | None = None,
        **rule_changes: Any,
    ) -> None:
        """Check the options. The first games begin with `reset()`."""
        check_shown(dtype, None, illegal)
        if render_mode is not None:
            checks.check_choice("render_mode", render_mode, RENDER_MODES)
        self.autoreset_mode = _checked_mode(autoreset_mode)
        self.batch = new_batch(
            num_envs, preset=preset, num_players=num_players, opponents=opponents, weights=weights, seat=seat,
            reward=reward, episode=episode, illegal=illegal, max_players=max_players, rules=rules,
            rule_changes=rule_changes, holds=self.autoreset_mode is not AutoresetMode.SAME_STEP,
        )  # fmt: skip
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.num_envs = self.batch.num_games
        self.render_mode, self.illegal, self.dtype = render_mode, illegal, np.dtype(dtype)
        self.mask_in_observation = bool(mask_in_observation)
        self.single_observation_space = space_of(self.batch.spec, dtype, has_mask=self.mask_in_observation)
        self.single_action_space = spaces.Discrete(NUM_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._has_begun = False

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.batch.rules

    def set_opponents(
        self, opponents: str | Policy | Sequence[str | Policy], weights: Sequence[float] | None = None
    ) -> None:
        """Change who is drawn when games begin; games under way are played out against whom they began with."""
        self.batch.set_opponents(checks.chosen_opponents(opponents), weights)

    def take_results(self) -> dict[str, list[float]]:
        """Return, by opponent, [games won, games played] since the last call (see `OneSeatBatch.take_results`)."""
        return self.batch.take_results()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode in every game, and let the others play up to the learner's first decisions.

        Args:
            seed: An int, and game k has seed + k; or one for each game, None for those that go on with what follows.
            options: Those of `OneSeatEnv.reset`, for every game; and "reset_mask", bools by game: which games begin an
                episode. The others stand as they are.

        Raises:
            TrenteError: If seed or options cannot be. No game is changed.
        """
        seeds_B = self._checked_seeds(seed)
        given = checked_options(options)
        rows_V = self._checked_rows_to_reset(given.pop("reset_mask", None))
        if not self._has_begun:
            fresh_B = self.np_random.integers(2**63, size=self.num_envs)
            seeds_B = np.where(seeds_B == GO_ON, fresh_B, seeds_B)
        begin_rows(self.batch, rows_V, seeds_B[rows_V], given)
        if is_whole(seed, 0, MAX_SEED):
            super().reset(seed=int(seeds_B[0]))
        self._has_begun = True
        return self._observations(self.batch.out.observations_BS), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learner's decision in every game, and let the others play up to its next ones.

        Raises:
            NotResetError: Before the first reset().
            GameOverError: If an episode is over and nothing begins the next one (autoreset disabled).
            IllegalActionError: If an action is not legal (and `illegal="raise"`); no game is changed.
        """
        batch = self.batch
        if not self._has_begun:
            raise NotResetError("This environment has not been reset: call envs.reset() before step().")
        actions_B = checked_ints("actions", actions, self.num_envs)
        if self.autoreset_mode is AutoresetMode.DISABLED and batch.held_B.any():
            over = np.flatnonzero(batch.held_B).tolist()
            raise GameOverError(
                f"The episodes of games {over[:8]} ({len(over)} of them) are over and autoreset is disabled: call "
                'reset(options={"reset_mask": terminations | truncations}) before the next step().'
            )
        illegal_B = self._illegal(actions_B) if self.illegal == "terminate" else None
        seats_B = batch.learners_B.copy()
        batch.decide(actions_B)
        dones_B, truncations_B = batch.dones_B != 0, batch.truncated_B != 0
        infos = self._infos()
        final = infos
        if self.autoreset_mode is AutoresetMode.SAME_STEP and dones_B.any():
            final = self._final_info(dones_B, seats_B)
            infos |= {"final_obs": self._final_observations(dones_B), "_final_obs": dones_B.copy()}
            infos |= {"final_info": final, "_final_info": dones_B.copy()}
        if illegal_B is not None and illegal_B.any():
            final |= {"illegal_action": illegal_B, "_illegal_action": illegal_B.copy()}
        observations = self._observations(batch.out.observations_BS)
        return observations, batch.rewards_B.copy(), dones_B & ~truncations_B, truncations_B, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions of every game as bools, (num_envs, 62)."""
        return self.batch.out.masks_BA.astype(np.bool_)

    def render(self) -> tuple[str, ...] | None:
        """Show every table as its learner sees it: texts with render mode "ansi", else None."""
        if self.render_mode is None:
            return None
        seats = self.batch.learners_B.tolist()
        return tuple(table_text(self.batch.game(row), seat) for row, seat in enumerate(seats))

    # What is handed out, in arrays of its own.

    def _observations(self, observations_VS: NDArray[np.int8]) -> Any:
        seen = observations_VS.astype(self.dtype)
        return (
            {"observation": seen, "action_mask": self.batch.out.masks_BA.copy()} if self.mask_in_observation else seen
        )

    def _infos(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self.batch.out.masks_BA.copy(), "_action_mask": everywhere,
            "seat": self.batch.learners_B.copy(), "_seat": everywhere.copy(),
        }  # fmt: skip

    def _final_info(self, dones_B: NDArray[np.bool_], seats_B: NDArray[np.int64]) -> dict[str, Any]:
        return {
            "action_mask": np.zeros((self.num_envs, NUM_ACTIONS), np.int8), "_action_mask": dones_B.copy(),
            "seat": np.where(dones_B, seats_B, 0), "_seat": dones_B.copy(),
        }  # fmt: skip

    def _final_observations(self, dones_B: NDArray[np.bool_]) -> NDArray[np.object_]:
        final_B = np.full(self.num_envs, None, np.object_)
        rows = np.flatnonzero(dones_B)
        for row, seen in zip(rows.tolist(), self.batch.last_BS[rows].astype(self.dtype), strict=True):
            if self.mask_in_observation:
                final_B[row] = {"observation": seen, "action_mask": np.zeros(NUM_ACTIONS, np.int8)}
            else:
                final_B[row] = seen
        return final_B

    # What is given.

    def _illegal(self, actions_B: NDArray[np.int64]) -> NDArray[np.bool_]:
        is_id_B = (actions_B >= 0) & (actions_B < NUM_ACTIONS)
        masks_BA = self.batch.out.masks_BA
        legal_B = is_id_B & (masks_BA[np.arange(self.num_envs), np.where(is_id_B, actions_B, 0)] != 0)
        illegal_B: NDArray[np.bool_] = ~legal_B & (self.batch.held_B == 0)
        return illegal_B

    def _checked_seeds(self, seed: Any) -> NDArray[np.int64]:
        if seed is None:
            return np.full(self.num_envs, GO_ON)
        if is_whole(seed, -MAX_SEED, MAX_SEED):
            first = checked_seed(seed)
            checked_seed(first + self.num_envs - 1)
            return first + np.arange(self.num_envs)
        each = seed.tolist() if isinstance(seed, np.ndarray) else seed
        if not is_list(each) or len(each) != self.num_envs:
            raise InvalidOptionError(f"seed cannot be {seed!r}: give a number, or {self.num_envs}, one for each game.")
        return np.array([GO_ON if one is None else checked_seed(one) for one in each], np.int64)

    def _checked_rows_to_reset(self, mask: object) -> NDArray[np.int64]:
        if mask is None:
            return np.arange(self.num_envs)
        if not self._has_begun:
            raise NotResetError("This environment has not been reset: call reset() without a reset_mask first.")
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise InvalidOptionError(f"reset_mask cannot be {mask!r}: give an array of {self.num_envs} bools.")
        if not mask.any():
            raise InvalidOptionError("reset_mask names no game: leave reset() out where no episode is over.")
        return np.flatnonzero(mask)


def _checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(repr(each.value) for each in AutoresetMode)
        raise InvalidOptionError(f"autoreset_mode cannot be {mode!r}: give an AutoresetMode, or {known}.") from None
