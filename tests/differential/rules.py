"""Rules to play by: every preset at every table, any other combination of fields; and ways to begin a game."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.play import NAMES
from trente_env import InvalidRulesError, Rules, preset
from trente_env.cards import RANKS
from trente_env.rules import Scoring

DECKS = (RANKS, RANKS, "6789TJQKA", "789TJQKA", "234567JQKA", "9TJQKA", "TJQKA", "TJQK", "A2345", "56789")
"""Ranks of whole, short and tiny decks; in the tiny ones ties, 31s and empty stocks are frequent."""
OPTIONS = (
    "may_knock_on_first_turn",
    "may_pass_on_last_turn",
    "may_return_upcard",
    "blitz_after_knock",
    "grace",
)
"""Fields that are yes or no in every game."""


def rule_sets(count: int, seed: int) -> list[Rules]:
    """Return different rule sets, presets and random ones in turn; only random ones when the presets are used up."""
    dice = random.Random(f"rules {seed}")
    presets = [preset(name, num_players=num_players) for name in NAMES for num_players in range(2, 10)]
    dice.shuffle(presets)
    found: dict[str, Rules] = {}
    while len(found) < count:
        for rules in (presets.pop() if presets else any_rules(dice), any_rules(dice)):
            if len(found) < count:
                found.setdefault(rules.fingerprint, rules)
    return list(found.values())


def any_rules(dice: random.Random) -> Rules:
    """Return a random valid combination of all fields."""
    while True:
        try:
            return Rules(**_draft(dice))
        except InvalidRulesError:  # a deck too small for the table (R8, R4)
            continue


def _draft(dice: random.Random) -> dict[str, Any]:
    """Draw a value for every field; together they may make no sense."""
    exchange = dice.random() < 0.3
    points = not exchange and dice.random() < 0.25
    ranks = dice.choice(DECKS) if dice.random() < 0.8 else "".join(dice.sample(RANKS, dice.randint(2, 13)))
    suits = "cdhs" if dice.random() < 0.7 else "".join(dice.sample("cdhs", dice.randint(1, 4)))
    draft: dict[str, Any] = {
        "play_style": "exchange" if exchange else "draw",
        "num_players": dice.choice((2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9)),
        "ranks": ranks,
        "suits": suits,
        "hand_size": 3 if exchange else dice.choice((2, 3, 3, 3, 4)),
        "three_of_a_kind": dice.choice((61, 60, 0)),
        "three_aces": dice.choice((66, 66, 0)) if exchange else 0,
        "failed_knock_penalty": dice.choice((1, 2)),
        "knocker_tie": dice.choice(("spared", "doubled", "shares")),
        "stock_exhaustion": dice.choice(("reshuffle", "last_call")),
        "scoring": "points" if points else "lives",
        "starting_lives": dice.choice((1, 1, 1, 2, 2, 3, 5, 100)),
        "all_out": dice.choice(("void", "playoff")),
        "buy_ins": 0 if points else dice.choice((0, 0, 0, 1, 2, 100)),
        "target_points": dice.choice((1, 2, 4, 31)),
        "separate_close": exchange and dice.random() < 0.6,
        "round_limit": dice.choice((1, 2, 3, 5, 20, 100, 1_000)),
        "max_rounds": dice.choice((1, 2, 5, 30, 1_000, 1_000)),
    }
    return draft | {name: dice.random() < 0.5 for name in OPTIONS}


@dataclass(frozen=True, kw_only=True)
class Start:
    """How a game begins: the arguments that `Game` and the oracle share."""

    seed: int
    dealer: int | None = None
    lives: Sequence[int | None] | None = None
    single_round: bool = False


def starts(rules: Rules, dice: random.Random) -> Iterator[Start]:
    """Yield beginnings for ever: ordinary ones, a given dealer, given lives (the last, grace, out), a single round."""
    while True:
        lives = _lives(rules, dice) if rules.scoring == Scoring.LIVES and dice.random() < 0.5 else None
        seats = [seat for seat in range(rules.num_players) if lives is None or _is_in(rules, lives[seat])]
        yield Start(
            seed=dice.randrange(2**63),
            dealer=dice.choice(seats) if dice.random() < 0.3 else None,
            lives=lives,
            single_round=dice.random() < 0.1,
        )


def _is_in(rules: Rules, lives: int | None) -> bool:
    return lives is not None and lives >= (0 if rules.grace else 1)


def _lives(rules: Rules, dice: random.Random) -> list[int | None]:
    """Draw lives by seat that leave at least two seats in; often everybody is on the last loss (R23)."""
    last = 0 if rules.grace else 1
    while True:
        few: tuple[int | None, ...] = (last,) if dice.random() < 0.4 else (None, -1, 0, 1, last, rules.starting_lives)
        lives = [dice.choice(few) for _ in range(rules.num_players)]
        if dice.random() < 0.2:
            lives[dice.randrange(len(lives))] = None
        if sum(_is_in(rules, each) for each in lives) >= 2:
            return lives
