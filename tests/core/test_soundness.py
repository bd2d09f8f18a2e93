"""Records that would lead a kernel outside its arrays, or a game into a dead end, are refused before kernels run."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.play import NAMES, any_rules, random_games, table_rules
from trente_env import Game, GameBatch, InvalidDataError, preset
from trente_env.core.soundness import FAULTS


def in_phase(name: str, phase: str, num_players: int = 3) -> Game:
    """Return a game of a preset in a phase."""
    for game, _ in random_games(table_rules(name, num_players), 2_000):
        if game.phase == phase:
            return game.clone()
    raise AssertionError(phase)


def after_a_knock() -> Game:
    """Return a game with two last turns to play: seat 0 has knocked."""
    return Game.set_up(
        preset("quebec", num_players=3), hands=["Ks 9s 2d", "2c 3c 4h", "5d 6d 7h"], upcard="8c", knocker=0, to_move=1
    )


def with_a_seat_out() -> Game:
    """Return a game in which seat 1 is out."""
    return Game.set_up(
        preset("quebec", num_players=3), hands=["Ks 9s 2d", "", "5d 6d 7h"], upcard="8c", lives=[3, None, 3]
    )


Change = Callable[[Any], object]


def put(field: str, value: Any) -> Change:
    """Return what sets a field."""
    return lambda row: row.__setitem__(field, value)


def lay_a_card_on_the_table(row: Any) -> None:
    """Put the next card of the stock on the table."""
    row["table"] |= 1 << int(row["deck"][int(row["num_drawn"])])
    row["num_drawn"] += 1
    row["num_fixed"] = max(int(row["num_fixed"]), int(row["num_drawn"]))


def lay_the_stock_open(row: Any, count: int = 20) -> None:
    """Put cards of the stock on the discard pile: twenty, so that it is too small to deal from."""
    first = int(row["num_drawn"])
    row["discards"][:count] = row["deck"][first : first + count]
    row["num_discards"], row["num_drawn"] = count, first + count
    row["num_fixed"] = max(int(row["num_fixed"]), first + count)
    row["pile"] = sum(1 << int(card) for card in row["discards"][:count])


def lay_the_whole_stock_open(row: Any) -> None:
    """Put what is left of the stock on the discard pile."""
    stock = row["deck"][int(row["num_drawn"]) : int(row["deck_size"])].copy()
    pile = [*row["discards"][: int(row["num_discards"])].tolist(), *stock.tolist()]
    row["discards"][: len(pile)], row["num_discards"], row["upcard"] = pile, len(pile), pile[-1]
    row["num_drawn"] = row["num_fixed"] = row["deck_size"]
    row["pile"] = sum(1 << card for card in pile)


def take_the_pile_away(row: Any) -> None:
    """Put the one card of the discard pile back on the stock."""
    assert row["num_discards"] == 1
    row["num_drawn"] -= 1
    row["deck"][int(row["num_drawn"])] = row["discards"][0]
    row["discards"][0] = row["upcard"] = -1
    row["num_discards"] = row["pile"] = 0


CASES: dict[str, tuple[Callable[[], Game], Change, int]] = {
    # A negative shift, and a card that a hand cannot lose.
    "no card was taken in mid-exchange": (lambda: in_phase("exchange", "LEAVE"), put("taken", -1), 8),
    "a card taken is in no hand": (lambda: in_phase("quebec", "DISCARD"), put("taken", 51), 8),
    # The next dealer would be sought behind the last seat, and get its cards there.
    "nobody is left in the game": (lambda: in_phase("buy_in", "BUY_IN"), put("in_game", 0), 1),
    "a seat in the game buys in": (lambda: in_phase("buy_in", "BUY_IN"), put("may_buy_in", 7), 1),
    "more buy-ins than there are": (lambda: in_phase("buy_in", "BUY_IN"), put("buy_ins", [127] * 3 + [0] * 6), 2),
    # The deal would draw beyond the end of the deck.
    "the stock is too small to deal": (lambda: in_phase("exchange", "DEALER_CHOICE"), lay_the_stock_open, 8),
    "a pile before the dealer has chosen": (
        lambda: in_phase("exchange", "DEALER_CHOICE"), lambda row: lay_the_stock_open(row, 1), 8,
    ),
    "a table card in the drawing game": (lambda: in_phase("quebec", "DRAW"), lay_a_card_on_the_table, 8),
    "another than the dealer chooses": (
        lambda: in_phase("exchange", "DEALER_CHOICE"),
        lambda row: row.__setitem__("to_move", (int(row["dealer"]) + 1) % 3), 7,
    ),
    # Counts that would overflow, or a game that has ended already and goes on.
    "as many decisions as can be counted": (lambda: in_phase("quebec", "DRAW"), put("decisions", 2**31 - 1), 1),
    "more turns than a round has": (lambda: in_phase("quebec", "DRAW"), put("turn", 2**31 - 1), 1),
    "a seat had more turns than there were": (lambda: in_phase("quebec", "DRAW"), put("turns", [99] * 3 + [0] * 6), 2),
    "more rounds than a game has": (lambda: in_phase("quebec", "DRAW"), put("round", 1_001), 1),
    "more points than can be counted": (lambda: in_phase("quebec_points", "DRAW"), put("points",
    [32_767] * 3 + [0] * 6), 2),
    "more lives than one begins with": (lambda: in_phase("quebec", "DRAW"), put("lives", [127] * 3 + [0] * 6), 2),
    "somebody has won and plays on": (lambda: in_phase("quebec", "DRAW"), put("winner", 1), 7),
    "a game cut short plays on": (lambda: in_phase("quebec", "DRAW"), put("is_truncated", 1), 7),
    "a playoff where there is none": (lambda: in_phase("quebec", "DRAW"), put("is_playoff", 1), 1),
    "a reward left from no round": (lambda: Game(preset("quebec"), seed=1), put("step_deltas", [5] * 4 + [0] * 5), 2),
    "a reward without end": (lambda: Game(preset("quebec"), seed=1), put("step_relative", [np.inf] + [0] * 8), 2),
    # A lap that never ends, or ends at once.
    "the knocker's own turn": (after_a_knock, put("knocker", 1), 9),
    "a knocker that is out": (with_a_seat_out, lambda row: (put("knocker", 1)(row), put("last_turns", 1)(row)), 9),
    "more turns left than seats": (after_a_knock, put("last_turns", 1), 9),
    "turns left without a knock": (lambda: in_phase("quebec", "DRAW"), put("last_turns", 2), 9),
    # What everyone would be shown.
    "known cards that nobody holds": (lambda: in_phase("quebec", "DRAW"), put("held", 2**52 - 1), 6),
    "an event of a seat that is not there": (lambda: in_phase("quebec", "DISCARD"), put("events", [9 << 6 | 63] * 20),
    4),
    "no upcard at the start of a turn": (lambda: Game(preset("quebec"), seed=1), take_the_pile_away, 8),
    "an empty stock where it is reshuffled": (lambda: in_phase("quebec", "DRAW"), lay_the_whole_stock_open, 8),
    "a pile that is not the discards": (lambda: in_phase("quebec", "DRAW"), put("pile", 0), 5),
    "an upcard that is not on top": (lambda: in_phase("quebec", "DRAW"), put("upcard", -1), 5),
    "a card above the top of the pile": (lambda: in_phase("quebec", "DRAW"), lambda row: row["discards"].put(9, 3), 5),
    "an event behind the last": (lambda: in_phase("quebec", "DISCARD"), lambda row: row["events"].put(9, 63), 4),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_no_kernel_could_have_written_is_refused(name: str) -> None:
    """One thing in a record is not as it can be: it is refused, and for that reason."""
    make, change, fault = CASES[name]
    game = make()
    array = game.to_array()
    assert Game.from_array(game.rules, array) == game
    change(array[0])
    with pytest.raises(InvalidDataError, match=FAULTS[fault]):
        Game.from_array(game.rules, array)


def test_a_batch_is_not_put_back_to_what_it_cannot_be() -> None:
    """`restore` looks at every record, names the first that is wrong, and changes no game."""
    batch = GameBatch(preset("quebec", num_players=2), 5, seed=1)
    before = batch.save()
    spoiled = batch.save()
    spoiled["to_move"][3] = 7
    with pytest.raises(InvalidDataError, match="record number 3 is no position"):
        batch.restore(spoiled)
    assert batch.save().tobytes() == before.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_every_game_played_is_sound(name: str) -> None:
    """At every decision of whole games, and at their end, a record is accepted, whatever the number of players."""
    for count in (2, 4, 9):
        rules = table_rules(name, count)
        for game, _ in random_games(rules, 150, seed=count):
            Game.from_array(rules, game.to_array())


def test_every_game_of_any_rules_is_sound() -> None:
    """The same under rules that no preset has."""
    dice = random.Random(5)
    for number in range(60):
        rules = any_rules(dice)
        for game, action in random_games(rules, 40, seed=number):
            Game.from_array(rules, game.to_array())
            after = game.clone()
            after.apply(action)
            assert Game.from_bytes(after.to_bytes()) == after
