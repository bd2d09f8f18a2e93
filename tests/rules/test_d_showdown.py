"""Section D, the showdown: the lowest hand, ties, the knocker (R16)."""

from __future__ import annotations

import pytest

from tests.play import EXCHANGE, FOR_LIVES, stand
from trente_env import Game, Rules, preset

HANDS = {"21": "As Ks 7d", "20": "Qh Jh 7s", "10": "Kd Jc 7h", "10 too": "Kc Jd Qs", "10 as well": "Kh Js 7c"}
"""Hands by value, of cards that every deck has."""
FOURTH_CARDS = {"21": "2c", "20": "2d", "10": "2s", "10 too": "3h", "10 as well": "3d"}
"""What the four-card game adds without changing the values."""
PENALTY = dict.fromkeys(FOR_LIVES, 2) | dict.fromkeys(EXCHANGE, 1)
TIED_KNOCKER_LOSES = dict.fromkeys(FOR_LIVES, 0) | {"kawu": 2} | dict.fromkeys(EXCHANGE, 1)


def losses_at_showdown(rules: Rules, hands: list[str], knocker: int) -> tuple[int, ...]:
    """Return what each seat loses when these hands (keys of `HANDS`) are shown after a knock."""
    cards = [HANDS[key] + (f" {FOURTH_CARDS[key]}" if rules.hand_size == 4 else "") for key in hands]
    middle = {"table": "Qd Qc Ac"} if rules.play_style == "exchange" else {"upcard": "Qd", "stock": "Qc"}
    mover = (knocker - 1) % len(hands)
    game = Game.set_up(rules, cards, knocker=knocker, to_move=mover, **middle)
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("knock", knocker)
    return game.last_round.losses


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
@pytest.mark.parametrize("knocker", [0, 1])
def test_r16_lowest_hand_loses_one_life(name: str, knocker: int) -> None:
    """R16: the lowest hand loses one life, the others nothing, the knocker included."""
    assert losses_at_showdown(preset(name, num_players=3), ["21", "20", "10"], knocker) == (0, 0, 1)


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r16_tied_lowest_lose_one_each(name: str) -> None:
    """R16: several seats tied for lowest lose one life each."""
    assert losses_at_showdown(preset(name, num_players=4), ["21", "10", "20", "10 too"], 0) == (0, 1, 0, 1)
    assert losses_at_showdown(preset(name, num_players=4), ["21", "10", "10 as well", "10 too"], 0) == (0, 1, 1, 1)


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r16_knocker_strictly_lowest(name: str) -> None:
    """R16: a knocker strictly lowest of all loses two lives, in the exchange game one; the others nothing."""
    assert losses_at_showdown(preset(name, num_players=3), ["21", "20", "10"], 2) == (0, 0, PENALTY[name])
    assert losses_at_showdown(preset(name, num_players=2), ["10", "20"], 0) == (PENALTY[name], 0)


@pytest.mark.parametrize("name", [name for name in FOR_LIVES if name != "kawu"])
def test_r16_knocker_tied_for_lowest_is_spared(name: str) -> None:
    """R16: the knocker tied for lowest loses nothing; every other tied seat loses one life."""
    assert losses_at_showdown(preset(name, num_players=3), ["10", "10 too", "20"], 0) == (0, 1, 0)
    assert losses_at_showdown(preset(name, num_players=4), ["10", "10 too", "20", "10 as well"], 0) == (0, 1, 0, 1)


def test_r16_knocker_tied_for_lowest_in_kawu() -> None:
    """R16: in kawu the knocker tied for lowest loses two lives, each other tied seat one."""
    assert losses_at_showdown(preset("kawu", num_players=3), ["10", "10 too", "20"], 0) == (2, 1, 0)
    assert losses_at_showdown(preset("kawu", num_players=4), ["20", "10", "10 too", "10 as well"], 3) == (0, 1, 1, 2)


@pytest.mark.parametrize("name", EXCHANGE)
def test_r16_first_to_pass_tied_for_lowest(name: str) -> None:
    """R16: in the exchange game whoever opened the last lap shares a tie for lowest like anyone."""
    assert losses_at_showdown(preset(name, num_players=3), ["10", "10 too", "20"], 0) == (1, 1, 0)


@pytest.mark.parametrize("name", FOR_LIVES)
def test_r16_everyone_tied(name: str) -> None:
    """R16: if all are tied for lowest they lose one each, the knocker by its own terms."""
    losses = losses_at_showdown(preset(name, num_players=3), ["10", "10 too", "10 as well"], 1)
    assert losses == (1, TIED_KNOCKER_LOSES[name], 1)


@pytest.mark.parametrize("penalty", [1, 2])
@pytest.mark.parametrize("knocker_tie", ["spared", "doubled", "shares"])
@pytest.mark.parametrize("name", ["quebec", "classic", "kawu"])
def test_r16_every_way_of_the_fields(name: str, knocker_tie: str, penalty: int) -> None:
    """R16: `failed_knock_penalty` is what a knocker lowest alone loses, `knocker_tie` what a tied one does."""
    rules = preset(name, num_players=3, knocker_tie=knocker_tie, failed_knock_penalty=penalty)
    tied = {"spared": 0, "doubled": penalty, "shares": 1}[knocker_tie]
    assert losses_at_showdown(rules, ["21", "20", "10"], 2) == (0, 0, penalty)
    assert losses_at_showdown(rules, ["21", "10", "10 too"], 2) == (0, 1, tied)
    assert losses_at_showdown(rules, ["10 as well", "10", "10 too"], 2) == (1, 1, tied)
    assert losses_at_showdown(rules, ["21", "20", "10"], 0) == (0, 0, 1)


@pytest.mark.parametrize("name", FOR_LIVES)
def test_r16_seats_that_are_out_are_not_compared(name: str) -> None:
    """R16: the lowest is sought among the seats dealt in."""
    hands = ["As Ks 7d", "", "Kd Jc 7h"]
    if name == "four_card":
        hands = ["As Ks 7d 2c", "", "Kd Jc 7h 2s"]
    game = Game.set_up(
        preset(name, num_players=3), hands, upcard="Qd", stock="Qc", lives=[2, None, 2], dealer=2, knocker=0, to_move=2
    )
    stand(game)
    assert game.last_round is not None
    assert game.last_round.losses == (0, 0, 1)


@pytest.mark.parametrize(("name", "losses"), [("classic", (0, 1)), ("quebec", (0, 1)), ("kawu", (2, 1))])
def test_r16_half_points_break_and_make_ties(name: str, losses: tuple[int, int]) -> None:
    """R16: hands are compared in half points: 30½ is above 30 where three of a kind count that much."""
    game = Game.set_up(
        preset(name, num_players=2), ["7s 7h 7d", "Kc Qc Jc"], upcard="2d", stock="2h", knocker=0, to_move=1
    )
    stand(game)
    assert game.last_round is not None
    assert game.last_round.losses == losses
