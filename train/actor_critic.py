"""Our networks as the policy class of `MaskablePPO`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs, Schedule
from torch import Tensor

from agents.learned.networks import ActorCritic, masked_log_softmax
from trente_env.encoding.sections import observation_spec

__all__ = ["SeatActorCritic"]

LEAST_LOG: Final = -60.0
"""Log probability below which an action counts as impossible."""


class SeatActorCritic(MaskableActorCriticPolicy):
    """`ActorCritic` under the interface of `MaskablePPO`, without the overhead of distribution objects.

    Args:
        observation_space: Of `SelfPlayVecEnv`.
        action_space: Likewise.
        lr_schedule: Learning rate by the share of training that remains.
        seats: Places of the observation's per-seat sections.
        hidden: Widths of the hidden layers.
        **options: Of `MaskableActorCriticPolicy`.
    """

    network: ActorCritic

    def __init__(
        self,
        observation_space: Any,
        action_space: Any,
        lr_schedule: Schedule,
        *,
        seats: int = 2,
        hidden: Sequence[int] = (256, 256),
        **options: Any,
    ) -> None:
        """Build networks and optimiser."""
        self.seats = seats
        self.hidden = tuple(hidden)
        super().__init__(observation_space, action_space, lr_schedule, **options)

    def _build(self, lr_schedule: Schedule) -> None:
        self.network = ActorCritic(observation_spec(self.seats), self.hidden)
        make: Any = self.optimizer_class  # the base of all optimisers has no learning rate in its signature
        self.optimizer = make(self.network.parameters(), lr=lr_schedule(1.0), **self.optimizer_kwargs)

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return super()._get_constructor_parameters() | {"seats": self.seats, "hidden": self.hidden}

    def _masks(self, action_masks: Tensor | NDArray[Any] | None, count: int) -> Tensor:
        if action_masks is None:
            return torch.ones((count, int(self.action_space.n)), dtype=torch.bool)  # type: ignore[attr-defined]
        return torch.as_tensor(action_masks).to(torch.bool).reshape(count, -1)

    def forward(
        self,
        obs: Tensor,
        deterministic: bool = False,  # noqa: FBT001, FBT002 - the base class's signature
        action_masks: NDArray[Any] | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return actions, values and the actions' log probabilities."""
        numbers = obs.float()
        logs = masked_log_softmax(self.network.scores(numbers), self._masks(action_masks, len(obs)))
        if deterministic:
            actions = logs.argmax(dim=1)
        else:  # the largest of log probability plus Gumbel noise is a sample
            actions = (logs - torch.empty_like(logs).exponential_().log()).argmax(dim=1)
        return actions, self.network.values(numbers).unsqueeze(1), logs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def evaluate_actions(
        self, obs: Tensor, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Return values, the actions' log probabilities, and the entropy of each distribution."""
        numbers = obs.float()
        logs = masked_log_softmax(self.network.scores(numbers), self._masks(action_masks, len(obs)))
        # Illegal actions add nothing; the bound is there because exp is slow where its result is too small to hold.
        bounded = logs.clamp(min=LEAST_LOG)
        entropy = -(bounded.exp() * bounded).sum(dim=1)
        chosen = logs.gather(1, actions.reshape(-1, 1)).squeeze(1)
        return self.network.values(numbers).unsqueeze(1), chosen, entropy

    def predict_values(self, obs: PyTorchObs) -> Tensor:
        """Return the critic's estimates, (B, 1)."""
        assert isinstance(obs, Tensor)  # noqa: S101 - for the type checker: our observations are plain boxes
        return self.network.values(obs.float()).unsqueeze(1)

    def get_distribution(self, obs: PyTorchObs, action_masks: NDArray[np.bool_] | None = None) -> MaskableDistribution:
        """Return the distribution over actions as the library's own object."""
        assert isinstance(obs, Tensor)  # noqa: S101
        distribution: MaskableDistribution = self.action_dist.proba_distribution(
            action_logits=self.network.scores(obs.float())
        )
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution
