"""Section E, everyone out at once: void round or playoff (R23)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.play import CLASSICS, legal_names, random_games, stand
from trente_env import Game, Rules, preset

TIED = ["Kd Jc 7h", "Kc Jd Qs", "Kh Js 7c"]
"""Three hands of ten points."""
HIGHER = "As Ks 7d"


def last_call(rules: Rules, hands: Sequence[str], lives: Sequence[int | None], **options: Any) -> Game:
    """Return a game just after a pass at last call: a showdown without knocker."""
    game = Game.set_up(rules, hands, **{"upcard": "5d", "discard_pile": "rest", "turns": 2, "lives": lives, **options})
    game.apply("pass")
    return game


def playoff(name: str, hands: Sequence[str], **options: Any) -> Game:
    """Return a position in a playoff between seats in grace, the stock empty so that a pass ends it."""
    rules = preset(name, num_players=len(hands))
    lives = [0 if hand else None for hand in hands]
    setting = {"upcard": "5d", "discard_pile": "rest", "turns": 2, "lives": lives, "is_playoff": True}
    return Game.set_up(rules, hands, **(setting | options))


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize("num_seats", [2, 3])
def test_r23_playoff(name: str, num_seats: int) -> None:
    """R23: in classic, a round that would put all seats out costs nothing, and those seats play another deal."""
    hands, lives = [*TIED[:num_seats], ""], [*[0] * num_seats, None]
    game = last_call(preset(name, num_players=num_seats + 1), hands, lives)
    assert game.last_round is not None
    assert (game.last_round.outcome, game.last_round.out) == ("playoff", ())
    assert not any(game.last_round.losses)
    assert (game.is_playoff, game.is_over, game.round_number) == (True, False, 2)
    assert [len(hand) for hand in game.hands] == [*[3] * num_seats, 0]
    assert (game.dealer, game.seat_to_move) == (1, 2 % num_seats)
    assert not any(game.lives)


def test_r23_playoff_leaves_lives_untouched() -> None:
    """R23: a playoff without grace is played with the lives as they were."""
    game = last_call(preset("classic", num_players=2, grace=False), TIED[:2], [1, 1])
    assert (game.is_playoff, game.lives) == (True, (1, 1))


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_not_all_on_their_last_loss(name: str) -> None:
    """R23: with one seat that can bear the loss there is no playoff: the others are out, and it wins."""
    game = last_call(preset(name, num_players=3, buy_ins=0), TIED, [0, 1, 0])
    assert game.last_round is not None
    assert (game.last_round.outcome, game.last_round.out, game.winner) == ("charged", (0, 2), 1)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_not_all_tied(name: str) -> None:
    """R23: with one hand higher there is no playoff either."""
    game = last_call(preset(name, num_players=3, buy_ins=0), [*TIED[:2], HIGHER], [0, 0, 0])
    assert (game.is_playoff, game.winner) == (False, 2)


@pytest.mark.parametrize("name", ["quebec", *CLASSICS])
def test_r23_never_by_a_knock_that_is_spared(name: str) -> None:
    """R23: a spared knocker is never put out with the others: all tied on their last loss, it wins."""
    rules = preset(name, num_players=3, buy_ins=0)
    game = Game.set_up(rules, TIED, upcard="5d", stock="5h", knocker=0, to_move=2, lives=[0, 0, 0])
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.outcome, game.winner) == ("charged", 0)


@pytest.mark.parametrize("lives", [[1, 1, 1], [1, 2, 1]])
def test_r23_void_by_a_tied_knock_in_kawu(lives: list[int]) -> None:
    """R23: in kawu a tied knock can put everyone out, the knocker by its two lives: the round is void."""
    game = Game.set_up(preset("kawu", num_players=3), TIED, upcard="5d", stock="5h", knocker=1, to_move=0, lives=lives)
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.outcome, game.last_round.losses, game.last_round.out) == ("void", (0, 0, 0), ())
    assert (list(game.lives), game.round_number, game.is_playoff) == (lives, 2, False)


def test_r23_a_knocker_with_three_lives_survives_in_kawu() -> None:
    """R23: if the knocker can bear its two lives the round counts, and it wins."""
    game = Game.set_up(
        preset("kawu", num_players=3), TIED, upcard="5d", stock="5h", knocker=1, to_move=0, lives=[1, 3, 1]
    )
    stand(game)
    assert (game.winner, game.lives) == (1, (0, 1, 0))


@pytest.mark.parametrize(("name", "life"), [("quebec", 0), ("kawu", 1)])
@pytest.mark.parametrize("ended_by", ["limit", "last call"])
def test_r23_void_without_a_knocker(name: str, life: int, ended_by: str) -> None:
    """R23: in quebec and kawu a showdown without knocker, all tied and on their last loss, is void."""
    lives = [life] * 3
    if ended_by == "limit":
        game = Game.set_up(preset(name, num_players=3, round_limit=4), TIED, upcard="5d", lives=lives, turns=[3, 4, 4])
        stand(game)
    else:
        game = last_call(preset(name, num_players=3, stock_exhaustion="last_call"), TIED, lives)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.outcome) == (ended_by, "void")
    assert (list(game.lives), game.in_game, game.round_number) == (lives, (True,) * 3, 2)
    assert game.rewards("lives") == (0.0, 0.0, 0.0)


def test_r23_a_void_round_puts_nobody_out_again() -> None:
    """R23: nobody loses anything in a void round, and nobody is out by it: not who went out before either."""
    rules = preset("kawu", num_players=3, ranks="TJQKA", three_of_a_kind=0, starting_lives=1, knocker_tie="shares")
    num_voids = 0
    for game, action in random_games(rules, 1_500):
        before = game.last_round
        after = game.clone()
        after.apply(action)
        if after.rounds_ended == 1 and after.last_round is not None and after.last_round.outcome == "void":
            num_voids += before is not None and len(before.out) > 0
            assert (after.last_round.out, after.in_game) == ((), game.in_game)
    assert num_voids >= 3


@pytest.mark.parametrize(("name", "all_out"), [("classic", "void"), ("quebec", "playoff"), ("kawu", "playoff")])
def test_r23_the_field_turns_it_both_ways(name: str, all_out: str) -> None:
    """R23: `all_out` alone decides between a void round and a playoff."""
    rules = preset(name, num_players=2, all_out=all_out, stock_exhaustion="last_call")
    game = last_call(rules, TIED[:2], [1, 1] if name == "kawu" else [0, 0])
    assert game.last_round is not None
    assert game.last_round.outcome == all_out
    assert game.is_playoff is (all_out == "playoff")


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_whoever_loses_a_playoff_is_out(name: str) -> None:
    """R23: in a playoff between two the lower hand is out, and the other wins."""
    game = playoff(name, [TIED[0], HIGHER])
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.out, game.winner, game.is_over) == ((0,), 1, True)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_a_playoff_of_three_goes_on_with_two(name: str) -> None:
    """R23: of three seats the lowest is out, and the other two play on in the playoff until one is left."""
    game = playoff(name, [HIGHER, TIED[0], "Qh Jh 7s"])
    game.apply("pass")
    assert (game.is_playoff, game.in_game, game.is_over) == (True, (True, False, True), False)
    assert [len(hand) for hand in game.hands] == [3, 0, 3]
    assert (game.dealer, game.seat_to_move) == (2, 0)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_two_of_three_can_go_out_at_once(name: str) -> None:
    """R23: two seats tied for lowest in a playoff of three are both out, and the third wins."""
    game = playoff(name, [TIED[0], HIGHER, TIED[1]])
    game.apply("pass")
    assert (game.in_game, game.winner) == ((False, True, False), 1)


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize("num_seats", [2, 3])
def test_r23_a_playoff_that_puts_all_out_is_played_again(name: str, num_seats: int) -> None:
    """R23: all tied in a playoff: it is played again by the same seats."""
    game = playoff(name, TIED[:num_seats])
    game.apply("pass")
    assert game.last_round is not None
    assert game.last_round.outcome == "playoff"
    assert (game.is_playoff, game.in_game, game.round_number) == (True, (True,) * num_seats, 2)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_a_knocker_tied_in_a_playoff_is_spared(name: str) -> None:
    """R23: who loses a playoff deal is read by R16: a knocker tied for lowest does not, and wins between two."""
    game = playoff(name, TIED[:2])
    game.apply("knock")
    assert (game.in_game, game.winner) == ((True, False), 0)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_a_knocker_lowest_in_a_playoff_is_out(name: str) -> None:
    """R23: a failed knock in a playoff puts the knocker out, and only it."""
    game = playoff(name, [TIED[0], HIGHER, "Qh Jh 7s"])
    game.apply("knock")
    assert game.in_game == (False, True, True)
    assert game.is_playoff


@pytest.mark.parametrize("name", CLASSICS)
@pytest.mark.parametrize("action", ["pass", "knock"])
def test_r23_a_playoff_is_lost_once(name: str, action: str) -> None:
    """R23: in a playoff all that is at stake is staying in: one loss, for a failed knock too, and no life."""
    game = playoff(name, [TIED[0], HIGHER, "Qh Jh 7s"], lives=[1, 2, 3])
    game.apply(action)
    assert game.last_round is not None
    assert (game.last_round.losses, game.rewards("lives")) == ((1, 0, 0), (-1.0, 0.0, 0.0))
    assert game.lives == (1, 2, 3)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_a_31_puts_the_others_out(name: str) -> None:
    """R23: a 31 made in a playoff ends it: all others are out."""
    game = playoff(name, ["Ad Qd 2c", "Kc 7d Js", "Kh Jc 7c"], upcard="Kd")
    game.apply("take")
    game.apply("discard 2c")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.out, game.winner) == ("31", (1, 2), 0)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_a_31_after_a_knock_counts_only_in_a_playoff_too(name: str) -> None:
    """R23: a playoff is played by the same rules: in classic a 31 after a knock waits for the showdown."""
    hands = ["Kc Qc 7d", "Ad Qd 2c", "Kh Jc 7c"]
    game = playoff(name, hands, upcard="Kd", knocker=0, to_move=1)
    game.apply("take")
    game.apply("discard 2c")
    assert (game.last_round, game.seat_to_move) == (None, 2)
    game.apply("pass")
    assert game.in_game == (True, True, False)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_several_31s_at_the_deal_of_a_playoff_play_on(name: str) -> None:
    """R23: of several 31s dealt in a playoff the holders play on among themselves; the others are out."""
    game = playoff(name, ["As Ks Js", "Ah Kh Jh", "Kd Jc 7c"])
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.out) == ("31 at the deal", (2,))
    assert (game.in_game, game.is_playoff, game.round_number) == ((True, True, False), True, 2)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_31s_for_all_in_a_playoff(name: str) -> None:
    """R23: if all in a playoff are dealt a 31 nobody loses, and they play on."""
    game = playoff(name, ["As Ks Js", "Ah Kh Jh"])
    assert game.last_round is not None
    assert (game.last_round.losses, game.in_game, game.is_playoff) == ((0, 0), (True, True), True)


@pytest.mark.parametrize("name", CLASSICS)
def test_r23_the_usual_choices_in_a_playoff(name: str) -> None:
    """R23: a playoff deal has the choices of any other."""
    game = playoff(name, TIED)
    assert legal_names(game) == {"take", "knock", "pass"}


def test_r23_a_playoff_round_is_named() -> None:
    """R23: `last_round` cites the clause for a playoff and for a void round."""
    tied = last_call(preset("classic", num_players=2), TIED[:2], [0, 0])
    void = last_call(preset("quebec", num_players=2, stock_exhaustion="last_call"), TIED[:2], [0, 0])
    for game in (tied, void):
        assert game.last_round is not None
        assert "R23" in game.last_round.clause
