"""How an environment's game begins: by seed, by the options of `reset()`, or from a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from trente_env.core.rng import MAX_SEED
from trente_env.errors import InvalidOptionError
from trente_env.game import Game
from trente_env.rules import Rules

RESET_OPTIONS: Final = ("dealer", "lives", "position")
_IGNORED_OPTIONS: Final = frozenset({"options"})
"""PettingZoo's api_test gives every environment {"options": 1}."""


def fresh_seed() -> int:
    """Return a seed from the system's entropy."""
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) & MAX_SEED


def open_game(rules: Rules, seed: int, options: Mapping[str, Any] | None, *, single_round: bool) -> Game:
    """Begin a game.

    Args:
        rules: The environment's rules.
        seed: The game's seed, where the options name no position.
        options: "dealer": the first dealer's seat. "lives": lives by seat, None for a seat that is out. "position": a
            `Game`, or its bytes, of the same rules, to play on from; it goes with no other option.
        single_round: Whether the game ends with its round.

    Raises:
        InvalidOptionError: If there is no such option, or its value cannot be.
        InvalidPositionError: If the lives cannot be.
        InvalidDataError: If the position's bytes cannot be read.
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidOptionError(
            f"reset() options cannot be {options!r}: give a dict with some of {', '.join(RESET_OPTIONS)}."
        )
    given = {name: value for name, value in (options or {}).items() if value is not None}
    for name in given:
        if name not in RESET_OPTIONS and name not in _IGNORED_OPTIONS:
            raise InvalidOptionError(f"reset() has no option {name!r}: give some of {', '.join(RESET_OPTIONS)}.")
    if "position" not in given:
        return Game(rules, seed, dealer=given.get("dealer"), lives=given.get("lives"), single_round=single_round)
    if "dealer" in given or "lives" in given:
        raise InvalidOptionError("A position has its own dealer and lives: give it without these options.")
    return _play_on(rules, given["position"], single_round=single_round)


def _play_on(rules: Rules, position: object, *, single_round: bool) -> Game:
    """Return a copy of a position, to be played for the rest of its game or of its round."""
    game = position if isinstance(position, Game) else Game.from_bytes(position)  # type: ignore[arg-type]  # it checks
    if game.rules != rules:
        raise InvalidOptionError(
            f"The position is played by other rules ({game.rules.fingerprint}) than this environment "
            f"({rules.fingerprint}): make one with rules=position.rules."
        )
    if game.is_over:
        raise InvalidOptionError("The position's game is over: there is nothing left to play.")
    if single_round and game.phase == "BUY_IN":
        raise InvalidOptionError("The position lies between two rounds (a buy-in): no round is left to play.")
    array = game.to_array()
    array["is_single_round"] = single_round
    return Game.from_array(rules, array)
