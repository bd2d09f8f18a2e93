"""Running the tests on mutants: they are collected once, and each mutant meets them in a fork of that process."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Final

import pytest

from tests.mutation.mutants import Mutant

MEMORY: Final = 4 << 30
"""Bytes for a mutant: some build numbers without end."""
SURVIVED, TIMED_OUT, CRASHED = "", "(timed out)", "(crashed)"


class Trial:
    """A plugin for pytest: collects the tests, then runs `judge` in their place, which can try them on any mutant."""

    def __init__(self, judge: Callable[[Trial], None]) -> None:
        """Keep what to do once the tests are collected."""
        self._judge = judge
        self._items: list[pytest.Item] = []
        self._seconds: dict[str, float] = {}
        self._has_failed = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the collected tests and begin."""
        self._items = list(session.items)
        self._judge(self)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of a failure."""
        self._has_failed |= report.failed

    def sound(self) -> str:
        """Run all tests on the sound modules and time each; return the name of one that fails, or SURVIVED."""
        killer, told = self._in_fork(None, self._items)
        self._seconds = json.loads(told) if killer == SURVIVED else {}
        return killer

    def killer_of(self, mutant: Mutant, first: Sequence[str]) -> str:
        """Return the name of a test that fails on a mutant, or SURVIVED, TIMED_OUT, CRASHED.

        Args:
            mutant: The mutant.
            first: Names of test files to begin with.
        """
        ranks = {f"test_{name}": rank for rank, name in enumerate(first)}
        return self._in_fork(mutant, sorted(self._items, key=lambda item: ranks.get(item.path.stem, len(ranks))))[0]

    def _in_fork(self, mutant: Mutant | None, items: Sequence[pytest.Item]) -> tuple[str, str]:
        """Run tests in a process of their own; return what came of it, and what it wrote."""
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            self._run(mutant, items, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            told = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return TIMED_OUT if os.WTERMSIG(status) == signal.SIGVTALRM else CRASHED, told
        return told if os.WEXITSTATUS(status) else SURVIVED, told

    def _run(self, mutant: Mutant | None, items: Sequence[pytest.Item], pipe: int) -> None:
        """Run tests until one fails, write its name (or the time of each), and end this process."""
        code, told = 1, "(while the module was loaded)"
        with contextlib.suppress(BaseException), Path(os.devnull).open("w", encoding="utf-8") as void:
            os.dup2(void.fileno(), 1)
            os.dup2(void.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
            if mutant is not None:
                infect(mutant)
            seconds = {}
            for item, following in zip(items, [*items[1:], None], strict=True):
                told = item.nodeid
                signal.setitimer(signal.ITIMER_VIRTUAL, 5 * self._seconds.get(item.nodeid, 60) + 0.5)
                started = time.process_time()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                seconds[item.nodeid] = time.process_time() - started
                if self._has_failed:
                    break
            else:
                code, told = 0, "" if mutant else json.dumps(seconds)
        with os.fdopen(pipe, "w") as writer:
            writer.write(told)
        os._exit(code)


def infect(mutant: Mutant) -> None:
    """Put a mutant's code and constants into the modules loaded, wherever their names have been imported."""
    name = f"trente_env.core.{mutant.module}"
    sound = sys.modules[name]
    values = {"__name__": name, "__file__": sound.__file__}
    exec(compile(mutant.source, str(sound.__file__), "exec", dont_inherit=True), values)  # noqa: S102
    for key, value in values.items():
        own = getattr(sound, key, None)
        if isinstance(value, FunctionType) and isinstance(own, FunctionType) and value.__module__ == name:
            own.__code__ = value.__code__
        elif key.isupper():
            for module in list(sys.modules.values()):
                if getattr(module, "__name__", "").startswith("trente_env") and hasattr(module, key):
                    setattr(module, key, value)
