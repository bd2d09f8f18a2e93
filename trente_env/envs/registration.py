"""The name in Gymnasium's registry, entered without importing Gymnasium: at once if it is there, else when it comes.

`gymnasium.make("trente_env:trente/TrenteEtUn-v0")` imports `trente_env` and looks the name up. If `trente_env` was
there before Gymnasium, that import does nothing, and Gymnasium loads no plugins: so its own import is waited for.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

__all__ = ["ENV_ID", "register", "register_when_imported"]

ENV_ID: Final = "trente/TrenteEtUn-v0"
"""Name in Gymnasium's registry, of one environment and of many at once (`make_vec`)."""


def register() -> None:
    """Enter the environment in Gymnasium's registry, if it is not there yet."""
    from gymnasium.envs import registration  # noqa: PLC0415 - imported only where somebody else has done so

    if ENV_ID not in registration.registry:
        registration.register(
            id=ENV_ID,
            entry_point="trente_env.envs.single:OneSeatEnv",
            vector_entry_point="trente_env.envs.vector:OneSeatVectorEnv",
        )


def register_when_imported() -> None:
    """Enter the environment now if Gymnasium is imported, else right after it will have been."""
    if "gymnasium" in sys.modules:
        register()
    elif not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Watch(MetaPathFinder):
    """Finds nothing of its own; has `register` called once Gymnasium is loaded, and goes."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the protocol's
        target: ModuleType | None = None,  # noqa: ARG002 - the protocol's
    ) -> ModuleSpec | None:
        """Let the other finders find Gymnasium, and have its loader register afterwards."""
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                register()

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]  # of this one loader
        return spec
