"""Make the tables of `adaptive` by simulation: `python -m agents.heuristic.fit` writes `tables.py`, in minutes.

For every context a player of `adaptive` plays single rounds against a mix of `knock@T` players and of itself. Two
things are measured: what the round brings after each state that the player leaves (`WORTH`), and, from the very same
positions, what knocking at once brings against playing on (`KNOCK_AT`). Both improve the player, who plays again. Now
and then it strays from its own choice, so that what it would not do is known too; what came before is then forgotten.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.heuristic.adaptive import STANDARD_TOP_HALF_POINTS
from agents.heuristic.by_value import NEVER
from agents.heuristic.simulation import NUM_VALUES, PATH_SIZE, simulate
from agents.heuristic.worth import (
    COMPLETE,
    LONE_CARDS,
    NUM_CONTEXTS,
    NUM_KNOCK_STAGES,
    NUM_SIGNS,
    NUM_STAGES,
    NUM_STATES,
    PAIRS,
    SETTLED,
    THREE_OF_A_KIND,
)
from trente_env.core.calls import new_games, new_views
from trente_env.core.layout import lower
from trente_env.files import write_whole
from trente_env.presets import preset

CONTEXTS: Final = (
    ("quebec", 2, 1),
    ("quebec", 2, 2),
    ("quebec", 2, 3),
    ("quebec", 3, 1),
    ("quebec", 3, 2),
    ("quebec", 4, 1),
    ("quebec", 4, 2),
    ("quebec", 6, 1),
    ("quebec", 6, 2),
    ("quebec_points", 2, 1),
    ("quebec_points", 3, 1),
    ("quebec_points", 4, 1),
    ("quebec_points", 6, 1),
    ("exchange", 2, 1),
    ("exchange", 3, 1),
    ("exchange", 4, 1),
    ("exchange", 6, 1),
    ("schwimmen", 2, 1),
    ("schwimmen", 3, 1),
    ("schwimmen", 4, 1),
    ("schwimmen", 6, 1),
)
"""The game that each context is fitted on: preset, players, lives lost by a failed knock."""
SEED: Final = 20_000_000
"""Seed of the first round; the others follow."""
ROUNDS: Final = (40_000, 40_000, 40_000, 40_000, 120_000)
"""Rounds played between improvements."""
MEMORY: Final = 0.5
"""What earlier rounds count for when the player has improved."""
LEAST_COUNT: Final = 20
"""States left less often are interpolated between others."""
LEAST_KNOCKS: Final = 1_000
"""Knock values measured less often stay as they were."""
FIRST_KNOCK_AT: Final = 56
"""The first guess at a knock value."""


def rules_of_context(context: int) -> Any:
    """Return the rules, lowered, whose rounds a context is fitted on."""
    name, num_players, cost = CONTEXTS[context]
    rules = lower([preset(name, num_players=num_players)])
    rules["failed_knock_penalty"] = cost
    return rules


def first_worth() -> NDArray[np.int64]:
    """Return the first guess: what a hand is worth grows with its points, and a missing card costs six of them."""
    worth = np.zeros((NUM_CONTEXTS + SETTLED, NUM_STAGES, NUM_STATES), np.int64)
    for first, least, most in (LONE_CARDS, PAIRS, COMPLETE):
        worth[:, :, first : first + most - least + 1] = 20 * np.arange(least, most + 1)
    worth[:, :, COMPLETE[0] : THREE_OF_A_KIND] -= 120
    worth[:, :, THREE_OF_A_KIND] = worth[0, 0, THREE_OF_A_KIND - 2]
    return worth


def rising_means(sums: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """Return means that never fall (pool adjacent violators), interpolated in gaps; None where little was counted."""
    blocks: list[tuple[float, float, list[int]]] = []
    for place in np.flatnonzero(counts >= LEAST_COUNT).tolist():
        blocks.append((float(sums[place]), float(counts[place]), [place]))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            total, count, places = blocks.pop()
            below = blocks.pop()
            blocks.append((below[0] + total, below[1] + count, below[2] + places))
    if not blocks:
        return None
    places = [place for block in blocks for place in block[2]]
    means = [block[0] / block[1] for block in blocks for _ in block[2]]
    return np.interp(np.arange(len(sums)), places, means)


def improve_worth(worth: NDArray[np.int64], returns: NDArray[np.float64]) -> None:
    """Set the worth of one context's states to what they brought, in thousandths of a life; more points, more worth."""
    groups = ((LONE_CARDS[0], PAIRS[0]), (PAIRS[0], COMPLETE[0]), (COMPLETE[0], THREE_OF_A_KIND))
    for stage in range(NUM_STAGES):
        for first, end in (*groups, (THREE_OF_A_KIND, NUM_STATES)):
            means = rising_means(returns[0, stage, first:end], returns[1, stage, first:end])
            if means is not None:
                worth[stage, first:end] = np.round(1_000 * means) + np.arange(end - first)


