"""Run folders: what a training run leaves behind, and reading it again.

    config.json               every option of the run
    policy.json               what the policy is: format, rules, observation layout, network, training, commit
    policy-HASH.safetensors   its weights, under a name of their own

Only JSON and safetensors are ever read: neither can run code. New weights are written first, whole, beside the old
ones; then `policy.json`, which names them, takes the place of the old one in one step; then the old weights go. Killed
at any moment, a save leaves the policy before or the policy after.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.learned.scaling import SCALING
from trente_env.core.actions import NUM_ACTIONS
from trente_env.encoding.sections import ObservationSpec, observation_spec
from trente_env.errors import (
    InvalidDataError,
    InvalidOptionError,
    TrenteError,
    UnknownNameError,
    WriteError,
    is_list,
    is_name,
)
from trente_env.files import write_whole
from trente_env.rules import Rules

__all__ = ["CONFIG_FILE", "FORMAT", "POLICY_FILE", "Checkpoint", "load", "save"]

FORMAT: Final = 1
"""Version of the files: what another version wrote is refused."""
CONFIG_FILE: Final = "config.json"
POLICY_FILE: Final = "policy.json"
WEIGHTS_NAME: Final = re.compile(r"policy(-[0-9a-f]{16})?\.safetensors")
"""Names of files of weights. The plain one is read, and not written any more."""
LEFT_OVER: Final = re.compile(WEIGHTS_NAME.pattern + r"|\.policy.*\.part")
PARTS: Final = ("actor", "critic")
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
        """Return the (weight, bias) pairs of "actor" or "critic", first layer first.

        Raises:
            UnknownNameError: If there is no such part.
        """
        if not is_name(part, PARTS):
            raise UnknownNameError("part of a network", part, list(PARTS))
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
    """Write a policy into a run folder, replacing the one that is there. A save that fails leaves that one as it was.

    Raises:
        InvalidOptionError: If it is no policy, or the weights do not fit the network named.
        WriteError: If a file cannot be written.
    """
    import safetensors.numpy  # noqa: PLC0415 - an extra: needed for files alone

    if not (is_list([folder], Path) and is_list([checkpoint], Checkpoint)):
        raise InvalidOptionError(
            f"save() takes a Path and a Checkpoint, not {folder!r} and {type(checkpoint).__name__}."
        )
    shapes = {name: array.shape for name, array in checkpoint.weights.items()}
    if shapes != expected_shapes(checkpoint.spec, checkpoint.hidden):
        raise InvalidOptionError(f"The weights {shapes} do not fit a network of {checkpoint.hidden} hidden units.")
    content = safetensors.numpy.save(
        {name: np.ascontiguousarray(array, np.float32) for name, array in checkpoint.weights.items()}
    )
    digest = hashlib.sha256(content).hexdigest()
    weights_file = f"policy-{digest[:16]}.safetensors"
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
        "weights_file": weights_file,
        "weights_sha256": digest,
    }
    make_folder(folder)
    is_new = not (folder / weights_file).exists()
    write_whole(folder / weights_file, content)
    try:
        write_whole(folder / POLICY_FILE, json.dumps(description, indent=2) + "\n")
    except WriteError:
        if is_new:
            (folder / weights_file).unlink(missing_ok=True)
        raise
    with contextlib.suppress(OSError):  # other weights, and what a save left that was killed: they disturb nobody
        for other in folder.iterdir():
            if LEFT_OVER.fullmatch(other.name) and other.name != weights_file:
                other.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, unless it is there.

    Raises:
        WriteError: If it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise WriteError(str(folder), reason, "choose a folder that you may write to") from error


def load(path: Path) -> Checkpoint:
    """Read a policy from a run folder, or from one of its two files.

    Raises:
        InvalidOptionError: If there is no policy there.
        InvalidDataError: If a file is truncated, altered, or of another version or layout.
    """
    if not isinstance(path, Path):
        raise InvalidOptionError(f"A run folder is named by a Path, not by {path!r}: Path('runs/mine').")
    try:
        folder = path if path.is_dir() else path.parent
        if path != folder and path.name != POLICY_FILE and not WEIGHTS_NAME.fullmatch(path.name):
            raise InvalidOptionError(
                f"{str(path)!r} is no run folder: name one that `python -m train` wrote (it holds {POLICY_FILE})."
            )
        description, content = _read_files(folder)
    except FileNotFoundError as error:
        raise InvalidOptionError(
            f"There is no {Path(error.filename).name} in {str(Path(error.filename).parent)!r}: name a folder that "
            "`python -m train` wrote."
        ) from error
    except OSError as error:
        raise InvalidOptionError(f"{str(path)!r} cannot be read ({error.strerror}): name another folder.") from error
    if hashlib.sha256(content).hexdigest() != description.get("weights_sha256"):
        raise InvalidDataError(
            f"{folder / description['weights_file']} is not the file that {POLICY_FILE} beside it describes: "
            "truncated, altered, or of another run. Train again, or restore both files from one run."
        )
    try:
        return _read_checkpoint(description, content)
    except InvalidDataError as error:
        raise InvalidDataError(f"{folder / POLICY_FILE}: {error}") from error


def _read_files(folder: Path) -> tuple[dict[str, Any], bytes]:
    """Return what `policy.json` says, and the weights that it names."""
    description = _read_description(folder / POLICY_FILE)
    try:
        return description, (folder / description["weights_file"]).read_bytes()
    except FileNotFoundError:  # between the two another policy may have been saved: look again
        description = _read_description(folder / POLICY_FILE)
        return description, (folder / description["weights_file"]).read_bytes()


def _read_description(path: Path) -> dict[str, Any]:
    text = path.read_bytes()
    try:
        description = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidDataError(f"{path} is no JSON (truncated?): {error}.") from error
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        found = description.get("format") if isinstance(description, dict) else None
        raise InvalidDataError(f"{path} has format {found!r}; this version reads format {FORMAT}. Train again.")
    name = description.setdefault("weights_file", "policy.safetensors")
    if not isinstance(name, str) or not WEIGHTS_NAME.fullmatch(name):
        raise InvalidDataError(
            f"{path} names weights {name!r}, which is no name that a policy's weights have. Train again."
        )
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
    except (KeyError, TypeError, ValueError, OverflowError, TrenteError) as error:
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
        raise InvalidDataError(f"the file of weights beside it cannot be read: {error}.") from error
    shapes = {name: array.shape for name, array in weights.items()}
    if shapes != expected_shapes(spec, hidden) or any(array.dtype != np.float32 for array in weights.values()):
        raise InvalidDataError(f"the file of weights beside it holds other arrays than the network has: {shapes}.")
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise InvalidDataError("the file of weights beside it holds numbers that are not finite.")
    return Checkpoint(rules, spec, hidden, weights, training, commit)
