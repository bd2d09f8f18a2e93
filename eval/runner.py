"""Play many games to their end, in batches, and count what each seat did: no statistics, no names.

Nothing here is done game by game in Python. Games of a batch advance together, one decision each; the rows are
grouped by the policy that is to move, and each policy is asked once for all of its rows. Finished games drop out, and
when half have, the rest move to a smaller batch. Actions are sampled with numbers keyed by game seed, seat and
decision, so no result depends on the size of the batch.

Axis letters: G games, N seats, B games of a batch, V rows of it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trente_env.batch import GameBatch
from trente_env.core.actions import CLOSE, KNOCK, PASS
from trente_env.core.layout import NOBODY, PHASE_BUY_IN
from trente_env.policy import Policy, sample_actions
from trente_env.rules import MAX_PLAYERS, PlayStyle, Rules, Scoring

__all__ = ["BATCH_SIZE", "WHOLE", "Tallies", "play_games"]

BATCH_SIZE: Final = 8_192
"""Games played at once."""
WHOLE: Final = math.lcm(*range(1, MAX_PLAYERS + 1))
"""A game is won in whole parts of this many, however many share it, so that equal shares are exactly equal."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Tallies:
    """What each seat of each game did and got."""

    shares_GN: NDArray[np.int32]
    """Share of the game won, in parts of `WHOLE`: all for the winner, as much for each seat of a truncated game (R50).
    In a single round, those with the least lost (most scored) share it."""
    gains_GN: NDArray[np.int32]
    """Lives lost, negative, or points scored."""
    rounds_GN: NDArray[np.int32]
    """Rounds the seat was dealt into."""
    decisions_GN: NDArray[np.int32]
    """Decisions taken."""
    knocks_GN: NDArray[np.int32]
    """Rounds in which it knocked (exchange game: opened the last lap)."""
    judged_GN: NDArray[np.int32]
    """Those of them whose end was seen: all but those followed by a round over at the deal in the same step (R9)."""
    failed_GN: NDArray[np.int32]
    """Those of the judged ones that cost it a life, or brought no point."""
    is_truncated_G: NDArray[np.bool_]
    """Whether the game was truncated."""

    @classmethod
    def zeros(cls, num_games: int, num_players: int) -> Self:
        """Return tallies of games not yet played."""
        names = [field.name for field in dataclasses.fields(cls) if field.name.endswith("_GN")]
        counts = {name: np.zeros((num_games, num_players), np.int32) for name in names}
        return cls(**counts, is_truncated_G=np.zeros(num_games, np.bool_))


@dataclass(slots=True)
class _Live:
    """The games of a batch that go on: row k of the batch is game `games_B[k]` of the tallies."""

    batch: GameBatch
    games_B: Ints
    policies_BN: NDArray[np.integer[Any]]
    seeds_B: Ints

    def halved(self, rows_V: Ints) -> _Live:
        """Return a smaller batch with only some of the games."""
        batch = self.batch
        smaller = GameBatch(batch.rules, len(rows_V), single_round=batch.single_round, autoreset=False)
        smaller.restore(batch.save()[rows_V])
        return _Live(smaller, self.games_B[rows_V], self.policies_BN[rows_V], self.seeds_B[rows_V])


def play_games(
    policies: Sequence[Policy],
    policies_GN: NDArray[np.integer[Any]],
    seeds_G: Ints,
    rules: Rules,
    *,
    is_single_round: bool = False,
    batch_size: int = BATCH_SIZE,
    on_progress: Callable[[int], object] | None = None,
) -> Tallies:
    """Play games to their end.

    Args:
        policies: Who plays.
        policies_GN: Index of the policy in each seat of each game.
        seeds_G: The games' seeds.
        rules: Their rules.
        is_single_round: Whether a game is one round.
        batch_size: Games played at once.
        on_progress: Called with the number of games finished, again and again.
    """
    num_games = len(seeds_G)
    tallies = Tallies.zeros(num_games, rules.num_players)
    for start in range(0, num_games, batch_size):
        games_B = np.arange(start, min(start + batch_size, num_games))
        batch = GameBatch(rules, len(games_B), single_round=is_single_round, autoreset=False)
        batch.reset(seeds=seeds_G[games_B])
        live = _Live(batch, games_B, policies_GN[games_B], seeds_G[games_B])
        _play_batch(policies, live, tallies, start, on_progress)
    return tallies


def _play_batch(
    policies: Sequence[Policy], live: _Live, tallies: Tallies, done: int, on_progress: Callable[[int], object] | None
) -> None:
    """Play one batch to the end of its last game; `done` games were finished before."""
    size = len(live.games_B)
    _count_rounds(live, np.arange(size), np.zeros(size, np.int64), tallies)
    to_move_B = live.batch.column("to_move").astype(np.int64)
    rows_V = np.flatnonzero(to_move_B != NOBODY)
    while rows_V.size:
        if 2 * rows_V.size <= len(live.games_B):
            live = live.halved(rows_V)
            to_move_B = to_move_B[rows_V]
            rows_V = np.arange(rows_V.size)
        _step(policies, live, rows_V, to_move_B, tallies)
        to_move_B = live.batch.column("to_move").astype(np.int64)
        is_over_V = to_move_B[rows_V] == NOBODY
        if is_over_V.any():
            _count_results(live, rows_V[is_over_V], tallies)
            rows_V = rows_V[~is_over_V]
            if on_progress is not None:
                on_progress(done + size - rows_V.size)


