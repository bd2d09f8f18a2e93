"""The entry points for learners (one seat among policies, single and in batch; every seat) as rows of the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import agents
from tests.bad_input.entry import Entry
from trente_env import Game, GameBatch, preset
from trente_env.envs.all_seats import AllSeatsBatch
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.envs.single import OneSeatEnv
from trente_env.envs.vector import OneSeatVectorEnv

RULES = preset("quebec", num_players=2)
SEEDS = (-1, 1.5, "0", True, 2**63)
ROWS = (None, 5, "0", [0.5], [3], [-1], [2**63], ["a"], [[0]], [[0], [0, 1]], np.zeros(1), object())
DRAWS = np.full(3, 52)
ACTIONS = (
    None, 5, "draw", [52, 52], [52.0] * 3, DRAWS.astype(bool), DRAWS[None], [52, 52, 99], [52, 52, -1], ["a", "b", "c"],
    [None] * 3, np.full(3, 2**64 - 1, np.uint64), object(),
)  # fmt: skip
OPTIONS: dict[str, tuple[Any, ...]] = {
    "preset": (None, 5, "poker", [], {}), "num_players": (1, 10, 1.5, "2", True), "seat": (-1, 2, "first", 1.5, True,
    None),
    "opponents": (None, 5, "nobody", [], ["knock@"], [None]), "weights": ([], [1, 1], [-1], [float("nan")], [0],
    ["a"], 5),
    "reward": (None, 5, "money", []), "episode": (None, "day", 5, []), "dtype": ("int16", None, []),
    "illegal": ("ignore", None, 5), "max_players": (1, 10, 1.5, True), "rules": ("quebec", 5, {}), "colour": (1,),
    "render_mode": ("rgb_array", 5),
}  # fmt: skip
RESETS = (
    5, "dealer", {"colour": 1}, {"seat": 9}, {"seat": "1"}, {"dealer": 5}, {"lives": [1]}, {"lives": 5},
    {"position": 5},
    {"position": b"x"}, {"position": Game(preset("quebec"), seed=1)}, {5: 1},
)  # fmt: skip


def one_seat_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of one seat among policies."""
    batch = OneSeatBatch(RULES, 3, [agents.make("random")], seed=1)
    state = lambda: batch.save().tobytes() + batch.learners_B.tobytes()  # noqa: E731
    game = Game(RULES, seed=2)
    yield "one_seat.OneSeatBatch.begin_rows", Entry(
        batch.begin_rows, {"rows_V": [0, 1], "seeds_V": [3, 4], "seats_V": [0, 1]},
        {
            "rows_V": (*ROWS, [0], [0, 0]), "seeds_V": (None, 5, [1], [1.5, 2], [-1, 1], ["a", "b"]),
            "seats_V": (5, [1], [1.5, 2], ["a", "b"]),
        },
        state,
    )  # fmt: skip
    yield "one_seat.OneSeatBatch.put", Entry(
        batch.put, {"rows_V": [0], "games": [game], "seats_V": [0]},
        {
            "rows_V": (*ROWS, [0, 1]), "seats_V": (None, 5, [2], [-1], [1.5], [0, 1]),
            "games": (None, 5, [], [5], game, [game, game], [Game(preset("classic", num_players=2))], [b"x"]),
        },
        state,
    )  # fmt: skip
    yield "one_seat.OneSeatBatch.renew", Entry(batch.renew, {"rows_V": [0]}, {"rows_V": (*ROWS, [0, 0])}, state)
    good = {"num_players": 2, "opponents": ["random"], "weights": [1.0], "seat": 0}
    yield "single.OneSeatEnv", Entry(OneSeatEnv, good, OPTIONS)
    single = OneSeatEnv(num_players=2, opponents=["random"], illegal="raise")
    single.reset(seed=1)
    held = lambda: single.game.to_bytes()  # noqa: E731, PLW0108 - another copy each time
    yield (
        "single.OneSeatEnv.reset",
        Entry(single.reset, {"seed": 1, "options": {"dealer": 1}}, {"seed": SEEDS, "options": RESETS}, held),
    )
    yield "single.OneSeatEnv.step", Entry(
        single.step, {"action": 52},
        {"action": (None, 1.5, "fly", -1, 62, 2**63, True, [52], np.array([52, 52]), 0, object())}, held,
    )  # fmt: skip
    yield "single.OneSeatEnv.set_opponents", Entry(
        single.set_opponents, {"opponents": ["random"], "weights": [1.0]},
        {"opponents": OPTIONS["opponents"], "weights": OPTIONS["weights"]}, held,
    )  # fmt: skip
    numbers = (0, -1, 1.5, "3", None, True, 2**40)
    vector_options = {name: values for name, values in OPTIONS.items() if name != "render_mode"}
    yield "vector.OneSeatVectorEnv", Entry(
        OneSeatVectorEnv, {**good, "num_envs": 2},
        {**vector_options, "num_envs": numbers, "autoreset_mode": ("never", None, 5, [])},
    )  # fmt: skip
    vector = OneSeatVectorEnv(3, num_players=2, opponents=["random"], illegal="raise")
    vector.reset(seed=1)
    every = lambda: vector.batch.save().tobytes()  # noqa: E731
    masks = ({"reset_mask": value} for value in (5, [True], ["a"] * 3, [1, 2, 3], [[True] * 3]))
    yield "vector.OneSeatVectorEnv.reset", Entry(
        vector.reset, {"seed": 1, "options": None},
        {"seed": (*SEEDS, [1], [1, 2, "a"], [1.5] * 3, [-1, 1, 1]), "options": (*RESETS, *masks)}, every,
    )  # fmt: skip
    yield "vector.OneSeatVectorEnv.step", Entry(vector.step, {"actions": DRAWS}, {"actions": ACTIONS}, every)
    yield "vector.OneSeatVectorEnv.set_opponents", Entry(
        vector.set_opponents, {"opponents": ["random"], "weights": [1.0]},
        {"opponents": OPTIONS["opponents"], "weights": OPTIONS["weights"]}, every,
    )  # fmt: skip


