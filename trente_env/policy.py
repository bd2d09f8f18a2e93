"""The Policy protocol, sampling from it, and names to policies by entry points.

A policy is anything with a `name` and a `probabilities` method: it is given what seats know, never a game. Sampling is
done outside, with numbers keyed by (game seed, seat, decision number), so that a match does not depend on how it was
batched and two equal policies score exactly equal on the same deals.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import metadata
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import kernel
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.layout import SEAT_VIEW, ints
from trente_env.core.rng import policy_uniform
from trente_env.errors import InvalidOptionError, TrenteError, UnknownNameError

__all__ = [
    "ENTRY_POINT_GROUP",
    "Policy",
    "check_asked",
    "check_views",
    "checked_probabilities",
    "make_policy",
    "policy_names",
    "sample_actions",
]

ENTRY_POINT_GROUP: Final = "trente_env.agents"
"""Entry points of this group map a name's head ("knock") to a factory: factory(argument: str) -> Policy."""


TOLERANCE: Final = 1e-3
"""How far a distribution's sum may be from 1."""


@runtime_checkable
class Policy(Protocol):
    """Whoever decides for seats."""

    name: str
    """What match tables call it."""

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.floating[Any]]:
        """Return how likely each action is to be chosen, for a batch of seats to move.

        Args:
            views_B: What each seat knows, dtype `trente_env.core.layout.SEAT_VIEW`. Read only; valid during the call.
            masks_BA: Legal actions, 1 or 0, by action id. Each row has at least one 1.

        Returns:
            (B, A) floats: each row non-negative, 0 where the mask is 0, summing to 1.
        """
        ...


@kernel
def sample_rows(
    probabilities_BA: Any,
    masks_BA: Any,
    seeds_B: Any,
    seats_B: Any,
    decisions_B: Any,
    actions_B: Any,
) -> int:
    """Sample a legal action for each row; return the first row whose probabilities are no distribution, or -1."""
    count, num_actions = probabilities_BA.shape
    for row in range(count):
        total = 0.0
        last = -1
        for action in range(num_actions):
            weight = float(probabilities_BA[row, action])
            if not weight >= 0.0 or (weight > 0.0 and masks_BA[row, action] == 0):
                return row
            if weight > 0.0:
                last = action
                total += weight
        if not abs(total - 1.0) < TOLERANCE:
            return row
        left = policy_uniform(seeds_B[row], seats_B[row], decisions_B[row]) * total
        chosen = last
        for action in range(num_actions):
            weight = float(probabilities_BA[row, action])
            if weight > 0.0:
                left -= weight
                if left < 0.0:
                    chosen = action
                    break
        actions_B[row] = chosen
    return -1


