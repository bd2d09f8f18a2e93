"""Run folders: what a training run leaves behind, and reading it again.

    config.json          every option of the run
    policy.json          what the policy is: format, rules, observation layout, network, training, commit
    policy.safetensors   its weights

Only JSON and safetensors are ever read: neither can run code. Files are written beside their place and moved into it,
and `policy.json` names the hash of the weights, so that an interrupted save is noticed rather than half read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.learned.scaling import SCALING
from trente_env.core.actions import NUM_ACTIONS
from trente_env.encoding.sections import ObservationSpec, observation_spec
from trente_env.errors import InvalidDataError, InvalidOptionError, TrenteError
from trente_env.files import write_whole
from trente_env.rules import Rules

__all__ = ["CONFIG_FILE", "FORMAT", "POLICY_FILE", "WEIGHTS_FILE", "Checkpoint", "load", "save"]

FORMAT: Final = 1
"""Version of the files: what another version wrote is refused."""
CONFIG_FILE: Final = "config.json"
POLICY_FILE: Final = "policy.json"
WEIGHTS_FILE: Final = "policy.safetensors"
MAX_HIDDEN: Final = 8
MAX_WIDTH: Final = 16_384


@dataclass(frozen=True)
class Checkpoint:
    """A policy on disk: its weights and what they mean."""

    rules: Rules
    """The rules it was trained under, and under which alone it plays."""
    spec: ObservationSpec
    """The layout of what it observes."""
    hidden: tuple[int, ...]
    """Widths of the hidden layers, of the actor and of the critic alike."""
    weights: Mapping[str, NDArray[np.float32]]
    """`actor.0.weight` (outputs, inputs), `actor.0.bias`, … and the same for `critic`, as torch names them."""
    training: Mapping[str, Any] = field(default_factory=dict)
    """How it came about: decisions, minutes, seed, …"""
    commit: str = ""
    """The commit of the code that trained it, if known."""

    def layers(self, part: str) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Return the (weight, bias) pairs of "actor" or "critic", first layer first."""
        return [
            (self.weights[f"{part}.{index}.weight"], self.weights[f"{part}.{index}.bias"])
            for index in range(len(self.hidden) + 1)
        ]


def expected_shapes(spec: ObservationSpec, hidden: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Return the name and shape of every array that a checkpoint holds."""
    shapes: dict[str, tuple[int, ...]] = {}
    for part, outputs in (("actor", NUM_ACTIONS), ("critic", 1)):
        widths = (spec.size, *hidden, outputs)
        for index in range(len(widths) - 1):
            shapes[f"{part}.{index}.weight"] = (widths[index + 1], widths[index])
            shapes[f"{part}.{index}.bias"] = (widths[index + 1],)
    return shapes


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a policy into a run folder, replacing the one that is there.

    Raises:
        InvalidOptionError: If the weights do not fit the network named.
        WriteError: If a file cannot be written.
    """
    import safetensors.numpy  # noqa: PLC0415 - an extra: needed for files alone

    shapes = {name: array.shape for name, array in checkpoint.weights.items()}
    if shapes != expected_shapes(checkpoint.spec, checkpoint.hidden):
        raise InvalidOptionError(f"The weights {shapes} do not fit a network of {checkpoint.hidden} hidden units.")
    content = safetensors.numpy.save(
        {name: np.ascontiguousarray(array, np.float32) for name, array in checkpoint.weights.items()}
    )
    description = {
        "format": FORMAT,
        "rules": checkpoint.rules.to_dict(),
        "rules_fingerprint": checkpoint.rules.fingerprint,
        "observation": {"seats": checkpoint.spec.seats, "fingerprint": checkpoint.spec.fingerprint},
        "network": {
            "hidden": list(checkpoint.hidden),
            "activation": "relu",
            "num_actions": NUM_ACTIONS,
            "scaling": SCALING,
        },
        "training": dict(checkpoint.training),
        "commit": checkpoint.commit,
        "weights_sha256": hashlib.sha256(content).hexdigest(),
    }
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / WEIGHTS_FILE, content)
    write_whole(folder / POLICY_FILE, json.dumps(description, indent=2) + "\n")


