"""What a record notes though the rest of it says so too is always what the rest says, wherever games come from."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.play import NAMES, any_rules, choose, random_games, table_rules
from trente_env import Game, Rules, preset
from trente_env.core import layout
from trente_env.core.actions import ACTION_NAMES, DRAW, KNOCK, PASS, SWAP_ALL, TAKE
from trente_env.core.calls import new_views
from trente_env.core.layout import GAME, NO_CARD, NO_EVENT, NUM_EVENTS, from_array, lower, to_array
from trente_env.core.worlds import redeal_at
from trente_env.envs.one_seat import OneSeatBatch
from trente_env.policy import Policy
from trente_env.record import Recorder, replay
from trente_env.record.play import Play
from trente_env.rules import PlayStyle

KINDS = {
    DRAW: layout.EVENT_DRAW, TAKE: layout.EVENT_TAKE, KNOCK: layout.EVENT_KNOCK, PASS: layout.EVENT_PASS,
    SWAP_ALL: layout.EVENT_SWAP_ALL,
}  # fmt: skip
"""The event that an action is, where it goes by the same name in every phase."""
CARD_KINDS = {
    "DISCARD": layout.EVENT_DISCARD,
    "EXCHANGE": layout.EVENT_TAKE_TABLE,
    "LEAVE": layout.EVENT_LEAVE,
}


def check_noted(record: Any, rules: Rules) -> None:
    """Work out anew what one record notes: what is legal, the discard pile as a set, its top, no number behind ends."""
    array = np.array([record], GAME)
    blank = array.copy()
    blank["legal"] = 0
    assert Game.from_array(rules, blank).to_array()["legal"][0] == record["legal"]
    assert (record["legal"] == 0) == (record["to_move"] == -1)
    size = int(record["num_discards"])
    pile = record["discards"][:size].tolist()
    assert (record["discards"][size:] == NO_CARD).all()
    assert all(card >= 0 for card in pile)
    assert len(set(pile)) == size
    assert int(record["pile"]) == sum(1 << card for card in pile)
    has_upcard = rules.play_style == PlayStyle.DRAW and pile
    assert record["upcard"] == (pile[-1] if has_upcard else NO_CARD)
    events = record["events"].tolist()
    count = sum(event != NO_EVENT for event in events)
    assert all(event >= 0 for event in events[:count])
    assert events[count:] == [NO_EVENT] * (NUM_EVENTS - count)
    assert not any(array[name].any() for name in GAME.names or () if name.startswith("padding"))


def of(game: Game) -> Any:
    """Return the record of a game."""
    return game.to_array()[0]


def check_events(before: Any, after: Any, action: int, phase: str) -> None:
    """Within a round a decision puts its own event, and what follows from it, before those that were there."""
    if after["round"] != before["round"] or after["deal"] != before["deal"]:
        return
    old, new = before["events"].tolist(), after["events"].tolist()
    added = next(count for count in range(NUM_EVENTS + 1) if new[count:] == old[: NUM_EVENTS - count])
    if action in ACTION_NAMES and action not in KINDS:
        return
    kind = KINDS.get(action, CARD_KINDS.get(phase))
    own = (kind or 0) << 10 | int(before["to_move"]) << 6
    assert 1 <= added <= 3
    assert any(event & ~63 == own for event in new[:added])


@pytest.mark.parametrize("name", NAMES)
def test_along_random_games(name: str) -> None:
    """Decision by decision, from bytes and in worlds dealt anew, a record notes what follows from the rest of it."""
    rules = table_rules(name, 4)
    before, taken, phase = None, 0, ""
    for place, (game, action) in enumerate(random_games(rules, 220)):
        record = of(game)
        check_noted(record, rules)
        if before is not None and game.num_decisions:
            check_events(before, record, taken, phase)
        before, taken, phase = record, action, game.phase
        if place % 5 == 0:
            assert of(Game.from_bytes(game.to_bytes())) == record
            rows = from_array(game.to_array())
            assert redeal_at(rows, lower([rules]), 0, place % 4, new_views(1), place) > 0
            check_noted(to_array(rows, GAME)[0], rules)


def test_under_any_rules() -> None:
    """The same with small decks, where the stock runs out all the time."""
    dice = random.Random(5)
    for _ in range(20):
        rules = any_rules(dice)
        before, taken, phase = None, 0, ""
        for game, action in random_games(rules, 60):
            record = of(game)
            check_noted(record, rules)
            if before is not None and game.num_decisions:
                check_events(before, record, taken, phase)
            before, taken, phase = record, action, game.phase


@pytest.mark.parametrize("name", NAMES)
def test_to_the_end_of_a_game(name: str) -> None:
    """The record of a finished game notes that nothing is legal."""
    rules = table_rules(name, 2)
    for seed in range(4):
        game, dice = Game(rules, seed), random.Random(seed)
        while not game.is_over:
            game.apply(choose(game, dice, patience=0.3))
        check_noted(of(game), rules)
        assert of(game)["legal"] == 0


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("quebec", {"hands": ["Ks Qs 9s", "9h 8h 2c"], "upcard": "5d", "discard_pile": "2d 3d 4d"}),
        ("quebec", {"hands": ["Ks Qs 9s 2h", "9h 8h 2c"], "taken": "2h", "discard_pile": "2d"}),
        ("classic", {"hands": ["Ks Qs 9s", "9h 8h 2c"], "upcard": "5d", "discard_pile": "rest"}),
        ("quebec", {"hands": ["Ks Qs 9s", "9h 8h 2c"], "upcard": "5d", "knocker": 1}),
        ("quebec", {"hands": ["Ks Qs 9s", "9h 8h 2c"], "upcard": "5d", "turns": 0}),
        ("exchange", {"hands": ["Ks Qs 9s", "9h 8h 7c"], "table": "7d 8d 9d"}),
        ("exchange", {"hands": ["Ks Qs 9s 9d", "9h 8h 7c"], "table": "7d 8d", "taken": "9d"}),
        ("exchange", {"hands": ["Ks Qs 9s", ""]}),
        ("four_card", {"hands": ["Ks Qs 9s 2s", "9h 8h 2c 3c"], "upcard": "5d"}),
    ],
)
def test_in_positions_laid_out(name: str, position: dict[str, Any]) -> None:
    """A position laid out by hand notes it too, and so do those that follow."""
    rules = preset(name, num_players=2)
    game, dice = Game.set_up(rules, **position), random.Random(1)
    for _ in range(12):
        check_noted(of(game), rules)
        if not game.is_over:
            game.apply(choose(game, dice, patience=0.8))


@pytest.mark.parametrize("source", ["seed", "cards"])
@pytest.mark.parametrize("name", ["quebec", "exchange", "quebec_points", "buy_in"])
def test_in_replayed_games(name: str, source: Any) -> None:
    """A record of a game played over from the seed or from its cards comes to a record that notes it."""
    rules = table_rules(name, 3)
    for length in (1, 7, 30, 80):
        recorder, dice = Recorder(Game(rules, length)), random.Random(length)
        while not recorder.game.is_over and recorder.game.num_decisions < length:
            recorder.apply(choose(recorder.game, dice, patience=0.5))
        check_noted(of(replay(recorder.record(), source)), rules)


@pytest.mark.parametrize("name", ["quebec", "exchange", "quebec_points", "buy_in"])
def test_deal_by_deal(name: str) -> None:
    """Played one deal at a time, as records are, the game notes it at each decision and at the end of each round."""
    rules, dice = table_rules(name, 3), random.Random(3)
    play = Play(Game(rules, 3))
    play.open()
    rounds = 0
    while not play.is_over and rounds < 6:
        check_noted(to_array(play._rows, GAME)[0], rules)
        play.apply(choose(play.game, dice, patience=0.3))
        if play.is_deal_due:
            rounds += 1
        else:
            check_noted(to_array(play._rows, GAME)[0], rules)
        play.run_on()
    assert rounds > 0


class Hasty(Policy):
    """Takes the last legal action: ends rounds as soon as may be."""

    name = "hasty"

    def probabilities(self, views_B: Any, masks_BA: Any) -> Any:  # noqa: ARG002
        """Choose the last legal action."""
        out_BA = np.zeros(masks_BA.shape, np.float32)
        out_BA[np.arange(len(masks_BA)), masks_BA.shape[1] - 1 - masks_BA[:, ::-1].argmax(axis=1)] = 1
        return out_BA


@pytest.mark.parametrize("episode", ["round", "game"])
@pytest.mark.parametrize("name", ["quebec", "exchange", "buy_in"])
def test_in_a_learners_games(name: str, episode: str) -> None:
    """Where rounds are episodes and a game goes on from the end of each, its record notes it all the same."""
    rules = table_rules(name, 3)
    batch = OneSeatBatch(rules, 6, [Hasty()], seed=2, episode=episode)
    dice, rounds = np.random.default_rng(2), 0
    for _ in range(25):
        masks_BA = batch.out.masks_BA
        batch.decide((dice.random(masks_BA.shape) * masks_BA).argmax(axis=1))
        rounds += int(batch.dones_B.sum())
        for record in batch.save():
            check_noted(record, rules)
    assert rounds > 0
