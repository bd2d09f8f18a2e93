"""`python -m tests.kill_while_saving --kills 100`: kill a process while it saves policies; one can be read each time.

A process saves policies into one run folder, one after the other, each with its number in every weight. It is killed
with SIGKILL at a random moment; then the folder must hold one whole policy: never an older one than the last that the
process said was saved, and with the weights that its number says.
"""

from __future__ import annotations

import argparse
import itertools
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agents.learned.checkpoint import Checkpoint, expected_shapes, load, save
from trente_env import preset
from trente_env.encoding.sections import observation_spec

HIDDEN = (128, 128)
"""As large as a trained policy, so that a save takes as long."""
LONGEST_SECONDS = 0.25
"""Latest moment of a kill, after the first save of the process."""


@dataclass(frozen=True)
class Killed:
    """What a kill left behind."""

    number: int
    """Number of the policy in the folder."""
    announced: int
    """Number of the last policy that the process said was saved."""
    left_over: tuple[str, ...]
    """Kinds of file in the folder besides that policy's two."""


def numbered(number: int) -> Checkpoint:
    """Return a policy that has a number in every weight."""
    rules = preset("quebec", num_players=2)
    spec = observation_spec(2)
    weights = {name: np.full(shape, number, np.float32) for name, shape in expected_shapes(spec, HIDDEN).items()}
    return Checkpoint(rules, spec, HIDDEN, weights, {"number": number})


def say(line: str) -> None:
    """Write a line, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def save_for_ever(folder: Path, first: int) -> None:
    """Save one policy after the other, and say each time that it is saved."""
    for number in itertools.count(first):
        save(folder, numbered(number))
        say(str(number))


def kill_once(folder: Path, first: int, wait: float) -> Killed:
    """Start saving, kill the process some time after its first save, and read what is there.

    Raises:
        AssertionError: If that is not a whole policy, or an older one than was announced.
    """
    command = [sys.executable, "-m", "tests.kill_while_saving", "--save-into", str(folder), "--first", str(first)]
    root = Path(__file__).resolve().parents[1]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, cwd=root, **pipes) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        time.sleep(wait if line else 0.0)
        process.send_signal(signal.SIGKILL)
        rest, errors = process.communicate()
    assert line, f"The process that saves has ended by itself: {errors}"
    assert process.returncode == -signal.SIGKILL
    announced = int([line, *rest.split()][-1])
    found = load(folder)
    number = int(found.training["number"])
    assert announced <= number <= announced + 1
    assert all((array == number).all() for array in found.weights.values())
    mine = {
        "policy.json",
        *(path.name for path in folder.glob("policy-*") if path.stat().st_size == weights_size(folder)),
    }
    left = (path.name for path in folder.iterdir() if path.name not in mine)
    return Killed(
        number, announced, tuple(sorted(kind(name) for name in left)) + (("other weights",) * (len(mine) - 2))
    )


def weights_size(folder: Path) -> int:
    """Return the size of the largest file of weights: that of a whole one."""
    return max(path.stat().st_size for path in folder.glob("policy-*"))


def kind(name: str) -> str:
    """Name what a file is that a save left behind."""
    return "part of policy.json" if name.startswith(".policy.json") else "part of the weights"


def main() -> int:
    """Kill as often as asked, and say what was found."""
    options = argparse.ArgumentParser(prog="python -m tests.kill_while_saving", description=__doc__)
    options.add_argument("--kills", type=int, default=100, help="how often")
    options.add_argument("--seed", type=int, default=0, help="chooses the moments")
    options.add_argument("--save-into", type=Path, help=argparse.SUPPRESS)
    options.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.save_into is not None:
        save_for_ever(given.save_into, given.first)
    say(f"$ python -m tests.kill_while_saving --kills {given.kills} --seed {given.seed}")
    dice = random.Random(given.seed)
    caught: Counter[str] = Counter()
    saves = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, given.kills + 1):
            found = kill_once(Path(folder), 1_000 * number, dice.random() * LONGEST_SECONDS)
            saves += found.announced - 1_000 * number + 1
            caught.update(found.left_over or ("nothing",))
            caught["not yet announced"] += found.number > found.announced
            say(
                f"kill {number:>3}: said {found.announced}, found {found.number}, whole; left over: "
                f"{', '.join(found.left_over) or 'nothing'}"
            )
    say(f"{given.kills} kills in {saves:,} saves: each time a whole policy, the last one announced or the one after.")
    say("left over: " + ", ".join(f"{name} {count}" for name, count in sorted(caught.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
