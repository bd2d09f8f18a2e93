"""Nothing that a seat is shown depends on what it cannot know: hidden hands, the stock's order, deals to come."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents import make
from tests.information.leaks import Counts, is_hidden, positions, prove
from tests.information.shown import Table, differing, plain, shown, shown_by_env, table_for
from tests.play import NAMES, any_rules, observe, random_games, table_rules
from trente_env import Game, Rules
from trente_env.core.layout import SEAT_VIEW
from trente_env.core.worlds import redeal
from trente_env.encoding.sections import observation_spec
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.policy import Policy
from trente_env.rules import Scoring

PLAYED = {2: (160, 0.15), 4: (200, 0.08), 9: (300, 0.025)}
"""By players: decisions played, and the share of their positions that is looked at."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for learned policies."""
    return tmp_path_factory.mktemp("policies")


@pytest.mark.parametrize("name", NAMES)
def test_hidden_cards_show_nowhere_in_any_preset(name: str, folder: Path) -> None:
    """All that a seat cannot know dealt anew changes no view, observation, mask, info, text or policy's choice."""
    counts = Counts()
    for num_players, (num_decisions, share) in PLAYED.items():
        rules = table_rules(name, num_players)
        counts += prove(rules, table_for(rules, folder), num_decisions, share=share)
    assert counts.checks >= 120
    assert counts.waiting >= counts.checks / 2
    assert counts.hidden >= 0.8 * counts.checks
    assert counts.moved >= 0.95 * counts.hidden
    assert counts.out > 0 or table_rules(name, 2).scoring == Scoring.POINTS


def test_hidden_cards_show_nowhere_under_any_rules(folder: Path) -> None:
    """The same under rules that no preset has, where stocks run out, hands become known and seats go out."""
    dice = random.Random(7)
    counts = Counts()
    for number in range(24):
        rules = any_rules(dice)
        counts += prove(rules, table_for(rules, folder), 40, seed=number, share=0.2)
    assert counts.checks >= 400
    assert counts.out > 0
    assert counts.moved >= 0.75 * counts.hidden > 0.3 * counts.checks


@pytest.mark.parametrize("name", ["quebec", "kawu", "classic", "exchange", "schwimmen", "buy_in"])
def test_a_step_shows_no_more_than_became_public(name: str, folder: Path) -> None:
    """After the same decision in two worlds, a seat with the same cards before it is shown the same by the env."""
    rules = table_rules(name, 3)
    env = table_for(rules, folder).env
    steps = compared = 0
    for number, (game, action) in enumerate(random_games(rules, 90, seed=2)):
        seat = number % 3
        world = redeal(game, seat, number)
        if not world.is_legal(action):
            continue
        seen, public = [], []
        for each in (game, world):
            env.reset(seed=0, options={"position": each})
            env.step(action)
            after = env.game
            public.append((after.hands[seat], after.discard_pile, after.table, after.rounds_ended))
            seen.append(shown_by_env(env, seat))
        steps += 1
        if public[0] == public[1] and public[0][-1] == 0:
            assert differing(*seen) == []
            compared += 1
    assert compared >= 0.5 * steps >= 20


@pytest.mark.parametrize("name", ["quebec", "classic", "exchange"])
@pytest.mark.parametrize("episode", ["round", "game"])
def test_a_learner_among_policies_observes_what_its_seat_knows(name: str, episode: str) -> None:
    """`OneSeatBatch` shows its learner the same observation and mask in every world that its seat cannot tell apart."""
    dice = np.random.default_rng(1)
    batch = OneSeatBatch(table_rules(name, 3), 6, [make("greedy"), make("random")], seed=4, episode=episode)
    out = batch.out
    moved = 0
    for turn in range(12):
        for row, seat in enumerate(batch.learners_B.tolist()):
            game = batch.game(row)
            world = redeal(game, seat, turn)
            moved += world.hands != game.hands
            np.testing.assert_array_equal(np.concatenate(list(observe(world, seat).values())), out.observations_BS[row])
            np.testing.assert_array_equal(world.action_mask(), out.masks_BA[row])
        out = batch.decide((dice.random(out.masks_BA.shape) * out.masks_BA).argmax(axis=1))
    assert moved >= 60


def reseeded(game: Game, seed: int) -> Game:
    """Return the same position with another seed: other reshuffles and deals to come."""
    array = game.to_array()
    array["seed"] = seed
    array["key"] = seed // 3
    return Game.from_array(game.rules, array)


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_shows_nowhere(name: str, folder: Path) -> None:
    """What is shown of a position is the same whatever seed the game goes on by."""
    rules = table_rules(name, 3)
    table = table_for(rules, folder)
    for number, game in enumerate(positions(rules, 12, seed=5)):
        for seat in range(3):
            other = reseeded(game, 10**17 + number)
            assert differing(shown(game, seat, table), shown(other, seat, table)) == []


