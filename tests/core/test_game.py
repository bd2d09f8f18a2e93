"""`Game` as a user meets it: actions by id and by name, what it says, and what it refuses."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.play import NAMES, TABLES, choose, legal_names, random_games, stand, table_rules
from trente_env import Game, GameOverError, IllegalActionError, InvalidOptionError, InvalidPositionError, preset
from trente_env.core.actions import ACTION_MEANINGS, ACTION_NAMES, NUM_ACTIONS, action_name, parse_action
from trente_env.core.layout import PHASE_DRAW, SEAT_VIEW

HANDS = ["Ks Qh 2d", "Jc 7h 3d", "Kh 7c 4d"]


def position(**options: Any) -> Game:
    """Return a plain position of quebec at a table of three."""
    return Game.set_up(preset("quebec", num_players=3), HANDS, **({"upcard": "5d"} | options))


def finished() -> Game:
    """Return a game that is over."""
    game = Game.set_up(preset("quebec", num_players=2), ["As Ks 2d", HANDS[1]], upcard="Qs", lives=[1, 0])
    game.apply("take")
    game.apply("discard 2d")
    return game


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_names_and_ids_are_the_same_actions(name: str, num_players: int) -> None:
    """Every legal action can be given by id or by name, in any case, to the same effect."""
    for game, _ in random_games(table_rules(name, num_players), 20):
        for action in game.legal_actions():
            text = game.action_name(action)
            assert game.verify(text) == game.verify(text.upper().replace(" ", "  ")) == game.verify(action) == action
            assert game.verify(np.int64(action)) == action
            by_id, by_name = game.clone(), game.clone()
            by_id.apply(action)
            by_name.apply(text)
            assert by_id == by_name


def test_cards_in_names_may_be_written_in_any_way() -> None:
    """A card in an action's name is read as cards are everywhere."""
    game = position(upcard="10h")
    game.apply("take")
    for text in ("discard ks", "DISCARD K♠", "discard Ks "):
        assert game.is_legal(text)


def test_action_names_are_unique_and_explained() -> None:
    """The ten actions that are not cards have names and meanings, and every id reads back from its name."""
    assert set(ACTION_NAMES) == set(ACTION_MEANINGS) == set(range(52, NUM_ACTIONS))
    assert [parse_action(name, PHASE_DRAW) for name in ACTION_NAMES.values()] == list(ACTION_NAMES)
    assert action_name(99, PHASE_DRAW) == "action 99"


def test_is_legal_asks_without_raising() -> None:
    """`is_legal` says whether an action may be taken, whatever it is asked about."""
    game = position()
    assert game.is_legal("draw")
    assert not any(game.is_legal(action) for action in ("buy in", "nonsense", -1, 62, "discard Ks"))
    assert not finished().is_legal("draw")


@pytest.mark.parametrize("action", ["draw", 52, "nonsense", -1])
def test_a_finished_game_takes_no_action(action: Any) -> None:
    """Any action asked of a finished game is refused as such, and changes nothing."""
    game = finished()
    before = game.to_bytes()
    with pytest.raises(GameOverError, match="The game is over"):
        game.apply(action)
    assert game.to_bytes() == before


@pytest.mark.parametrize("action", [None, 52.0, True, np.bool_(True), object(), [52]])
def test_what_is_no_action_is_refused(action: Any) -> None:
    """Neither text nor whole number: refused with what to give."""
    with pytest.raises(IllegalActionError, match="is no action: give an id from 0 to 61"):
        position().apply(action)


def test_the_mask_is_fresh() -> None:
    """Writing into a mask does not change the game."""
    game = position()
    mask = game.action_mask()
    assert (mask.dtype, mask.shape, mask.sum()) == (np.int8, (62,), 3)
    mask[:] = 0
    assert game.action_mask().sum() == 3


def test_a_finished_game() -> None:
    """A finished game has a winner, nobody to move, and an empty mask."""
    game = finished()
    assert (game.is_over, game.winner, game.seat_to_move, game.phase) == (True, 0, None, "OVER")
    assert not game.action_mask().any()
    assert "Seat 0 wins." in str(game)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"seed": -1}, InvalidOptionError),
        ({"seed": 2**63}, InvalidOptionError),
        ({"seed": 1.0}, InvalidOptionError),
        ({"seed": "1"}, InvalidOptionError),
        ({"seed": True}, InvalidOptionError),
        ({"dealer": 3}, InvalidOptionError),
        ({"dealer": -1}, InvalidOptionError),
        ({"dealer": True}, InvalidOptionError),
        ({"dealer": 1, "lives": [3, None, 3]}, InvalidOptionError),
        ({"lives": [3, 3]}, InvalidPositionError),
        ({"lives": [3, None, None]}, InvalidPositionError),
        ({"lives": [3, 4, 3]}, InvalidPositionError),
        ({"rules": "quebec"}, InvalidOptionError),
        ({"rules": None}, InvalidOptionError),
    ],
)
def test_arguments_that_make_no_sense(options: dict[str, Any], error: type[Exception]) -> None:
    """A seed, dealer, lives or rules that cannot be are refused."""
    with pytest.raises(error):
        Game(**({"rules": preset("quebec", num_players=3)} | options))


@pytest.mark.parametrize("seed", [0, np.int64(5), np.uint64(2**63 - 1), 2**63 - 1])
def test_seeds_of_any_whole_type(seed: Any) -> None:
    """Seeds run from 0 to 2**63 - 1, of any whole type, and are remembered."""
    assert Game(preset("quebec"), seed).seed == int(seed)


