"""Section B: what cards and hands are worth (R1 to R6)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.play import DRAWING, EXCHANGE, NAMES, THREE_CARD, stand, value
from trente_env import PRESETS, Game, InvalidRulesError, Rules, preset
from trente_env._jit import JIT_ENABLED, kernel
from trente_env.cards import card_text
from trente_env.core.layout import ints
from trente_env.core.scoring import hand_half_points

EXAMPLES = [
    ("8h Js Qc", 20),
    ("10c 7s 9s", 32),
    ("Ah 10h Jh", 62),
    ("Ah Kh 5h", 52),
    ("Ah Ks 5c", 22),
]
"""The seeds' examples (R2), in half points."""
RANK_POINTS = {"A": 11, "K": 10, "Q": 10, "J": 10} | {str(number): number for number in range(2, 11)}
COUNTS_BY_VALUE = {
    6: 24, 8: 72, 10: 192, 12: 312, 14: 528, 16: 720, 18: 1036, 20: 5716, 22: 2648, 24: 1104, 26: 1264, 28: 1112,
    30: 1132, 32: 980, 34: 996, 36: 844, 38: 856, 40: 1168, 42: 712, 44: 96, 46: 104, 48: 88, 50: 80, 52: 64, 54: 60,
    56: 44, 58: 40, 60: 32, 61: 52, 62: 24,
}  # fmt: skip
"""R6: how many of the 22,100 hands of three cards from 52 have each value, in half points."""


@kernel
def add_values(hands: Any, three_of_a_kind: int, counts: Any) -> None:
    """Count the values of many hands."""
    for index in range(len(hands)):
        counts[hand_half_points(hands[index], three_of_a_kind, 0)] += 1


def count_values(rules: Rules) -> dict[int, int]:
    """Return how many hands of the deck have each value, through the engine's own kernel."""
    columns = np.array(list(itertools.combinations(rules.deck, rules.hand_size)), np.int64).T
    hands: NDArray[np.int64] = np.zeros(columns.shape[1], np.int64)
    for column in columns:
        hands |= np.int64(1) << column
    counts = np.zeros(128, np.int64)
    tally = counts if JIT_ENABLED else counts.tolist()
    add_values(ints(hands), rules.three_of_a_kind, tally)
    return {half_points: int(count) for half_points, count in enumerate(tally) if count}


@pytest.mark.parametrize("suit", "cdhs")
@pytest.mark.parametrize("rank", RANK_POINTS)
def test_r1_each_card_has_its_points(rank: str, suit: str) -> None:
    """R1: an ace counts 11, king, queen and jack 10, any other card its number, in every suit."""
    assert value(rank + suit, preset("quebec")) == 2 * RANK_POINTS[rank]


@pytest.mark.parametrize(("hand", "half_points"), EXAMPLES)
@pytest.mark.parametrize("name", NAMES)
def test_r2_the_best_suit_counts(name: str, hand: str, half_points: int) -> None:
    """R2: a hand is worth its best total in one suit, as in the seeds' examples, in every rule set."""
    assert value(hand, preset(name)) == half_points


def test_r2_examples_at_a_showdown() -> None:
    """R2: the showdown finds the values of the seeds' examples."""
    hands = ["8h Js Qc", "10c 7s 9s", "Ad Kd 5d", "Ah Ks 5c"]
    game = Game.set_up(preset("classic", num_players=4), hands, upcard="2c", knocker=0, to_move=3)
    game.apply("pass")
    assert game.last_round is not None
    assert game.last_round.half_points == (20, 32, 52, 22)


@pytest.mark.parametrize(
    ("name", "half_points"), [(name, {"kawu": 60, "no_trips": 20}.get(name, 61)) for name in NAMES]
)
def test_r3_three_of_a_kind(name: str, half_points: int) -> None:
    """R3: three of a kind count 30½, in kawu 30, and without them only the suit total, here 10."""
    assert value("Ks Kh Kd", preset(name)) == half_points
    assert value("2s 2h 2d", preset(name)) == (half_points if name != "no_trips" else 4)


