"""What the Gymnasium environments share: from their options to a `OneSeatBatch`, and how its rows begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from trente_env.core.rng import next_game_seed
from trente_env.encoding.sections import ObservationSpec
from trente_env.envs import options as checks
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.envs.opening import open_game
from trente_env.envs.spaces import box_of, masked_space
from trente_env.errors import InvalidOptionError
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["GO_ON", "begin_rows", "check_shown", "checked_options", "new_batch", "space_of"]

GO_ON: Final = -1
"""In place of a seed: go on with what follows in the row."""


def check_shown(dtype: str, render_mode: str | None, illegal: str) -> None:
    """Check the options that say what an environment shows, and what it does about illegal actions.

    Raises:
        InvalidOptionError: If one of them cannot be.
    """
    checks.check_choice("dtype", dtype, checks.DTYPES)
    checks.check_choice("illegal", illegal, checks.ON_ILLEGAL)
    checks.check_render_mode(render_mode)


def new_batch(
    num_games: int,
    *,
    preset: str,
    num_players: int | None,
    opponents: str | Policy | Sequence[str | Policy],
    weights: Sequence[float] | None,
    seat: int | str,
    reward: str,
    episode: str,
    illegal: str,
    max_players: int | None,
    rules: Rules | None,
    rule_changes: Mapping[str, Any],
    holds: bool,
) -> OneSeatBatch:
    """Return the batch that an environment is a shell over.

    Raises:
        TrenteError: If an option cannot be.
    """
    chosen = checks.chosen_rules(preset, num_players, rules, rule_changes)
    checks.check_reward(reward, episode)
    return OneSeatBatch(
        chosen,
        num_games,
        checks.chosen_opponents(opponents),
        weights=weights,
        episode=episode,
        reward=reward,
        max_players=checks.chosen_places(chosen, max_players),
        seat=checks.chosen_seat(seat, chosen.num_players),
        holds=holds,
        strict=illegal == "raise",
    )


def space_of(spec: ObservationSpec, dtype: str, *, has_mask: bool) -> spaces.Space[Any]:
    """Return the space of one learner's observations."""
    return masked_space(spec, dtype) if has_mask else box_of(spec, dtype)


def checked_options(options: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the options of a `reset()` that are given, in a dict of its own.

    Raises:
        InvalidOptionError: If they are no mapping.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidOptionError(f"reset() options cannot be {options!r}: give a dict.")
    return {name: value for name, value in (options or {}).items() if value is not None}


def begin_rows(
    batch: OneSeatBatch, rows_V: NDArray[np.int64], seeds_V: NDArray[np.int64], options: Mapping[str, Any] | None
) -> None:
    """Begin an episode in some rows of a batch.

    Args:
        batch: The batch.
        rows_V: Which rows.
        seeds_V: A seed for each, or `GO_ON`.
        options: Those of `open_game`, and "seat", the learner's seat in this game.

    Raises:
        TrenteError: If seeds or options cannot be; no row is changed.
    """
    given = checked_options(options)
    if not given:
        goes_on_V = seeds_V == GO_ON
        if not goes_on_V.all():
            batch.begin_rows(rows_V[~goes_on_V], seeds_V[~goes_on_V])
        if goes_on_V.any():
            batch.renew(rows_V[goes_on_V])
        return
    seat = given.pop("seat", None)
    if seat is not None:
        checks.chosen_seat(seat, batch.num_seats)
    games, seats = [], []
    for row, seed in zip(rows_V.tolist(), seeds_V.tolist(), strict=True):
        if seed == GO_ON:
            seed = next_game_seed(int(batch.column("seed")[row]), 0)  # noqa: PLW2901 - the seed it stands for
            next_seat = int(batch.learners_B[row]) + 1
        else:
            next_seat = seed
        games.append(open_game(batch.rules, seed, given, single_round=False))
        usual = next_seat % batch.num_seats if batch.seat is None else batch.seat
        seats.append(usual if seat is None else int(seat))
    batch.put(rows_V, games, np.array(seats, np.int64))
