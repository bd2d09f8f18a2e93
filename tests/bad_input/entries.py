"""Every public entry point with arguments that work, to be replaced one by one by arguments that cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np

import agents
from agents.heuristic.policies import make_adaptive, make_greedy, make_knock, make_seeds
from agents.learned.policy import make_from_file
from agents.random_agent import make_random
from tests.bad_input.entry import Entry
from tests.bad_input.learner_entries import all_seats_entries, one_seat_entries
from tests.bad_input.player_entries import eval_entries, policy_entries
from trente_env import Game, GameBatch, Rules, preset
from trente_env.adapters.sb3 import SelfPlayVecEnv
from trente_env.batch import BatchArrays
from trente_env.envs.aec import TrenteEtUn, env
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.policy import make_policy

RULES = preset("quebec", num_players=2)
TABLE = preset("quebec", num_players=3)


def game_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of a single game."""
    game = Game(TABLE, seed=1)
    whole = (1.5, "1", None, float("nan"), -1, 2**63, True, np.float64(1), np.array([1, 2]), [1])
    position = {
        "rules": TABLE, "hands": ["Ks Qs 9s", "2c 3c 4c", "2d 3d 4d"], "upcard": "5h", "stock": "As", "dealer": 0,
        "to_move": 1, "knocker": None, "lives": [3, 2, 1], "seed": 5, "turns": 1, "known": ["Ks", "", ""],
        "discard_pile": "7h", "table": "", "taken": "", "locked": (), "passes": 0, "is_playoff": False,
        "buy_ins": [0, 0, 0], "points": None,
    }  # fmt: skip
    yield "game.Game", Entry(
        Game, {"rules": RULES, "seed": 1, "dealer": 0, "lives": [3, 3], "single_round": False},
        {
            "rules": (None, "quebec", 5, {}), "seed": whole, "dealer": tuple(v for v in whole if v is not None),
            "lives": (5, "33", [1], [9, 9], [None, None], [1.5, 2], [float("nan"), 1], ["a", 1], [True, True],
            object()),
            "single_round": ("yes", np.array([1, 2])),
        },
    )  # fmt: skip
    yield "game.Game.set_up", Entry(
        Game.set_up, position,
        {
            "hands": (None, 5, "Ks", [], ["Ks"], [1, 2, 3], ["xx", "2c 3c 4c", "2d 3d 4d"], [None, None, None],
            object()),
            "upcard": (5, "xx", "5h 6h", None, 1.5, object()), "stock": (5, "Ks", ["Z"], None, [60], [1.5]),
            "discard_pile": (5, "zz", None), "table": (5, "2h", None), "dealer": (9, 1.5, "0", True, -1),
            "to_move": (9, 1.5, "0", True, -1), "knocker": (1, 9, 0.5, "x", True), "lives": (5, [1], ["a", 1, 1],
            object()),
            "seed": whole, "turns": ("1", -1, 1.5, [1], [1.5, 1, 1], ["a", 1, 1], None, float("nan"), 10**9, object()),
            "taken": (5, "Ks", None), "known": (5, ["zz", "", ""], ["2c", "", ""], ["Ks"] * 5, [5, 5, 5]),
            "locked": (5, (0,), "a", [1.5], None), "passes": (1, 1.5, "a", None, True), "is_playoff": (True, "yes",
            None),
            "buy_ins": (5, [1], [1, 1, 1], ["a", 0, 0], [0.5, 0, 0], object()), "points": (5, [1, 1, 1], "abc"),
            "rules": (None, "quebec"),
        },
    )  # fmt: skip
    actions = (None, 1.0, 1.5, "", "fly", "discard", -1, 62, 2**63, 10**30, True, np.bool_(True), np.float32(1), b"x")
    actions += (float("nan"), np.array([1, 2]), np.array(1.5), [52], {}, object(), 0)
    for name in ("apply", "verify"):
        yield f"game.Game.{name}", Entry(getattr(game, name), {"action": "draw"}, {"action": actions}, game.to_bytes)
        game = Game(TABLE, seed=1)
    yield "game.Game.is_legal", Entry(game.is_legal, {"action": "draw"}, {}, game.to_bytes)
    yield (
        "game.Game.action_name",
        Entry(game.action_name, {"action": 3}, {"action": ("draw", None, 1.5, float("nan"), [1], 62, -1)}),
    )
    yield "game.Game.rewards", Entry(game.rewards, {"kind": "game"}, {"kind": (None, 0, "money", [], {}, float("nan"))})
    seats = (-1, 3, 1.5, "0", True, None, float("nan"), 2**63, [0], np.array([0, 1]))
    yield "game.Game.seat_view", Entry(game.seat_view, {"seat": 0}, {"seat": seats}, game.to_bytes)
    yield "game.Game.views", Entry(game.views, {"seat": 0}, {"seat": seats}, game.to_bytes)
    yield "game.Game.describe", Entry(game.describe, {"seat": 0}, {"seat": tuple(s for s in seats if s is not None)})
    yield "game.Game.from_array", Entry(
        Game.from_array, {"rules": TABLE, "array": game.to_array()},
        {
            "rules": (None, "quebec", RULES, preset("exchange", num_players=3)),
            "array": (None, b"x", 5, np.zeros(1), np.zeros(0, game.to_array().dtype), np.zeros(2,
            game.to_array().dtype)),
        },
    )  # fmt: skip
    data = game.to_bytes()
    yield "game.Game.from_bytes", Entry(
        Game.from_bytes, {"data": data},
        {"data": (None, "x", 5, b"", data[:-1], data + b"x", data[:30], b"TRENTE-0" + data[8:], [1], np.zeros(3))},
    )  # fmt: skip