@pytest.mark.parametrize("name", NAMES)
def test_r3_three_courts_are_no_three_of_a_kind(name: str) -> None:
    """R3: king, queen and jack are three ranks, whatever they count: no three of a kind."""
    assert value("Ks Qh Jd", preset(name)) == 20


@pytest.mark.parametrize(
    ("name", "losses"),
    [("quebec", (0, 1)), ("classic", (0, 1)), ("exchange", (0, 1)), ("kawu", (2, 1)), ("no_trips", (2, 0))],
)
def test_r3_three_of_a_kind_against_a_suited_thirty(name: str, losses: tuple[int, int]) -> None:
    """R3: three of a kind beat a suited 30 at 30½, tie it in kawu at 30, and lose to it where they count nothing."""
    cards = {"table": "2c 3c 4d"} if name in EXCHANGE else {"upcard": "9d", "stock": "2h"}
    deck = {"ranks": "23456789TJQKA"} if name in EXCHANGE else {}
    rules = preset(name, num_players=2, **deck)
    game = Game.set_up(rules, ["7s 7h 7d", "Kc Qc Jc"], knocker=0, to_move=1, **cards)
    stand(game)
    assert game.last_round is not None
    assert game.last_round.losses == losses


@pytest.mark.parametrize("name", [*THREE_CARD, *EXCHANGE])
@pytest.mark.parametrize("hand", ["As Ks Qs", "Ah Jh Kh", "Ad Qd Jd"])
def test_r4_an_ace_and_two_tens_of_one_suit_are_a_31(name: str, hand: str) -> None:
    """R4: an ace and two ten-valued cards of one suit make 31, the largest total of three cards."""
    rules = preset(name)
    assert value(hand, rules) == 62 == rules.top_half_points


def test_r4_four_cards_reach_41() -> None:
    """R4: with four cards an ace and three ten-valued cards of one suit make 41, which takes the 31's place."""
    rules = preset("four_card")
    assert value("As Ks Qs Js", rules) == 82 == rules.top_half_points


@pytest.mark.parametrize(("hand", "half_points"), [("As Ks Qs 2h", 62), ("As Ks Qs 2s", 66), ("Ks Qs Js 10s", 80)])
def test_r4_with_four_cards_31_ends_nothing(hand: str, half_points: int) -> None:
    """R4: in the four-card game a total of 31 to 40 is a hand like any other: dealt, it ends nothing."""
    game = Game.set_up(preset("four_card", num_players=2), [hand, "2c 3c 4c 5c"], upcard="9d")
    assert value(hand, game.rules) == half_points
    assert game.last_round is None


@pytest.mark.parametrize("hand", ["Ks Kh Kd 2c", "Ks Kh Kd Kc", "As Ah Ad Ks", "2s 2h 2d 2c"])
def test_r4_four_cards_with_three_or_four_of_a_kind(hand: str) -> None:
    """R4: three or four of a kind among four cards count the fixed 30½."""
    assert value(hand, preset("four_card")) == 61


def test_r4_four_cards_of_31_beat_three_of_a_kind() -> None:
    """R4: in the four-card game a total of 31 beats three of a kind."""
    rules = preset("four_card", num_players=2)
    game = Game.set_up(rules, ["Kc Kh Kd 2c", "As Ks Qs 2h"], upcard="9d", knocker=1, to_move=0)
    game.apply("pass")
    assert game.last_round is not None
    assert game.last_round.losses == (1, 0)


@pytest.mark.parametrize(
    ("ranks", "hand_size", "half_points"),
    [("A23", 2, 28), ("2345", 3, 24), ("AKQJ", 2, 42), ("AKQJ", 3, 62), ("TJQK", 3, 60), ("A2345", 4, 46)],
)
def test_r4_small_decks_have_their_own_top(ranks: str, hand_size: int, half_points: int) -> None:
    """R4: with other hand sizes and small decks, the deck's largest one-suit total takes the 31's place."""
    assert Rules(ranks=ranks, hand_size=hand_size).top_half_points == half_points