def _step(policies: Sequence[Policy], live: _Live, rows_V: Ints, to_move_B: Ints, tallies: Tallies) -> None:
    """Take one decision in each of some games, and count it."""
    batch = live.batch
    knocker_B, in_game_B = batch.column("knocker").astype(np.int64), batch.column("in_game").astype(np.int64)
    in_game_B[batch.column("phase") == PHASE_BUY_IN] = 0  # between rounds: R24
    seats_V = to_move_B[rows_V]
    actions_V = np.empty(len(rows_V), np.int64)
    policy_V = live.policies_BN[rows_V, seats_V]
    for index, policy in enumerate(policies):
        places = np.flatnonzero(policy_V == index)
        if places.size:
            rows = rows_V[places]
            views, masks = batch.views(rows)
            actions = sample_actions(policy, views, masks, live.seeds_B[rows])
            batch.step_rows(rows, actions)
            actions_V[places] = actions
    games_V = live.games_B[rows_V]
    tallies.decisions_GN[games_V, seats_V] += 1
    is_knock_V = _is_knock(batch.rules, actions_V, knocker_B[rows_V])
    tallies.knocks_GN[games_V, seats_V] += is_knock_V
    knocker_B[rows_V[is_knock_V]] = seats_V[is_knock_V]
    ended = np.flatnonzero(batch.column("step_rounds")[rows_V])
    if ended.size:
        rows = rows_V[ended]
        _count_rounds(live, rows, in_game_B[rows], tallies)
        _judge_knocks(live, rows, knocker_B[rows], in_game_B[rows], tallies)


def _is_knock(rules: Rules, actions_V: Ints, knocker_V: Ints) -> NDArray[np.bool_]:
    """Return which actions open a last lap: a knock (R13), a close (R48), in the exchange game the first pass (R42)."""
    is_knock_V: NDArray[np.bool_] = (actions_V == KNOCK) | (actions_V == CLOSE)
    if rules.play_style == PlayStyle.EXCHANGE and not rules.separate_close:
        is_knock_V |= (actions_V == PASS) & (knocker_V == NOBODY)
    return is_knock_V


def _bits(sets_V: Ints, num_players: int) -> NDArray[np.int32]:
    """Return sets of seats as 0 and 1 by seat."""
    members_VN: NDArray[np.int32] = (sets_V[:, None] >> np.arange(num_players) & 1).astype(np.int32)
    return members_VN


def _count_rounds(live: _Live, rows_V: Ints, in_game_V: Ints, tallies: Tallies) -> None:
    """Count the rounds that the last step ended, and what they cost.

    Args:
        live: The games.
        rows_V: Rows that were stepped.
        in_game_V: Seats that were in the round under way before the step; 0 where none was.
        tallies: Where to count.
    """
    num_players = live.batch.rules.num_players
    games_V = live.games_B[rows_V]
    ended_V = live.batch.column("step_rounds")[rows_V].astype(np.int64)
    # The round under way was played by those in the game before; rounds over at the deal (R9) by those in the last.
    at_deal_V = ended_V - (in_game_V != 0)
    last_VN = _bits(live.batch.column("last_in_game")[rows_V].astype(np.int64), num_players)
    tallies.rounds_GN[games_V] += _bits(in_game_V, num_players) + at_deal_V[:, None].astype(np.int32) * last_VN
    tallies.gains_GN[games_V] += live.batch.column("step_deltas")[rows_V, :num_players]


def _judge_knocks(live: _Live, rows_V: Ints, knocker_V: Ints, in_game_V: Ints, tallies: Tallies) -> None:
    """Count the knocks whose round the last step ended, and those that failed."""
    ended_V = live.batch.column("step_rounds")[rows_V]
    judged = np.flatnonzero((ended_V == 1) & (knocker_V != NOBODY) & (in_game_V != 0))
    games, seats = live.games_B[rows_V[judged]], knocker_V[judged]
    gains = live.batch.column("step_deltas")[rows_V[judged], seats]
    has_failed = gains < 0 if live.batch.rules.scoring == Scoring.LIVES else gains == 0
    tallies.judged_GN[games, seats] += 1
    tallies.failed_GN[games, seats] += has_failed


def _count_results(live: _Live, rows_V: Ints, tallies: Tallies) -> None:
    """Count who won the games that the last step ended."""
    num_players = live.batch.rules.num_players
    games_V = live.games_B[rows_V]
    winner_V = live.batch.column("winner")[rows_V].astype(np.int64)
    is_truncated_V = live.batch.column("is_truncated")[rows_V] != 0
    tallies.is_truncated_G[games_V] = is_truncated_V
    tallies.shares_GN[games_V[is_truncated_V]] = WHOLE // num_players
    has_winner_V = winner_V != NOBODY
    tallies.shares_GN[games_V[has_winner_V], winner_V[has_winner_V]] = WHOLE
    if live.batch.single_round:
        gains_VN = live.batch.column("step_deltas")[rows_V, :num_players]
        is_best_VN = gains_VN == gains_VN.max(axis=1, keepdims=True)
        tallies.shares_GN[games_V] = is_best_VN * (WHOLE // is_best_VN.sum(axis=1, keepdims=True))