def rules_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of rules, presets and agents' names."""
    changes: dict[str, tuple[object, ...]] = {
        "num_players": (1, 10, 2.0, "4", None, True, float("nan"), 2**70, np.array([2, 3]), np.array(2.5), [2]),
        "play_style": ("poker", None, 5, [], np.array(["draw", "x"])), "ranks": ("", "AA", "1", None, 5, "23X", ["A"]),
        "suits": ("", "cc", "x", None, 5), "hand_size": (1, 5, None, 2.5, -1), "three_of_a_kind": (30.5, 1, None, "61"),
        "three_aces": (66, 1, None), "may_knock_on_first_turn": (2, "yes", None, np.array([1, 0])), "grace": (2, "no",
        []),
        "failed_knock_penalty": (0, 3, None, 1.0), "knocker_tie": ("x", None), "stock_exhaustion": ("x", 0),
        "scoring": ("x", None, 1), "starting_lives": (0, 101, None, -1, 2**63), "all_out": ("x", None),
        "buy_ins": (-1, 101, None), "separate_close": (True, None, 3), "round_limit": (0, 10**7, None, float("inf")),
        "max_rounds": (0, 10**7, None, 1.5),
    }  # fmt: skip
    good = {name: value for name, value in RULES.to_dict().items() if name in changes}
    yield "rules.Rules", Entry(Rules, good, changes)
    yield (
        "rules.Rules.replace",
        Entry(RULES.replace, {**good, "grace": True}, {**changes, "colour": (1,), "target_points": (None, 1.5, "x")}),
    )
    yield "rules.Rules.from_dict", Entry(
        Rules.from_dict, {"fields": RULES.to_dict()},
        {"fields": (None, 5, "quebec", [], [1], {"colour": 1}, {5: 1}, {"num_players": 99}, RULES, object())},
    )  # fmt: skip
    yield "presets.preset", Entry(
        preset, {"name": "quebec", "num_players": 3},
        {"name": (None, "", "poker", 5, [], {}, b"quebec", float("nan")), "num_players": (None, "2", 99, 1.5),
        "x": (1,)},
    )  # fmt: skip
    names = (None, 5, "", "nobody", "knock@", "knock@99x", "knock@nan", "knock@-inf", "knock", "file:", "file:missing")
    names += ("file:missing?greedy", "random@1", "greedy:x", b"random", [], {}, float("nan"), "knock@1e400", object())
    names += ("file:\0", "file:" + "x" * 10_000, "knock@\uff12\uff17x")
    yield "policy.make_policy", Entry(make_policy, {"name": "random"}, {"name": names})
    yield "agents.make", Entry(agents.make, {"name": "random"}, {"name": names})
    for make, refused in (
        (make_random, ("x", 5)), (make_greedy, ("x", 5)), (make_adaptive, ("x", 5)), (make_seeds, ("x", 5)),
        (make_from_file, ("", "missing", "\0", "x" * 10_000, "missing?greedy", None, 5)),
    ):  # fmt: skip
        argument = {} if make is make_from_file else {"argument": ""}
        yield f"agents.{make.__name__}", Entry(make, argument, {"argument": refused})
    yield (
        "agents.make_knock",
        Entry(
            make_knock, {"argument": "27"}, {"argument": ("", "x", "nan", "inf", "1", "42", "27.3", None, 5, [], b"27")}
        ),
    )
    yield (
        "agents.refuse_argument",
        Entry(agents.registry.refuse_argument, {"head": "x", "argument": ""}, {"argument": ("y",)}),
    )


