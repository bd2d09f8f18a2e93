"""Section E, buying in and misplay (R24, R25)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.play import NAMES, legal_names, random_games, stand, table_rules
from trente_env import Game, IllegalActionError, preset
from trente_env.core.actions import NUM_ACTIONS

LOW = ["Kd Jc 7h", "Kc Jd Qs", "Kh Js 7c"]
"""Three hands of ten points."""
HIGH = "As Ks 7d"


def after_a_31(lives: Sequence[int | None], *, dealer: int = 0, **changes: Any) -> Game:
    """Return a game just after seat 0 made a 31: every other seat loses a life, and those in grace go out."""
    rules = preset("buy_in", num_players=len(lives), **changes)
    hands = ["Ah Qh 2c", *("" if left is None else low for left, low in zip(lives[1:], LOW, strict=False))]
    game = Game.set_up(rules, hands, upcard="Jh", lives=lives, dealer=dealer)
    game.apply("take")
    game.apply("discard 2c")
    return game


def test_r24_a_seat_that_goes_out_is_asked() -> None:
    """R24: with buy-ins, a seat that goes out may buy in or decline before the next deal."""
    game = after_a_31([3, 0, 3])
    assert (game.seat_to_move, legal_names(game)) == (1, {"buy in", "decline"})
    assert (game.in_game, game.round_number, game.phase) == ((True, False, True), 1, "BUY_IN")


def test_r24_buying_in() -> None:
    """R24: who buys in sits at the same seat with full lives, and is dealt in again."""
    game = after_a_31([3, 0, 3])
    game.apply("buy in")
    assert (game.lives, game.buy_ins, game.in_game) == ((3, 3, 2), (0, 1, 0), (True, True, True))
    assert (game.round_number, [len(hand) for hand in game.hands]) == (2, [3, 3, 3])


def test_r24_declining() -> None:
    """R24: who declines stays out, and the game goes on without it."""
    game = after_a_31([3, 0, 3])
    game.apply("decline")
    assert (game.lives, game.buy_ins, game.in_game) == ((3, 0, 2), (0, 0, 0), (True, False, True))
    assert (game.round_number, [len(hand) for hand in game.hands]) == (2, [3, 0, 3])


@pytest.mark.parametrize(("dealer", "order"), [(0, [1, 2, 3]), (1, [2, 3, 1]), (2, [3, 1, 2]), (3, [1, 2, 3])])
def test_r24_seats_are_asked_clockwise_from_the_dealers_left(dealer: int, order: list[int]) -> None:
    """R24: several seats that go out at once are asked in turn, beginning at the dealer's left."""
    game = after_a_31([3, 0, 0, 0], dealer=dealer)
    asked = []
    while game.phase == "BUY_IN":
        asked.append(game.seat_to_move)
        game.apply("buy in")
    assert asked == order
    assert (game.lives, game.round_number) == ((3, 3, 3, 3), 2)


def test_r24_before_the_winner_is_decided() -> None:
    """R24: the winner is decided only when everyone has been asked: one buy-in and the game goes on."""
    game = after_a_31([3, 0, 0])
    assert (game.is_over, game.winner) == (False, None)
    game.apply("decline")
    assert (game.is_over, game.seat_to_move) == (False, 2)
    won = game.clone()
    won.apply("decline")
    assert (won.is_over, won.winner) == (True, 0)
    game.apply("buy in")
    assert (game.is_over, game.in_game) == (False, (True, False, True))


def test_r24_grace_again() -> None:
    """R24: a seat that bought in has its grace again: its last life lost leaves it in."""
    game = after_a_31([3, 0, 3])
    game.apply("buy in")
    hands = [HIGH, LOW[0], "Qh Jh 7s"]
    later = Game.set_up(game.rules, hands, upcard="2d", lives=[3, 1, 2], buy_ins=[0, 1, 0], knocker=0, to_move=2)
    later.apply("pass")
    assert (later.lives, later.in_game) == ((3, 0, 2), (True, True, True))


@pytest.mark.parametrize("buy_ins", [1, 2])
def test_r24_only_so_many_times(buy_ins: int) -> None:
    """R24: a seat that has bought in as often as the rules allow is not asked again."""
    rules = preset("buy_in", num_players=3, buy_ins=buy_ins)
    hands = [HIGH, LOW[0], "Qh Jh 7s"]
    for made in range(buy_ins + 1):
        game = Game.set_up(rules, hands, upcard="2d", lives=[3, 0, 2], buy_ins=[0, made, 0], knocker=0, to_move=2)
        game.apply("pass")
        assert (game.phase == "BUY_IN") is (made < buy_ins)
        assert game.in_game == (True, False, True)


@pytest.mark.parametrize("name", ["classic", "quebec", "kawu", "italian40", "exchange"])
def test_r24_presets_without_buy_ins(name: str) -> None:
    """R24: elsewhere nobody is asked."""
    rules = preset(name, num_players=3)
    assert rules.buy_ins == 0
    middle = {"table": "Jh Ad Ac"} if name == "exchange" else {"upcard": "2d", "stock": "3d"}
    lives = [3, 1 if name == "kawu" else 0, 2]
    game = Game.set_up(rules, [HIGH, LOW[0], "Qh Kh 7s"], lives=lives, knocker=0, to_move=2, **middle)
    stand(game)
    assert (game.in_game[1], game.phase == "BUY_IN") == (False, False)


