"""`OneSeatBatch`: whose reward arrives when, where episodes end, who sits where."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trente_env import Game, IllegalActionError, InvalidOptionError, Rules, UnknownNameError, preset
from trente_env.cards import parse_card
from trente_env.core.actions import DRAW, KNOCK
from trente_env.core.layout import GAME, to_array
from trente_env.envs.one_seat import OneSeatBatch

QUEBEC = preset("quebec", num_players=2)
THREE = preset("quebec", num_players=3)


class Drawer:
    """Draws, knocks where it is told to, and discards a named card if it holds it, else the lowest."""

    def __init__(self, name: str = "drawer", discard: str = "", *, knocks: bool = False) -> None:
        """Name it and say what it does."""
        self.name = name
        self._first = [KNOCK, DRAW] if knocks else [DRAW]
        self._discard = [parse_card(discard)] if discard else []

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.float32]:  # noqa: ARG002
        """Choose the first legal action of a fixed order."""
        rest = [action for action in range(masks_BA.shape[1]) if action not in {*self._first, *self._discard}]
        order = [*self._first, *self._discard, *rest]
        out_BA = np.zeros(masks_BA.shape, np.float32)
        chosen = np.array(order)[np.argmax(masks_BA[:, order] != 0, axis=1)]
        out_BA[np.arange(len(masks_BA)), chosen] = 1.0
        return out_BA


def placed(game: Game, learner: int, opponent: Drawer, **options: Any) -> OneSeatBatch:
    """Return a batch of one game in a given position."""
    batch = OneSeatBatch(game.rules, 1, [opponent], **options)
    row = to_array(game._rows, GAME)
    row["is_single_round"] = batch.episode == "round"
    batch.restore(row)
    batch.learners_B[:] = learner
    batch.opponents_BN[:] = 0
    batch.opponents_BN[0, learner] = -1
    batch.look(batch.out)
    return batch


def decide(batch: OneSeatBatch, *actions: str) -> None:
    """Take decisions by name in a batch of one game."""
    for action in actions:
        batch.decide(np.array([batch.game(0).verify(action)]))


def about_to_lose(rules: Rules, lives: list[int]) -> Game:
    """Return a position in which the first seat makes 31 after the turn of seat 1."""
    hands = ["As Ks 2d", "9h 8h 3c", "9d 8d 4c"][: rules.num_players]
    stock = "2h Qs" if rules.num_players == 2 else "2h 3h Qs"
    return Game.set_up(rules, hands=hands, upcard="5d", stock=stock, to_move=1, lives=lives)


def test_a_loss_on_another_seats_move_reaches_the_last_decision() -> None:
    """The opponent makes 31 on its own turn; the learner's discard before it is charged and ends the episode."""
    batch = placed(about_to_lose(QUEBEC, [3, 3]), 1, Drawer(discard="2d"))
    decide(batch, "draw")
    assert (batch.rewards_B[0], batch.dones_B[0]) == (0, 0)
    decide(batch, "discard 2h")
    assert (batch.rewards_B[0], batch.dones_B[0]) == (-1, 1)
    assert batch.game(0).lives == (3, 2), "the game goes on with the lives it has come to"


@pytest.mark.parametrize(("reward", "expected"), [("game", -1), ("round", -1), ("lives", -1)])
def test_the_losers_last_reward_of_a_game_arrives(reward: str, expected: float) -> None:
    """The learner loses its last life on the opponent's move: reward and end arrive with its own last decision."""
    batch = placed(about_to_lose(QUEBEC, [3, 0]), 1, Drawer(discard="2d"), episode="game", reward=reward)
    decide(batch, "draw", "discard 2h")
    assert (batch.rewards_B[0], batch.dones_B[0]) == (expected, 1)
    assert batch.take_results() == {"drawer": [0.0, 1.0]}
    assert batch.game(0).lives == (3, 3), "another game has begun"


