"""`OneSeatBatch`: many games, in each of which a learner holds one seat and policies hold the others.

What a single-agent learner sees of a game of several seats: every step is one of its own decisions, and the reward of a
step is all that happened to its seat between that decision and its next one, other seats' moves included. A loss on
another seat's move therefore reaches the decision it followed, and so does the last loss of a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from trente_env._jit import kernel, row_at
from trente_env.batch import BatchArrays, GameBatch, checked_ints
from trente_env.core.actions import NUM_ACTIONS
from trente_env.core.engine import apply_action
from trente_env.core.layout import NOBODY, PHASE_BETWEEN, PHASE_OVER, ints
from trente_env.core.rewards import seat_reward
from trente_env.core.rng import combine, next_game_seed
from trente_env.core.rounds import advance, clear_step, start_game
from trente_env.core.views import fill_view
from trente_env.encoding.encode import encode_view
from trente_env.errors import IllegalActionError, InvalidOptionError, UnknownNameError, is_list, is_name
from trente_env.policy import Policy, sample_actions
from trente_env.rules import Rules

__all__ = ["EPISODES", "OneSeatBatch"]

EPISODES: Final = {"round": ("round", "lives"), "game": ("round", "game", "lives", "pot")}
"""Kinds of episode, each with the kinds of reward that go with it."""
LEARNER: Final = -1
"""In a row of seats: the seat of the learner, who is no policy."""
_GOES_ON: Final = 0
_EPISODE_ENDS: Final = 1
_GAME_ENDS: Final = 2


@kernel
def is_learner_out(game: Any, seat: int) -> bool:
    """Return whether a seat is out for good: not in, and not to be asked to buy in again (R21, R24)."""
    return not ((game.in_game | game.may_buy_in) >> seat) & 1


@kernel
def go_on(game: Any, rules: Any) -> None:
    """Play on from the end of a round to the next decision, or to the end of the game.

    Rounds that end at their deal are nobody's decision; what they cost stands in the game and in no reward.
    """
    clear_step(game, rules)
    game.is_single_round = 0
    game.phase = PHASE_BETWEEN
    advance(game, rules)
    game.is_single_round = 1


@kernel
def move(  # noqa: PLR0917 - compiled code takes no keywords
    game: Any, rules: Any, action: int, learner: int, kind: int, is_round: int, rewards_B: Any, row: int
) -> int:  # fmt: skip
    """Apply a legal action, add what it cost or brought the learner, and say what it ended."""
    apply_action(game, rules, action)
    rewards_B[row] += seat_reward(game, rules, kind, learner)
    if not is_round:
        return _GAME_ENDS if game.phase == PHASE_OVER or is_learner_out(game, learner) else _GOES_ON
    if game.phase != PHASE_OVER:
        return _GOES_ON
    # A round's end; or (R24) the last answer about buying in, after which the game goes on in the same episode.
    return _EPISODE_ENDS if game.step_rounds > 0 else _GOES_ON


@kernel
def move_rows(  # noqa: PLR0917
    games: Any, rules: Any, rows_V: Any, actions_V: Any, learners_B: Any, kind: int, is_round: int,
    rewards_B: Any, carried_B: Any, dones_B: Any, truncated_B: Any, is_new_B: Any, results_B: Any,
    views: Any, places: Any, last_BS: Any,
) -> None:  # fmt: skip
    """Apply one legal action in each of some games; close episodes that end; mark games to be replaced.

    `rewards_B` gathers the reward of the step under way, `carried_B` what falls to the learner after its episode has
    ended and before it decides again. `dones_B` is set where an episode ends, `truncated_B` where it ends without a
    result (R50), `is_new_B` where another game must begin, `results_B` to the learner's share of that game's win.
    """
    for place in range(len(rows_V)):
        row = rows_V[place]
        game = games[row]
        learner = 0 + learners_B[row]
        if dones_B[row]:
            outcome = move(game, rules[0], actions_V[place], learner, kind, is_round, carried_B, row)
        else:
            outcome = move(game, rules[0], actions_V[place], learner, kind, is_round, rewards_B, row)
        if outcome != _GOES_ON:
            if not dones_B[row]:
                dones_B[row] = 1
                truncated_B[row] = game.is_truncated
                fill_view(game, rules[0], learner, views[0])
                encode_view(views[0], places[0], row_at(last_BS, row))
            if is_round:
                carried_B[row] = 0.0
        if is_round and game.phase == PHASE_OVER:
            go_on(game, rules[0])
        if game.phase == PHASE_OVER or is_learner_out(game, learner):
            carried_B[row] = 0.0
            is_new_B[row] = 1
            if game.winner == learner:
                results_B[row] = 1.0
            elif game.is_truncated:  # R50: a game without a result counts as shared
                results_B[row] = 1.0 / rules[0].num_players
            else:
                results_B[row] = 0.0


@kernel
def begin_rows(games: Any, rules: Any, rows_V: Any, learners_B: Any, is_round: int) -> None:
    """Begin the next game in each of some rows, the learner one seat further."""
    for place in range(len(rows_V)):
        row = rows_V[place]
        game = games[row]
        game.is_single_round = 0
        start_game(game, rules[0], next_game_seed(game.seed, 0))
        game.is_single_round = is_round
        learners_B[row] = learners_B[row] + 1 if learners_B[row] + 1 < rules[0].num_players else 0


@kernel
def waiting_rows(games: Any, learners_B: Any, opponents_BN: Any, rows_V: Any, who_V: Any) -> int:
    """Write the rows in which somebody else is to move, and who holds that seat; return how many there are."""
    count = 0
    for row in range(len(learners_B)):
        seat = 0 + games[row].to_move
        if seat not in (learners_B[row], NOBODY):
            rows_V[count] = row
            who_V[count] = opponents_BN[row, seat]
            count += 1
    return count


class OneSeatBatch(GameBatch):
    """Many games at once, one seat of each a learner's, the others held by policies.

    The learner's seat moves on by one with every game of a row, so that it sits everywhere equally often. The others
    are drawn, with replacement and independently for each seat, when a game begins, and stay for the whole game. Where
    the learner is out while others play on, the row's next game begins.

    Args:
        rules: The rule set.
        num_games: How many games.
        opponents: Who may hold the other seats.
        weights: How often each of them is drawn; alike if None.
        seed: Seeds the games and the drawing of opponents.
        episode: "round": an episode is a round, in which the learner decided at least once; the games go on from round
            to round, so that lives vary as they do in play. "game": an episode is a game, or what the learner sees of
            it.
        reward: Kind of reward (see `Game.rewards`).
        max_players: Places in the observation's per-seat sections, if more than there are seats.

    Raises:
        InvalidOptionError: If an argument cannot be.
    """

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        opponents: Sequence[Policy],
        *,
        weights: Sequence[float] | None = None,
        seed: int = 0,
        episode: str = "round",
        reward: str = "round",
        max_players: int | None = None,
    ) -> None:
        """Begin every game and let the others play up to the learner's first decisions."""
        if not is_name(episode, EPISODES):
            raise UnknownNameError("episode", episode, list(EPISODES))
        super().__init__(rules, num_games, seed, reward=reward, autoreset=False, max_players=max_players)
        if reward not in EPISODES[episode]:
            raise InvalidOptionError(
                f"episode={episode!r} does not go with reward={reward!r}: choose one of {', '.join(EPISODES[episode])}."
            )
        self.episode = episode
        self._is_round = int(episode == "round")
        count, seats = self.num_games, rules.num_players
        self.learners_B: NDArray[np.int64] = np.arange(count, dtype=np.int64) % seats
        self.opponents_BN: NDArray[np.int64] = np.full((count, seats), LEARNER, np.int64)
        self.out: BatchArrays = self.arrays()
        self.rewards_B: NDArray[np.float64] = np.zeros(count)
        self.dones_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self.truncated_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self.last_BS: NDArray[np.int8] = np.zeros((count, self.spec.size), np.int8)
        self.results: dict[str, list[float]] = {}
        self._carried_B: NDArray[np.float64] = np.zeros(count)
        self._is_new_B: NDArray[np.int8] = np.zeros(count, np.int8)
        self._results_B: NDArray[np.float64] = np.zeros(count)
        self._rows_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._who_V: NDArray[np.int64] = np.zeros(count, np.int64)
        self._policies: dict[int, Policy] = {}
        self._pool: NDArray[np.int64] = np.zeros(0, np.int64)
        self._weights: NDArray[np.float64] = np.zeros(0)
        self.set_opponents(opponents, weights)
        self.begin(seed)

    def set_opponents(self, opponents: Sequence[Policy], weights: Sequence[float] | None = None) -> None:
        """Change who is drawn when games begin. Games under way are played out against whom they began with.

        Args:
            opponents: Who may hold the other seats.
            weights: How often each of them is drawn; alike if None.

        Raises:
            InvalidOptionError: If there is nobody, or a weight is missing, negative or not finite.
        """
        if not is_list(opponents, Policy):
            raise InvalidOptionError(f"opponents cannot be {opponents!r}: give a list of policies (agents.make(name)).")
        try:
            shares = np.ones(len(opponents)) if weights is None else np.array(weights, np.float64)
        except (TypeError, ValueError) as error:
            raise InvalidOptionError(f"weights cannot be {weights!r}: give a number for each opponent.") from error
        if not len(opponents) or shares.shape != (len(opponents),):
            raise InvalidOptionError(
                f"opponents must be at least one policy with one weight each, not {len(opponents)} with {shares.shape}."
            )
        if not np.isfinite(shares).all() or (shares < 0).any() or not shares.sum() > 0:
            raise InvalidOptionError(f"weights cannot be {shares.tolist()}: give numbers from 0, not all 0.")
        known = {id(policy): key for key, policy in self._policies.items()}
        next_key = max(self._policies, default=-1) + 1
        keys = []
        for policy in opponents:
            key = known.get(id(policy), next_key)
            if key == next_key:
                next_key += 1
            self._policies[key] = policy
            known[id(policy)] = key
            keys.append(key)
        self._pool = np.array(keys, np.int64)
        self._weights = shares / shares.sum()
        needed = {*keys, *self.opponents_BN.ravel().tolist()}
        self._policies = {key: policy for key, policy in self._policies.items() if key in needed}

    def begin(self, seed: int | None = None) -> BatchArrays:
        """Begin every game anew, from a new seed or from the old one, and play up to the learner's first decisions."""
        if seed is not None:
            self.seeds = self.seeds_of(seed)
        self._rng = np.random.default_rng(combine(int(self.seeds[0]), self.num_games))
        # `begin_rows` moves on seed and learner's seat, as it does from one game to the next.
        self.learners_B[:] = np.arange(-1, self.num_games - 1) % self.rules.num_players
        self._start()
        self._begin_games(np.arange(self.num_games))
        self.rewards_B[:] = 0.0
        self._carried_B[:] = 0.0
        self.truncated_B[:] = 0
        self.dones_B[:] = 1  # nothing is owed to a learner that has not decided yet
        self._play_others()
        self.dones_B[:] = 0
        self.look(self.out)
        return self.out

    def decide(self, actions_B: NDArray[np.int64]) -> BatchArrays:
        """Apply the learner's decision in every game, then let the others play up to its next ones.

        Writes `rewards_B`, `dones_B` (whether the episode that the decision belongs to has ended), `truncated_B`
        (whether it has ended because the game was stopped by `max_rounds`, R50), `last_BS` (where it has ended: what
        the learner sees then) and `out` (what it sees and may do now: its next decision in that episode or in the
        next one).

        Raises:
            IllegalActionError: If an action is not legal; no game is changed.
        """
        actions = checked_ints("actions", actions_B, self.num_games)
        rows = np.arange(self.num_games)
        legal_B = (actions >= 0) & (actions < NUM_ACTIONS)
        legal_B &= self.out.masks_BA[rows, np.where(legal_B, actions, 0)] != 0
        if not legal_B.all():
            wrong = int(np.argmin(legal_B))
            try:
                self.game(wrong).verify(int(actions[wrong]))
            except IllegalActionError as error:
                raise IllegalActionError(f"Game {wrong}: {error} No game was changed.") from None
        self.rewards_B[:] = self._carried_B
        self._carried_B[:] = 0.0
        self.dones_B[:] = 0
        self.truncated_B[:] = 0
        self._move(rows, actions)
        self._play_others()
        self.look(self.out)
        return self.out

    def _play_others(self) -> None:
        while True:
            count = waiting_rows(self._games, self.learners_B, self.opponents_BN, self._rows_V, self._who_V)
            if count == 0:
                return
            rows_V, who_V = self._rows_V[:count].copy(), self._who_V[:count]
            actions_V = np.empty(count, np.int64)
            views_V, masks_VA = self.views(rows_V)
            seeds_V = self._seeds_of_rows(rows_V)
            for key in np.unique(who_V).tolist():
                chosen = np.flatnonzero(who_V == key)
                policy = self._policies[key]
                actions_V[chosen] = sample_actions(policy, views_V[chosen], masks_VA[chosen], seeds_V[chosen])
            self._move(rows_V, actions_V)

    def _seeds_of_rows(self, rows_V: NDArray[np.int64]) -> NDArray[np.int64]:
        seeds: NDArray[np.int64] = self.column("seed")[rows_V]
        return seeds

    def _move(self, rows_V: NDArray[np.int64], actions_V: NDArray[np.int64]) -> None:
        move_rows(
            self._games, self._lowered, ints(rows_V), ints(actions_V), self.learners_B, self._kind, self._is_round,
            self.rewards_B, self._carried_B, self.dones_B, self.truncated_B, self._is_new_B, self._results_B,
            self._scratch, self._places, self.last_BS,
        )  # fmt: skip
        if self._is_new_B.any():
            rows = np.flatnonzero(self._is_new_B)
            self._is_new_B[:] = 0
            self._count_results(rows)
            self._begin_games(rows)

    def _count_results(self, rows: NDArray[np.int64]) -> None:
        """Add the games that ended to the tally by opponent; at larger tables to that of the table."""
        if self.rules.num_players == 2:  # noqa: PLR2004
            others = self.opponents_BN[rows].max(axis=1).tolist()
            names = [self._policies[key].name for key in others]
        else:
            names = ["the table"] * len(rows)
        for name, share in zip(names, self._results_B[rows].tolist(), strict=True):
            tally = self.results.setdefault(name, [0.0, 0.0])
            tally[0] += share
            tally[1] += 1.0

    def _begin_games(self, rows: NDArray[np.int64]) -> None:
        begin_rows(self._games, self._lowered, ints(rows), self.learners_B, self._is_round)
        drawn = self._rng.choice(self._pool, size=(len(rows), self.rules.num_players), p=self._weights)
        self.opponents_BN[rows] = drawn
        self.opponents_BN[rows, self.learners_B[rows]] = LEARNER

    def take_results(self) -> dict[str, list[float]]:
        """Return, by opponent, [games won, games played] since the last call (a truncated game counts 1/n won)."""
        results, self.results = self.results, {}
        return results