def sample_actions(
    policy: Policy,
    views_B: NDArray[np.void],
    masks_BA: NDArray[np.int8],
    seeds_B: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Ask a policy for its probabilities and sample one action a row.

    Args:
        policy: Who decides.
        views_B: What the seats to move know.
        masks_BA: Their legal actions.
        seeds_B: Seeds of the games the seats sit in; with seat and decision number they key the sampling.

    Returns:
        Legal action ids, (B,).

    Raises:
        InvalidOptionError: If the policy's answer is not a distribution over legal actions.
    """
    check_asked(views_B, masks_BA)
    if getattr(seeds_B, "shape", None) != (len(views_B),) or seeds_B.dtype.kind not in "iu":
        raise InvalidOptionError(f"seeds_B must be {len(views_B)} whole numbers, those of the games the seats sit in.")
    probabilities_BA = checked_probabilities(policy, views_B, masks_BA)
    actions_B = np.empty(len(views_B), np.int64)
    seats_B, decisions_B = views_B["seat"].astype(np.int64), views_B["decisions"].astype(np.int64)
    wrong = sample_rows(
        probabilities_BA, masks_BA, ints(seeds_B.astype(np.int64)), ints(seats_B), ints(decisions_B), actions_B
    )
    if wrong >= 0:
        raise InvalidOptionError(
            f"Policy {policy.name!r} gave no distribution over the legal actions in row {wrong}: weights must be "
            f"non-negative, sum to 1 and be 0 where the mask is 0; got {probabilities_BA[wrong].tolist()}."
        )
    return actions_B


def checked_probabilities(
    policy: Policy,
    views_B: NDArray[np.void],
    masks_BA: NDArray[np.int8],
) -> NDArray[np.floating[Any]]:
    """Return a policy's probabilities after checking their shape and type.

    Raises:
        InvalidOptionError: If it is no policy, or its answer no array of floats with a row for each view.
    """
    if not hasattr(policy, "probabilities") or not hasattr(policy, "name"):  # isinstance() would take 30 microseconds
        raise InvalidOptionError(f"{policy!r} is no policy: give an object with `name` and `probabilities`.")
    try:
        probabilities_BA = np.asarray(policy.probabilities(views_B, masks_BA))
    except ValueError as error:
        if isinstance(error, TrenteError):
            raise
        raise InvalidOptionError(f"Policy {policy.name!r} gave no probabilities: {error}") from error
    if probabilities_BA.shape != masks_BA.shape or probabilities_BA.dtype.kind != "f":
        raise InvalidOptionError(
            f"Policy {policy.name!r} returned {probabilities_BA.dtype} of shape {probabilities_BA.shape}; "
            f"return floats of shape {masks_BA.shape}, one row a view."
        )
    # Kernels take single and double precision.
    kind = np.float32 if probabilities_BA.dtype == np.float32 else np.float64
    return np.ascontiguousarray(probabilities_BA, kind)


def check_views(views_B: NDArray[np.void]) -> None:
    """Refuse views that no kernel may be given.

    Raises:
        InvalidOptionError: If they are not what `GameBatch.views` or `Game.views` returns.
    """
    if getattr(views_B, "dtype", None) != SEAT_VIEW or views_B.ndim != 1:
        raise InvalidOptionError(
            f"views_B must be views in one row (dtype SEAT_VIEW), not {type(views_B).__name__}: use GameBatch.views()."
        )


def check_asked(views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> None:
    """Refuse views and masks that no kernel may be given.

    Raises:
        InvalidOptionError: If they are not what `GameBatch.views` returns.
    """
    check_views(views_B)
    shape = (len(views_B), NUM_ACTIONS)
    if getattr(masks_BA, "shape", None) != shape or masks_BA.dtype.kind not in "iub":
        raise InvalidOptionError(
            f"masks_BA must be whole numbers of shape {shape}, one row a view: use GameBatch.views()."
        )


@functools.cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=ENTRY_POINT_GROUP)}


def policy_names() -> list[str]:
    """Return the registered heads of policy names, sorted."""
    return sorted(_entry_points())


def make_policy(name: str | Policy) -> Policy:
    """Return the policy of a name such as "random", "knock@27" or "file:runs/x"; a Policy is returned as it is.

    The head up to "@" or ":" is looked up among the entry points of `ENTRY_POINT_GROUP`; what follows is given to its
    factory.

    Raises:
        UnknownNameError: If no such head is registered; the message lists those that are.
        TrenteError: Whatever the factory finds wrong with the argument.
    """
    if not isinstance(name, str):
        if isinstance(name, Policy):
            return name
        raise InvalidOptionError(f"{name!r} is no policy: give a name or an object with `name` and `probabilities`.")
    head = name
    argument = ""
    for place, letter in enumerate(name):
        if letter in "@:":
            head, argument = name[:place], name[place + 1 :]
            break
    point = _entry_points().get(head)
    if point is None:
        raise UnknownNameError(
            "policy", name, policy_names(), "Policies register under the entry-point group " + ENTRY_POINT_GROUP + "."
        )
    factory: Callable[[str], Policy] = point.load()
    try:
        return factory(argument)
    except TrenteError:
        raise
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(f"Policy {name!r} cannot be made: {error}") from error
