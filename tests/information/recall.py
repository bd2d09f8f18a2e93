"""What a seat's view remembers, beside what the oracle works out from the public history and the seat's own cards.

Three things are compared for every seat in every position of a game that engine and oracle play side by side:

- the *history*: everything the seat has seen since the round was dealt, in order, nothing forgotten;
- the *knowledge*: what the oracle makes of that;
- the *view*: the engine's record, to the byte, but for `decisions`, the number of the decision in the game, which is
  there to key a policy's sampling and which no single round determines.

Equal histories must give equal views: a view holds nothing that was not to be seen. Equal knowledge must give equal
views and equal views equal knowledge: a view remembers all it promises. Both promise the last twenty events of the
round and the piles in order; what lies further back, and matters no more, both forget. Knowledge and views are compared
a second time without their events: how the cards came to lie as they do is then no part of what must be equal, so that
positions are met again more often, and no field can hide behind the events it could be worked out from.
"""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.differential.chance import SeedChance
from tests.oracle.game import OracleGame
from tests.play import choose
from trente_env import Game, Rules

SIX = Rules(ranks="234", suits="cd", num_players=2, hand_size=2, starting_lives=1)
"""Two hands of two, an upcard, and a stock of one."""
TINY = {
    "reshuffle": SIX,
    "last call": SIX.replace(
        stock_exhaustion="last_call", blitz_after_knock=False, may_pass_on_last_turn=True, may_return_upcard=True,
        may_knock_on_first_turn=False,
    ),
    "three seats": SIX.replace(ranks="2345", num_players=3, grace=False),
    "points": SIX.replace(scoring="points", target_points=1),
    "three cards": Rules(ranks="234", suits="cdh", num_players=2, starting_lives=1, may_return_upcard=True),
    "exchange": Rules(play_style="exchange", ranks="A2345", suits="cd", num_players=2, starting_lives=1),
    "schwimmen": Rules(
        play_style="exchange", ranks="A234", suits="cdh", num_players=2, starting_lives=1, separate_close=True,
        three_aces=66,
    ),
}  # fmt: skip
"""Decks so small that the same things are seen again and again."""

Remembers = Callable[[Game, int], np.void]
"""How a seat's view is come by."""


class RecallError(AssertionError):
    """Two positions that should look alike to a seat do not, or two that should not do."""


def seen_by(game: Game, seat: int) -> np.void:
    """Return a seat's view."""
    return game.seat_view(seat)


def projected(view: np.void, *, with_events: bool = True) -> bytes:
    """Return a view's bytes without the number of the decision, and without the events if so wished."""
    kept = view.copy()
    kept["decisions"] = 0
    if not with_events:
        kept["events"] = -1
    return kept.tobytes()


@dataclass
class Correspondence:
    """Pairs of things that must determine one another, and how often that has been put to the test."""

    forward: dict[Any, Any] = field(default_factory=dict)
    backward: dict[Any, Any] = field(default_factory=dict)
    deals: dict[Any, Any] = field(default_factory=dict)
    repeats: int = 0
    """Pairs whose left side had been met before."""
    elsewhere: int = 0
    """Those in which other hands were really dealt than the first time."""

    def note(self, left: Any, right: Any, deal: object, *, both_ways: bool) -> None:
        """Check a pair against all before it.

        Raises:
            RecallError: If the same left side has gone with another right side, or (`both_ways`) the reverse.
        """
        if left in self.forward:
            self.repeats += 1
            self.elsewhere += self.deals[left] != deal
        known = self.forward.setdefault(left, right)
        self.deals.setdefault(left, deal)
        if known != right:
            raise RecallError(f"one left side, two right ones:\n{left}\n{known}\n{right}")
        if both_ways and self.backward.setdefault(right, left) != left:
            raise RecallError(f"one right side, two left ones:\n{right}\n{self.backward[right]}\n{left}")


@dataclass
class Recall:
    """What a run has compared."""

    by_knowledge: Correspondence = field(default_factory=Correspondence)
    """The oracle's knowledge and the view, both ways."""
    without_events: Correspondence = field(default_factory=Correspondence)
    """The same but for the events of the round."""
    by_history: Correspondence = field(default_factory=Correspondence)
    """From all that a seat has seen to its view."""
    views: int = 0

    def note(self, game: Game, oracle: OracleGame, seat: int, history: bytes, view: np.void) -> None:
        """Compare one seat's history, knowledge and view in one position."""
        known = oracle.knowledge(seat)
        self.by_knowledge.note(known, projected(view), game.hands, both_ways=True)
        standing = dataclasses.replace(known, events=())
        self.without_events.note(standing, projected(view, with_events=False), game.hands, both_ways=True)
        self.by_history.note(history, projected(view), game.hands, both_ways=False)
        self.views += 1


class Histories:
    """What every seat has seen since the round was dealt, as a digest that grows."""

    def __init__(self, game: Game) -> None:
        self.seats = range(game.rules.num_players)
        self.digests = [b""] * len(self.seats)
        self.round = 0
        self.look(game, None, "")

    def look(self, game: Game, mover: int | None, action: str) -> None:
        """Add what each seat sees of the position after an action; forget all at a new deal."""
        if game.round_number != self.round:
            self.round = game.round_number
            self.digests = [b""] * len(self.seats)
            mover, action = None, ""
        public = (
            mover, action, game.discard_pile, game.table, game.stock_size, game.dealer, game.lives, game.points,
            game.buy_ins, game.in_game, game.round_number, game.is_playoff, game.seat_to_move, game.phase,
        )  # fmt: skip
        for seat in self.seats:
            seen = repr((seat, public, game.hands[seat])).encode()
            self.digests[seat] = hashlib.sha256(self.digests[seat] + seen).digest()


def play(
    rules: Rules, num_games: int, *, num_decisions: int = 60, seed: int = 0, remembers: Remembers = seen_by
) -> Recall:
    """Play random games twice, in engine and oracle, and compare what every seat knows in every position.

    Args:
        rules: The rules.
        num_games: How many games; seat 0 deals first in each.
        num_decisions: How many decisions of each are played, if it is not over before.
        seed: What the games are drawn from.
        remembers: What takes the place of the view.

    Raises:
        RecallError: If a view holds more or less than it promises.
    """
    recall = Recall()
    dice = random.Random(f"{rules.fingerprint} {seed}")
    for number in range(num_games):
        game_seed = dice.randrange(2**63)
        game = Game(rules, seed=game_seed, dealer=0)
        oracle = OracleGame(rules, SeedChance(game_seed, rules.num_players), dealer=0)
        histories = Histories(game)
        patience, skill = ((0.0, 0.0), (0.8, 0.5), (0.95, 0.2))[number % 3]
        for decision in range(num_decisions + 1):
            for seat in range(rules.num_players):
                recall.note(game, oracle, seat, histories.digests[seat], remembers(game, seat))
            if game.is_over or decision == num_decisions:
                break
            mover = game.seat_to_move
            action = choose(game, dice, patience=patience, skill=skill)
            name = game.action_name(action)
            game.apply(action)
            oracle.apply(name)
            histories.look(game, mover, name)
    return recall