@pytest.mark.parametrize(("name", "life"), [("quebec", 0), ("kawu", 1)])
def test_r24_a_buy_in_is_an_option_of_every_lives_game(name: str, life: int) -> None:
    """R24: `buy_ins` works in the other games for lives: full lives, same seat."""
    rules = preset(name, num_players=3, buy_ins=1, starting_lives=2)
    hands = [HIGH, LOW[0], "Qh Jh 7s"]
    game = Game.set_up(rules, hands, upcard="2d", stock="3d", lives=[2, life, 2], knocker=0, to_move=2)
    stand(game)
    assert legal_names(game) == {"buy in", "decline"}
    game.apply("buy in")
    assert game.lives == (2, 2, 2)


def test_r24_not_in_a_playoff() -> None:
    """R24: who goes out in a playoff is not asked."""
    rules = preset("buy_in", num_players=3)
    hands = [HIGH, LOW[0], "Qh Jh 7s"]
    game = Game.set_up(rules, hands, upcard="2d", lives=[0, 0, 0], knocker=0, to_move=2, is_playoff=True)
    game.apply("pass")
    assert (game.in_game, game.phase, game.is_playoff) == ((True, False, True), "DRAW", True)


def test_r24_not_in_a_void_round() -> None:
    """R24: a void round puts nobody out, so nobody is asked."""
    rules = preset("buy_in", num_players=2, all_out="void")
    game = Game.set_up(rules, LOW[:2], upcard="5d", discard_pile="rest", lives=[0, 0], turns=2)
    game.apply("pass")
    assert game.last_round is not None
    assert (game.last_round.outcome, game.phase, game.buy_ins) == ("void", "DRAW", (0, 0))


def test_r24_not_when_a_playoff_begins() -> None:
    """R24: a round that leads to a playoff puts nobody out either."""
    game = Game.set_up(
        preset("buy_in", num_players=2), LOW[:2], upcard="5d", discard_pile="rest", lives=[0, 0], turns=2
    )
    game.apply("pass")
    assert (game.phase, game.is_playoff) == ("DRAW", True)


@pytest.mark.parametrize(
    ("buy_ins", "rewards"),
    [([0, 0, 0], (2.0, -1.0, -1.0)), ([0, 1, 0], (3.0, -2.0, -1.0)), ([1, 1, 1], (4.0, -2.0, -2.0))],
)
def test_r24_the_winner_takes_all_stakes(buy_ins: list[int], rewards: tuple[float, ...]) -> None:
    """R24: entering costs a stake and each buy-in another; the winner gets all the others' stakes."""
    rules = preset("buy_in", num_players=3)
    hands = ["Ah Qh 2c", LOW[0], LOW[1]]
    game = Game.set_up(rules, hands, upcard="Jh", lives=[1, 0, 0], buy_ins=buy_ins)
    game.apply("take")
    game.apply("discard 2c")
    while not game.is_over:
        assert game.rewards("pot") == (0.0, 0.0, 0.0)
        game.apply("decline")
    assert game.rewards("pot") == rewards


def test_r24_a_second_buy_in_through_play() -> None:
    """R24: played at random, games with buy-ins see each seat buy in no more often than allowed, and end."""
    rules = table_rules("buy_in", 3).replace(buy_ins=2)
    seen = set()
    for game, action in random_games(rules, 3_000):
        seen |= set(game.buy_ins)
        if game.action_name(action) == "buy in":
            seat = game.seat_to_move
            assert seat is not None
            after = game.clone()
            after.apply(action)
            assert after.buy_ins[seat] == game.buy_ins[seat] + 1
            assert sum(after.buy_ins) == sum(game.buy_ins) + 1
    assert seen == {0, 1, 2}


@pytest.mark.parametrize("name", NAMES)
def test_r25_an_illegal_action_is_refused_and_changes_nothing(name: str) -> None:
    """R25: whatever is not legal is refused with a clear error, and the position is as it was."""
    for number, (game, _) in enumerate(random_games(table_rules(name, 3), 120)):
        if number % 6:
            continue
        before, legal = game.to_bytes(), game.legal_actions()
        for action in set(range(-1, NUM_ACTIONS + 1)) - set(legal):
            with pytest.raises(IllegalActionError, match="not legal for seat"):
                game.apply(action)
        for nonsense in ("", "draw two", "discard", "discard 1x", "leave", "fold"):
            with pytest.raises(IllegalActionError, match="names no action"):
                game.apply(nonsense)
        for wrong in (None, 1.0, True, "5", [1]):
            with pytest.raises(IllegalActionError):
                game.apply(wrong)  # type: ignore[arg-type]
        assert (game.to_bytes(), game.legal_actions()) == (before, legal)


def test_r25_the_error_says_what_is_legal() -> None:
    """R25: the message names the action, the seat, the phase, and every legal action."""
    game = Game.set_up(preset("quebec", num_players=2), ["Ks Qs 2d", "Jc 7h 3d"], upcard="5d")
    game.apply("take")
    with pytest.raises(IllegalActionError) as caught:
        game.apply("discard 5d")
    assert str(caught.value) == (
        "Discard 5d is not legal for seat 0 in phase DISCARD. Legal: discard 2d, discard Qs, discard Ks."
    )
