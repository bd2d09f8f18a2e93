"""Rewards: what each kind pays, when, and that it adds up."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import NAMES, TABLES, random_games, stand, table_rules
from trente_env import Game, UnknownNameError, preset

HANDS = ["As Ks 7d", "Qh Jh 7s", "Kd Jc 7h"]
KINDS = ("game", "lives", "round", "pot")


def shown(rules: Any, lives: Any = None, **options: Any) -> Game:
    """Return a game just after a showdown that seat 2 loses."""
    game = Game.set_up(rules, HANDS, upcard="2d", stock="3d", knocker=0, to_move=2, lives=lives, **options)
    stand(game)
    return game


def test_game_pays_the_winner_and_charges_the_others() -> None:
    """`"game"`: when a game is won +1 for the winner, the others share -1."""
    game = Game.set_up(preset("quebec", num_players=3), ["As Ks 2d", *HANDS[1:]], upcard="Qs", lives=[1, 0, 0])
    game.apply("take")
    assert game.rewards("game") == (0.0, 0.0, 0.0)
    game.apply("discard 2d")
    assert game.rewards("game") == (1.0, -0.5, -0.5)
    assert game.rewards() == game.rewards("game")


def test_game_charges_seats_that_went_out_before() -> None:
    """`"game"`: a seat put out in an earlier round shares the -1 at the end."""
    rules = preset("quebec", num_players=3, starting_lives=1)
    game = shown(rules, lives=[1, 1, 0])
    assert game.in_game == (True, True, False)
    assert game.rewards("game") == (0.0, 0.0, 0.0)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    assert game.winner is not None
    assert game.rewards("game") == tuple(1.0 if seat == game.winner else -0.5 for seat in range(3))


def test_game_leaves_out_who_was_never_in() -> None:
    """`"game"`, `"pot"`: seats that were not in when the game began have no part in its result."""
    game = Game(preset("quebec", num_players=4, starting_lives=1), seed=3, lives=[1, None, 1, 1])
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    rewards = game.rewards("game")
    assert rewards[1] == game.rewards("pot")[1] == 0.0
    assert sorted(rewards) == [-0.5, -0.5, 0.0, 1.0]
    assert sorted(game.rewards("pot")) == [-1.0, -1.0, 0.0, 2.0]


def test_lives_are_minus_the_losses() -> None:
    """`"lives"`: minus the lives charged in the round, the loss that puts a seat out included."""
    assert shown(preset("quebec", num_players=3)).rewards("lives") == (0.0, 0.0, -1.0)
    last = shown(preset("quebec", num_players=3), lives=[3, 3, 0])
    assert (last.rewards("lives"), last.lives) == ((0.0, 0.0, -1.0), (3, 3, 0))


def test_lives_of_a_failed_knock() -> None:
    """`"lives"`: a failed knock costs two, also with one life left."""
    rules = preset("classic", num_players=3)
    game = Game.set_up(rules, HANDS, upcard="2d", knocker=2, to_move=1, lives=[3, 3, 1])
    game.apply("pass")
    assert (game.rewards("lives"), game.lives) == ((0.0, 0.0, -2.0), (3, 3, 0))


def test_points_are_gained() -> None:
    """`"lives"` in the points game: the points gained."""
    assert shown(preset("quebec_points", num_players=3)).rewards("lives") == (1.0, 0.0, 0.0)


def test_round_is_relative_to_the_others() -> None:
    """`"round"`: each seat's change minus the mean change of the other seats in the round."""
    assert shown(preset("quebec", num_players=3)).rewards("round") == (0.5, 0.5, -1.0)
    assert shown(preset("quebec_points", num_players=3)).rewards("round") == (1.0, -0.5, -0.5)


def test_round_leaves_out_who_was_not_dealt_in() -> None:
    """`"round"`: a seat that is out neither counts nor is paid."""
    hands = [HANDS[0], "", HANDS[2]]
    game = Game.set_up(preset("classic", num_players=3), hands, upcard="2d", knocker=0, to_move=2, lives=[3, None, 3])
    game.apply("pass")
    assert game.rewards("round") == (1.0, 0.0, -1.0)


def test_rewards_are_for_the_last_decision_only() -> None:
    """What a round paid is paid once: after the next decision it is gone."""
    game = shown(preset("quebec", num_players=3))
    assert game.rewards("lives") == (0.0, 0.0, -1.0)
    game.apply("draw")
    assert game.rewards("lives") == (0.0, 0.0, 0.0)
    assert game.rounds_ended == 0


def test_rounds_that_end_in_one_step_are_paid_together() -> None:
    """R9: where a 31 at the deal ends the next round too, the step's reward is what all of its rounds have cost."""
    rules = preset(
        "quebec", num_players=3, ranks="TJQKA", three_of_a_kind=0, grace=False, failed_knock_penalty=1,
        knocker_tie="shares", all_out="void", starting_lives=9, round_limit=2,
    )  # fmt: skip
    num_pairs = 0
    for game, action in random_games(rules, 1_500):
        after = game.clone()
        after.apply(action)
        cost = [left - had for left, had in zip(after.lives, game.lives, strict=True)]
        assert list(after.rewards("lives")) == cost
        relative = [own - (sum(cost) - own) / 2 for own in cost]
        if all(game.in_game) and after.rounds_ended == 2 and all(after.in_game):
            assert list(after.rewards("round")) == relative
            num_pairs += 1
    assert num_pairs >= 2


def test_an_unknown_kind_is_refused() -> None:
    """A kind that does not exist is refused with the list of those that do."""
    with pytest.raises(UnknownNameError, match="game, lives, round, pot"):
        Game(preset("quebec"), seed=1).rewards("money")


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_rewards_add_up(name: str, num_players: int) -> None:
    """`"game"`, `"round"` and `"pot"` are zero-sum at every step; `"lives"` are the changes of the last rounds."""
    for game, action in random_games(table_rules(name, num_players), 150):
        after = game.clone()
        after.apply(action)
        for kind in ("game", "round", "pot"):
            assert sum(after.rewards(kind)) == pytest.approx(0.0, abs=1e-9)
        if after.rounds_ended == 0:
            assert after.rewards("lives") == after.rewards("round") == (0.0,) * num_players
        elif after.rounds_ended == 1:
            last = after.last_round
            assert last is not None
            changes = [won - lost for won, lost in zip(last.points, last.losses, strict=True)]
            assert list(after.rewards("lives")) == changes
        if not after.is_over:
            assert after.rewards("game") == after.rewards("pot") == (0.0,) * num_players


@pytest.mark.parametrize("name", NAMES)
def test_a_new_game_has_paid_nothing(name: str) -> None:
    """A game that has just begun has nothing to pay for its result."""
    game = Game(preset(name), seed=4)
    assert game.rewards("game") == game.rewards("pot") == (0.0,) * 4
