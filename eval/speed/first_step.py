"""The first step of a process, timed there. Nothing of the project is imported before the clock runs."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["STARTS", "step_here"]

_FEW_GAMES = 8


def _import_game() -> Callable[[], object]:
    from trente_env import Game, preset  # noqa: PLC0415 - timed

    def step() -> None:
        game = Game(preset("quebec", num_players=4))
        game.action_mask()
        game.apply(game.legal_actions()[0])

    return step


def _import_batch() -> Callable[[], object]:
    from trente_env import GameBatch, preset  # noqa: PLC0415 - timed

    def step() -> None:
        batch = GameBatch(preset("quebec", num_players=4), _FEW_GAMES)
        out = batch.reset()
        batch.step(out.masks_BA.argmax(axis=1), out)

    return step


def _import_env() -> Callable[[], object]:
    from trente_env import trente_et_un_v0  # noqa: PLC0415 - timed

    def step() -> None:
        env = trente_et_un_v0.env(preset="quebec", num_players=4)
        env.reset(seed=0)
        env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
        env.last()

    return step


STARTS = {"Game": _import_game, "GameBatch": _import_batch, "AEC env": _import_env}
"""What can be started: a function that imports it and returns its first game and step."""


def step_here(what: str) -> dict[str, float]:
    """Import something and take its first step; return the seconds of both."""
    started = time.process_time(), time.perf_counter()
    step = STARTS[what]()
    imported = time.process_time(), time.perf_counter()
    step()
    stepped = time.process_time(), time.perf_counter()
    return {
        "import_cpu": imported[0] - started[0],
        "import_wall": imported[1] - started[1],
        "step_cpu": stepped[0] - imported[0],
        "step_wall": stepped[1] - imported[1],
    }
