"""Kernels around a policy's matrix products: views to observations to the first layer, and scores to probabilities.

Of the several hundred numbers of an observation about sixty are not zero, so the first layer, the largest, is the sum
of the weight rows of those: twice as quick as a matrix product.
"""

from __future__ import annotations

import math
from typing import Any

from trente_env._jit import kernel, row_at
from trente_env.encoding.encode import encode_view


@kernel
def first_layer(  # noqa: PLR0917 - compiled code takes no keywords
    views_B: Any, places: Any, varying: int, scratch_1S: Any, factors: Any, sources: Any,
    weights_VH: Any, bias_H: Any, out_BH: Any,
) -> None:  # fmt: skip
    """Encode views and apply the first layer, without its rectifier.

    Args:
        views_B: What each seat knows.
        places: Layout of the observation (`ObservationSpec.lower`).
        varying: How many numbers of the observation count; the rest is in the bias.
        scratch_1S: One observation.
        factors: Scratch, eight longer than an observation.
        sources: Likewise, ints.
        weights_VH: The weights of those numbers; one more row, of zeros, stands below.
        bias_H: The bias.
        out_BH: The layer's output, written.
    """
    width = bias_H.shape[0]
    for row in range(len(views_B)):
        encode_view(views_B[row], places[0], row_at(scratch_1S, 0))
        count = 0
        for source in range(varying):
            if scratch_1S[0, source] != 0:
                factors[count] = scratch_1S[0, source]
                sources[count] = source
                count += 1
        for place in range(count, (count + 7) // 8 * 8):
            factors[place] = 0
            sources[place] = varying
        for place in range(width):
            out_BH[row, place] = bias_H[place]
        for first in range(0, count, 8):
            add_eight(factors, sources, first, weights_VH, out_BH, row)


@kernel
def add_eight(factors: Any, sources: Any, first: int, weights_VH: Any, out_BH: Any, row: int) -> None:
    """Add eight weight rows at once: one pass over the output instead of eight."""
    f0, f1, f2, f3 = factors[first], factors[first + 1], factors[first + 2], factors[first + 3]
    f4, f5, f6, f7 = factors[first + 4], factors[first + 5], factors[first + 6], factors[first + 7]
    s0, s1, s2, s3 = sources[first], sources[first + 1], sources[first + 2], sources[first + 3]
    s4, s5, s6, s7 = sources[first + 4], sources[first + 5], sources[first + 6], sources[first + 7]
    for place in range(weights_VH.shape[1]):
        out_BH[row, place] += (
            (f0 * weights_VH[s0, place] + f1 * weights_VH[s1, place])
            + (f2 * weights_VH[s2, place] + f3 * weights_VH[s3, place])
            + ((f4 * weights_VH[s4, place] + f5 * weights_VH[s5, place])
            + (f6 * weights_VH[s6, place] + f7 * weights_VH[s7, place]))
        )  # fmt: skip


@kernel
def softmax_rows(logits_BA: Any, masks_BA: Any, out_BA: Any) -> None:
    """Turn scores into probabilities of the legal actions."""
    count, num_actions = masks_BA.shape
    for row in range(count):
        highest = -math.inf
        for action in range(num_actions):
            if masks_BA[row, action] != 0:
                highest = max(highest, float(logits_BA[row, action]))
        total = 0.0
        for action in range(num_actions):
            weight = 0.0
            if masks_BA[row, action] != 0:
                weight = math.exp(float(logits_BA[row, action]) - highest)
            out_BA[row, action] = weight
            total += weight
        for action in range(num_actions):
            out_BA[row, action] /= total


@kernel
def best_rows(logits_BA: Any, masks_BA: Any, out_BA: Any) -> None:
    """Give all probability to the legal action with the highest score; of equals to the first."""
    count, num_actions = masks_BA.shape
    for row in range(count):
        best = -1
        for action in range(num_actions):
            out_BA[row, action] = 0.0
            if masks_BA[row, action] != 0 and (best < 0 or logits_BA[row, action] > logits_BA[row, best]):
                best = action
        out_BA[row, best] = 1.0