@pytest.mark.parametrize(("reward", "expected"), [("game", -0.5), ("pot", -1.0)])
def test_who_goes_out_is_paid_its_loss_of_the_game(reward: str, expected: float) -> None:
    """By the game a learner that goes out has lost: it is told at once, since it hears of nothing later."""
    batch = placed(about_to_lose(THREE, [3, 0, 3]), 1, Drawer(discard="2d"), episode="game", reward=reward)
    decide(batch, "draw", "discard 2h")
    assert (batch.rewards_B[0], batch.dones_B[0]) == (expected, 1)


@pytest.mark.parametrize(("answer", "is_done"), [("buy in", 0), ("decline", 1)])
def test_a_declined_buy_in_ends_its_episode(answer: str, is_done: int) -> None:
    """R24: by rounds, the answer belongs to the round that follows; without one, the episode ends with it."""
    rules = preset("buy_in", num_players=3)
    game = about_to_lose(rules, [1, 0, 1])
    batch = placed(game, 1, Drawer(discard="2d"), episode="round", reward="lives")
    decide(batch, "draw", "discard 2h")
    assert (batch.dones_B[0], batch.game(0).phase) == (1, "BUY_IN")
    decide(batch, answer)
    assert (batch.rewards_B[0], batch.dones_B[0]) == (0, is_done)
    assert batch.game(0).buy_ins == ((0, 1, 0) if answer == "buy in" else (0, 0, 0))


def test_a_clone_plays_on_apart() -> None:
    """A clone goes on as its original does, and neither writes into the other."""
    batch = OneSeatBatch(THREE, 6, [Drawer(knocks=True)], seed=4, episode="game", reward="game")
    batch.decide(np.argmax(batch.out.masks_BA, axis=1))
    twin = batch.clone()
    before = batch.save(), batch.learners_B.copy(), batch.out.observations_BS.copy()
    histories = []
    for each in (twin, batch):
        history = []
        for _ in range(40):
            each.decide(np.argmax(each.out.masks_BA, axis=1))
            history.append((each.rewards_B.tolist(), each.out.observations_BS.tolist(), each.learners_B.tolist()))
        histories.append(history)
        if each is twin:
            np.testing.assert_array_equal(batch.save(), before[0])
            np.testing.assert_array_equal(batch.learners_B, before[1])
            np.testing.assert_array_equal(batch.out.observations_BS, before[2])
    assert histories[0] == histories[1]
    assert twin.take_results() == batch.take_results()


@pytest.mark.parametrize("episode", ["round", "game"])
def test_an_eliminated_learner_ends_its_episode_while_others_play_on(episode: str) -> None:
    """With three seats the learner goes out: its episode is done and the row begins another game."""
    game = about_to_lose(THREE, [3, 0, 3])
    batch = placed(game, 1, Drawer(discard="2d"), episode=episode)
    decide(batch, "draw", "discard 2h")
    assert (batch.rewards_B[0], batch.dones_B[0]) == (-0.5, 1)
    assert batch.game(0).lives == (3, 3, 3)
    assert batch.learners_B[0] == 2, "the learner sits one seat further"


def test_the_end_of_an_episode_is_seen_with_what_the_learner_knows() -> None:
    """The last observation of an episode shows the table after the last move, nobody to move."""
    batch = placed(about_to_lose(QUEBEC, [3, 3]), 1, Drawer(discard="2d"))
    decide(batch, "draw", "discard 2h")
    sections = batch.spec.split(batch.last_BS[0])
    assert sections["to_move"].tolist() == [0, 0]
    assert np.flatnonzero(sections["hand"]).tolist() == sorted(parse_card(card) for card in ("9h", "8h", "3c"))
    assert np.flatnonzero(sections["upcard"]).tolist() == [parse_card("2d")]


