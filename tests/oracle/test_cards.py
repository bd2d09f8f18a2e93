"""The oracle's cards and values against the rule book (R1 to R6)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from statistics import fmean

import pytest

from tests.oracle.cards import deck, half_points, is_31, top_total
from tests.oracle.presets import preset

QUEBEC = preset("quebec")
FOUR_CARD = preset("four_card")


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("8h Js Qc", 10),
        ("10c 7s 9s", 16),
        ("Ah 10h Jh", 31),
        ("Ah Kh 5h", 26),
        ("Ah Ks 5c", 11),
        ("2c 3d 4h", 4),
    ],
)
def test_a_hand_is_worth_its_best_suit(hand: str, points: int) -> None:
    """R1, R2: an ace counts 11, courts and ten 10, others their number; only the best suit counts."""
    assert half_points(hand.split(), QUEBEC) == 2 * points


@pytest.mark.parametrize(("rule", "value"), [(61, 61), (60, 60), (0, 22)])
def test_three_of_a_kind_has_a_fixed_value(rule: int, value: int) -> None:
    """R3: three aces are worth 30½, 30, or one ace, whatever their suits."""
    assert half_points(["As", "Ah", "Ac"], preset("quebec", three_of_a_kind=rule)) == value


def test_three_ranks_worth_ten_are_no_three_of_a_kind() -> None:
    """R3: king, queen and jack of three suits are worth ten."""
    assert half_points(["Ks", "Qh", "Jc"], QUEBEC) == 20


def test_a_31_is_a_full_hand_of_the_largest_total() -> None:
    """R4: an ace and two cards worth ten of one suit; not three of a kind, and not four cards in mid-turn."""
    assert is_31(["As", "10s", "Js"], QUEBEC)
    assert not is_31(["As", "9s", "Js"], QUEBEC)
    assert not is_31(["As", "Ah", "Ac"], QUEBEC)
    assert not is_31(["As", "10s", "Js", "2c"], QUEBEC)


def test_in_the_four_card_game_41_takes_its_place() -> None:
    """R4: 31 ends nothing there, 31 to 40 beat 30½, and three or four of a kind count 30½."""
    assert top_total(FOUR_CARD) == 41
    assert is_31(["As", "Ks", "Qs", "10s"], FOUR_CARD)
    assert not is_31(["As", "Ks", "Qs", "2d"], FOUR_CARD)
    assert half_points(["7s", "7h", "7c", "2d"], FOUR_CARD) == 61
    assert half_points(["7s", "7h", "7c", "7d"], FOUR_CARD) == 61
    assert half_points(["As", "Ks", "Qs", "2d"], FOUR_CARD) == 62


def test_small_decks_have_their_own_top() -> None:
    """R4: the largest total that the deck allows; three of a kind is off with two cards, two suits or a low top."""
    assert top_total(preset("quebec", ranks="23456", suits="cdh")) == 15
    assert half_points(["2c", "2d", "2h"], preset("quebec", ranks="23456", suits="cdh")) == 4
    assert half_points(["Kc", "Kd"], preset("quebec", hand_size=2)) == 20
    assert is_31(["Kc", "Ac"], preset("quebec", hand_size=2))


@pytest.mark.parametrize(("name", "size"), [("quebec", 52), ("italian40", 40), ("exchange", 36), ("schwimmen", 32)])
def test_decks(name: str, size: int) -> None:
    """R5: 52 cards, 40 without eight, nine and ten, 36 from the six, 32 from the seven."""
    cards = deck(preset(name))
    assert len(cards) == len(set(cards)) == size


HANDS_BY_VALUE = (
    "3:24 4:72 5:192 6:312 7:528 8:720 9:1036 10:5716 11:2648 12:1104 13:1264 14:1112 15:1132 16:980 17:996 18:844 "
    "19:856 20:1168 21:712 22:96 23:104 24:88 25:80 26:64 27:60 28:44 29:40 30:32 30.5:52 31:24"
)


def test_hands_of_three_by_value() -> None:
    """R6: how many of the 22,100 hands of a full deck have each value."""
    expected = {2 * float(value): int(count) for value, count in (pair.split(":") for pair in HANDS_BY_VALUE.split())}
    assert Counter(half_points(hand, QUEBEC) for hand in combinations(deck(QUEBEC), 3)) == expected


@pytest.mark.parametrize(
    ("ranks", "hands", "tops", "triples", "mean"),
    [
        ("234567JQKA", 9880, 12, 40, 12.4502),
        ("6789TJQKA", 7140, 24, 36, 15.3303),
        ("789TJQKA", 4960, 24, 32, 15.8040),
    ],
)
def test_deal_constants(ranks: str, hands: int, tops: int, triples: int, mean: float) -> None:
    """R6: hands, 31s, three of a kind and the mean value, by deck."""
    rules = preset("quebec", ranks=ranks)
    values = [half_points(hand, rules) for hand in combinations(deck(rules), 3)]
    assert (len(values), values.count(62), values.count(61)) == (hands, tops, triples)
    assert fmean(values) / 2 == pytest.approx(mean, abs=5e-5)


@pytest.mark.slow
def test_deal_constants_with_four_cards() -> None:
    """R6: 270,725 hands of four, 16 of 41, 2,509 with three or four of a kind, mean 16.0779."""
    values = [half_points(hand, FOUR_CARD) for hand in combinations(deck(FOUR_CARD), 4)]
    assert (len(values), values.count(82), values.count(61)) == (270_725, 16, 2_509)
    assert fmean(values) / 2 == pytest.approx(16.0779, abs=5e-5)
