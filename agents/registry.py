"""Policies by name: the entry points of `trente_env.policy`, with examples where a name is wrong."""

from __future__ import annotations

from typing import Final

from trente_env.errors import InvalidOptionError, UnknownNameError
from trente_env.policy import ENTRY_POINT_GROUP, Policy, make_policy, policy_names

__all__ = ["make", "names", "refuse_argument"]

EXAMPLES: Final = {"knock": "knock@27 (knocks at 27 points or more)", "file": "file:runs/mine (a trained policy)"}
"""How names that take an argument are written."""


def names() -> list[str]:
    """Return the heads of the names that `make` accepts, sorted."""
    return policy_names()


def make(name: str | Policy) -> Policy:
    """Return the policy of a name such as "random", "knock@27" or "file:runs/mine"; a Policy is returned as it is.

    Raises:
        UnknownNameError: If nothing is registered under the name; the message lists what is, with examples.
        InvalidOptionError: If the part behind "@" or ":" makes no sense.
    """
    try:
        return make_policy(name)
    except UnknownNameError as error:
        if error.kind != "policy":
            raise
        known = [EXAMPLES.get(head, head) for head in names()]
        remedy = f"Your own is found when it is registered under the entry-point group {ENTRY_POINT_GROUP!r}."
        raise UnknownNameError("policy", error.name, known, remedy) from None


def refuse_argument(head: str, argument: str) -> None:
    """Refuse an argument given to a policy that takes none.

    Raises:
        InvalidOptionError: If there is one.
    """
    if argument:
        raise InvalidOptionError(
            f"Policy {head!r} takes no argument, but was given {argument!r}: write {head!r} alone."
        )
