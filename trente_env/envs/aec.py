"""`TrenteEtUn`: the game as a PettingZoo AEC environment, a shell over one `Game`."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, Final, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from trente_env._jit import JIT_ENABLED, handle
from trente_env.core import calls
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.rewards import REWARD_KINDS
from trente_env.core.rng import next_game_seed
from trente_env.encoding.sections import ObservationSpec, observation_spec, state_spec
from trente_env.envs import options as checks
from trente_env.envs.kernels import (
    ILLEGAL,
    IS_OVER,
    IS_TRUNCATED,
    NEWS,
    look_at,
    members_at,
    new_desk,
    pay_at,
    put_on_desk,
    state_at,
    step_at,
)
from trente_env.envs.opening import fresh_seed, open_game
from trente_env.envs.rendering import RENDER_MODES, table_text
from trente_env.envs.spaces import box_of, masked_space
from trente_env.errors import (
    GameOverError,
    IllegalActionError,
    InvalidOptionError,
    NotResetError,
    NotSteppedError,
    UnknownNameError,
    is_name,
    is_whole,
)
from trente_env.game import Game, checked_seed
from trente_env.rules import Rules

__all__ = ["TrenteEtUn", "env"]

Observation = dict[str, NDArray[Any]]

_UNSEEN: Final = object()
"""Stands for nobody where the scratch observation is of no agent: equal to no name, whatever is asked for."""
_NO_ACTIONS: Final = np.zeros(NUM_ACTIONS, np.int8)
_SINCE_RESET: Final = frozenset(
    {
        "_cumulative_rewards", "_game", "_seen", "agent_selection", "agents", "game", "infos",
        "num_agents", "rewards", "terminations", "truncations",
    }
)  # fmt: skip
"""Attributes that an environment has from its first reset() on."""


class _UnsetError(NotResetError, AttributeError, AssertionError):
    """Asked for what there is only after reset(); an AttributeError too, so that hasattr() says no.

    And an AssertionError, as PettingZoo's OrderEnforcingWrapper raises.
    """


class _UnsteppedError(NotSteppedError, AssertionError):
    """A loop without a step(); an AssertionError too, as PettingZoo's OrderEnforcingWrapper raises."""


class _OutOfBoundsError(IllegalActionError, AssertionError):
    """What is in no action space; an AssertionError too, as PettingZoo's AssertOutOfBoundsWrapper raises."""