def improve_knocking(knock_at: NDArray[np.int64], gains: NDArray[np.float64]) -> None:
    """Set one context's knock values to those from which on knocking gained most; the stages beside count half."""
    padded = np.concatenate([gains[:, :1], gains, gains[:, -1:]], axis=1)
    smooth = padded[:, :-2] + 2 * padded[:, 1:-1] + padded[:, 2:]
    for stage in range(NUM_KNOCK_STAGES):
        for sign in range(NUM_SIGNS):
            if smooth[1, stage, sign].sum() >= LEAST_KNOCKS:
                total_from = np.cumsum(smooth[0, stage, sign, ::-1])[::-1]
                knock_at[stage, sign] = int(np.argmax(total_from)) if total_from.max() > 0 else STANDARD_TOP_HALF_POINTS


def fit_context(context: int, worth: NDArray[np.int64], knock_at: NDArray[np.int64], scale: float) -> None:
    """Fit one context's tables in place."""
    rules = rules_of_context(context)
    games, views, players = new_games(2), new_views(2), np.zeros(9, np.int64)
    never, path = np.full_like(knock_at, NEVER), np.zeros(PATH_SIZE, np.int64)
    gains = np.zeros((2, NUM_KNOCK_STAGES, NUM_SIGNS, NUM_VALUES))
    returns = np.zeros((2, 2 * NUM_STAGES, NUM_STATES))
    seed = SEED
    for rounds in ROUNDS:
        count = int(rounds * scale)
        gains *= MEMORY
        returns *= MEMORY
        simulate(games, rules, views, players, worth, knock_at, never, seed, count, gains, returns, path)
        improve_worth(worth[context], returns[:, :NUM_STAGES])
        if context >= NUM_CONTEXTS - SETTLED:
            improve_worth(worth[context + SETTLED], returns[:, NUM_STAGES:])
        improve_knocking(knock_at[context], gains)
        seed += count


def write_tables(path: Path, worth: NDArray[np.int64], knock_at: NDArray[np.int64]) -> None:
    """Write the tables as a module."""
    lines = [
        '"""Tables of `adaptive`, made by `python -m agents.heuristic.fit`; see there, and `worth.py` for the axes."""',
        "",
    ]
    lines += [
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
        "import numpy as np",
        "",
        "# fmt: off",
    ]
    for name, table, meaning in (
        ("WORTH", worth, "Thousandths of a life (or point): context, stage, state."),
        ("KNOCK_AT", knock_at, "Half points, scaled to a best hand of 31: context, stage, sign."),
    ):
        lines.append(f"{name}: Final = np.array((")
        for context in table.tolist():
            rows = [", ".join(map(str, row)) for row in context]
            lines.append("    (")
            for row in rows:
                lines += textwrap.wrap(f"({row}),", 118, initial_indent=" " * 8, subsequent_indent=" " * 9)
            lines.append("    ),")
        lines += ["), np.int64)", f'"""{meaning}"""']
    write_whole(path, "\n".join([*lines, "# fmt: on"]) + "\n")


def main(scale: float = 1.0, path: Path | None = None) -> None:
    """Fit every context and write the tables.

    Args:
        scale: Factor on the number of rounds.
        path: Where to write; the module `tables.py` beside this file if not given.
    """
    worth = first_worth()
    knock_at = np.full((NUM_CONTEXTS, NUM_KNOCK_STAGES, NUM_SIGNS), FIRST_KNOCK_AT, np.int64)
    for context in range(NUM_CONTEXTS):
        sys.stdout.write(f"context {context + 1} of {NUM_CONTEXTS}\n")
        sys.stdout.flush()
        fit_context(context, worth, knock_at, scale)
    write_tables(path or Path(__file__).with_name("tables.py"), worth, knock_at)


if __name__ == "__main__":
    main()
