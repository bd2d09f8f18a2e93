"""Every option of a training run: this dataclass is the command line, the saved `config.json` and the documentation."""

from __future__ import annotations

import dataclasses
import json
import math
import os
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args

import tyro

from agents.learned.checkpoint import MAX_HIDDEN, MAX_WIDTH
from eval.options import parse_rules
from trente_env.errors import InvalidOptionError, is_list, is_name, is_whole
from trente_env.policy import Policy
from trente_env.rules import Rules

__all__ = ["TrainConfig"]


Reward = Literal["round", "lives", "game", "pot"]
Episode = Literal["round", "game"]
MOST: Final = {"seed": 2**32 - 1, "eval_seed": 2**63 - 1, "games": 2**24}
"""Largest values of some options; numpy's global generator, which the training library seeds, takes 32 bits."""
MOST_AT_ONCE: Final = 2**26


def _cores() -> int:
    return min(2, os.cpu_count() or 1)


@dataclass(frozen=True, kw_only=True)
class TrainConfig:
    """Train a policy by self-play and heuristics, then judge it against the baselines."""

    preset: str = "quebec"
    """Rule set: quebec, classic, ..."""
    players: int = 2
    """Seats at the table."""
    rules: Annotated[tuple[str, ...], tyro.conf.arg(metavar="FIELD=VALUE ...")] = ()
    """Changes of the preset's fields: --rules starting_lives=4 grace=no."""
    seed: int = 0
    """Seeds the weights, the games, the drawing of opponents and the sampling of actions. A run bounded by --decisions
    on one thread repeats itself; one bounded by --minutes stops wherever the machine got to."""
    minutes: float = 3.0
    """Train for so long. The table at the end takes about another minute at its default size."""
    decisions: int | None = None
    """Train for so many decisions of the learner instead, rounded up to whole updates."""
    run_dir: Annotated[Path | None, tyro.conf.arg(metavar="FOLDER")] = None
    """Run folder: config, weights, TensorBoard logs. runs/PRESET-PLAYERSp-sSEED if not given. What is there is
    replaced."""
    eval_deals: int = 20_000
    """Deals of each match of the final table; 0 for no table."""
    eval_seed: int = 0
    """What those deals follow from."""
    eval_threads: int = dataclasses.field(default_factory=_cores)
    """Matches of that table played at once; by default two, where there are two cores."""
    threads: int = 1
    """Threads of the matrix products. Two are little quicker than one at these sizes, and several times slower where
    another program wants the other core: they wait for each other."""
    progress: bool = True
    """Show a progress bar, if there is a terminal to show it on."""
    export_sb3: Annotated[Path | None, tyro.conf.arg(metavar="FILE")] = None
    """Also write the model as Stable-Baselines3's zip. It holds pickles: for other programs, never read here."""

    opponents: tuple[str, ...] = (*(f"knock@{value}" for value in range(22, 32)), *["adaptive"] * 4)
    """Policies that hold the other seats, one drawn for each seat when a game begins; one named twice is drawn twice as
    often."""
    snapshots: int = 4
    """How many of its own past selves the learner plays against; 0 for none."""
    snapshot_share: float = 0.2
    """How often a seat is drawn from those, once there are any."""
    snapshot_every: float = 0.1
    """Share of the training after which another snapshot is taken."""

    reward: Reward = "round"
    """Kind of reward: "round" is what a round cost or brought relative to the others."""
    episode: Episode = "round"
    """Where credit ends: with the round, or with the game."""
    games: int = 512
    """Games played at once."""
    steps: int = 50
    """Decisions in each game between two updates."""
    minibatch: int = 1_024
    """Decisions of a gradient step."""
    epochs: int = 3
    """Passes over the decisions of an update."""
    learning_rate: float = 1e-3
    """Of Adam; falls to a twentieth over the training."""
    gamma: float = 1.0
    """Discount for each decision of the learner."""
    gae_lambda: float = 0.95
    """How far advantages look ahead beyond the critic."""
    clip: float = 0.2
    """How far an update may change an action's probability, as a ratio."""
    entropy: float = 0.01
    """Weight of the bonus for undecided policies."""
    value_weight: float = 0.5
    """Weight of the critic's loss."""
    max_gradient: float = 0.5
    """Length that gradients are clipped to."""
    hidden: tuple[int, ...] = (128, 128)
    """Widths of the hidden layers of actor and critic."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense before anything is built."""
        self.rule_set()
        at_least = {
            "games": 1, "steps": 2, "minibatch": 2, "epochs": 1, "threads": 1, "eval_threads": 1, "eval_deals": 0,
            "eval_seed": 0, "snapshots": 0, "seed": 0,
        }  # fmt: skip
        for name, least in at_least.items():
            self._check_whole(name, least, MOST.get(name, 2**31 - 1))
        for name in ("learning_rate", "clip", "max_gradient", "snapshot_every", "minutes"):
            self._check(name, 1e-12, math.inf)
        for name in ("gamma", "gae_lambda", "snapshot_share"):
            self._check(name, 0, 1)
        for name in ("entropy", "value_weight"):
            self._check(name, 0, math.inf)
        if self.decisions is not None:
            self._check_whole("decisions", 1, 2**62)
        self._check_memory()
        self._check_choices()

    def _check_memory(self) -> None:
        """Refuse what no machine has memory for."""
        if self.games * self.steps > MOST_AT_ONCE:
            raise InvalidOptionError(
                f"--games {self.games} times --steps {self.steps} is more than {MOST_AT_ONCE:,} decisions between two "
                "updates, too many for memory: give less of one."
            )
        is_hidden = is_list(self.hidden) and 1 <= len(self.hidden) <= MAX_HIDDEN
        if not is_hidden or not all(is_whole(width, 1, MAX_WIDTH) for width in self.hidden):
            raise InvalidOptionError(
                f"--hidden cannot be {self.hidden}: name the width of each of 1 to {MAX_HIDDEN} hidden layers, from 1 "
                f"to {MAX_WIDTH}."
            )

    def _check_choices(self) -> None:
        """Refuse names, files and a table that cannot be."""
        for name, known in (("reward", get_args(Reward)), ("episode", get_args(Episode))):
            if not is_name(getattr(self, name), known):
                raise InvalidOptionError(f"--{name} cannot be {getattr(self, name)!r}: give one of {', '.join(known)}.")
        for name in ("run_dir", "export_sb3"):
            if not isinstance(getattr(self, name), (Path, NoneType)):
                raise InvalidOptionError(f"{name} cannot be {getattr(self, name)!r}: give a Path.")
        if self.eval_deals == 1:
            raise InvalidOptionError("--eval-deals cannot be 1: an interval needs at least 2; 0 makes no table.")
        if not is_list(self.opponents, (str, Policy)) or not self.opponents:
            raise InvalidOptionError("--opponents cannot be empty: name at least one policy, such as knock@27.")

    def _check(self, name: str, low: float, high: float) -> None:
        value = getattr(self, name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not (low <= value <= high and math.isfinite(value)):
            option = "--" + name.replace("_", "-")
            bound = f"from {low:g}" + ("" if high == math.inf else f" to {high:g}")
            raise InvalidOptionError(f"{option} cannot be {value!r}: give a number {bound}.")

    def _check_whole(self, name: str, low: int, high: int) -> None:
        if not is_whole(getattr(self, name), low, high):
            option = "--" + name.replace("_", "-")
            raise InvalidOptionError(
                f"{option} cannot be {getattr(self, name)!r}: give a number from {low}, whole and at most {high}."
            )

    def rule_set(self) -> Rules:
        """Return the rules to train under."""
        return parse_rules(self.preset, self.players, self.rules)

    @property
    def folder(self) -> Path:
        """The run folder."""
        return self.run_dir or Path("runs") / f"{self.preset}-{self.players}p-s{self.seed}"

    def to_json(self) -> str:
        """Return all options as JSON."""
        fields: dict[str, Any] = dataclasses.asdict(self)
        return json.dumps(fields, indent=2, default=str) + "\n"
