"""Make the tables of `adaptive` by simulation: `python -m agents.heuristic.fit` writes `tables.py` (half an hour).

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

from agents.heuristic.adaptive import STANDARD_TOP_HALF_POINTS, choose_adaptively
from agents.heuristic.by_value import NEVER, choose_by_value
from agents.heuristic.hands import value_of
from agents.heuristic.worth import (
    COMPLETE,
    LAST_TURN,
    LOCKED,
    LONE_CARDS,
    NUM_CONTEXTS,
    NUM_KNOCK_STAGES,
    NUM_SIGNS,
    NUM_STAGES,
    NUM_STATES,
    OPENED,
    PAIRS,
    THREE_OF_A_KIND,
    sign_of,
    stage_of,
    state_of,
)
from trente_env._jit import kernel
from trente_env.core.actions import CLOSE, DRAW, KNOCK, PASS, SWAP_ALL, TAKE
from trente_env.core.calls import new_games, new_views
from trente_env.core.engine import apply_action
from trente_env.core.layout import (
    NOBODY,
    PHASE_DISCARD,
    PHASE_DRAW,
    PHASE_EXCHANGE,
    PHASE_LEAVE,
    PHASE_OVER,
    lower,
)
from trente_env.core.rng import combine, random_below
from trente_env.core.rounds import start_game
from trente_env.core.views import fill_view
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
)
"""The game that each context is fitted on: preset, players, lives lost by a failed knock."""
SEED: Final = 20_000_000
"""Seed of the first round; the others follow."""
ROUNDS: Final = (40_000, 40_000, 40_000, 40_000, 120_000)
"""Rounds played between improvements."""
SHARE_OF_SELF: Final = 50
"""Opponents in a hundred that play like the player itself."""
LOWEST_KNOCK, HIGHEST_KNOCK = 22, 31
"""What the others knock at, in points."""
SHARE_OF_PLAYING_ON: Final = 25
"""Knocks in a hundred that the player puts off."""
SHARE_OF_STRAYING: Final = 10
"""Decisions in a hundred in which the player strays."""
ADAPTIVE: Final = -1
"""Among knock values: an `adaptive` player."""
NUM_VALUES: Final = STANDARD_TOP_HALF_POINTS + 1
LEAST_OPENING: Final = 14
"""Half points below which knocking is not looked at."""
PATH_SIZE: Final = 256
MEMORY: Final = 0.5
"""What earlier rounds count for when the player has improved."""
LEAST_COUNT: Final = 20
"""States left less often are interpolated between others."""
LEAST_KNOCKS: Final = 1_000
"""Knock values measured less often stay as they were."""
FIRST_KNOCK_AT: Final = 56
"""The first guess at a knock value."""


@kernel
def decide(game: Any, rules: Any, view: Any, players: Any, worth: Any, knock_at: Any) -> int:
    """Return the action of whoever is to move."""
    seat = game.to_move
    fill_view(game, rules, seat, view)
    if players[seat] == ADAPTIVE:
        return choose_adaptively(view, view.legal, worth, knock_at)
    return choose_by_value(view, view.legal, players[seat])


@kernel
def play_on(games: Any, rules: Any, view: Any, players: Any, worth: Any, knock_at: Any, action: int) -> float:
    """Return what the round brings seat 0 if it takes an action in a copy of the game."""
    games[1] = games[0]
    game = games[1]
    apply_action(game, rules, action)
    while game.phase != PHASE_OVER:
        apply_action(game, rules, decide(game, rules, view, players, worth, knock_at))
    return game.step_relative[0]


@kernel
def seat_players(players: Any, num_players: int, seed: int) -> None:
    """Draw the opponents of a round."""
    key = combine(seed, 77)
    players[0] = ADAPTIVE
    for seat in range(1, num_players):
        players[seat] = 2 * (LOWEST_KNOCK + random_below(key, 2 * seat, HIGHEST_KNOCK - LOWEST_KNOCK + 1))
        if random_below(key, 2 * seat + 1, 100) < SHARE_OF_SELF:
            players[seat] = ADAPTIVE


@kernel
def opening_of(view: Any) -> int:
    """Return the action that would open the last lap, or -1."""
    if view.knocker != NOBODY or (view.locked >> view.seat) & 1:
        return -1
    if view.phase == PHASE_DRAW:
        return KNOCK if (view.legal >> KNOCK) & 1 else -1
    if view.phase == PHASE_EXCHANGE:
        return CLOSE if (view.legal >> CLOSE) & 1 else PASS
    return -1


@kernel
def stray_from(view: Any, action: int) -> int:
    """Return what a plainer player would do."""
    if action == DRAW:
        return TAKE
    if action == TAKE:
        return DRAW if (view.legal >> DRAW) & 1 else TAKE
    return choose_by_value(view, view.legal, NEVER) if view.phase != PHASE_DRAW else action


@kernel
def measure_opening(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    opening: int,
    going_on: int,
    gains: Any,
    returns: Any,
) -> None:
    """Add what opening the last lap brings over playing on, from the same position."""
    view = views[0]
    value = value_of(view, view.hand) * STANDARD_TOP_HALF_POINTS // view.top_half_points
    if value >= LEAST_OPENING and value < NUM_VALUES:
        gain = play_on(games, rules, views[1], players, worth, knock_at, opening)
        state = state_of(view, view.hand)
        returns[0, OPENED, state] += gain
        returns[1, OPENED, state] += 1
        gain -= play_on(games, rules, views[1], players, worth, knock_at, going_on)
        stage, sign = stage_of(view), sign_of(view)
        gains[0, stage, sign, value] += gain
        gains[1, stage, sign, value] += 1


@kernel
def state_left(game: Any, view: Any, action: int) -> int:
    """Return stage and state of the hand that an action leaves at the end of a turn, as one number, or -1."""
    if game.phase in (PHASE_DISCARD, PHASE_LEAVE):
        return stage_of(view) * NUM_STATES + state_of(view, view.hand & ~(1 << action))
    if action == SWAP_ALL:
        stage = LAST_TURN if game.knocker != NOBODY else LOCKED
        return stage * NUM_STATES + state_of(view, view.table)
    return -1


@kernel
def simulate_round(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    never: Any,
    gains: Any,
    returns: Any,
    path: Any,
) -> int:
    """Play a round from its deal; return how many states the player left since it last strayed."""
    game, view = games[0], views[0]
    length = 0
    while game.phase != PHASE_OVER:
        action = decide(game, rules, view, players, worth, knock_at)
        if game.to_move == 0:
            chance = random_below(combine(game.seed, 78), game.decisions, 100)
            opening = opening_of(view)
            if opening >= 0:
                going_on = choose_adaptively(view, view.legal, worth, never)
                if going_on != opening:
                    measure_opening(games, rules, views, players, worth, knock_at, opening, going_on, gains, returns)
                if action == opening and chance < SHARE_OF_PLAYING_ON:
                    action = going_on
                    length = 0
            if chance >= 100 - SHARE_OF_STRAYING:
                action = stray_from(view, action)
                length = 0
            left = state_left(game, view, action)
            if left >= 0 and length < PATH_SIZE:
                path[length] = left
                length += 1
        apply_action(game, rules, action)
    return length


@kernel
def simulate(
    games: Any,
    rules: Any,
    views: Any,
    players: Any,
    worth: Any,
    knock_at: Any,
    never: Any,
    first_seed: int,
    count: int,
    gains: Any,
    returns: Any,
    path: Any,
) -> None:
    """Play rounds and add up what they brought."""
    for seed in range(first_seed, first_seed + count):
        games[0].is_single_round = 1
        start_game(games[0], rules[0], seed)
        seat_players(players, rules[0].num_players, seed)
        length = simulate_round(games, rules[0], views, players, worth, knock_at, never, gains, returns, path)
        for step in range(length):
            stage, state = path[step] // NUM_STATES, path[step] % NUM_STATES
            returns[0, stage, state] += games[0].step_relative[0]
            returns[1, stage, state] += 1


def rules_of_context(context: int) -> Any:
    """Return the rules, lowered, whose rounds a context is fitted on."""
    name, num_players, cost = CONTEXTS[context]
    rules = lower([preset(name, num_players=num_players)])
    rules["failed_knock_penalty"] = cost
    return rules


def first_worth() -> NDArray[np.int64]:
    """Return the first guess: what a hand is worth grows with its points, and a missing card costs six of them."""
    worth = np.zeros((NUM_CONTEXTS, NUM_STAGES, NUM_STATES), np.int64)
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
    returns = np.zeros((2, NUM_STAGES, NUM_STATES))
    seed = SEED
    for rounds in ROUNDS:
        count = int(rounds * scale)
        gains *= MEMORY
        returns *= MEMORY
        simulate(games, rules, views, players, worth, knock_at, never, seed, count, gains, returns, path)
        improve_worth(worth[context], returns)
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
    path.write_text("\n".join([*lines, "# fmt: on"]) + "\n", encoding="utf-8")


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
