"""seeds: the printed tips, one test each."""

from __future__ import annotations

import pytest

from tests.agents.choices import choose
from trente_env import Game, preset

QUEBEC = preset("quebec", num_players=2)
EXCHANGE = preset("exchange", num_players=2)


@pytest.mark.parametrize(("hand", "action"), [("Ks Qs 8s", "knock"), ("Ks Qs 7s", "draw"), ("Ks Qs Js", "knock")])
def test_knocks_from_28(hand: str, action: str) -> None:
    """Tips 3 and 4: 28 in most hands; a 30 is never held back for a 31."""
    assert choose("seeds", Game.set_up(QUEBEC, hands=[hand, "2c 3d 4h"], upcard="2h")) == action


@pytest.mark.parametrize(
    ("lives", "hand", "action"),
    [((3, 3), "Ks Qs 6s", "draw"), ((1, 3), "Ks Qs 6s", "knock"), ((0, 3), "Ks Qs 6s", "knock"),
     ((1, 3), "Ks Qs 5s", "draw"), ((3, 1), "Ks Qs 6s", "draw")],
)  # fmt: skip
def test_knocks_earlier_with_one_life(lives: tuple[int, int], hand: str, action: str) -> None:
    """Tip 5: with one life left or none, 26 is enough."""
    game = Game.set_up(QUEBEC, hands=[hand, "2c 3d 4h"], upcard="2h", lives=lives)
    assert choose("seeds", game) == action


@pytest.mark.parametrize(("known", "action"), [("", "draw"), ("9h", "draw"), ("Kh", "knock")])
def test_a_high_card_picked_up_calls_for_pressure(known: str, action: str) -> None:
    """Tip 2: when an opponent has openly taken a high card, the knock comes a point earlier."""
    game = Game.set_up(QUEBEC, hands=["Ks Qs 7s", "9h Kh 4d"], upcard="2h", known=["", known])
    assert choose("seeds", game) == action


@pytest.mark.parametrize(("known", "action"), [("", "discard 7d"), ("As", "discard 9s")])
def test_changes_suits_when_an_opponent_collects_its_own(known: str, action: str) -> None:
    """Tip 2: a suit that an opponent collects counts four points fewer."""
    game = Game.set_up(QUEBEC, hands=["9s Ks 9d 7d", "As 4h 3h"], known=["", known])
    assert choose("seeds", game) == action


@pytest.mark.parametrize(
    ("thrown", "hand", "action"),
    [
        (("2d", "3d"), "Ks Qs 6s", "knock"),  # careful: 26
        (("2d", "3d"), "Ks Qs 5s", "draw"),
        (("Kd", "Qd"), "Ks Qs 8s", "draw"),  # aggressive: 29
        (("Kd", "Qd"), "Ks Qs 9s", "knock"),
        (("Kd", "3d"), "Ks Qs 8s", "draw"),
    ],
)
def test_the_threshold_follows_what_opponents_throw(thrown: tuple[str, str], hand: str, action: str) -> None:
    """Tip 3: 26 against who throws low cards only, 29 against who throws high ones half of the time."""
    first, second = thrown
    game = Game.set_up(
        QUEBEC, hands=[f"{first} {second} 4h", hand], upcard="2h", stock="3h 4c 5c 6c 7c", to_move=0, turns=1
    )
    for card in thrown:
        game.apply("draw")
        game.apply(f"discard {card}")
        if card == first:
            game.apply("draw")
            game.apply("discard 4c")
    assert game.seat_to_move == 1
    assert choose("seeds", game) == action


@pytest.mark.parametrize(
    ("hand", "upcard", "action"),
    [
        ("Ks 5s 9h", "8s", "take"),
        ("Ks 5s 9h", "Ah", "draw"),  # 20 in hearts is more than 15, but it is not the suit
        ("Ks 5s 3s", "4s", "take"),
        ("Ks 5s 3s", "2s", "draw"),
        ("8s 8h 9d", "8c", "take"),  # worth a knock
    ],
)
def test_takes_only_cards_of_its_suit(hand: str, upcard: str, action: str) -> None:
    """Tip 1: the upcard is taken if it raises the suit collected, or makes a hand to knock with."""
    assert choose("seeds", Game.set_up(QUEBEC, hands=[hand, "2c 3d 4h"], upcard=upcard)) == action


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("Ks 3s 9h 8h", "discard 3s"),  # 13 and 17: hearts are the suit
        ("Ks 9s 8h 2h", "discard 2h"),
        ("Ks 9s 8s 2s", "discard 2s"),
        ("8s 8h 8d Kd", "discard Kd"),
    ],
)
def test_throws_what_is_not_of_its_suit(hand: str, action: str) -> None:
    """Tip 1: the cheapest card of other suits is thrown, or the lowest of its own; never one that makes a knock."""
    assert choose("seeds", Game.set_up(QUEBEC, hands=[hand, "2c 3d 4h"])) == action


def test_plays_the_exchange_game_like_knock_28() -> None:
    """The tips say nothing of the exchange game."""
    for hand in ("Ks Qs 8s", "Ks Qs 7s", "7d 8h 9c"):
        game = Game.set_up(EXCHANGE, hands=[hand, "7c 8d 10d"], table="As 7h Qc")
        assert choose("seeds", game) == choose("knock@28", game)
