"""The proof that nothing leaks: what a seat cannot know is dealt anew, and nothing that it is shown changes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from tests.information.shown import Table, differing, shown
from tests.play import random_games
from trente_env import Game, Rules
from trente_env.core.worlds import redeal


@dataclass
class Counts:
    """How much a proof has looked at."""

    positions: int = 0
    """Positions of games."""
    checks: int = 0
    """(position, seat, world) triples in which every channel was the same."""
    waiting: int = 0
    """Those of a seat that is not to move."""
    out: int = 0
    """Those of a seat that is out, or whose game is over."""
    hidden: int = 0
    """Those in which the seat cannot place every card, and other seats hold some of them."""
    moved: int = 0
    """Those of these in which other seats hold other cards than they really do."""

    def __iadd__(self, other: Counts) -> Self:
        """Add another proof's counts."""
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)
        return self


class LeakError(AssertionError):
    """A seat can tell two positions apart that differ in hidden cards alone."""


def positions(rules: Rules, num_decisions: int, seed: int) -> Iterator[Game]:
    """Yield every position of random games, the ends of games included."""
    for game, action in random_games(rules, num_decisions, seed):
        yield game
        after = game.clone()
        after.apply(action)
        if after.is_over:
            yield after


def is_hidden(game: Game, seat: int) -> bool:
    """Return whether others hold cards that a seat cannot name."""
    view = game.seat_view(seat)
    return any(
        len(game.hands[other]) > int(view["known"][other]).bit_count()
        for other in range(game.rules.num_players)
        if other != seat
    )


def prove_position(game: Game, table: Table, number: int, worlds: int = 1, seen: set[str] | None = None) -> Counts:
    """Deal anew, for every seat, what it cannot know, and compare what it is shown; add the channels to `seen`.

    Raises:
        LeakError: If anything differs.
    """
    counts = Counts(positions=1)
    for seat in range(game.rules.num_players):
        really = shown(game, seat, table)
        if seen is not None:
            seen.update(really)
        for world in range(worlds):
            other = redeal(game, seat, number * worlds + world)
            channels = differing(really, shown(other, seat, table))
            if channels:
                raise LeakError(
                    f"Seat {seat} can tell hidden cards from {', '.join(channels)} under {game.rules.to_dict()}:\n"
                    f"{game.describe()}\nand\n{other.describe()}"
                )
            counts.checks += 1
            counts.waiting += seat != game.seat_to_move
            counts.out += game.is_over or not game.in_game[seat]
            if is_hidden(game, seat):
                counts.hidden += 1
                counts.moved += other.hands != game.hands
    return counts


def prove(
    rules: Rules,
    table: Table,
    num_decisions: int,
    *,
    seed: int = 0,
    worlds: int = 1,
    share: float = 1.0,
    seen: set[str] | None = None,
) -> Counts:
    """Prove it for the positions of random games and every seat, those not to move and those out included.

    Args:
        rules: The rules.
        table: Where to look.
        num_decisions: How many decisions are played.
        seed: Of the games.
        worlds: How many other worlds each seat is shown in each position.
        share: Share of the positions that is looked at, drawn at random; the last of each game always is.
        seen: Takes in the names of the channels compared.

    Raises:
        LeakError: If a seat is shown anything that depends on what it cannot know.
    """
    counts = Counts()
    dice = random.Random(f"{rules.fingerprint} {seed}")
    for number, game in enumerate(positions(rules, num_decisions, seed)):
        if dice.random() < share or game.is_over:
            counts += prove_position(game, table, number, worlds, seen)
    return counts
