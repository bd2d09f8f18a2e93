"""The environment's versioned name: `trente_et_un_v0.env(preset="quebec", num_players=4, ...)`.

The version goes up whenever what a user can observe changes: observations, actions, rewards, or how a preset plays.
With PettingZoo 1.27 or newer, importing this module also registers the environment there:
`pettingzoo.make("aec", "trente/trente_et_un_v0", preset="classic")`.
"""

from __future__ import annotations

from typing import Final

import pettingzoo

from trente_env.envs.aec import TrenteEtUn, env

__all__ = ["REGISTRY_ID", "env", "raw_env"]

raw_env = TrenteEtUn
"""The class itself; `env` makes the same, since order and bounds are checked inside."""
REGISTRY_ID: Final = "trente/trente_et_un_v0"
"""Name in PettingZoo's registry, which writes it "trente/trente_et_un-v0" and finds it by either."""


def _register() -> None:
    """Enter the environment in PettingZoo's registry, if it has one and does not know it yet."""
    if not hasattr(pettingzoo, "register") or REGISTRY_ID.replace("_v0", "-v0") in pettingzoo.aec_registry:
        return
    pettingzoo.register("aec", REGISTRY_ID, entry_point=f"{__name__}:env")


_register()