@pytest.mark.parametrize(
    ("preset_name", "num_players"), [("quebec", 2), ("quebec", 4), ("classic", 3), ("exchange", 3)]
)
def test_rewards_sum_to_those_of_the_game(preset_name: str, num_players: int) -> None:
    """Whole games: the rewards of an episode sum to what the same game, replayed alone, gives the learner's seat."""
    rules = preset(preset_name, num_players=num_players)
    opponent = Drawer(knocks=True)
    batch = OneSeatBatch(rules, 8, [opponent], seed=3, episode="game", reward="round")
    random = np.random.default_rng(0)
    games = [game_begun(batch, row) for row in range(8)]
    owed = [play_others(game, int(batch.learners_B[row]), opponent) for row, game in enumerate(games)]
    finished = 0
    for _ in range(400):
        masks_BA, learners_B = batch.out.masks_BA, batch.learners_B.copy()
        actions_B = (random.random(masks_BA.shape) * masks_BA).argmax(axis=1)
        batch.decide(actions_B)
        for row, game in enumerate(games):
            learner = int(learners_B[row])
            game.apply(int(actions_B[row]))
            expected = owed[row] + game.rewards("round")[learner] + play_others(game, learner, opponent)
            owed[row] = 0.0
            assert batch.rewards_B[row] == pytest.approx(expected)
            assert bool(batch.dones_B[row]) == is_over_for(game, learner)
            if batch.dones_B[row]:
                finished += 1
                games[row] = game_begun(batch, row)
                owed[row] = play_others(games[row], int(batch.learners_B[row]), opponent)
    assert finished > 8


def game_begun(batch: OneSeatBatch, row: int) -> Game:
    """Return the game that a row has begun, from its seed."""
    return Game(batch.rules, int(batch.column("seed")[row]))


def is_over_for(game: Game, learner: int) -> bool:
    """Return whether the game is over for a seat."""
    return game.is_over or not game.in_game[learner]


def play_others(game: Game, learner: int, opponent: Drawer) -> float:
    """Let the others play up to the learner's next decision; return what that costs or brings the learner."""
    reward = 0.0
    while not is_over_for(game, learner) and game.seat_to_move != learner:
        game.apply(choice_of(game, opponent))
        reward += game.rewards("round")[learner]
    return reward


def choice_of(game: Game, opponent: Drawer) -> int:
    """Return what the opponent does for the seat to move."""
    masks_BA = game.action_mask()[None]
    return int(np.argmax(opponent.probabilities(np.zeros(1, np.int8), masks_BA)[0]))


def test_rounds_end_episodes_and_the_game_goes_on() -> None:
    """Round by round the game is the one that is played in one piece, and an episode's reward is its round's."""
    opponent = Drawer(knocks=True)
    batch = OneSeatBatch(QUEBEC, 16, [opponent], seed=5)
    random = np.random.default_rng(1)
    games = [game_begun(batch, row) for row in range(16)]
    for row, game in enumerate(games):
        play_others(game, int(batch.learners_B[row]), opponent)
    compared = 0
    for _ in range(300):
        masks_BA, learners_B = batch.out.masks_BA, batch.learners_B.copy()
        actions_B = (random.random(masks_BA.shape) * masks_BA).argmax(axis=1)
        batch.decide(actions_B)
        for row, game in enumerate(games):
            learner = int(learners_B[row])
            before = 0 if game.last_round is None else game.last_round.number
            game.apply(int(actions_B[row]))
            reward = game.rewards("round")[learner] + play_others(game, learner, opponent)
            ended = (0 if game.last_round is None else game.last_round.number) - before
            assert bool(batch.dones_B[row]) == (ended > 0)
            if ended <= 1:  # else another round went by without a decision of the learner, and is nobody's credit
                assert batch.rewards_B[row] == pytest.approx(reward)
                compared += ended
            if is_over_for(game, learner):
                games[row] = game_begun(batch, row)
                play_others(games[row], int(batch.learners_B[row]), opponent)
            assert batch.game(row).lives == games[row].lives
            assert batch.game(row).hands == games[row].hands
    assert compared > 200


def test_a_round_without_a_decision_of_the_learner_is_skipped() -> None:
    """Every episode holds a decision: a round that others end before the learner's first turn rewards nobody."""
    batch = OneSeatBatch(QUEBEC, 64, [Drawer(knocks=True)], seed=1)
    for _ in range(100):
        batch.decide(np.argmax(batch.out.masks_BA, axis=1))
        assert (batch.out.to_move_B == batch.learners_B).all()
        assert (batch.out.masks_BA.sum(axis=1) > 0).all()
        assert (batch.rewards_B[batch.dones_B == 0] == 0).all()