def load(path: Path) -> Checkpoint:
    """Read a policy from a run folder, or from either of its two files.

    Raises:
        InvalidOptionError: If there is no policy there.
        InvalidDataError: If a file is truncated, altered, or of another version or layout.
    """
    folder = path if path.is_dir() else path.parent
    if path != folder and path.name not in {POLICY_FILE, WEIGHTS_FILE}:
        raise InvalidOptionError(
            f"{str(path)!r} is no run folder: name one that `python -m train` wrote (it holds {POLICY_FILE})."
        )
    for name in (POLICY_FILE, WEIGHTS_FILE):
        if not (folder / name).is_file():
            raise InvalidOptionError(
                f"There is no {name} in {str(folder)!r}: name a folder that `python -m train` wrote."
            )
    text, content = (folder / POLICY_FILE).read_bytes(), (folder / WEIGHTS_FILE).read_bytes()
    description = _read_description(folder / POLICY_FILE, text)
    if hashlib.sha256(content).hexdigest() != description.get("weights_sha256"):
        raise InvalidDataError(
            f"{folder / WEIGHTS_FILE} is not the file that {POLICY_FILE} beside it describes: truncated, altered, or "
            "saving was interrupted. Train again, or restore both files from one run."
        )
    try:
        return _read_checkpoint(description, content)
    except InvalidDataError as error:
        raise InvalidDataError(f"{folder / POLICY_FILE}: {error}") from error


def _read_description(path: Path, text: bytes) -> dict[str, Any]:
    try:
        description = json.loads(text)
    except ValueError as error:
        raise InvalidDataError(f"{path} is no JSON (truncated?): {error}.") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        found = description.get("format") if isinstance(description, dict) else None
        raise InvalidDataError(f"{path} has format {found!r}; this version reads format {FORMAT}. Train again.")
    return description


def _read_checkpoint(description: dict[str, Any], content: bytes) -> Checkpoint:
    import safetensors  # noqa: PLC0415
    import safetensors.numpy  # noqa: PLC0415

    try:
        rules = Rules.from_dict(description["rules"])
        spec = observation_spec(int(description["observation"]["seats"]))
        hidden = tuple(int(width) for width in description["network"]["hidden"])
        fingerprints = (description["rules_fingerprint"], description["observation"]["fingerprint"])
        kind = tuple(description["network"][name] for name in ("activation", "num_actions", "scaling"))
        training, commit = dict(description["training"]), str(description["commit"])
    except (KeyError, TypeError, ValueError, TrenteError) as error:
        raise InvalidDataError(f"a field is missing or makes no sense: {error}.") from error
    if fingerprints[0] != rules.fingerprint:
        raise InvalidDataError(f"the rules read as {rules.fingerprint}, not as {fingerprints[0]}: altered by hand?")
    if fingerprints[1] != spec.fingerprint:
        raise InvalidDataError(
            f"it observes layout {fingerprints[1]}; this version's for {spec.seats} seats is {spec.fingerprint}. "
            "Train again."
        )
    if (
        kind != ("relu", NUM_ACTIONS, SCALING)
        or len(hidden) > MAX_HIDDEN
        or not all(0 < width <= MAX_WIDTH for width in hidden)
    ):
        raise InvalidDataError(f"this version plays no network {description['network']}.")
    try:
        weights = safetensors.numpy.load(content)
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InvalidDataError(f"{WEIGHTS_FILE} beside it cannot be read: {error}.") from error
    shapes = {name: array.shape for name, array in weights.items()}
    if shapes != expected_shapes(spec, hidden) or any(array.dtype != np.float32 for array in weights.values()):
        raise InvalidDataError(f"{WEIGHTS_FILE} beside it holds other arrays than the network has: {shapes}.")
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise InvalidDataError(f"{WEIGHTS_FILE} beside it holds numbers that are not finite.")
    return Checkpoint(rules, spec, hidden, weights, training, commit)
