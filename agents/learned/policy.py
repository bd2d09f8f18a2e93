"""Playing with a trained network: `LearnedPolicy`, and the names "file:runs/x" and "file:runs/x?greedy"."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.learned.checkpoint import Checkpoint, load
from agents.learned.forward import best_rows, first_layer, softmax_rows
from agents.learned.scaling import centres_and_scales
from trente_env._jit import JIT_ENABLED
from trente_env.batch import GameBatch
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.layout import from_array
from trente_env.errors import InvalidOptionError
from trente_env.policy import check_asked, check_views
from trente_env.rules import Rules

__all__ = ["LearnedPolicy", "make_from_file"]

GREEDY: Final = "?greedy"
"""Behind a name: always the likeliest action, instead of a sample."""
BLOCK: Final = 8
"""Rows of a matrix product. Always as many, so that a row's result does not depend on the batch it came in; and so few,
because numpy's BLAS multiplies small matrices quickest, and on one thread (it spins where others need the cores)."""


CHUNK: Final = 256
"""Rows taken through all layers at a time: few enough that they stay in the processor's cache."""


class LearnedPolicy:
    """A trained network as a policy. It needs no torch, and plays under the rules it was trained under alone.

    Args:
        checkpoint: The network.
        name: What match tables call it.
        is_greedy: Whether to give all probability to the likeliest action.
    """

    def __init__(self, checkpoint: Checkpoint, name: str = "learned", *, is_greedy: bool = False) -> None:
        """Lay the weights out as the kernels want them."""
        if not isinstance(checkpoint, Checkpoint):
            raise InvalidOptionError(
                f"checkpoint cannot be {checkpoint!r}: give one, as agents.make('file:FOLDER') does."
            )
        self.name = name
        self.checkpoint = checkpoint
        self.is_greedy = is_greedy
        self._places = checkpoint.spec.lower()
        (first, bias), *rest = checkpoint.layers("actor")
        size, width = first.shape[1], first.shape[0]
        # Centres and scales go into weights and bias; the rules, which are always the same, into the bias.
        centres, scales = centres_and_scales(checkpoint.spec)
        weights_SH = np.ascontiguousarray(first.T) * scales[:, None]
        self._size = size
        self._varying = checkpoint.spec["rules"].start
        self._first_SH = np.concatenate([weights_SH[: self._varying], np.zeros((1, width), np.float32)])
        self._bias_H = bias - centres @ weights_SH + observed_rules(checkpoint) @ weights_SH[self._varying :]
        self._rest = [(np.ascontiguousarray(weight.T), bias.copy()) for weight, bias in rest]

    @property
    def rules(self) -> Rules:
        """The rules it plays under."""
        return self.checkpoint.rules

    def check_rules(self, rules: Rules) -> None:
        """Refuse to play under other rules than those it was trained under.

        Raises:
            InvalidOptionError: If they differ; the message names the differences.
        """
        if not isinstance(rules, Rules):
            raise InvalidOptionError(
                f"rules must be Rules, not {type(rules).__name__}: use preset('quebec') or Rules(...)."
            )
        own, given = self.rules.to_dict(), rules.to_dict()
        if own != given:
            others = ", ".join(
                f"{name} is {given[name]!r} instead of {own[name]!r}" for name in own if own[name] != given[name]
            )
            raise InvalidOptionError(
                f"Policy {self.name!r} was trained under rules {self.rules.fingerprint} and cannot play under "
                f"{rules.fingerprint}: {others}. Train one under these rules, or match under its own."
            )

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return how likely each legal action is: the softmax of the network's scores over them."""
        check_asked(views_B, masks_BA)
        count = len(views_B)
        if count and int(views_B["num_players"][0]) != self.rules.num_players:
            raise InvalidOptionError(
                f"Policy {self.name!r} plays at tables of {self.rules.num_players}, not of {views_B['num_players'][0]}."
            )
        out_BA = np.empty(masks_BA.shape, np.float32)
        scores_BA = self.scores(views_B)
        (best_rows if self.is_greedy else softmax_rows)(scores_BA, masks_BA, out_BA)
        return out_BA

    def scores(self, views_B: NDArray[np.void]) -> NDArray[np.float32]:
        """Return the network's scores of all actions, legal or not."""
        check_views(views_B)
        out_BA = np.empty((len(views_B), NUM_ACTIONS), np.float32)
        observation = np.zeros((1, self._size), np.int8)
        factors, sources = np.zeros(self._size + 8, np.float32), np.zeros(self._size + 8, np.int64)
        for start in range(0, len(views_B), CHUNK):
            views = views_B[start : start + CHUNK]
            padded = -(-len(views) // BLOCK) * BLOCK
            layer = np.zeros((padded, len(self._bias_H)), np.float32)
            first_layer(
                views if JIT_ENABLED else from_array(views), self._places, self._varying,
                observation, factors, sources, self._first_SH, self._bias_H, layer,
            )  # fmt: skip
            for weights, bias in self._rest:
                np.maximum(layer, 0.0, out=layer)
                layer = np.matmul(layer.reshape(-1, BLOCK, len(weights)), weights).reshape(padded, -1)
                layer += bias
            out_BA[start : start + CHUNK] = layer[: len(views)]
        return out_BA


def observed_rules(checkpoint: Checkpoint) -> NDArray[np.float32]:
    """Return what the section of the rules always shows, under a checkpoint's own."""
    batch = GameBatch(checkpoint.rules, 1, max_players=checkpoint.spec.seats)
    return batch.reset().observations_BS[0, checkpoint.spec["rules"]].astype(np.float32)


def make_from_file(argument: str) -> LearnedPolicy:
    """Return the policy of a run folder: "runs/x", or "runs/x?greedy" for its likeliest actions.

    Raises:
        InvalidOptionError: If there is no policy there.
        InvalidDataError: If its files are not what they claim to be.
    """
    if not isinstance(argument, str):
        raise InvalidOptionError(f"A trained policy is named by its run folder, not by {argument!r}: file:runs/mine.")
    is_greedy = argument.endswith(GREEDY)
    place = argument.removesuffix(GREEDY)
    if not place:
        raise InvalidOptionError("A trained policy is named by its run folder: file:runs/mine.")
    return LearnedPolicy(load(Path(place)), f"file:{argument}", is_greedy=is_greedy)
