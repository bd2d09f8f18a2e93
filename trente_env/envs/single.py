"""`OneSeatEnv`: the game as a Gymnasium environment, one seat the learner's, a shell over a `OneSeatBatch` of one."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from trente_env.core.actions import NUM_ACTIONS
from trente_env.envs import options as checks
from trente_env.envs.rendering import RENDER_MODES, table_text
from trente_env.envs.seated import GO_ON, begin_rows, check_shown, new_batch, space_of
from trente_env.errors import GameOverError, IllegalActionError, NotResetError
from trente_env.game import Game, checked_seed
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["OneSeatEnv"]

_ONLY_ROW = np.zeros(1, np.int64)


class OneSeatEnv(gymnasium.Env[Any, int]):
    """Thirty-One as one player sees it: each step is a decision of the learner's; policies play the others inside.

    `gymnasium.make("trente_env:trente/TrenteEtUn-v0", opponents=["knock@27"])` makes one. `docs/gymnasium.md` is the
    guide. In short:

    - The reward of a step is all that happened to the seat up to its next decision, on others' moves too.
    - `terminated` where the game (or round) is over, or the learner out; `truncated` where `max_rounds` stopped it.
    - `info["action_mask"]` has the legal actions, int8; `action_masks()` returns them as bools. All zero when done.
    - `reset(seed=s)` begins `Game(rules, s)`; `reset()` goes on with what follows it: the next game, whose seed
      follows from the last one's, or, with round episodes, the next round. Before the first seed, chance is entropy's.
    - An episode in which the learner never decides (others end it first) is skipped.

    Args:
        preset: Name of a rule set, a key of `trente_env.PRESETS`.
        num_players: Seats at the table.
        opponents: Who may hold the other seats, policies or names; drawn anew for each seat and game, by its seed.
        weights: How often each of them is drawn; alike if None.
        seat: The learner's seat, or "rotate": seed modulo seats in the first game, then one further in each game.
        reward: "game", "lives", "round" or "pot" (see `TrenteEtUn`). Who goes out is paid its loss then.
        episode: "game", or "round" (with the rewards "lives" and "round"): an episode is a round; the game goes on from
            one to the next.
        render_mode: "human" prints the table at every step, "ansi" has `render()` return it; None shows nothing.
        dtype: "int8", or "float32" for the same numbers cast.
        illegal: What an illegal action does. "terminate" ends the episode and its game with -1 and
            `info["illegal_action"]`, so that any action of the space may be stepped, as Gymnasium has it; "raise"
            raises an `IllegalActionError`, the state unchanged.
        mask_in_observation: Whether observations are dicts, {"observation", "action_mask"}, for learners that keep
            observations only.
        max_players: Places in the observation's per-seat sections, if more than there are seats.
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
    }

    def __init__(
        self,
        preset: str = "quebec",
        num_players: int | None = 4,
        *,
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
        """Check the options. The first game begins with `reset()`."""
        check_shown(dtype, render_mode, illegal)
        self.batch = new_batch(
            1, preset=preset, num_players=num_players, opponents=opponents, weights=weights, seat=seat, reward=reward,
            episode=episode, illegal=illegal, max_players=max_players, rules=rules, rule_changes=rule_changes,
            holds=True,
        )  # fmt: skip
        self.render_mode, self.illegal, self.dtype = render_mode, illegal, np.dtype(dtype)
        self.mask_in_observation = bool(mask_in_observation)
        self.observation_space = space_of(self.batch.spec, dtype, has_mask=self.mask_in_observation)
        self.action_space: Any = spaces.Discrete(NUM_ACTIONS)
        self._has_begun = False
        self._is_shown = False
        self._action_B = np.zeros(1, np.int64)

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.batch.rules

    @property
    def game(self) -> Game:
        """A copy of the game being played, hidden cards included: for referees, not for players."""
        return self.batch.game(0)

    def set_opponents(
        self, opponents: str | Policy | Sequence[str | Policy], weights: Sequence[float] | None = None
    ) -> None:
        """Change who is drawn when games begin; the game under way is played out against whom it began with."""
        self.batch.set_opponents(checks.chosen_opponents(opponents), weights)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode, and let the others play up to the learner's first decision.

        Args:
            seed: 0 to 2**63 - 1; the game is then `Game(rules, seed)`. Without one, what follows: after a round that is
                over the next round, otherwise the next game.
            options: "seat" for the learner in this game; "dealer", "lives" or "position": see
                `trente_env.envs.opening.open_game`.

        Raises:
            TrenteError: If seed or options cannot be. The environment is unchanged.
        """
        if seed is not None:
            row_seed = seed = checked_seed(seed)
        elif self._has_begun:
            row_seed = GO_ON
        else:
            row_seed = int(self.np_random.integers(2**63))
        begin_rows(self.batch, _ONLY_ROW, np.array([row_seed]), options)
        super().reset(seed=seed)
        self._has_begun = True
        return self._seen()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learner's decision, and let the others play up to its next one, or to the end of the episode.

        Raises:
            NotResetError: Before the first reset().
            GameOverError: After the end of an episode.
            IllegalActionError: If the action is not legal (and `illegal="raise"`); nothing is changed.
        """
        batch = self.batch
        if not self._has_begun:
            raise NotResetError("This environment has not been reset: call env.reset() before step().")
        if batch.held_B[0]:
            raise GameOverError("The episode is over: call env.reset() before the next step().")
        try:
            chosen = index(action)
        except TypeError:
            chosen = -1
        is_legal = 0 <= chosen < NUM_ACTIONS and bool(batch.out.masks_BA[0, chosen])
        if not is_legal:
            if self.illegal == "raise":
                batch.game(0).verify(action)  # it says what is wrong
                raise IllegalActionError(f"{action!r} is no action: give an id from 0 to {NUM_ACTIONS - 1}.")
            chosen = -1
        self._action_B[0] = chosen
        batch.decide(self._action_B)
        is_done, is_truncated = bool(batch.dones_B[0]), bool(batch.truncated_B[0])
        observation, info = self._seen()
        if not is_legal:
            info["illegal_action"] = True
        return observation, float(batch.rewards_B[0]), is_done and not is_truncated, is_truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions as bools, as sb3-contrib's MaskablePPO asks for them."""
        mask_A: NDArray[np.bool_] = self.batch.out.masks_BA[0].astype(np.bool_)
        return mask_A

    def _seen(self) -> tuple[Any, dict[str, Any]]:
        """Return observation and info, in arrays of their own."""
        out = self.batch.out
        observation: Any = out.observations_BS[0].astype(self.dtype)
        mask = out.masks_BA[0].copy()
        if self.mask_in_observation:
            observation = {"observation": observation, "action_mask": mask.copy()}
        self._is_shown = False
        if self.render_mode == "human":
            self.render()
        return observation, {"action_mask": mask, "seat": int(self.batch.learners_B[0])}

    def render(self) -> str | None:
        """Show the table as the learner sees it: no card is shown that it does not know.

        Returns:
            The text with render mode "ansi"; None with "human", which prints it (each position once).
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render mode: give render_mode='human' or 'ansi'.")
            return None
        text = table_text(self.batch.game(0), int(self.batch.learners_B[0]))
        if self.render_mode == "ansi":
            return text
        if not self._is_shown:
            sys.stdout.write(text + "\n\n")
            sys.stdout.flush()
            self._is_shown = True
        return None
