"""The best value left after a discard: what greedy agents and the observation ask for."""

from __future__ import annotations

import random

import pytest

from tests import oracles
from tests.play import any_rules
from trente_env.cards import bits_of, card_text, parse_cards
from trente_env.core.scoring import value_after_best_discard


def best_after(hand: str, may_discard: str, three_of_a_kind: int = 61, three_aces: int = 0) -> int:
    """Return the value by card texts."""
    cards = (bits_of(parse_cards(text)) for text in (hand, may_discard))
    return int(value_after_best_discard(*cards, three_of_a_kind, three_aces))


@pytest.mark.parametrize(
    ("hand", "may_discard", "half_points"),
    [
        ("As Ks Qs 2d", "As Ks Qs 2d", 62),
        ("As Ks Qs 2d", "As Ks Qs", 42),
        ("As Ks Qs 2d", "2d", 62),
        ("7s 7h 7d As", "7s 7h 7d As", 61),
        ("7s 7h 7d As", "7h", 36),
        ("7s 7h 7d 7c", "7c", 61),
        ("2c 3d 4h 5s", "5s", 8),
        ("2c", "2c", 0),
        ("As Ks Qs 2d", "", -1),
    ],
)
def test_the_best_of_what_may_be_left(hand: str, may_discard: str, half_points: int) -> None:
    """R2, R3: the best value over the cards that may be discarded; -1 where none may."""
    assert best_after(hand, may_discard) == half_points


@pytest.mark.parametrize("part", range(4))
def test_it_is_the_best_of_all_discards(part: int) -> None:
    """R2, R3, R48: under any rules it is the largest of the values that a plain reading gives the hands left."""
    dice = random.Random(part)
    for _ in range(15):
        rules = any_rules(dice)
        for _ in range(20):
            size = rules.hand_size + 1
            ids = dice.sample(rules.deck, size)
            if dice.random() < 0.5:  # three of a kind, which chance seldom deals
                ids = [card for card in rules.deck if card % 13 == ids[0] % 13][:3] + ids[1:]
                ids = list(dict.fromkeys(ids))[:size]
            texts = [card_text(card) for card in ids]
            may = dice.sample(texts, dice.randint(1, size))
            left = [[text for text in texts if text != thrown] for thrown in may]
            expected = max(oracles.value(rules, hand) for hand in left)
            assert best_after(" ".join(texts), " ".join(may), rules.three_of_a_kind, rules.three_aces) == expected
