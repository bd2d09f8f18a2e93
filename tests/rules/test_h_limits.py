"""Section H: limits on rounds and games (R50)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.play import DRAWING, EXCHANGE, FOR_LIVES, NAMES, THREE_CARD, stand
from trente_env import Game, preset

HANDS = ["2s 3h 4c", "Ks Qs 2d", "Kh Qh 3d"]
"""The lowest, and two of 20 points."""
EXCHANGE_HANDS = ["7d 8s 9c", "Ks Qs 7c", "Kh Qh 8d"]


def near_limit(name: str, turns: list[int], **changes: Any) -> Game:
    """Return a position in which a round may last four turns a seat."""
    rules = preset(name, num_players=3, round_limit=4, **changes)
    if name in EXCHANGE:
        return Game.set_up(rules, EXCHANGE_HANDS, table="9s 9h 8c", turns=turns)
    return Game.set_up(rules, HANDS, upcard="5d", stock="6s 6h 6c", turns=turns)


@pytest.mark.parametrize("name", [name for name in FOR_LIVES if name != "four_card"])
def test_r50_a_round_ends_after_so_many_turns(name: str) -> None:
    """R50: after `round_limit` turns a seat the round ends with a showdown without knocker, and the game goes on."""
    game = near_limit(name, [3, 4, 4])
    assert (game.turn_number, game.last_round) == (12, None)
    stand(game)
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker, game.last_round.clause) == ("limit", None, "R50")
    assert (game.last_round.losses, game.round_number, game.is_over) == ((1, 0, 0), 2, False)


@pytest.mark.parametrize("name", THREE_CARD)
def test_r50_the_last_turn_is_played_out(name: str) -> None:
    """R50: a turn counts when it starts: the last one is finished, its discard and a 31 included."""
    game = near_limit(name, [2, 4, 4])
    stand(game)
    assert game.last_round is None
    rules = preset(name, num_players=2, round_limit=4)
    last = Game.set_up(rules, ["As Ks 2d", "Jc 7h 3d"], upcard="Qs", turns=[3, 4])
    last.apply("take")
    last.apply("discard 2d")
    assert last.last_round is not None
    assert last.last_round.end == "31"


@pytest.mark.parametrize("name", THREE_CARD)
def test_r50_a_lap_cut_short_by_the_limit_has_no_knocker(name: str) -> None:
    """R50: if the limit is reached in a last lap, the showdown is one without knocker."""
    game = near_limit(name, [3, 4, 4])
    game.apply("knock")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.knocker) == ("limit", None)
    if name != "quebec_points":
        assert game.last_round.losses == (1, 0, 0)


@pytest.mark.parametrize("name", [*FOR_LIVES, *EXCHANGE])
def test_r50_the_limit_counts_seats_still_in(name: str) -> None:
    """R50: with seats out the round is as much shorter."""
    rules = preset(name, num_players=3, round_limit=4)
    hands = list(EXCHANGE_HANDS if name in EXCHANGE else HANDS)
    if name == "four_card":
        hands = [f"{hand} {extra}" for hand, extra in zip(hands, ("5h", "5s", "5c"), strict=True)]
    hands[1] = ""
    cards = {"table": "9s 9h 8h"} if name in EXCHANGE else {"upcard": "5d", "stock": "6s"}
    game = Game.set_up(rules, hands, turns=[3, 0, 4], lives=[3, None, 3], **cards)
    stand(game)
    assert game.last_round is not None
    assert game.last_round.end == "limit"


def test_r50_in_schwimmen_too() -> None:
    """R50: passing and swapping back and forth in Schwimmen end at the limit."""
    game = near_limit("schwimmen", [3, 4, 4])
    game.apply("take table 9s")
    game.apply("leave 9c")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("limit", (1, 0, 0))


@pytest.mark.parametrize("name", DRAWING)
def test_r50_stalling_reaches_the_limit(name: str) -> None:
    """R50: seats that do nothing but draw and discard play exactly 100 turns each by default, then show their hands."""
    game = Game(preset(name, num_players=2, stock_exhaustion="reshuffle"), seed=6)
    first = game.round_number
    while game.round_number == first and not game.is_over:
        assert game.turn_number <= 200
        last = game.turn_number
        game.apply("draw")
        seat = game.seat_to_move
        assert seat is not None
        suits = "".join(card[-1] for card in game.hands[seat])
        crowded = max("cdhs", key=suits.count)
        game.apply("discard " + next(card for card in game.hands[seat] if card[-1] == crowded))
    assert last == 200
    assert game.last_round is not None
    assert game.last_round.end == "limit"


@pytest.mark.parametrize("name", NAMES)
def test_r50_a_long_game_is_truncated(name: str) -> None:
    """R50: after `max_rounds` rounds a game without a winner is truncated: over, with no winner and no reward."""
    game = Game(preset(name, num_players=3, max_rounds=2), seed=2)
    assert game.round_number == 1
    while not game.is_over:
        legal = {game.action_name(action): action for action in game.legal_actions()}
        ending = next((legal[each] for each in ("close", "knock", "pass", "keep") if each in legal), None)
        if ending is None:
            stand(game)
        else:
            game.apply(ending)
    assert (game.is_truncated, game.winner, game.round_number) == (True, None, 2)
    assert (game.rewards("game"), game.rewards("pot")) == ((0.0,) * 3, (0.0,) * 3)
    assert game.last_round is not None
    assert game.rewards("lives") == tuple(
        float(won - lost) for won, lost in zip(game.last_round.points, game.last_round.losses, strict=True)
    )


def test_r50_a_winner_in_the_last_round_is_a_winner() -> None:
    """R50: a game won in its last allowed round is not truncated."""
    rules = preset("quebec", num_players=2, max_rounds=1)
    game = Game.set_up(rules, HANDS[:2], upcard="5d", stock="6s", knocker=1, to_move=0, lives=[0, 3])
    stand(game)
    assert (game.winner, game.is_truncated) == (1, False)


def test_r50_a_buy_in_is_asked_before_the_truncation() -> None:
    """R50: seats that go out in the last allowed round are still asked (R24); then the game is truncated."""
    rules = preset("buy_in", num_players=3, max_rounds=1)
    game = Game.set_up(rules, HANDS, upcard="5d", stock="6s", knocker=1, to_move=0, lives=[0, 3, 3], dealer=2)
    game.apply("pass")
    assert (game.phase, game.seat_to_move, game.is_over) == ("BUY_IN", 0, False)
    game.apply("buy in")
    assert (game.is_truncated, game.lives) == (True, (3, 3, 3))


@pytest.mark.parametrize(("field", "value"), [("round_limit", 0), ("max_rounds", 0), ("round_limit", -5)])
def test_r50_limits_of_zero_are_refused(field: str, value: int) -> None:
    """R50: a limit below one is nonsense."""
    with pytest.raises(ValueError, match=field):
        preset("quebec", **{field: value})


def test_r50_defaults() -> None:
    """R50: by default a round lasts at most 100 turns a seat and a game 1,000 rounds, in every preset."""
    for name in NAMES:
        assert (preset(name).round_limit, preset(name).max_rounds) == (100, 1_000)