def test_r4_the_top_of_a_small_deck_ends_the_round() -> None:
    """R4: in a small deck its best total is shown at once, and costs everyone else a life."""
    rules = Rules(ranks="A234", hand_size=2, num_players=2)
    game = Game.set_up(rules, ["As 2s", "2h 3d"], upcard="4s")
    game.apply("take")
    game.apply("discard 2s")
    assert game.last_round is not None
    assert (game.last_round.end, game.last_round.losses) == ("31", (0, 1))


@pytest.mark.parametrize(
    ("fields", "three_of_a_kind"),
    [
        ({"ranks": "2345", "hand_size": 3}, 0),
        ({"ranks": "TJQK", "hand_size": 3}, 0),
        ({"ranks": "AKQJ", "hand_size": 2}, 0),
        ({"suits": "hs"}, 0),
        ({"ranks": "AKQJ", "hand_size": 3}, 61),
        ({"suits": "dhs"}, 61),
        ({"hand_size": 4}, 61),
    ],
)
def test_r4_three_of_a_kind_off_where_it_makes_no_sense(fields: dict[str, Any], three_of_a_kind: int) -> None:
    """R4: three of a kind are off with two-card hands, two suits, or where they would reach the best total."""
    assert Rules(**fields).three_of_a_kind == three_of_a_kind


@pytest.mark.parametrize("hand_size", [2, 4])
@pytest.mark.parametrize("name", EXCHANGE)
def test_r4_the_exchange_game_has_three_cards(name: str, hand_size: int) -> None:
    """R4: the four-card game is a drawing game only."""
    with pytest.raises(InvalidRulesError, match="hand_size"):
        preset(name, hand_size=hand_size)


@pytest.mark.parametrize(
    ("name", "ranks"),
    [(name, "A 2 3 4 5 6 7 8 9 10 J Q K") for name in DRAWING if name != "italian40"]
    + [("exchange", "6 7 8 9 10 J Q K A"), ("schwimmen", "7 8 9 10 J Q K A"), ("italian40", "A 2 3 4 5 6 7 J Q K")],
)
def test_r5_decks(name: str, ranks: str) -> None:
    """R5: 52 cards; 36 (six to ace) to exchange; 32 (seven to ace) in Schwimmen; 40 (A, 2-7, J, Q, K) in italian40."""
    expected = {rank + suit for rank in ranks.split() for suit in "cdhs"}
    rules = preset(name, num_players=2)
    assert {card_text(card) for card in rules.deck} == expected
    game = Game(rules, seed=3)
    dealt = [card for hand in game.hands for card in hand]
    assert sorted([*dealt, *game.stock, *game.discard_pile, *game.table]) == sorted(expected)


@pytest.mark.parametrize(
    ("ranks", "num_hands", "num_31", "num_three_of_a_kind", "mean"),
    [
        ("23456789TJQKA", 22_100, 24, 52, 13.1425),
        ("234567JQKA", 9_880, 12, 40, 12.4502),
        ("6789TJQKA", 7_140, 24, 36, 15.3303),
        ("789TJQKA", 4_960, 24, 32, 15.8040),
    ],
)
def test_r6_constants_of_three_cards(
    ranks: str, num_hands: int, num_31: int, num_three_of_a_kind: int, mean: float
) -> None:
    """R6: how many hands of three cards each deck has, how many 31s and three of a kind, and their mean value."""
    counts = count_values(Rules(ranks=ranks))
    assert sum(counts.values()) == num_hands
    assert (counts[62], counts[61]) == (num_31, num_three_of_a_kind)
    assert round(sum(half_points * count for half_points, count in counts.items()) / 2 / num_hands, 4) == mean


def test_r6_counts_by_value() -> None:
    """R6: how many of the 22,100 hands of 52 cards have each value."""
    assert count_values(Rules()) == COUNTS_BY_VALUE


def test_r6_constants_of_four_cards() -> None:
    """R6: of 270,725 hands of four cards 16 are a 41, 2,509 hold three or four of a kind; the mean is 16.0779."""
    counts = count_values(PRESETS["four_card"])
    assert sum(counts.values()) == 270_725
    assert (counts[82], counts[61]) == (16, 2_509)
    assert round(sum(half_points * count for half_points, count in counts.items()) / 2 / 270_725, 4) == 16.0779
