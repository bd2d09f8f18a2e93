"""`python -m train`: train a policy, save it, and show what it is worth."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import tyro

from train.config import TrainConfig
from trente_env.errors import InvalidOptionError, TrenteError

EXIT_BAD_INPUT: Final = 2
EXIT_INTERRUPTED: Final = 130
DEALS_AFTER_INTERRUPT: Final = 500
"""Deals of each match of the short table after a Ctrl-C."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    try:
        config = tyro.cli(TrainConfig, args=arguments, prog="python -m train", description=TrainConfig.__doc__)
        return train(config)
    except TrenteError as error:
        print(f"error: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return EXIT_INTERRUPTED


def train(config: TrainConfig) -> int:
    """Train as configured; print where the policy is and its table."""
    # Imported here: `--help` and mistyped options need no torch.
    try:
        from train.report import show_table, shown_progress  # noqa: PLC0415
        from train.selfplay import Training  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise InvalidOptionError(
            f"Training needs the package {error.name!r}, which is not installed: pip install 'trente-env[train]'."
        ) from error

    with shown_progress(is_wanted=config.progress) as on_progress:
        training = Training(config, on_progress)
        training.run()
    taken = training.model.num_timesteps
    print(f"Saved in {config.folder}: {taken:,} decisions in {training.seconds:.0f} s.")
    print(f"Play it by the name file:{config.folder}, look at its curves with: tensorboard --logdir {config.folder}")
    options = "".join(f" {text}" for text in ("--rules", *config.rules)) if config.rules else ""
    again = (
        f"python -m eval baselines file:{config.folder} --preset {config.preset} --players {config.players}{options}"
    )
    deals = config.eval_deals
    if training.is_interrupted and deals:
        deals = min(deals, DEALS_AFTER_INTERRUPT)
        print(f"Interrupted: a short table follows; for a full one: {again}")
    if deals:
        show_table(config, deals)
    return EXIT_INTERRUPTED if training.is_interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
