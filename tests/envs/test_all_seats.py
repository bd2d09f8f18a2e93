"""`AllSeatsBatch`: whose reward is whose, where episodes end, what is carried from one buffer to the next."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.envs.by_hand import Row
from trente_env import Game, GameBatch, IllegalActionError, InvalidOptionError, Rules, UnknownNameError, preset
from trente_env.batch import BatchArrays
from trente_env.envs.all_seats import AllSeatsBatch
from trente_env.envs.trajectories import OpenRows, Trajectories

TINY = Rules(ranks="TJQKA", num_players=2, starting_lives=1)
"""Twenty cards: rounds are short, and one in twenty is over at its deal (R9)."""
TINY_OF_THREE = TINY.replace(num_players=3)
BUY_IN = preset("buy_in", num_players=3, ranks="789TJQKA", starting_lives=1, round_limit=3)
STOPPED = TINY_OF_THREE.replace(max_rounds=3, starting_lives=3)
CASES = [
    (preset("quebec", num_players=2, starting_lives=1), "game", "round"),
    (preset("quebec", num_players=4, starting_lives=1), "game", "game"),
    (preset("classic", num_players=3), "round", "round"),
    (preset("exchange", num_players=3, starting_lives=1), "game", "pot"),
    (preset("quebec_points", num_players=3, target_points=2), "round", "lives"),
    (TINY, "round", "round"),
    (TINY_OF_THREE, "game", "lives"),
    (TINY_OF_THREE, "round", "lives"),
    (BUY_IN, "game", "pot"),
    (BUY_IN, "game", "game"),
    (BUY_IN, "round", "round"),
    (STOPPED, "game", "round"),
    (STOPPED.replace(starting_lives=1), "game", "game"),
    (STOPPED.replace(buy_ins=2, starting_lives=1, grace=False), "round", "lives"),
]


def named(case: tuple[Rules, str, str]) -> str:
    """Name a case by what is special about it."""
    rules, episode, reward = case
    return f"{rules.play_style}-{rules.num_players}-{len(rules.deck)}-{rules.scoring}-{episode}-{reward}"


class Dice:
    """Random legal actions, each of knocks and passes taken rarely enough that rounds last a few turns."""

    def __init__(self, seed: int) -> None:
        """Seed them."""
        self.random = np.random.default_rng(seed)

    def __call__(self, now: BatchArrays) -> NDArray[np.int64]:
        """Choose for every game."""
        return (self.random.random(now.masks_BA.shape) * (now.masks_BA != 0)).argmax(axis=1)


def rows_of(batch: AllSeatsBatch) -> list[Row]:
    """Return the rows of a batch that has just begun, to be played by hand."""
    kind = {"episode": batch.episode, "reward": REWARDS[batch._kind], "places": batch.spec.seats}
    return [Row(batch.rules_of(row), int(seed), **kind) for row, seed in enumerate(batch.seeds)]


REWARDS = ("game", "lives", "round", "pot")


class Played:
    """A batch and the same games by hand; `numbers_TB` has the decision of its row that stands at each place."""

    def __init__(self, batch: AllSeatsBatch, dice: Dice) -> None:
        """Begin."""
        self.batch, self.dice, self.rows = batch, dice, rows_of(batch)
        self.numbers_TB = np.full(batch.trajectories.next_TB.shape, -1)

    def buffer(self) -> Trajectories:
        """Fill a buffer; play its decisions by hand; say which decision stands where."""
        batch, carried = self.batch, self.batch.num_seats
        self.numbers_TB[:] = -1
        for row, by_hand in enumerate(self.rows):
            for seat, number in by_hand.open.items():
                self.numbers_TB[seat, row] = number
            first = len(by_hand.decisions)
            self.numbers_TB[carried:, row] = np.arange(first, first + batch.num_steps)
        played = batch.collect(self.dice)
        for row, by_hand in enumerate(self.rows):
            for action in played.actions_TB[carried:, row].tolist():
                by_hand.decide(action)
        return played


def check_buffer(played: Played, buffer: Trajectories) -> int:
    """Compare a buffer with the same decisions by hand; return how many were complete."""
    complete = {divmod(index, played.batch.num_games) for index in buffer.complete().tolist()}
    for (step, row), number in np.ndenumerate(played.numbers_TB):
        if number < 0:
            assert buffer.seats_TB[step, row] == -1
            assert (step, row) not in complete
            continue
        by_hand = played.rows[row].decisions[number]
        assert (buffer.seats_TB[step, row], buffer.actions_TB[step, row]) == (by_hand.seat, by_hand.action)
        assert buffer.rewards_TB[step, row] == pytest.approx(by_hand.reward)
        np.testing.assert_array_equal(buffer.observations_TBS[step, row], by_hand.observation)
        assert buffer.masks_TBA[step, row, by_hand.action] == 1
        assert (buffer.dones_TB[step, row], buffer.truncated_TB[step, row]) == (by_hand.is_done, by_hand.is_truncated)
        following = int(buffer.next_TB[step, row])
        assert by_hand.following == (None if following < 0 else played.numbers_TB[following, row])
        assert ((step, row) in complete) == (by_hand.is_done or by_hand.following is not None)
    return len(complete)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_credit_by_hand(case: tuple[Rules, str, str]) -> None:
    """Rewards, ends, next decisions and observations are those of each seat's own list, over several buffers."""
    rules, episode, reward = case
    batch = AllSeatsBatch(rules, 3, 23, seed=9, episode=episode, reward=reward)
    played = Played(batch, Dice(1))
    complete = sum(check_buffer(played, played.buffer()) for _ in range(10))
    taken = sum(len(row.decisions) for row in played.rows)
    still_open = sum(len(row.open) for row in played.rows)
    assert complete + still_open == taken == 10 * 23 * 3, "each decision is complete in exactly one buffer"
    uncredited = np.array([row.uncredited for row in played.rows])
    np.testing.assert_allclose(batch.uncredited_BN, uncredited, atol=1e-6)
    assert any(row.games_ended for row in played.rows)
    assert any(decision.reward for row in played.rows for decision in row.decisions)
    if rules.max_rounds == 3:
        assert any(decision.is_truncated for row in played.rows for decision in row.decisions)
    if rules is TINY:
        assert sum(row.deals_passed for row in played.rows) > 0, "rounds over at the deal were passed (R9)"


