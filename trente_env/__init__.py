"""Trente-et-Un: the card game Thirty-One, all its living rule sets, as a reinforcement-learning environment.

The environment itself is `trente_env.trente_et_un_v0` (PettingZoo), or `gymnasium.make("trente/TrenteEtUn-v0")`;
importing this package stays light.
"""

from trente_env.batch import GameBatch
from trente_env.envs import registration as _registration
from trente_env.errors import (
    GameOverError,
    IllegalActionError,
    InvalidCardError,
    InvalidDataError,
    InvalidOptionError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    NotResetError,
    NotSteppedError,
    TrenteError,
    UnknownNameError,
    WriteError,
)
from trente_env.game import Game
from trente_env.presets import PRESETS, preset
from trente_env.rules import Rules

__all__ = [
    "PRESETS",
    "Game",
    "GameBatch",
    "GameOverError",
    "IllegalActionError",
    "InvalidCardError",
    "InvalidDataError",
    "InvalidOptionError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "NotResetError",
    "NotSteppedError",
    "Rules",
    "TrenteError",
    "UnknownNameError",
    "WriteError",
    "preset",
]

_registration.register_when_imported()
