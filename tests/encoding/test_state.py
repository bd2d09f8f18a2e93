"""The state of a whole game as numbers, for centralised critics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests import oracles
from tests.play import TABLES, observe, random_games, table_rules
from trente_env import Game, preset
from trente_env.cards import card_text
from trente_env.core.calls import new_views
from trente_env.core.layout import from_array, lower
from trente_env.encoding.sections import PUBLIC_SECTIONS, state_spec
from trente_env.encoding.state import encode_states


def state_of(game: Game, seats: int | None = None) -> dict[str, NDArray[Any]]:
    """Return the state of a game, by section name."""
    spec = state_spec(seats or game.rules.num_players)
    row = np.full((1, spec.size), 99, np.int8)
    encode_states(from_array(game.to_array()), lower([game.rules]), new_views(1), spec.lower(), row)
    return spec.split(row[0])


def cards(section: NDArray[Any]) -> set[str]:
    """Return the cards that a section of 52 names."""
    return {card_text(int(card)) for card in section.nonzero()[0]}


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_every_hidden_card_is_in_it(name: str, num_players: int) -> None:
    """Hands, their values and the stock are all there, by seat as they sit."""
    for game, _ in random_games(table_rules(name, num_players), 25):
        state = state_of(game)
        hands = state["hands"].reshape(num_players, 52)
        assert [cards(hand) for hand in hands] == [set(hand) for hand in game.hands]
        assert state["hand_values"].tolist() == [oracles.value(game.rules, hand) for hand in game.hands]
        assert cards(state["stock"]) == game.stock


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_public_sections_are_those_of_seat_0(name: str, num_players: int) -> None:
    """What everybody sees is written as seat 0 observes it."""
    for game, _ in random_games(table_rules(name, num_players), 25):
        state, seen = state_of(game), observe(game, 0)
        for section in PUBLIC_SECTIONS:
            assert state[section].tolist() == seen[section].tolist()


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_values_lie_within_the_declared_bounds(name: str, num_players: int) -> None:
    """Every number of the state is within its section's low and high."""
    spec = state_spec(num_players)
    for game, _ in random_games(table_rules(name, num_players), 25):
        row = np.concatenate(list(state_of(game).values()))
        assert ((spec.lows <= row) & (row <= spec.highs)).all()


def test_the_card_taken_and_who_may_buy_in() -> None:
    """The card taken in this turn, and the seats still to be asked to buy in, are part of the state."""
    game = Game.set_up(preset("quebec", num_players=2), ["Ks Qh 2d", "Jc 7h 3d"], upcard="5d")
    assert not state_of(game)["taken"].any()
    game.apply("take")
    assert cards(state_of(game)["taken"]) == {"5d"}
    rules = preset("buy_in", num_players=3)
    out = Game.set_up(rules, ["As Ks 2d", "Jc 7h 3d", "Kh 7c 4d"], upcard="Qs", lives=[3, 0, 0])
    out.apply("take")
    out.apply("discard 2d")
    assert state_of(out)["may_buy_in"].tolist() == [0, 1, 1]


def test_different_hidden_cards_give_different_states() -> None:
    """The state tells games apart that look alike to a seat."""
    rules = preset("quebec", num_players=2)
    one, two = (Game.set_up(rules, ["Ks Qh 2d", hand], upcard="5d") for hand in ("Jc 7h 3d", "Jc 7h 4d"))
    assert all(np.array_equal(seen, observe(two, 0)[name]) for name, seen in observe(one, 0).items())
    assert not all(np.array_equal(part, state_of(two)[name]) for name, part in state_of(one).items())