def test_opponents_change_only_between_games() -> None:
    """Games under way are played out against whom they began with; new ones are drawn from the new opponents."""
    batch = OneSeatBatch(QUEBEC, 32, [Drawer("old")], seed=2)
    batch.set_opponents([Drawer("new", knocks=True)])
    first = np.zeros(32, np.bool_)
    random = np.random.default_rng(0)
    while not first.all():
        seeds_B = batch.column("seed")
        holders = [batch.opponents.policies[int(row.max())].name for row in batch.opponents_BN]
        assert all(name == ("new" if is_new else "old") for name, is_new in zip(holders, first, strict=True))
        batch.decide((random.random(batch.out.masks_BA.shape) * batch.out.masks_BA).argmax(axis=1))
        first |= batch.column("seed") != seeds_B
    batch.set_opponents([Drawer("newer")])
    known = sorted(policy.name for policy in batch.opponents.policies.values())
    assert known == ["new", "newer"], "who left is forgotten"


def test_the_learner_sits_everywhere_equally_often() -> None:
    """The learner's seat moves on with every game of a row."""
    batch = OneSeatBatch(THREE, 6, [Drawer(knocks=True)], seed=4, episode="game")
    assert batch.learners_B.tolist() == [0, 1, 2, 0, 1, 2]
    before = batch.learners_B.copy()
    seeds_B = batch.column("seed")
    while (batch.column("seed") == seeds_B).any():
        changed = batch.column("seed") != seeds_B
        batch.decide(np.argmax(batch.out.masks_BA, axis=1))
        newly = (batch.column("seed") != seeds_B) & ~changed
        assert (batch.learners_B[newly] == (before[newly] + 1) % 3).all()


def test_the_same_seed_is_the_same_games() -> None:
    """Beginning again from a seed repeats games, opponents and rewards."""
    opponents = [Drawer("a"), Drawer("b", knocks=True)]
    batch = OneSeatBatch(QUEBEC, 16, opponents, seed=9)
    histories = []
    for _ in range(2):
        batch.begin(9)
        history = []
        for _ in range(60):
            batch.decide(np.argmax(batch.out.masks_BA, axis=1))
            history.append((batch.rewards_B.copy(), batch.out.observations_BS.copy()))
        histories.append(history)
    for (rewards, observations), (again, seen_again) in zip(*histories, strict=True):
        np.testing.assert_array_equal(rewards, again)
        np.testing.assert_array_equal(observations, seen_again)


def test_an_illegal_action_changes_no_game() -> None:
    """An illegal action is refused with the game's own message; every game stays as it is."""
    batch = OneSeatBatch(QUEBEC, 4, [Drawer()], seed=0)
    before = batch.save()
    actions_B = np.argmax(batch.out.masks_BA, axis=1)
    actions_B[2] = 61
    with pytest.raises(IllegalActionError, match=r"Game 2: Decline is not legal.*No game was changed"):
        batch.decide(actions_B)
    np.testing.assert_array_equal(batch.save(), before)


def test_what_cannot_be_is_refused() -> None:
    """Opponents, weights, episodes and rewards that make no sense are refused."""
    with pytest.raises(InvalidOptionError, match="at least one policy"):
        OneSeatBatch(QUEBEC, 4, [])
    with pytest.raises(InvalidOptionError, match="weights cannot be"):
        OneSeatBatch(QUEBEC, 4, [Drawer()], weights=[-1.0])
    with pytest.raises(InvalidOptionError, match="does not go with reward='game'"):
        OneSeatBatch(QUEBEC, 4, [Drawer()], reward="game")
    with pytest.raises(UnknownNameError, match="no episode named 'day'"):
        OneSeatBatch(QUEBEC, 4, [Drawer()], episode="day")
