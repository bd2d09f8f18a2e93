"""Playing many games twice: under one rule set, or under many."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.differential.compare import DisagreementError, Pair
from tests.differential.events import Glance, events, glance, opening_events
from tests.differential.play import Player, Sight, company
from tests.differential.rules import starts
from trente_env import Rules

LONGEST = (100, 300, 300, 1_000_000)
"""After how many decisions a game is left: many short ones meet more than a few long ones, but long ones must be."""


@dataclass
class Tally:
    """What has been played and met."""

    decisions: int = 0
    games: int = 0
    rounds: int = 0
    events: Counter[str] = field(default_factory=Counter)
    disagreements: list[str] = field(default_factory=list)
    """Reports; a game is left at its first one."""

    def add(self, other: Tally) -> None:
        """Add what another has counted."""
        self.decisions += other.decisions
        self.games += other.games
        self.rounds += other.rounds
        self.events += other.events
        self.disagreements += other.disagreements


def play_rules(rules: Rules, num_decisions: int, seed: int, *, oracle_rules: Rules | None = None) -> Tally:
    """Play games under one rule set, one after another; the last is broken off. Stop at a disagreement.

    Args:
        rules: The rules.
        num_decisions: How many decisions to play.
        seed: What beginnings, cards and play are drawn from.
        oracle_rules: Other rules for the oracle, to see that it is noticed.
    """
    dice = random.Random(f"{rules.fingerprint} {seed}")
    tally = Tally()
    for start in starts(rules, dice):
        most = dice.choice(LONGEST)
        try:
            pair = Pair(rules, start, oracle_rules=oracle_rules)
            tally.games += 1
            tally.rounds += len(pair.oracle.rounds)
            tally.events.update(opening_events(pair))
            play_game(pair, min(num_decisions, tally.decisions + most), tally, dice)
        except DisagreementError as disagreement:
            tally.disagreements.append(str(disagreement))
            break
        if tally.decisions >= num_decisions:
            break
    return tally


def play_game(pair: Pair, num_decisions: int, tally: Tally, dice: random.Random) -> None:
    """Play a game until it is over or `tally` has seen so many decisions."""
    players = company(pair.rules.num_players, dice)
    gained: str | None = None
    while pair.legal and tally.decisions < num_decisions:
        before = glance(pair)
        hand = pair.oracle.hands[before.seat]
        name = choose(pair, before, players[before.seat], gained, dice)
        pair.apply(name)
        tally.decisions += 1
        tally.rounds += len(pair.oracle.rounds) - pair.num_rounds
        tally.events.update(events(pair, before, name))
        new = pair.oracle.hands[before.seat] - hand
        gained = next(iter(new)) if len(new) == 1 and is_mid_turn(name) else None


def is_mid_turn(name: str) -> bool:
    """Return whether an action is the first half of a turn."""
    return name in {"draw", "take"} or name.startswith("take table")


def choose(pair: Pair, before: Glance, player: Player, gained: str | None, dice: random.Random) -> str:
    """Return what a player does now."""
    game = pair.oracle
    pile = game.discard_pile
    sight = Sight(
        rules=pair.rules,
        legal=pair.legal,
        hand=sorted(game.hands[before.seat]),
        upcard=pile[-1] if pile else None,
        table=sorted(game.table),
        gained=gained,
    )
    return player(sight, dice)
