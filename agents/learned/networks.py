"""The networks as torch modules: actor and critic apart, on scaled observations, scores of illegal actions masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from agents.learned.checkpoint import Checkpoint
from agents.learned.scaling import centres_and_scales
from trente_env.core.actions import NUM_ACTIONS
from trente_env.encoding.sections import ObservationSpec

__all__ = ["ActorCritic", "masked_log_softmax"]

ILLEGAL: Final = -1e8
"""Score of an illegal action."""


class ScaledLinear(nn.Linear):
    """A linear layer on centred and scaled inputs, applied to the inputs as they are.

    Scaling the weights instead of every row of a batch gives the same output several times quicker.

    Args:
        centres: What is subtracted from each input.
        scales: What it is then multiplied by.
        out_features: Outputs.
    """

    centres: Tensor
    scales: Tensor

    def __init__(self, centres: NDArray[np.float32], scales: NDArray[np.float32], out_features: int) -> None:
        """Initialise as `nn.Linear` does."""
        super().__init__(len(scales), out_features)
        self.register_buffer("centres", torch.from_numpy(centres), persistent=False)
        self.register_buffer("scales", torch.from_numpy(scales), persistent=False)

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - the base class's name
        """Return the outputs for raw inputs."""
        weight = self.weight * self.scales
        return nn.functional.linear(input, weight, self.bias - weight @ self.centres)


def _perceptron(spec: ObservationSpec, widths: Sequence[int], output_gain: float) -> nn.Sequential:
    """Return linear layers with rectifiers between, orthogonally initialised, for raw observations."""
    layers: list[nn.Module] = []
    for index in range(len(widths) - 1):
        linear = (
            nn.Linear(widths[index], widths[index + 1]) if index else ScaledLinear(*centres_and_scales(spec), widths[1])
        )
        is_last = index == len(widths) - 2
        nn.init.orthogonal_(linear.weight, output_gain if is_last else 2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear] if is_last else [linear, nn.ReLU()]
    return nn.Sequential(*layers)


def masked_log_softmax(scores_BA: Tensor, masks_BA: Tensor) -> Tensor:
    """Return log probabilities over the legal actions (bool masks); those of illegal ones are hugely negative."""
    return torch.log_softmax(torch.where(masks_BA, scores_BA, ILLEGAL), dim=1)


class ActorCritic(nn.Module):
    """Separate actor and critic on observations, which they scale (`scaling.py`).

    Args:
        spec: The layout of the observations.
        hidden: Widths of the hidden layers, of both alike.
    """

    def __init__(self, spec: ObservationSpec, hidden: Sequence[int]) -> None:
        """Initialise the weights from torch's generator."""
        super().__init__()
        self.hidden = tuple(hidden)
        self.actor = _perceptron(spec, (spec.size, *hidden, NUM_ACTIONS), 0.01)
        self.critic = _perceptron(spec, (spec.size, *hidden, 1), 1.0)

    def scores(self, observations_BS: Tensor) -> Tensor:
        """Return the actor's score of every action, legal or not, from observations as floats."""
        scores_BA: Tensor = self.actor(observations_BS)
        return scores_BA

    def values(self, observations_BS: Tensor) -> Tensor:
        """Return the critic's estimate of the reward to come, (B,), from observations as floats."""
        values_B1: Tensor = self.critic(observations_BS)
        return values_B1.squeeze(1)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return a copy of the weights under the names of `Checkpoint.weights`."""
        arrays: dict[str, NDArray[np.float32]] = {}
        for part in ("actor", "critic"):
            linears = [module for module in getattr(self, part) if isinstance(module, nn.Linear)]
            for index, linear in enumerate(linears):
                arrays[f"{part}.{index}.weight"] = linear.weight.detach().cpu().numpy().copy()
                arrays[f"{part}.{index}.bias"] = linear.bias.detach().cpu().numpy().copy()
        return arrays

    def load(self, checkpoint: Checkpoint) -> None:
        """Take over the weights of a checkpoint with the same layout and widths."""
        with torch.no_grad():
            for part in ("actor", "critic"):
                linears = [module for module in getattr(self, part) if isinstance(module, nn.Linear)]
                for linear, (weight, bias) in zip(linears, checkpoint.layers(part), strict=True):
                    linear.weight.copy_(torch.from_numpy(weight.copy()))
                    linear.bias.copy_(torch.from_numpy(bias.copy()))