class TrenteEtUn(AECEnv[str, Observation, int | None]):
    """Thirty-One for two to nine agents, "player_0" on, seat by seat.

    An agent is selected for each decision: a turn is two, draw or take and then discard, by the same agent. The mask
    of the agent selected has its legal actions; everyone else's is zero, and so is that of an agent that is done. A
    seat that goes out is terminated, takes one None step and is never selected again. A game that runs into
    `max_rounds` truncates everyone.

    Rewards reach each agent with its own `last()`. By "game" and "pot" a seat that goes out is paid its loss when it
    leaves, the winner at the end: all of a game's rewards sum to zero, those of one step need not. Truncation pays
    nothing to those still playing.

    Args:
        preset: Name of a rule set, a key of `trente_env.PRESETS`.
        num_players: Seats at the table.
        reward: "game": +1 for the winner, the others share -1. "lives": minus the lives charged in each round, or the
            points gained. "round": the same relative to the mean of the other seats in the round. "pot": the stakes.
        episode: "game", or "round" for one round (with the rewards "lives" and "round").
        render_mode: "human" prints the table at every step, "ansi" has `render()` return it; None shows nothing.
        dtype: "int8", or "float32" for the same numbers cast.
        illegal: What an illegal action does: "raise" an `IllegalActionError`, the state unchanged, or "terminate" the
            game with -1 for the offender, as PettingZoo's TerminateIllegalWrapper has it.
        max_players: Places in the observation's per-seat sections, if more than there are seats.
        rules: Rules instead of a preset.
        **rule_changes: Fields of `Rules` to change in the preset.

    Raises:
        UnknownNameError: If there is no such preset or kind of reward.
        InvalidRulesError: If the rules make no sense.
        InvalidOptionError: If another argument makes none.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "trente_et_un_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        preset: str = "quebec",
        num_players: int | None = 4,
        reward: str = "game",
        episode: str = "game",
        render_mode: str | None = None,
        *,
        dtype: str = "int8",
        illegal: str = "raise",
        max_players: int | None = None,
        rules: Rules | None = None,
        **rule_changes: Any,
    ) -> None:
        """Check the options. The first game begins with `reset()`."""
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo's has no annotations
        self.rules = checks.chosen_rules(preset, num_players, rules, rule_changes)
        checks.check_reward(reward, episode)
        checks.check_choice("dtype", dtype, checks.DTYPES)
        checks.check_choice("illegal", illegal, checks.ON_ILLEGAL)
        checks.check_render_mode(render_mode)
        self.reward, self.episode, self.dtype, self.illegal = reward, episode, dtype, illegal
        self.render_mode = render_mode
        self.spec: ObservationSpec = observation_spec(checks.chosen_places(self.rules, max_players))
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.num_players)]
        # All agents observe alike and share a space; each has an action space of its own to sample from.
        observed: Any = masked_space(self.spec, dtype)
        self.observation_spaces: dict[str, spaces.Space[Observation]] = dict.fromkeys(self.possible_agents, observed)
        self.action_spaces: dict[str, Any] = {agent: spaces.Discrete(NUM_ACTIONS) for agent in self.possible_agents}
        self.state_space = box_of(state_spec(self.spec.seats))
        self._base_seed: int | None = None
        self._games_since_seed = 0
        self._set_up_calls()

    def _set_up_calls(self) -> None:
        """Set what follows from the options and is not pickled: arguments of kernels, scratch memory, look-ups."""
        self._kind = REWARD_KINDS[self.reward]
        self._is_float = self.dtype != "int8"
        self._observation, self._mask = np.zeros(self.spec.size, np.int8), np.zeros(NUM_ACTIONS, np.int8)
        self._scratch = calls.new_views(1), self.spec.lower(), state_spec(self.spec.seats).lower()
        self._desk_rows = new_desk()
        view, places, state_places = self._scratch
        put_on_desk(
            self._desk_rows, seat_view=view, places=places, state_places=state_places,
            observation=self._observation, mask=self._mask,
        )  # fmt: skip
        self._desk = handle(self._desk_rows)
        self._names = tuple(self.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self._names)}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Explain what is missing before reset()."""
            if name in _SINCE_RESET:
                raise _UnsetError("This environment has not been reset: call env.reset() before anything else.")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # Spaces.

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return an agent's observation space, the same object at every call."""
        return self.observation_spaces[self._checked_agent(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's action space, the same object at every call."""
        space: spaces.Space[Any] = self.action_spaces[self._checked_agent(agent)]
        return space

    # Beginning.

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 to 2**63 - 1; the game is then `Game(rules, seed)`. Without one, the game follows from the last
                seed given and the number of resets since, or from fresh entropy if none ever was.
            options: "dealer", "lives" or "position": see `trente_env.envs.opening.open_game`. A position goes on by the
                seed it was begun with.

        Raises:
            TrenteError: If seed or options cannot be. The environment is unchanged.
        """
        if seed is not None:
            base, number, game_seed = checked_seed(seed), 0, checked_seed(seed)
        else:
            base = fresh_seed() if self._base_seed is None else self._base_seed
            number = self._games_since_seed + 1
            game_seed = int(next_game_seed(base, number - 1))
        game = open_game(self.rules, game_seed, options, single_round=self.episode == "round")
        self._base_seed, self._games_since_seed = base, number
        self._begin(game)

    def _begin(self, game: Game) -> None:
        self._hold(game)
        members = members_at(self._desk)
        self.agents = [agent for seat, agent in enumerate(self._names) if members >> seat & 1]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self._names[game.seat_to_move or 0]
        self._skip_agent_selection = None  # type: ignore[assignment]  # so PettingZoo itself
        self._has_rewards = False
        self._ticks = 0
        self._shown_at = -1
        self._note_masks()
        if self.render_mode == "human":
            self.render()

    def _hold(self, game: Game) -> None:
        """Take a game as the one played."""
        self._game = game
        put_on_desk(self._desk_rows, game=game._rows, rules=game._lowered)  # noqa: SLF001 - kernels take rows
        self._seen: object = _UNSEEN
        self._seen_mask: NDArray[np.int8] | None = None

    # Playing.

    def step(self, action: int | None) -> None:
        """Take the decision of the agent selected, or, if it is terminated or truncated, its None step.

        Raises:
            NotResetError: Before the first reset().
            IllegalActionError: If the action is not legal (and `illegal="raise"`); nothing is changed.
            GameOverError: If no agent is left.
        """
        agent = self.agent_selection
        try:
            is_dead = self.terminations[agent] or self.truncations[agent]
        except KeyError:
            raise GameOverError("Every agent is done: call reset() before the next step().") from None
        if is_dead:
            self._step_dead(action)
            return
        try:
            chosen = -1 if action is True or action is False else index(action)  # type: ignore[arg-type]
            result = step_at(self._desk, chosen)
        except (TypeError, OverflowError):  # what is no number, or none that a kernel takes, is refused below
            result = ILLEGAL
        if result < 0:
            self._refuse(action)
            return
        self._ticks += 1
        if self._has_rewards:
            self._clear_rewards()
            self._has_rewards = False
        self._cumulative_rewards[agent] = 0.0
        if result >= NEWS:
            mover = self._names[result - NEWS]
            if self._bring_news():
                self._let_go(mover)
                return
        else:
            mover = self._names[result]
        infos = self.infos
        if mover is not agent:
            infos[agent] = {"action_mask": _NO_ACTIONS.copy()}
            self.agent_selection = mover
        self._seen = mover
        self._seen_mask = mask = self._mask.copy()
        infos[mover] = {"action_mask": mask}
        if self.render_mode == "human":
            self.render()

    def last(
        self,
        observe: bool = True,  # noqa: FBT001, FBT002 - as PettingZoo declares it
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward since its last step, termination, truncation and info of the agent selected."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _bring_news(self) -> bool:
        """Hand out rewards after a round ended or a seat left, and mark whose game is over.

        Returns:
            Whether anybody's is.
        """
        seat_of = self._seat_of
        listed = sum(1 << seat_of[agent] for agent in self.agents)
        members = pay_at(self._desk, self._kind, listed)
        rewards = self._desk_rows[0].rewards if not JIT_ENABLED else self._desk_rows["rewards"][0].tolist()
        for agent in self.agents:
            self.rewards[agent] = rewards[seat_of[agent]]
        self._has_rewards = True
        self._accumulate_rewards()
        if not members & IS_OVER and members & listed == listed:
            return False
        if members & IS_TRUNCATED:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            is_over = bool(members & IS_OVER)
            self.terminations = {agent: is_over or not members >> seat_of[agent] & 1 for agent in self.agents}
        return True

    def _let_go(self, mover: str) -> None:
        """Have those whose game is over take their None steps before the next to move."""
        self.agent_selection = mover
        self._deads_step_first()
        self._note_masks()
        if self.render_mode == "human":
            self.render()

    def _step_dead(self, action: int | None) -> None:
        agent = self.agent_selection
        if action is not None:
            raise self._error_of(action, f"{agent} is done and has no decision left: step(None) is all it may do.")
        self._was_dead_step(None)
        self._has_rewards = False
        self._ticks += 1
        if self.agents:
            self._note_masks()

    def _refuse(self, action: object) -> None:
        """Raise an `IllegalActionError`, or end the game at the cost of the offender."""
        if self.illegal == "raise":
            try:
                self._game.verify(action)  # type: ignore[arg-type]  # it says what is wrong with whatever it is given
            except IllegalActionError as error:
                raise self._error_of(action, str(error)) from None
            raise self._error_of(action, f"{action!r} is no action of {self.agent_selection}.")
        offender = self.agent_selection
        self._ticks += 1
        self._clear_rewards()
        self._cumulative_rewards[offender] = 0.0
        self.rewards[offender] = -1.0
        self._has_rewards = True
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._let_go(offender)

    def _error_of(self, action: object, text: str) -> IllegalActionError:
        """Return the error for an action that may not be taken: of its own kind where it is in no action space."""
        is_inside = self.action_spaces[self.agent_selection].contains(action)
        return IllegalActionError(text) if is_inside else _OutOfBoundsError(text)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, int | None]:
        """Yield the agent selected, once a step.

        Raises:
            NotResetError: Before the first reset().
            NotSteppedError: If the loop comes round without a step() or reset() in between.
        """
        _ = self.agents
        if not is_whole(max_iter, 0, 2**63):
            raise InvalidOptionError(f"max_iter cannot be {max_iter!r}: give a whole number from 0.")
        return _Agents(self, max_iter)  # type: ignore[no-untyped-call]  # PettingZoo's has no annotations

    # Looking.

    def observe(self, agent: str) -> Observation:
        """Return what an agent observes, in arrays of its own. Any agent may be asked at any time.

        Raises:
            NotResetError: Before the first reset().
        """
        if agent != self._seen:
            look_at(self._desk, self._seat_of[self._checked_agent(agent)])
            self._seen = agent
            self._seen_mask = None
        mask = self._seen_mask
        if mask is None:
            mask = self._mask.copy()
            if agent != self.agent_selection or self.terminations.get(agent, True) or self.truncations[agent]:
                mask[:] = 0  # also the mask of the next to move, while another takes its None step
        else:
            self._seen_mask = None  # given away: the caller may write into it
        seen = self._observation
        return {"observation": seen.astype(np.float32) if self._is_float else seen.copy(), "action_mask": mask}

    def _note_masks(self) -> None:
        """Write every agent's info anew."""
        self.infos = {agent: {"action_mask": _NO_ACTIONS.copy()} for agent in self.agents}
        mover = self.agent_selection
        self._seen = _UNSEEN
        self._seen_mask = self.observe(mover)["action_mask"]
        self.infos[mover] = {"action_mask": self._seen_mask}

    def state(self) -> NDArray[np.int8]:
        """Return the whole game as numbers, hidden cards included: for centralised critics (see `state_spec`).

        Raises:
            NotResetError: Before the first reset().
        """
        _ = self._game
        state = np.empty(self.state_space.shape, np.int8)
        state_at(self._desk, handle(state))
        return state

    @property
    def game(self) -> Game:
        """A copy of the game being played, hidden cards included: for referees and search, not for players."""
        return self._game.clone()

    def render(self) -> str | None:
        """Show the table as the agent selected sees it: no card is shown that it does not know.

        Returns:
            The text with render mode "ansi"; None with "human", which prints it (each position once).
        """
        seat = self._seat_of[self.agent_selection]
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing without a render mode: give render_mode='human' or 'ansi'.")
            return None
        text = table_text(self._game, seat)
        if self.render_mode == "ansi":
            return text
        if self._shown_at != self._ticks:
            sys.stdout.write(text + "\n\n")
            sys.stdout.flush()
            self._shown_at = self._ticks
        return None

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    # Copies.

    def clone(self) -> Self:
        """Return an independent copy, in the middle of a game too: both then go on alike."""
        shared = (self.rules, self.spec, self.state_space, *self.observation_spaces.values())
        return copy.deepcopy(self, {id(each): each for each in shared})  # what never changes need not be copied

    def __copy__(self) -> Self:
        """Return a clone: two environments on one game would be no use."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what `_set_up_calls` and `_hold` set again."""
        state = self.__dict__.copy()
        for name in (
            "_desk", "_desk_rows", "_is_float", "_kind", "_mask", "_names", "_observation", "_scratch", "_seat_of",
            "_seen", "_seen_mask",
        ):  # fmt: skip
            state.pop(name, None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take over a state and set the rest again."""
        self.__dict__.update(state)
        self._set_up_calls()
        if "_game" in state:
            self._hold(self._game)

    def _checked_agent(self, agent: str) -> str:
        if not is_name(agent, self._seat_of):
            raise UnknownNameError("agent", agent, self.possible_agents)
        return agent


class _Agents(AECIterable[str, Observation, int | None]):
    """The agents in the order they are selected, for as long as the caller steps."""

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # a generator will do
        """Yield the agent selected; refuse to yield again without a step."""
        environment = self.env
        ticks = -1
        for _ in range(min(self.max_iter, sys.maxsize)):
            if not environment.agents:
                return
            if environment._ticks == ticks:  # noqa: SLF001 - its own iterator
                raise _UnsteppedError("agent_iter() comes round without a step(): call env.step(action) in the loop.")
            ticks = environment._ticks  # noqa: SLF001
            yield environment.agent_selection


def env(
    preset: str = "quebec",
    num_players: int | None = 4,
    reward: str = "game",
    episode: str = "game",
    render_mode: str | None = None,
    **options: Any,
) -> TrenteEtUn:
    """Make the environment. Order and bounds are checked inside, so there is nothing to wrap: see `TrenteEtUn`."""
    return TrenteEtUn(preset, num_players, reward, episode, render_mode, **options)