@pytest.mark.parametrize("case", [CASES[1], CASES[8], CASES[5]], ids=named)
def test_the_length_of_buffers_changes_no_credit(case: tuple[Rules, str, str]) -> None:
    """Decisions, rewards and ends are the same from buffers of one decision as from one long buffer."""
    rules, episode, reward = case
    collected = []
    for num_steps in (1, 7, 210):
        batch = AllSeatsBatch(rules, 2, num_steps, seed=3, episode=episode, reward=reward)
        dice = Dice(4)
        by_seat: dict[tuple[int, int], list[Any]] = defaultdict(list)
        for _ in range(210 // num_steps):
            buffer = batch.collect(dice)
            for index in buffer.complete().tolist():
                step, row = divmod(index, 2)
                by_seat[row, int(buffer.seats_TB[step, row])].append((
                    int(buffer.actions_TB[step, row]), float(buffer.rewards_TB[step, row]),
                    bool(buffer.dones_TB[step, row]), buffer.observations_TBS[step, row].tobytes(),
                ))  # fmt: skip
        collected.append(by_seat)
    assert collected[0] == collected[1] == collected[2]
    assert sum(len(each) for each in collected[0].values()) > 400


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_of_a_game_sum_to_the_games(reward: str) -> None:
    """Over each game a seat's credits sum to what `Game.rewards` gives it; but for lives, all seats' sum to zero."""
    rules = preset("buy_in", num_players=3)
    batch = AllSeatsBatch(rules, 4, 64, seed=5, reward=reward)
    dice = Dice(2)
    credit: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    games = [Game(rules, int(seed)) for seed in batch.seeds]
    expected = {game.seed: np.zeros(3) for game in games}
    seeds_TB = np.zeros(batch.trajectories.actions_TB.shape, np.int64)
    over = []
    for _ in range(60):
        seeds_TB[:3] = np.where(batch._last_BN.T >= 0, seeds_TB[np.maximum(batch._last_BN.T, 0), np.arange(4)], 0)
        batch.next_buffer()
        while not batch.is_full:
            seeds_TB[batch._step] = batch.column("seed")
            actions_B = dice(batch.now)
            batch.decide(actions_B)
            for row, action in enumerate(actions_B.tolist()):
                games[row].apply(action)
                expected[games[row].seed] += games[row].rewards(reward)
                if games[row].is_over:
                    over.append(games[row].seed)
                    games[row] = batch.game(row)
                    expected[games[row].seed] = np.zeros(3)
        for index in batch.trajectories.complete().tolist():
            step, row = divmod(index, 4)
            credit[int(seeds_TB[step, row])][batch.trajectories.seats_TB[step, row]] += float(
                batch.trajectories.rewards_TB[step, row]
            )
    assert len(over) > 8
    for seed in over:
        assert credit[seed] == pytest.approx(expected[seed].tolist(), abs=1e-4)
        if reward != "lives":
            assert sum(credit[seed]) == pytest.approx(0, abs=1e-4)
    assert not batch.uncredited_BN.any(), "with three lives every seat decides"


def slow_advantages(
    played: Played, values_TB: NDArray[np.float32], gamma: float, lam: float, after: dict[tuple[int, int], float]
) -> NDArray[np.float64]:
    """Walk each seat's decisions of a buffer backwards, as lists."""
    advantages_TB = np.zeros(values_TB.shape)
    for row, by_hand in enumerate(played.rows):
        lists: dict[int, list[list[int]]] = defaultdict(lambda: [[]])
        for step in range(len(values_TB)):
            number = int(played.numbers_TB[step, row])
            if number >= 0:
                decision = by_hand.decisions[number]
                lists[decision.seat][-1].append(step)
                if decision.is_done:
                    lists[decision.seat].append([])
        for episode in [episode for episodes in lists.values() for episode in episodes if episode]:
            last = by_hand.decisions[int(played.numbers_TB[episode[-1], row])]
            value, advantage = after.get((episode[-1], row), 0.0 if last.is_done else None), 0.0
            for step in reversed(episode):
                reward = by_hand.decisions[int(played.numbers_TB[step, row])].reward
                if value is not None:
                    advantage = reward + gamma * value - float(values_TB[step, row]) + gamma * lam * advantage
                value = float(values_TB[step, row])
                advantages_TB[step, row] = advantage
    return advantages_TB


@pytest.mark.parametrize("gives_last_values", [False, True])
@pytest.mark.parametrize("case", [CASES[1], CASES[5], CASES[10], CASES[11]], ids=named)
def test_advantages_by_hand(case: tuple[Rules, str, str], gives_last_values: bool) -> None:
    """Advantages follow each seat's own decisions, to its end, its open decision, or the value of what it sees last."""
    rules, episode, reward = case
    batch = AllSeatsBatch(rules, 3, 23, seed=9, episode=episode, reward=reward)
    played, random = Played(batch, Dice(1)), np.random.default_rng(0)
    for _ in range(8):
        buffer = played.buffer()
        values_TB = random.normal(size=buffer.values_TB.shape).astype(np.float32)
        options: dict[str, Any] = {}
        after: dict[tuple[int, int], float] = {}
        if gives_last_values:
            rows = batch.open_rows()
            last_values_O = random.normal(size=len(rows.steps_O)).astype(np.float32)
            options = {"open_rows": rows, "last_values_O": last_values_O}
            places = zip(rows.steps_O.tolist(), rows.games_O.tolist(), strict=True)
            after = dict(zip(places, last_values_O.tolist(), strict=True))
        advantages_TB, returns_TB = buffer.advantages(gamma=0.9, lam=0.7, values_TB=values_TB, **options)
        expected_TB = slow_advantages(played, values_TB, 0.9, 0.7, after)
        np.testing.assert_allclose(advantages_TB, expected_TB, atol=1e-5)
        np.testing.assert_allclose(returns_TB, advantages_TB + values_TB, atol=1e-6)


@pytest.mark.parametrize("case", [CASES[8], CASES[11]], ids=named)
def test_open_rows_are_what_their_seats_observe(case: tuple[Rules, str, str]) -> None:
    """Each decision that is open, or was cut short by `max_rounds` (R50), is in `open_rows` with its seat's view."""
    rules, episode, reward = case
    batch = AllSeatsBatch(rules, 3, 23, seed=9, episode=episode, reward=reward)
    played = Played(batch, Dice(1))
    cut = 0
    for _ in range(8):
        played.buffer()
        rows = batch.open_rows()
        expected = {}
        for (step, row), number in np.ndenumerate(played.numbers_TB):
            by_hand = played.rows[row]
            if number >= 0 and number in by_hand.open.values():
                seat = by_hand.decisions[number].seat
                expected[step, row] = seat, by_hand.see(seat).tobytes()
            elif number >= 0 and (last_seen := by_hand.decisions[number].last_seen) is not None:
                expected[step, row] = by_hand.decisions[number].seat, last_seen.tobytes()
                cut += by_hand.decisions[number].is_truncated
        places = list(zip(rows.steps_O.tolist(), rows.games_O.tolist(), strict=True))
        seen = [(int(seat), row.tobytes()) for seat, row in zip(rows.seats_O, rows.observations_OS, strict=True)]
        assert dict(zip(places, seen, strict=True)) == expected
        assert len(places) == len(expected)
    assert (cut > 0) == (rules is STOPPED)


def placed(game: Game, num_steps: int = 8, **options: Any) -> AllSeatsBatch:
    """Return a batch of one game in a given position."""
    batch = AllSeatsBatch(game.rules, 1, num_steps, **options)
    batch.restore(game.to_array())
    return batch


def decide(batch: AllSeatsBatch, *actions: str) -> None:
    """Take decisions by name in a batch of one game."""
    for action in actions:
        batch.decide(np.array([batch.game(0).verify(action)]))


THREE = preset("quebec", num_players=3)


def about_to_end(lives: list[int], to_move: int = 1) -> Game:
    """Return a position in which the first seat makes 31 with the Qs: the third card of the stock, or at once."""
    stock = "2h 3h Qs" if to_move == 1 else "Qs"
    return Game.set_up(
        THREE, hands=["As Ks 2d", "9h 8h 3c", "9d 8d 4c"], upcard="5d", stock=stock, to_move=to_move, lives=lives
    )


@pytest.mark.parametrize(("reward", "credit"), [("round", (1, -0.5, -0.5)), ("game", (0, -0.5, 0))])
def test_a_seat_put_out_on_anothers_move(reward: str, credit: tuple[float, ...]) -> None:
    """The loss reaches the seat's own last decision, which is done; the others' go on."""
    batch = placed(about_to_end([3, 0, 3]), reward=reward)
    decide(batch, "draw", "discard 2h", "draw", "discard 3h", "draw", "discard 2d")
    first = batch.num_seats
    buffer = batch.trajectories
    assert buffer.seats_TB[first : first + 6, 0].tolist() == [1, 1, 2, 2, 0, 0]
    assert buffer.rewards_TB[first : first + 6, 0].tolist() == [0, credit[1], 0, credit[2], 0, credit[0]]
    assert buffer.dones_TB[first : first + 6, 0].tolist() == [False, True, False, False, False, False]
    assert buffer.next_TB[first : first + 6, 0].tolist() == [first + 1, -1, first + 3, -1, first + 5, -1]
    assert batch.open_rows().seats_O.tolist() == [0, 2]


def test_a_reward_after_the_buffer_reaches_its_decision_in_the_next_one() -> None:
    """Seat 1 decided in the first buffer, and is charged in the second: there its decision stands again, with all."""
    batch = placed(about_to_end([3, 0, 3]), num_steps=4)
    decide(batch, "draw", "discard 2h", "draw", "discard 3h")
    assert batch.is_full
    assert not batch.trajectories.rewards_TB.any()
    assert batch.trajectories.complete().tolist() == [3, 5], "the discards are open"
    batch.next_buffer()
    decide(batch, "draw", "discard 2d")
    buffer = batch.trajectories
    assert buffer.seats_TB[:5, 0].tolist() == [-1, 1, 2, 0, 0]
    assert buffer.rewards_TB[:5, 0].tolist() == [0, -0.5, -0.5, 0, 1]
    assert buffer.dones_TB[:5, 0].tolist() == [False, True, False, False, False]
    assert buffer.next_TB[:5, 0].tolist() == [-1, -1, -1, 4, -1]


def test_a_seat_that_never_decides_is_credited_with_nothing() -> None:
    """Seats charged before they decide: by the game it counts for their first decision, or for none if they go out."""
    batch = placed(about_to_end([3, 0, 3], to_move=0))
    decide(batch, "draw", "discard 2d")
    assert batch.uncredited_BN.tolist() == [[0, -0.5, 0]]
    while int(batch.now.to_move_B[0]) != 2:
        batch.decide(np.argmax(batch.now.masks_BA, axis=1))
    step = batch._step
    batch.decide(np.argmax(batch.now.masks_BA, axis=1))
    assert batch.trajectories.rewards_TB[step, 0] == -0.5
    by_rounds = placed(about_to_end([3, 3, 3], to_move=0), episode="round")
    decide(by_rounds, "draw", "discard 2d")
    assert by_rounds.uncredited_BN.tolist() == [[0, -0.5, -0.5]]
    assert by_rounds.trajectories.rewards_TB[4, 0] == 1


def test_declining_to_buy_in_is_a_seats_last_decision() -> None:
    """R24: the loss belongs to the decision before; the answer is the next one, and by "pot" costs the stake."""
    rules = preset("buy_in", num_players=2, grace=False, starting_lives=1)
    game = Game.set_up(rules, hands=["As Ks 2d", "9h 8h 3c"], upcard="5d", stock="2h Qs", to_move=1)
    for answer, cost, done in (("decline", -1, True), ("buy in", 0, False)):
        batch = placed(game, reward="pot")
        decide(batch, "draw", "discard 2h", "draw", "discard 2d", answer)
        buffer = batch.trajectories
        assert buffer.seats_TB[2:7, 0].tolist() == [1, 1, 0, 0, 1]
        assert buffer.rewards_TB[2:7, 0].tolist() == [0, 0, 0, 1 if done else 0, cost]
        assert buffer.dones_TB[2:7, 0].tolist() == [False, False, False, done, done]
        assert buffer.next_TB[2:7, 0].tolist() == [3, 6, 5, -1, -1]


def test_threads_and_tables_of_rules() -> None:
    """Games of several rule sets, on two threads as on one; seats and rewards beyond a small table's are empty."""
    table = [TINY, TINY_OF_THREE]
    batches = [AllSeatsBatch(table, 10, 40, seed=1, threads=threads, reward="game") for threads in (1, 2)]
    for _ in range(3):
        buffers = [batch.collect(Dice(3)) for batch in batches]
        for field in dataclasses.fields(Trajectories):
            np.testing.assert_array_equal(*(getattr(buffer, field.name) for buffer in buffers))
        assert buffers[0].seats_TB[:, ::2].max() == 1
        assert buffers[0].seats_TB[:, 1::2].max() == 2
    alone = AllSeatsBatch(TINY_OF_THREE, 5, 40, reward="game")
    alone.restore(GameBatch.save(AllSeatsBatch(table, 10, 40, seed=1))[1::2])
    mixed = AllSeatsBatch(table, 10, 40, seed=1, reward="game")
    steps = [(first.now, second.now) for first, second in [(alone, mixed)]]
    for _ in range(40):
        now, all_now = steps[-1]
        actions_B = np.argmax(all_now.masks_BA, axis=1)
        np.testing.assert_array_equal(now.observations_BS, all_now.observations_BS[1::2])
        steps.append((alone.decide(actions_B[1::2]), mixed.decide(actions_B)))
    np.testing.assert_array_equal(alone.trajectories.rewards_TB, mixed.trajectories.rewards_TB[:, 1::2])


def test_games_are_stepped_into_the_buffer() -> None:
    """What the seats to move observe is a slice of the buffer, which stays where it is."""
    batch = AllSeatsBatch(TINY, 4, 6)
    buffer = batch.trajectories
    for step in range(6):
        assert batch.now.observations_BS.base is buffer.observations_TBS.base
        assert batch.now.observations_BS.ctypes.data == buffer.observations_TBS[2 + step].ctypes.data
        batch.decide(Dice(step)(batch.now))
    assert batch.collect(Dice(0)) is buffer
    assert all(getattr(buffer, field.name).flags.c_contiguous for field in dataclasses.fields(buffer))


def test_log_probabilities_and_values_are_kept_and_carried() -> None:
    """What the caller gives with its actions stands beside them, and goes with an open decision to the next buffer."""
    batch = AllSeatsBatch(TINY, 4, 5)
    dice = Dice(0)

    def choose(now: BatchArrays) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        actions_B = dice(now)
        return actions_B, -actions_B.astype(np.float32), actions_B.astype(np.float32) + 0.5

    for _ in range(4):
        buffer = batch.collect(choose)
        taken = buffer.seats_TB >= 0
        np.testing.assert_array_equal(buffer.log_probs_TB[taken], -buffer.actions_TB[taken])
        np.testing.assert_array_equal(buffer.values_TB[taken], buffer.actions_TB[taken] + 0.5)
        assert not buffer.values_TB[~taken].any()
    assert taken[:2].any()


def test_a_clone_goes_its_own_way() -> None:
    """A clone continues the same trajectories in arrays of its own."""
    batch = AllSeatsBatch(TINY, 4, 30, seed=8)
    for _ in range(10):
        batch.decide(Dice(0)(batch.now))
    clone = batch.clone()
    before = batch.trajectories.rewards_TB.copy(), batch.save()
    kept = clone.collect(Dice(5))
    np.testing.assert_array_equal(batch.trajectories.rewards_TB, before[0])
    np.testing.assert_array_equal(batch.save(), before[1])
    same = batch.collect(Dice(5))
    for field in dataclasses.fields(kept):
        np.testing.assert_array_equal(getattr(same, field.name), getattr(kept, field.name))


def test_beginning_again_repeats_everything() -> None:
    """The same seed and actions are the same trajectories; nothing is left of those before."""
    batch = AllSeatsBatch(TINY_OF_THREE, 5, 30, seed=2)
    runs = []
    for _ in range(2):
        dice = Dice(1)
        runs.append([getattr(batch.collect(dice), each.name).copy() for each in dataclasses.fields(Trajectories)])
        batch.collect(dice)
        batch.begin(2)
        assert len(batch.open_rows().steps_O) == len(batch.trajectories.complete()) == 0
        assert not batch.uncredited_BN.any()
    for first, second in zip(*runs, strict=True):
        np.testing.assert_array_equal(first, second)


def test_what_is_refused_changes_nothing() -> None:
    """Illegal actions, wrong arrays and a full buffer are refused; games and trajectories stay as they are."""
    batch = AllSeatsBatch(TINY, 3, 2)
    actions_B = Dice(0)(batch.now)
    before = batch.save()
    with pytest.raises(IllegalActionError, match=r"Game 1: .*No game was changed"):
        batch.decide(np.array([actions_B[0], 61, actions_B[2]]))
    for wrong in (np.zeros(2), np.zeros((3, 1)), np.array(["a", "b", "c"]), [[1], [2, 3], []]):
        with pytest.raises(InvalidOptionError, match="values_B must be numbers"):
            batch.decide(actions_B, None, wrong)  # type: ignore[arg-type]
    np.testing.assert_array_equal(batch.save(), before)
    assert len(batch.open_rows().steps_O) == 0
    buffer = batch.collect(Dice(0))
    with pytest.raises(InvalidOptionError, match=r"full: learn from it, then call next_buffer\(\)"):
        batch.decide(Dice(0)(batch.now))
    for options in ({"gamma": 1.5, "lam": 1}, {"gamma": 1, "lam": float("nan")}, {"gamma": "1", "lam": 1}):
        with pytest.raises(InvalidOptionError, match="give a number from 0 to 1"):
            buffer.advantages(**options)  # type: ignore[arg-type]
    with pytest.raises(InvalidOptionError, match="belong together"):
        buffer.advantages(gamma=1, lam=1, open_rows=batch.open_rows())
    with pytest.raises(InvalidOptionError, match="last_values_O must be numbers"):
        buffer.advantages(gamma=1, lam=1, open_rows=batch.open_rows(), last_values_O=np.zeros(99, np.float32))


def test_what_cannot_be_is_refused() -> None:
    """Episodes, rewards, lengths and positions that make no sense are refused."""
    with pytest.raises(UnknownNameError, match="no episode named 'day'"):
        AllSeatsBatch(TINY, 2, 4, episode="day")
    with pytest.raises(InvalidOptionError, match="does not go with reward='pot'"):
        AllSeatsBatch(TINY, 2, 4, episode="round", reward="pot")
    for num_steps in (0, 2**21, 1.5, True, "8"):
        with pytest.raises(InvalidOptionError, match="num_steps cannot be"):
            AllSeatsBatch(TINY, 2, num_steps)  # type: ignore[arg-type]
    batch, over = AllSeatsBatch(TINY, 1, 4), Game(TINY, 3)
    while not over.is_over:
        over.apply(over.legal_actions()[-1])
    before = batch.save()
    with pytest.raises(InvalidOptionError, match="A game that is over has nobody to decide"):
        batch.restore(over.to_array())
    np.testing.assert_array_equal(batch.save(), before)


def test_open_rows_are_plain_arrays() -> None:
    """Nothing is open before the first decision; after it, one decision a game."""
    batch = AllSeatsBatch(TINY, 6, 4)
    assert batch.open_rows().observations_OS.shape == (0, batch.spec.size)
    batch.decide(Dice(0)(batch.now))
    rows = batch.open_rows()
    assert isinstance(rows, OpenRows)
    assert rows.games_O.tolist() == list(range(6))
    assert set(rows.steps_O.tolist()) == {2}
