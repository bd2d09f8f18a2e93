"""greedy and knock@T: the hand's value alone."""

from __future__ import annotations

import pytest

from tests.agents.choices import choose
from trente_env import Game, Rules, preset

QUEBEC = preset("quebec", num_players=2)
CLASSIC = preset("classic", num_players=2)
EXCHANGE = preset("exchange", num_players=2)
SCHWIMMEN = preset("schwimmen", num_players=2)


@pytest.mark.parametrize(
    ("name", "hand", "action"),
    [
        ("knock@27", "Ks Qs 7s", "knock"),  # 27
        ("knock@27", "Ks Qs 6s", "draw"),  # 26
        ("knock@27", "8s 8h 8d", "knock"),  # 30½
        ("knock@30.5", "8s 8h 8d", "knock"),
        ("knock@30.5", "Ks Qs Js", "draw"),  # 30
        ("knock@31", "8s 8h 8d", "draw"),
        ("greedy", "Ks Qs Js", "draw"),
    ],
)
def test_knocks_from_the_threshold_on(name: str, hand: str, action: str) -> None:
    """knock@T knocks at T points or more, in half points; greedy never does."""
    assert choose(name, Game.set_up(QUEBEC, hands=[hand, "2c 3d 4h"], upcard="2h")) == action


def test_does_not_knock_where_it_may_not() -> None:
    """R13: on its first turn in classic the hand is improved instead; R14: after a knock there is none."""
    first_turn = Game.set_up(CLASSIC, hands=["Ks Qs 9s", "2c 3d 4h"], upcard="2h", turns=0)
    assert choose("knock@27", first_turn) == "draw"
    last_turn = Game.set_up(QUEBEC, hands=["Ks Qs 9s", "2c 3d 4h"], upcard="As", knocker=1)
    assert choose("knock@27", last_turn) == "take"


@pytest.mark.parametrize(
    ("hand", "upcard", "action"),
    [
        ("Ks 9s 4d", "2s", "take"),  # 19 to 21
        ("Ks 9s 7s", "6s", "draw"),  # 26 stays 26 by returning it
        ("Ks 9s 4d", "9h", "draw"),
        ("8s 8h 4d", "8c", "take"),  # three of a kind
        ("8s 8h 8d", "Ah", "draw"),
    ],
)
@pytest.mark.parametrize("rules", [QUEBEC, CLASSIC], ids=["quebec", "classic"])
def test_takes_the_upcard_if_it_raises_the_hand(rules: Rules, hand: str, upcard: str, action: str) -> None:
    """The upcard is taken if the best hand holding it is worth more, whether or not it may be returned (R12)."""
    game = Game.set_up(rules, hands=[hand, "2c 3d 4h"], upcard=upcard)
    assert choose("greedy", game) == action


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("Ks 9s 4d 2s", "discard 4d"),  # 21 is left
        ("Ks 9s 4d 3h", "discard 3h"),  # 19 either way: the cheaper one
        ("Ks 9s 4d 4c", "discard 4c"),  # the same points: the lower id
        ("Kh Qs Jd 10c", "discard 10c"),  # all of ten: the lowest id
        ("8s 8h 8d Kd", "discard Kd"),  # 30½ against 18
    ],
)
def test_discards_what_leaves_the_best_hand(hand: str, action: str) -> None:
    """The card whose loss leaves the best hand is thrown; of equals the cheapest, then the lowest id."""
    assert choose("knock@27", Game.set_up(QUEBEC, hands=[hand, "2c 3d 5h"])) == action


def test_does_not_return_the_card_just_taken() -> None:
    """R12: in quebec the card taken stays, even where throwing it would leave as good a hand."""
    game = Game.set_up(QUEBEC, hands=["Ks 9s 4d 3h", "2c 3d 5h"], taken="3h")
    assert choose("knock@27", game) == "discard 4d"


def test_draws_rather_than_passes_on_a_last_turn() -> None:
    """R14: a card drawn can be thrown again, so drawing never hurts; knock@T draws where it could pass."""
    game = Game.set_up(CLASSIC, hands=["Ks Qs 9s", "2c 3d 4h"], upcard="2h", knocker=1)
    assert choose("knock@27", game) == "draw"


