"""A training run: environment, opponents, learner, run folder, from a `TrainConfig`."""

from __future__ import annotations

import contextlib
import io
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure

import agents
from agents.learned.checkpoint import CONFIG_FILE, POLICY_FILE, Checkpoint, save
from agents.learned.networks import ActorCritic
from agents.learned.policy import LearnedPolicy
from eval.options import check_output
from train.actor_critic import SeatActorCritic
from train.config import TrainConfig
from train.learner import SelfPlayPPO
from train.opponents import OpponentPool
from trente_env.adapters.sb3 import SelfPlayVecEnv
from trente_env.errors import InvalidOptionError, TrenteError, WriteError
from trente_env.files import write_whole
from trente_env.policy import Policy

__all__ = ["Progress", "Training"]

UNBOUNDED: Final = 2**62
"""Decisions of a run that is bounded by time alone."""
TENSORBOARD_FOLDER: Final = "tensorboard"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training run is."""

    share: float
    """Of the time or the decisions given, 0 to 1."""
    decisions: int
    """Decisions the learner has taken."""
    per_second: float
    """Decisions a second, over the whole run."""
    win_rate: float | None
    """Share of the games won since the last report, against whoever was drawn; None before any game has ended."""
    phase: str
    """What is being done."""


class Training:
    """A run under way.

    Args:
        config: Its options.
        on_progress: Told how far it is, at least once an update.

    Raises:
        TrenteError: If an option makes no sense: before anything is written.
    """

    def __init__(self, config: TrainConfig, on_progress: Callable[[Progress], object] = lambda _: None) -> None:
        """Build everything; write nothing but the folder, `config.json` and logs."""
        self.config = config
        self.rules = config.rule_set()
        self._on_progress = on_progress
        opponents = [(self._opponent(name), float(times)) for name, times in Counter(config.opponents).items()]
        torch.set_num_threads(config.threads)
        self.env = SelfPlayVecEnv(
            self.rules,
            config.games,
            [policy for policy, _ in opponents],
            weights=[weight for _, weight in opponents],
            seed=config.seed,
            episode=config.episode,
            reward=config.reward,
        )
        self.pool = OpponentPool(
            self.env, opponents, snapshots=config.snapshots, share=config.snapshot_share, seed=config.seed
        )
        self.model = SelfPlayPPO(
            SeatActorCritic, self.env, n_steps=config.steps, batch_size=config.minibatch, n_epochs=config.epochs,
            learning_rate=lambda remaining: config.learning_rate * max(remaining, 0.05),
            gamma=config.gamma, gae_lambda=config.gae_lambda, clip_range=config.clip, ent_coef=config.entropy,
            vf_coef=config.value_weight, max_grad_norm=config.max_gradient, seed=config.seed, device="cpu",
            policy_kwargs={
                "seats": self.rules.num_players, "hidden": config.hidden,
                "optimizer_kwargs": {"eps": 1e-5, "fused": True},
            },
        )  # fmt: skip
        self.is_interrupted = False
        self.seconds = 0.0
        self.folder = config.folder
        self.commit = _commit()
        self._prepare_folder()

    def _opponent(self, name: str) -> Policy:
        policy = agents.make(name)
        check: Any = getattr(policy, "check_rules", None)
        if check is not None:
            check(self.rules)
        return policy

    def _prepare_folder(self) -> None:
        check_output(self.config.export_sb3, "--export-sb3")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / CONFIG_FILE, self.config.to_json())
            # What an earlier run left: its curves would mix with ours, its policy would not be what the config says.
            earlier = [self.folder / POLICY_FILE, *(self.folder / TENSORBOARD_FOLDER).glob("events.out.tfevents.*")]
            for path in earlier:
                path.unlink(missing_ok=True)
            self.model.set_logger(configure(str(self.folder / TENSORBOARD_FOLDER), ["tensorboard"]))
        except (OSError, ValueError) as error:
            if isinstance(error, TrenteError):
                raise
            reason = getattr(error, "strerror", None) or str(error)
            raise InvalidOptionError(
                f"--run-dir cannot be {str(self.folder)!r}: {reason}. Choose a folder that you may write to."
            ) from error

    @property
    def network(self) -> ActorCritic:
        """The networks being trained."""
        policy = self.model.policy
        assert isinstance(policy, SeatActorCritic)  # noqa: S101 - for the type checker
        return policy.network

    def checkpoint(self) -> Checkpoint:
        """Return the present policy."""
        training = {
            "decisions": int(self.model.num_timesteps), "seconds": round(self.seconds or self.model.elapsed, 1),
            "seed": self.config.seed, "opponents": list(self.config.opponents), "interrupted": self.is_interrupted,
        }  # fmt: skip
        network = self.network
        return Checkpoint(self.rules, self.env.batch.spec, network.hidden, network.weights(), training, self.commit)

    def policy(self, name: str) -> LearnedPolicy:
        """Return the present policy as one to play against."""
        network = self.network
        return LearnedPolicy(Checkpoint(self.rules, self.env.batch.spec, network.hidden, network.weights()), name)

    def run(self) -> None:
        """Train until the time or the decisions given are used up, or a first Ctrl-C; save the policy in any case."""
        config, model = self.config, self.model
        began = time.monotonic()
        seconds = None if config.decisions is not None else config.minutes * 60
        decisions = UNBOUNDED if config.decisions is None else config.decisions
        try:
            with self._interruptible():
                model.begin_clock(seconds)
                model.learn(decisions, callback=_Watch(self), log_interval=1)
        except OSError as error:  # the curves: a full disk stops the writing of them
            if isinstance(error, TrenteError):
                raise
            raise WriteError(
                str(self.folder), error.strerror or str(error), "free some space, or choose another disk"
            ) from error
        finally:
            self.seconds = time.monotonic() - began
            self.env.close()
            save(self.folder, self.checkpoint())
            with contextlib.suppress(OSError):  # the policy is saved; the last curves may be lost
                model.logger.close()
        if config.export_sb3 is not None:
            exported = io.BytesIO()
            model.save(exported, exclude=["env", "lr_schedule", "learning_rate", "clip_range"])
            write_whole(config.export_sb3, exported.getvalue())

    @contextlib.contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let a first Ctrl-C end the training after the decision under way, and a second one end the program."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(_signal: int, _frame: FrameType | None) -> None:
            self.is_interrupted = True
            signal.signal(signal.SIGINT, signal.default_int_handler)

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _report(self, share: float, phase: str) -> None:
        results = self.env.take_results()
        played = sum(games for _, games in results.values())
        rate = sum(won for won, _ in results.values()) / played if played else None
        elapsed = max(self.model.elapsed, 1e-9)
        taken = self.model.num_timesteps
        for name, (won, games) in results.items():
            if not name.startswith("snapshot"):
                self.model.logger.record(f"win_rate/{name}", won / games)
        if rate is not None:
            self.model.logger.record("win_rate/pool", rate)
        self._on_progress(Progress(share, taken, taken / elapsed, rate, phase))


class _Watch(BaseCallback):
    """Stop in time, tell of progress, take snapshots, keep what is learnt on disk."""

    SECONDS_BETWEEN_SAVES: Final = 60.0

    def __init__(self, training: Training) -> None:
        super().__init__()
        self.training = training
        self._next_snapshot = training.config.snapshot_every
        self._next_save = self.SECONDS_BETWEEN_SAVES

    def _on_step(self) -> bool:
        return not (self.training.is_interrupted or self.training.model.is_time_over)

    def _on_rollout_end(self) -> None:
        training = self.training
        model, elapsed = training.model, training.model.elapsed
        if training.config.decisions is None:
            share = elapsed / (training.config.minutes * 60)
        else:
            share = model.num_timesteps / training.config.decisions
        training._report(min(share, 1.0), "learning")  # noqa: SLF001 - the other half of Training
        if training.pool.wants_snapshots and share >= self._next_snapshot:
            self._next_snapshot = share + training.config.snapshot_every
            training.pool.add(training.policy("snapshot"))
        if elapsed >= self._next_save:
            self._next_save = elapsed + self.SECONDS_BETWEEN_SAVES
            save(training.folder, training.checkpoint())


def _commit() -> str:
    """Return the commit this checkout is at, with "+" where files differ from it; "" elsewhere."""
    root = Path(__file__).resolve().parents[1]
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        return ""
    try:
        described = subprocess.run(  # noqa: S603 - our own arguments
            [git, "-C", str(root), "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"],
            capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()