def all_seats_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of learning from every seat."""
    batch = AllSeatsBatch(RULES, 3, 8, seed=1)
    state = lambda: batch.save().tobytes() + batch.trajectories.actions_TB.tobytes()  # noqa: E731
    numbers = (0, -1, 1.5, "3", None, True, float("nan"), 2**40)
    yield "all_seats.AllSeatsBatch", Entry(
        AllSeatsBatch, {"rules": RULES, "num_games": 2, "num_steps": 3, "seed": 1, "episode": "round",
        "reward": "round"},
        {
            "rules": (None, "quebec", 5, []), "num_games": numbers, "num_steps": numbers, "seed": (*SEEDS, None),
            "episode": (None, "day", 5, []), "reward": (None, "money", 5, [], "game"), "max_players": (1, 10, 1.5,
            True),
            "threads": (0, 257, 1.5, None), "which": (5, [0], [0, 1], ["a", "b"]),
        },
    )  # fmt: skip
    yield "all_seats.AllSeatsBatch.begin", Entry(batch.begin, {"seed": 3}, {"seed": SEEDS}, state)
    saved = batch.save()
    over = GameBatch(RULES, 3, seed=1, autoreset=False)
    spoiled = saved.copy()
    spoiled["to_move"][1] = 7
    yield "all_seats.AllSeatsBatch.restore", Entry(
        batch.restore, {"saved": saved},
        {"saved": (None, 5, saved[:2], np.zeros(3), np.zeros(3, saved.dtype), spoiled, finished(over))}, state,
    )  # fmt: skip
    floats = (5, "a", [1.0], np.zeros((3, 1)), ["a"] * 3, [None] * 3, [[1], [2, 3], 4], np.zeros(3, complex), object())
    fresh = AllSeatsBatch(RULES, 3, 8, seed=1)
    fresh_state = lambda: fresh.save().tobytes() + fresh.trajectories.actions_TB.tobytes()  # noqa: E731
    yield "all_seats.AllSeatsBatch.decide", Entry(
        fresh.decide, {"actions_B": DRAWS, "log_probs_B": np.zeros(3), "values_B": np.zeros(3)},
        {"actions_B": ACTIONS, "log_probs_B": floats, "values_B": floats}, fresh_state,
    )  # fmt: skip
    again = AllSeatsBatch(RULES, 3, 8, seed=1)
    answers = (lambda _: None, lambda _: [1], lambda _: (DRAWS, "a", None), lambda _: DRAWS[:2])
    yield (
        "all_seats.AllSeatsBatch.collect",
        Entry(again.collect, {}, {"choose": answers}, lambda: again.save().tobytes()),
    )


def finished(batch: GameBatch) -> Any:
    """Play a batch's games to their ends by their first legal actions; return their records."""
    out = batch.reset()
    while (out.to_move_B >= 0).any():
        batch.step(out.masks_BA.argmax(axis=1), out)
    return batch.save()