def test_opening_lives_and_dealer() -> None:
    """A game can begin with other lives, seats out among them, and with a given dealer."""
    game = Game(preset("quebec", num_players=4), seed=1, lives=[1, None, 0, 3], dealer=0)
    assert (game.lives, game.in_game, game.dealer) == ((1, 0, 0, 3), (True, False, True, True), 0)
    assert game.seat_to_move == 2
    without_grace = Game(preset("kawu", num_players=4), seed=1, lives=[1, 0, 2, 3])
    assert without_grace.in_game == (True, False, True, True)


@pytest.mark.parametrize("name", NAMES)
def test_a_single_round(name: str) -> None:
    """With `single_round` the game is over after one round, won by nobody, its losses and points told."""
    game = Game(preset(name, num_players=3), seed=6, single_round=True)
    first = game.round_number
    while not game.is_over:
        assert game.round_number == first
        ending = [each for each in ("knock", "close", "keep") if each in legal_names(game)]
        if ending:
            game.apply(ending[0])
        else:
            stand(game)
    assert (game.winner, game.is_truncated) == (None, False)
    assert game.last_round is not None
    assert sum(game.rewards("lives")) != 0


def test_the_last_round_in_words() -> None:
    """`last_round` tells number, end, outcome, clause, hands, values, losses; its text is one sentence of it."""
    hands = ["Ks Kh Kd", "9s 8h 2d", "Qc Jc 4d"]
    game = Game.set_up(preset("classic", num_players=3), hands, upcard="5d", knocker=1, to_move=0)
    game.apply("pass")
    assert str(game.last_round) == (
        "Round 1 ended by knock (charged; R14, R16): seat 0 Ks Kh Kd = 30½, seat 1 9s 8h 2d = 9 loses 2, "
        "seat 2 4d Qc Jc = 20."
    )


def test_the_last_round_of_the_points_game_in_words() -> None:
    """`last_round` of a points game says who scored."""
    rules = preset("quebec_points", num_players=2)
    game = Game.set_up(rules, ["Ks Qs 2d", "9s 8h 3d"], upcard="5d", stock="6d", knocker=1, to_move=0)
    stand(game)
    assert "seat 0 Ks Qs 2d = 20 scores 1" in str(game.last_round)


def test_a_table_in_words() -> None:
    """`str(game)` shows every hand, lives, dealer, knocker, piles, and who is to move."""
    game = position(lives=[3, 2, 0], knocker=0, to_move=1)
    lines = [
        "Round 1, turn 4",
        "   seat 0  ●●●, dealer, knocked  K♠ Q♥ 2♦  (10)",
        " > seat 1  ●●                    7♥ 3♦ J♣  (10)",
        "   seat 2  grace                 K♥ 4♦ 7♣  (10)",
        "   upcard 5♦   pile 1   stock 42",
        "   seat 1 to move: draw",
    ]
    assert str(game).split("\n") == lines


def test_a_table_as_a_seat_sees_it() -> None:
    """`describe(seat)` shows that seat's hand and, of the others, only what everyone knows."""
    game = position(known=["Ks", "", ""])
    text = game.describe(1)
    assert "as seat 1 sees it" in text
    assert "K♠ ??" in text
    assert "7♥ 3♦ J♣" in text
    assert "Q♥" not in text


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_every_position_can_be_shown(name: str, num_players: int) -> None:
    """Along random games the table can be written for a spectator and for every seat, and hides the others' hands."""
    for game, _ in random_games(table_rules(name, num_players), 20):
        assert f"Round {game.round_number}" in str(game)
        assert repr(game).startswith("<Game rules=")
        for seat in range(num_players):
            assert game.describe(seat).count("\n") >= num_players + 1


@pytest.mark.parametrize("seat", [-1, 3, True, 1.0, "0", None])
def test_a_seat_that_does_not_exist(seat: Any) -> None:
    """A view of a seat that is not at the table is refused."""
    with pytest.raises(InvalidOptionError, match="seats run from 0 to 2"):
        position().seat_view(seat)


def test_a_view_is_a_fresh_record() -> None:
    """`seat_view` and `views` give copies of what a seat knows, of dtype SEAT_VIEW."""
    game = position()
    view, views = game.seat_view(2), game.views(2)
    assert view.dtype == views.dtype == SEAT_VIEW
    assert views.shape == (1,)
    views["hand"] = 0
    assert int(game.seat_view(2)["hand"]).bit_count() == 3
    assert [int(view[name]) for name in ("seat", "to_move", "stock_size", "num_players")] == [2, 0, 42, 3]


def test_hands_are_texts() -> None:
    """A hand is a tuple of card texts that writes itself as `set_up` reads it."""
    game = position()
    assert game.hands[0] == ("Ks", "Qh", "2d")
    assert str(game.hands[0]) == "Ks Qh 2d"
    assert Game.set_up(game.rules, [str(hand) for hand in game.hands], upcard="5d") == game


def test_decisions_and_turns_are_counted() -> None:
    """`num_decisions` counts decisions of the game, `turn_number` turns of the round."""
    dice = random.Random(1)
    game = Game(preset("quebec", num_players=2), seed=1)
    for decisions in range(60):
        assert game.num_decisions == decisions
        if game.is_over:
            break
        before, turn = game.phase, game.turn_number
        game.apply(choose(game, dice, patience=1.0))
        if game.rounds_ended == 0:
            assert game.turn_number == turn + (before == "DISCARD")
