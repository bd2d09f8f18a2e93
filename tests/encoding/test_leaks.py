"""Two hidden cards exchanged: no seat's view, observation or mask changes (for whole worlds see tests/information)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from tests.play import TABLES, observe, random_games, table_rules
from trente_env import Game
from trente_env.core.worlds import redeal


def seen_by(game: Game, seat: int) -> bytes:
    """Return everything a seat is shown: its view, its observation, and its legal actions if it is to move."""
    mask = game.action_mask() if seat == game.seat_to_move else np.zeros(62, np.int8)
    return game.views(seat).tobytes() + np.concatenate(list(observe(game, seat).values())).tobytes() + mask.tobytes()


def with_cards_swapped(game: Game, seat: int, dice: random.Random) -> Game | None:
    """Return the game with two cards exchanged that a seat cannot see, by editing the record; None if there are none.

    Either two cards of the stock, or one of the stock and one of another hand, or one each of two other hands. Cards
    that are known to be held stay in hands: so `held` ones may only move from hand to hand.
    """
    array = game.to_array()
    row: Any = array[0]
    in_stock = set(range(int(row["num_drawn"]), int(row["deck_size"])))
    held = int(row["held"])
    places: list[tuple[str, int, int]] = [("stock", slot, int(row["deck"][slot])) for slot in in_stock]
    for other in range(game.rules.num_players):
        hidden = int(row["hands"][other]) & ~int(row["known"][other])
        if other != seat:
            places += [("hand", other, card) for card in range(52) if hidden >> card & 1]
    for _ in range(20 if len(places) > 1 else 0):
        one, two = dice.sample(places, 2)
        moves_to_stock = one[0] != two[0] and (held >> one[2] & 1 or held >> two[2] & 1)
        if not moves_to_stock and (one[0] == "stock" or one[:2] != two[:2]):
            break
    else:
        return None
    for (kind, where, old), new in ((one, two[2]), (two, one[2])):
        if kind == "stock":
            row["deck"][where] = new
        else:
            row["hands"][where] = int(row["hands"][where]) & ~(1 << old) | 1 << new
    return Game.from_array(game.rules, array)


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_swapping_two_hidden_cards_shows_nowhere(name: str, num_players: int) -> None:
    """Two cards that a seat cannot see change places: nothing that it is shown changes."""
    dice = random.Random(f"{name} {num_players}")
    swapped = 0
    for number, (game, _) in enumerate(random_games(table_rules(name, num_players), 40)):
        seat = (number * 5) % num_players
        other = with_cards_swapped(game, seat, dice)
        if other is not None:
            assert seen_by(other, seat) == seen_by(game, seat)
            swapped += 1
    assert swapped >= 20


@pytest.mark.parametrize(("name", "num_players"), TABLES)
def test_a_seat_that_is_not_to_move_is_shown_no_actions(name: str, num_players: int) -> None:
    """The legal actions in a view are those of the seat to move; the other seats' are none."""
    for game, _ in random_games(table_rules(name, num_players), 30):
        for seat in range(num_players):
            legal = game.legal_actions() if seat == game.seat_to_move else []
            assert int(game.seat_view(seat)["legal"]) == sum(1 << action for action in legal)


def test_a_drawn_card_is_seen_by_its_drawer_alone() -> None:
    """What a seat draws changes its own observation and nobody else's."""
    for seed in range(40):
        game = Game(table_rules("quebec", 3), seed=seed)
        mover = game.seat_to_move
        assert mover is not None
        worlds = [redeal(game, other, seed) for other in range(3) if other != mover]
        for other, world in zip([seat for seat in range(3) if seat != mover], worlds, strict=True):
            drawn, elsewhere = game.clone(), world
            drawn.apply("draw")
            elsewhere.apply("draw")
            assert seen_by(drawn, other) == seen_by(elsewhere, other)


def test_the_test_would_see_a_leak() -> None:
    """The comparison is not blind: a card that a seat can see changes what it is shown."""
    game = Game(table_rules("quebec", 2), seed=3)
    mover = game.seat_to_move
    assert mover is not None
    other = redeal(game, 1 - mover, 5)
    assert seen_by(other, 1 - mover) == seen_by(game, 1 - mover)
    assert seen_by(other, mover) != seen_by(game, mover)
