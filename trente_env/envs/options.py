"""What an environment is made with, checked before anything is played."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Final

from trente_env.core.rewards import REWARD_KINDS
from trente_env.envs.rendering import RENDER_MODES
from trente_env.errors import InvalidOptionError, UnknownNameError, is_list, is_name, is_whole
from trente_env.policy import Policy, make_policy
from trente_env.presets import preset as named_rules
from trente_env.rules import MAX_PLAYERS, Rules

EPISODES: Final[Mapping[str, tuple[str, ...]]] = {
    "game": ("game", "lives", "round", "pot"),
    "round": ("lives", "round"),
}
"""Lengths of an episode, each with the kinds of reward that go with it: nobody wins a round."""
DTYPES: Final = ("int8", "float32")
ON_ILLEGAL: Final = ("raise", "terminate")


def check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    """Check an option that has a few values.

    Raises:
        InvalidOptionError: If the value is none of them.
    """
    if not is_name(value, known):
        raise InvalidOptionError(f"{name} cannot be {value!r}: choose one of {', '.join(map(repr, known))}.")


def check_reward(reward: str, episode: str) -> None:
    """Check that a kind of reward exists and goes with the episode.

    Raises:
        UnknownNameError: If there is no such kind of reward.
        InvalidOptionError: If there is no such episode, or the two do not go together.
    """
    if not is_name(reward, REWARD_KINDS):
        raise UnknownNameError("reward", reward, list(REWARD_KINDS))
    check_choice("episode", episode, tuple(EPISODES))
    if reward not in EPISODES[episode]:
        raise InvalidOptionError(
            f"reward={reward!r} does not go with episode={episode!r}, in which nobody wins: "
            f"choose one of {', '.join(map(repr, EPISODES[episode]))}, or episode='game'."
        )


def check_episode(episode: str, reward: str) -> None:
    """Check the episode of a batch that learns, and that a kind of reward goes with it.

    Raises:
        UnknownNameError: If there is no such episode, or no such kind of reward.
        InvalidOptionError: If the two do not go together.
    """
    if not is_name(episode, EPISODES):
        raise UnknownNameError("episode", episode, list(EPISODES))
    if not is_name(reward, REWARD_KINDS):
        raise UnknownNameError("reward", reward, list(REWARD_KINDS))
    if reward not in EPISODES[episode]:
        raise InvalidOptionError(
            f"episode={episode!r} does not go with reward={reward!r}: choose one of {', '.join(EPISODES[episode])}."
        )


def check_render_mode(render_mode: str | None) -> None:
    """Check a render mode; None shows nothing.

    Raises:
        InvalidOptionError: If there is no such mode.
    """
    if render_mode is not None:
        check_choice("render_mode", render_mode, RENDER_MODES)


def chosen_rules(preset: str, num_players: int | None, rules: Rules | None, changes: Mapping[str, Any]) -> Rules:
    """Return the rules given, or those of a preset with some fields changed.

    Raises:
        InvalidOptionError: If `rules` are no Rules, or given together with changes.
    """
    if rules is None:
        return named_rules(preset, **({} if num_players is None else {"num_players": num_players}), **changes)
    if not isinstance(rules, Rules):
        raise InvalidOptionError(f"rules must be Rules, not {type(rules).__name__}: to name a preset, use preset=...")
    if changes:
        raise InvalidOptionError(f"rules are given whole: leave out {', '.join(changes)}, or use rules.replace(...).")
    return rules


def chosen_places(rules: Rules, max_players: int | None) -> int:
    """Return how many places the per-seat sections have.

    Raises:
        InvalidOptionError: If there are fewer than seats, or more than nine.
    """
    seats = rules.num_players
    if max_players is None:
        return seats
    if not is_whole(max_players, seats, MAX_PLAYERS):
        raise InvalidOptionError(
            f"max_players cannot be {max_players!r}: give {seats}, the seats at this table, to {MAX_PLAYERS}."
        )
    return operator.index(max_players)


def chosen_opponents(opponents: str | Policy | Sequence[str | Policy]) -> list[Policy]:
    """Return the policies of some names, or those given; one alone will do.

    Raises:
        InvalidOptionError: If they are neither, or nobody.
        UnknownNameError: If nobody has such a name.
    """
    each: Any = opponents if is_list(opponents) else [opponents]
    return [make_policy(opponent) for opponent in each]


def chosen_seat(seat: int | str, num_players: int) -> int | None:
    """Return the seat of a learner; None for "rotate".

    Raises:
        InvalidOptionError: If there is no such seat.
    """
    if isinstance(seat, str) and seat == "rotate":
        return None
    if not is_whole(seat, 0, num_players - 1):
        raise InvalidOptionError(f"seat cannot be {seat!r}: give 'rotate', or a seat from 0 to {num_players - 1}.")
    return operator.index(seat)  # type: ignore[arg-type]  # it is a number here