@pytest.mark.parametrize(
    ("name", "hand", "upcard", "knocker", "action"),
    [
        ("knock@27", "Ks Qs 9s", "2h", None, "knock"),
        ("knock@27", "Ks Qs 9s", "Js", None, "take"),  # first what can be had
        ("knock@27", "Ks Qs 5s", "2h", None, "pass"),
        ("knock@27", "Ks Qs 9s", "2h", 1, "pass"),
        ("greedy", "Ks Qs 9s", "2h", None, "pass"),
    ],
)
def test_last_call(name: str, hand: str, upcard: str, knocker: int | None, action: str) -> None:
    """R17: with no stock it takes an upcard that helps, else knocks at T, else passes."""
    game = Game.set_up(CLASSIC, hands=[hand, "2c 3d 4h"], upcard=upcard, discard_pile="rest", knocker=knocker, turns=9)
    assert choose(name, game) == action


def test_opens_the_last_lap_of_the_exchange_game() -> None:
    """At T points knock@T passes, which opens the last lap (R42), or closes where that is separate (R48)."""
    layout = {"hands": ["Ks Qs 7s", "7c 8d 9h"], "table": "As 7h 8h"}
    assert choose("knock@27", Game.set_up(EXCHANGE, **layout)) == "pass"
    assert choose("knock@27", Game.set_up(SCHWIMMEN, **layout)) == "close"
    assert choose("knock@28", Game.set_up(EXCHANGE, **layout)) == "take table As"


@pytest.mark.parametrize(
    ("hand", "table", "knocker", "action"),
    [
        ("Ks 9s 7d", "8s 7h Qc", None, "take table 8s"),  # 27
        ("Ks 9s 7d", "6h 7h Qc", None, "take table Qc"),  # a useless card for another: the dearest
        ("Ks 9s 8s", "6h 7h Qc", None, "pass"),  # every swap would lower the hand
        ("Ks 9s 8s", "6h 7h Qc", 1, "pass"),
        ("Ks 9s 7d", "6h 7h Qc", 1, "pass"),  # on a last turn nothing useless is swapped
        ("Ks 9s 7d", "Ah Kh Jc", 1, "swap all"),  # 21 at the showdown
        ("Ks 9s 7d", "Ah Kh Jc", None, "take table Ah"),  # 21 is no hand to be locked with (R43)
        ("Ks 9s 7d", "Ah Kh 9h", None, "swap all"),  # 30 is
    ],
)
def test_swaps_for_the_best_hand(hand: str, table: str, knocker: int | None, action: str) -> None:
    """One card is swapped for the best hand, all three if they are better still and worth being locked with."""
    game = Game.set_up(EXCHANGE, hands=[hand, "7c 8d 10d"], table=table, knocker=knocker)
    assert choose("knock@28", game) == action


def test_leaves_what_the_best_hand_does_not_need() -> None:
    """R41: of the hand but the card just taken, the useless one is left."""
    game = Game.set_up(EXCHANGE, hands=["Ks 9s 7d 8s", "7c 8d 10d"], table="7h Qc", taken="8s")
    assert choose("greedy", game) == "leave 7d"


def test_greedy_stops_swapping_in_vain() -> None:
    """A useless card is swapped for another in the first ten turns of a round, not after."""
    layout = {"hands": ["Ks 9s 7d", "7c 8d 10d"], "table": "6h 7h Qc"}
    assert choose("greedy", Game.set_up(EXCHANGE, turns=9, **layout)) == "take table Qc"
    assert choose("greedy", Game.set_up(EXCHANGE, turns=10, **layout)) == "pass"


def test_a_locked_seat_passes_or_closes() -> None:
    """R43, R48: who has swapped all can only pass; with a separate close it closes at T points."""
    layout = {"hands": ["Ks Qs 7s", "7c 8d 9h"], "table": "As 7h 8h", "locked": [0]}
    assert choose("knock@28", Game.set_up(EXCHANGE, **layout)) == "pass"
    assert choose("knock@28", Game.set_up(SCHWIMMEN, **layout)) == "pass"
    assert choose("knock@27", Game.set_up(SCHWIMMEN, **layout)) == "close"


@pytest.mark.parametrize(("hand", "action"), [("Ks 8s 7d", "keep"), ("Ks 7s 6d", "refuse"), ("8s 8h 8d", "keep")])
def test_the_dealer_keeps_from_18_points(hand: str, action: str) -> None:
    """R40: first cards worth 18 or more are kept, others refused."""
    assert choose("greedy", Game.set_up(EXCHANGE, hands=[hand, ""])) == action