def test_a_view_has_no_place_for_a_seed_or_a_hidden_card() -> None:
    """No field of a view is one of the record's that hold seeds, keys, the deck or everybody's hands."""
    assert not {"seed", "key", "deck", "hands", "last_hands", "num_drawn", "held"} & set(SEAT_VIEW.names or ())


class Spy:
    """The random policy, which looks at whatever memory its arguments give access to."""

    name = "spy"

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int]] = []

    def probabilities(self, views_B: NDArray[np.void], masks_BA: NDArray[np.int8]) -> NDArray[np.floating[Any]]:
        """Note every array that can be reached from the arguments, with its size and its owner's."""
        for given in (views_B, masks_BA):
            self.seen += [(str(owner.dtype.names), owner.nbytes, given.nbytes) for owner in owners(given)]
        return make("random").probabilities(views_B, masks_BA)


def owners(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield the arrays whose memory an array looks into, itself first."""
    owner: Any = array
    while isinstance(owner, np.ndarray):
        yield owner
        owner = owner.base


def test_a_policy_is_given_memory_of_views_alone() -> None:
    """Behind the arrays that a policy is given there is no larger one: no game's record can be reached from them."""
    spy = Spy()
    assert isinstance(spy, Policy)
    batch = OneSeatBatch(table_rules("quebec", 3), 5, [spy], seed=1)
    for _ in range(5):
        batch.decide(batch.out.masks_BA.argmax(axis=1))
    assert len(spy.seen) >= 10
    assert {names for names, _, _ in spy.seen} == {"None", str(SEAT_VIEW.names)}
    assert all(owned == given for _, owned, given in spy.seen)


def test_an_agent_is_given_memory_of_its_observation_alone(folder: Path) -> None:
    """Behind an environment's observations, masks and infos there is no larger array to look into."""
    env = table_for(table_rules("quebec", 3), folder).env
    env.reset(seed=3)
    for _ in range(30):
        last = env.last()[0]
        assert last is not None
        for given in (last, env.observe("player_0"), *env.infos.values()):
            for array in given.values():
                assert all(owner.nbytes == array.nbytes for owner in owners(array))
        env.step(int(last["action_mask"].argmax()))


def test_what_only_a_spectator_sees_does_differ(folder: Path) -> None:
    """Where other seats' cards differ, the spectator's text and the env's `state()` do: the worlds are not the same."""
    rules = table_rules("quebec", 3)
    env = table_for(rules, folder).env
    looked = 0
    for number, game in enumerate(positions(rules, 30, seed=9)):
        if game.is_over or not is_hidden(game, 0):
            continue
        world = redeal(game, 0, number)
        looks = []
        for each in (game, world):
            env.reset(seed=0, options={"position": each})
            looks.append((each.describe(), plain(env.state())))
        assert looks[0][0] != looks[1][0]
        assert looks[0][1] != looks[1][1]
        looked += 1
    assert looked >= 20


def test_the_order_of_the_stock_and_the_deals_to_come_differ() -> None:
    """In other worlds another card is drawn next, another stock is shuffled, and other hands are dealt next round."""
    game = Game(Rules(ranks="2345A", num_players=2, starting_lives=3), seed=1)
    drawn, dealt = set(), set()
    for number in range(30):
        world = redeal(game, game.seat_to_move or 0, number)
        after = world.clone()
        after.apply("draw")
        drawn.add(after.hands[after.seat_to_move or 0])
        next_round = world.clone()
        while next_round.round_number == 1:
            next_round.apply(next_round.legal_actions()[-1])
        dealt.add(next_round.hands)
    assert len(drawn) > 8
    assert len(dealt) > 25


def test_tables_hold_every_kind_of_policy(folder: Path) -> None:
    """Every registered policy is asked, a learned one too, and they do not all choose alike."""
    rules = table_rules("quebec", 2)
    table: Table = table_for(rules, folder)
    assert {policy.name.split("@")[0].split(":")[0] for policy in table.policies} >= {
        "random", "greedy", "knock", "adaptive", "seeds", "file",
    }  # fmt: skip
    assert observation_spec(2).size == table.env.spec.size
    choices = []
    for game in positions(rules, 30, seed=1):
        seen = shown(game, game.seat_to_move or 0, table)
        choices.append(len({str(value) for key, value in seen.items() if key.startswith("policy ")}))
    assert max(choices) >= 4
