"""Functions called in a new process, whose memory and start are its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from trente_env.errors import InvalidOptionError

__all__ = ["run_child"]

_CALL: Final = (
    "import importlib, json, sys\n"
    "function = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])\n"
    "print(json.dumps(function(*json.loads(sys.argv[3]))))"
)


def run_child(
    module: str, function: str, arguments: Sequence[Any], environment: Mapping[str, str] | None = None
) -> Any:
    """Return what a function returns in a new process. Arguments and result are JSON values.

    Args:
        module: Where the function stands.
        function: Its name.
        arguments: What it is called with.
        environment: Variables to set there.

    Raises:
        InvalidOptionError: If the process fails; with the last line that it wrote.
    """
    result = subprocess.run(  # noqa: S603 - our own interpreter and arguments
        [sys.executable, "-c", _CALL, module, function, json.dumps(list(arguments))],
        env=os.environ | dict(environment or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        reason = (result.stderr.strip().splitlines() or [f"exit code {result.returncode}"])[-1]
        raise InvalidOptionError(f"What is measured in a process of its own failed there: {reason}")
    return json.loads(result.stdout.splitlines()[-1])