def spoiled_arrays(out: BatchArrays) -> Iterator[BatchArrays]:
    """Yield arrays of a batch with one of another type or shape, not to be written, or not in one piece."""
    for each in fields(out):
        array = getattr(out, each.name)
        fixed = array.copy()
        fixed.flags.writeable = False
        double = np.repeat(array, 2, axis=0)[::2]
        for other in (array.astype(np.complex64), fixed, double, array[..., :0], array.T[None]):
            yield replace(out, **{each.name: other})


def batch_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of batches of games."""
    batch = GameBatch(RULES, 3, seed=1)
    out = batch.reset()
    draws = np.full(3, 52)
    numbers = (0, -1, 1.5, "3", None, True, float("nan"), 2**63, np.array([1, 2]), 2**40)
    yield "batch.GameBatch", Entry(
        GameBatch,
        {
            "rules": RULES, "num_games": 2, "seed": 0, "reward": "round", "max_players": 4, "which": [0, 0],
            "threads": 2,
        },
        {
            "rules": (None, "quebec", 5, [], [RULES, None], [5]), "num_games": numbers,
            "seed": (-1, 1.5, "0", None, True, 2**63, [0]), "reward": (None, "money", 5, [], {}),
            "max_players": (1, 10, 1.5, "4", True), "threads": (0, 257, 1.5, "2", None, True),
            "which": (5, "0", [0], [0, 1], [0, -1], [0.0, 0.0], [[0], [0]], [True, True], [0, 2**63]),
        },
    )  # fmt: skip
    arrays = (
        None,
        5,
        np.zeros(3),
        "out",
        batch.arrays().masks_BA,
        GameBatch(RULES, 2).arrays(),
        GameBatch(TABLE, 3).arrays(),
        *spoiled_arrays(out),
    )
    actions = (
        None, 5, "draw", [52, 52], [52.0, 52.0, 52.0], draws.astype(float), draws.astype(bool), draws[:2], draws[None],
        np.array(52), [52, 52, 99], [52, 52, -1], [[52], [52, 52], 52], ["a", "b", "c"], [None] * 3, np.full(3,
        2**64 - 1, np.uint64),
        np.array([52, 52, np.nan]), object(), draws.astype(complex), draws.astype("M8[s]"),
    )  # fmt: skip
    shapeless = tuple(a for a in actions if not (isinstance(a, list) and a[0] == 52 and len(a) == 3))
    state = lambda: batch.save().tobytes() + batch.seeds.tobytes()  # noqa: E731
    seeds = (
        5,
        [1, 2],
        [1.5, 2, 3],
        [-1, 1, 1],
        ["a"] * 3,
        [2**64] * 3,
        [[1], [2, 3], 4],
        np.zeros((3, 1), int),
        [True] * 3,
    )
    yield "batch.GameBatch.reset", Entry(
        batch.reset, {"out": out, "seed": 4, "seeds": None},
        {"out": tuple(a for a in arrays if a is not None), "seed": (-1, 1.5, "0", True, 2**63), "seeds": seeds}, state,
    )  # fmt: skip
    yield (
        "batch.GameBatch.step",
        Entry(batch.step, {"actions_B": draws, "out": out}, {"actions_B": actions, "out": arrays}, state),
    )
    batch = GameBatch(RULES, 3, seed=1)
    yield "batch.GameBatch.look", Entry(batch.look, {"out": out}, {"out": arrays})
    rows = (
        None,
        5,
        "0",
        [0.5],
        [3],
        [-1],
        [2**63],
        ["a"],
        [[0]],
        [[0], [0, 1]],
        np.zeros(1),
        np.array([True]),
        object(),
    )
    yield "batch.GameBatch.views", Entry(batch.views, {"rows_V": np.arange(3)}, {"rows_V": rows}, state)
    yield "batch.GameBatch.step_rows", Entry(
        batch.step_rows, {"rows_V": np.array([0]), "actions_V": np.array([52])},
        {"rows_V": (*rows, [0, 1]), "actions_V": (*actions, [52, 52], [99], [-1], [0])}, state,
    )  # fmt: skip
    batch = GameBatch(RULES, 3, seed=1)
    yield "batch.GameBatch.seeds_of", Entry(batch.seeds_of, {"seed": 1}, {"seed": (-1, 1.5, None, "1", True, 2**63)})
    yield "batch.GameBatch.rules_of", Entry(batch.rules_of, {"index": 0}, {"index": (-1, 3, 1.5, None, "0", True)})
    yield "batch.GameBatch.column", Entry(batch.column, {"name": "lives"}, {"name": (None, 5, "colour", [], ["lives"])})
    yield "batch.GameBatch.game", Entry(batch.game, {"index": 0}, {"index": (-1, 3, 1.5, None, "0", True, [0])})
    saved = batch.save()
    yield "batch.GameBatch.restore", Entry(
        batch.restore, {"saved": saved},
        {"saved": (None, 5, saved[:2], np.zeros(3), np.zeros(3, saved.dtype), GameBatch(TABLE, 3).save(), b"x")}, state,
    )  # fmt: skip
    policy = agents.make("random")
    seat = OneSeatBatch(RULES, 3, [policy], seed=1)
    weights = ([], [1, 1], [-1], [float("nan")], [0], ["a"], [[1]], 5, "a", [float("inf")], [None])
    opponents = (None, [], 5, "random", ["random"], [None], object())
    common = {"rules": RULES, "opponents": [policy], "weights": [1.0], "seed": 1, "episode": "round", "reward": "round"}
    refused = {
        "rules": (None, "quebec"), "opponents": opponents, "weights": weights, "seed": (-1, 1.5, "0", True, 2**63),
        "episode": (None, "day", 5, []), "reward": (None, "money", 5, [], "game"),
    }  # fmt: skip
    yield "one_seat.OneSeatBatch", Entry(OneSeatBatch, {**common, "num_games": 2}, {**refused, "num_games": numbers})
    one_state = lambda: seat.save().tobytes() + seat.opponents_BN.tobytes() + seat.learners_B.tobytes()  # noqa: E731
    yield (
        "one_seat.OneSeatBatch.set_opponents",
        Entry(
            seat.set_opponents,
            {"opponents": [policy], "weights": [1.0]},
            {"opponents": opponents, "weights": weights},
            one_state,
        ),
    )
    yield (
        "one_seat.OneSeatBatch.begin",
        Entry(seat.begin, {"seed": 3}, {"seed": (-1, 1.5, "0", True, 2**63)}, one_state),
    )
    yield "one_seat.OneSeatBatch.decide", Entry(seat.decide, {"actions_B": draws}, {"actions_B": actions}, one_state)
    vector = SelfPlayVecEnv(RULES, 3, [policy], seed=1)
    vector.reset()
    yield "sb3.SelfPlayVecEnv", Entry(SelfPlayVecEnv, {**common, "num_envs": 2}, {**refused, "num_envs": numbers})
    yield (
        "sb3.SelfPlayVecEnv.set_opponents",
        Entry(
            vector.set_opponents,
            {"opponents": [policy], "weights": [1.0]},
            {"opponents": opponents, "weights": weights},
        ),
    )
    vector_state = lambda: vector.batch.save().tobytes()  # noqa: E731
    yield "sb3.SelfPlayVecEnv.step", Entry(vector.step, {"actions": draws}, {"actions": actions}, vector_state)
    yield (
        "sb3.SelfPlayVecEnv.step_async",
        Entry(vector.step_async, {"actions": draws}, {"actions": shapeless}, vector_state),
    )
    yield (
        "sb3.SelfPlayVecEnv.seed",
        Entry(vector.seed, {"seed": 3}, {"seed": (-1, 1.5, "0", True, 2**63)}, vector_state),
    )


def env_entries() -> Iterator[tuple[str, Entry]]:
    """Yield the entry points of the environment."""
    options = {
        "preset": "quebec", "num_players": 2, "reward": "game", "episode": "game", "render_mode": None, "dtype": "int8",
        "illegal": "raise", "max_players": 4, "rules": None,
    }  # fmt: skip
    refused = {
        "preset": (None, 5, "poker", [], {}), "num_players": (1, 10, 1.5, "2", True, 2**63),
        "reward": (None, 5, "money", [], {}), "episode": (None, "round", "day", 5, []), "render_mode": ("rgb_array",
        5, []),
        "dtype": ("int16", np.int8, None, []), "illegal": ("ignore", None, 5, []),
        "max_players": (1, 10, 1.5, "4", True, float("nan"), [4]), "rules": ("quebec", 5, {}), "colour": (1,),
    }  # fmt: skip
    yield "aec.TrenteEtUn", Entry(TrenteEtUn, options, refused)
    yield "aec.env", Entry(env, options, refused)
    made = TrenteEtUn(num_players=3)
    made.reset(seed=1)
    state = lambda: made.game.to_bytes() + repr((made.agents, made.agent_selection, made.rewards)).encode()  # noqa: E731
    begun = Game(preset("quebec", num_players=3), seed=2)
    yield "aec.TrenteEtUn.reset", Entry(
        made.reset, {"seed": 1, "options": {"dealer": 1}},
        {
            "seed": (-1, 1.5, "1", True, 2**63, [1], float("nan")),
            "options": (
                5, "dealer", [1], {"colour": 1}, {"dealer": 5}, {"dealer": "1"}, {"lives": [1]}, {"lives": 5},
                {"position": 5}, {"position": b"x"}, {"position": Game(RULES)}, {"position": begun, "dealer": 0},
                {5: 1},
            ),
        },
        state,
    )  # fmt: skip
    actions = (
        1.0,
        1.5,
        None,
        "fly",
        -1,
        62,
        2**63,
        True,
        np.bool_(True),
        np.float32(52),
        [52],
        np.array([52, 52]),
        0,
        object(),
    )
    yield "aec.TrenteEtUn.step", Entry(made.step, {"action": 52}, {"action": actions}, state)
    agents_ = (None, 5, "player_9", "", [], {}, 0)
    for name in ("observe", "observation_space", "action_space"):
        yield f"aec.TrenteEtUn.{name}", Entry(getattr(made, name), {"agent": "player_0"}, {"agent": agents_}, state)
    yield (
        "aec.TrenteEtUn.agent_iter",
        Entry(made.agent_iter, {"max_iter": 3}, {"max_iter": ("3", None, 1.5, -1, True, [])}),
    )


SOURCES = (
    game_entries, rules_entries, batch_entries, one_seat_entries, all_seats_entries, env_entries, policy_entries,
    eval_entries,
)  # fmt: skip
"""All rows, a function for each part of the package: rows hold games, which a test may change."""
