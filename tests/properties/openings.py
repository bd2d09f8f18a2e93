"""Hypothesis strategies: rule sets, presets and any others that are allowed, and the ways a game can begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from tests.play import NAMES
from trente_env import PRESETS, Game, Rules
from trente_env.cards import RANKS, SUITS
from trente_env.core.rng import MAX_SEED
from trente_env.rules import MAX_PLAYERS, PlayStyle, Scoring

DECKS = (RANKS, "6789TJQKA", "789TJQKA", "89TJQKA", "TJQKA", "A2345", "A5KQJ", "TJQK", "AK234567")
"""Ranks of decks: full ones, and small ones in which the stock runs out and 31s and ties are frequent."""

seeds = st.one_of(st.integers(0, 50), st.integers(0, MAX_SEED))
limits = st.sampled_from((1, 2, 3, 12, 100))
horizons = st.sampled_from((1, 2, 5, 20, 1_000))


def most_players(cards: int, hand_size: int, spare: int) -> int:
    """Return how many hands a deck has room for (R8)."""
    return min(MAX_PLAYERS, (cards - spare) // hand_size)


@st.composite
def decks(draw: st.DrawFn, hand_size: int, spare: int) -> dict[str, Any]:
    """Draw a deck that seats two at least, and how many sit at it."""
    ranks = draw(st.one_of(st.sampled_from(DECKS), st.sets(st.sampled_from(RANKS), min_size=hand_size).map("".join)))
    suits = draw(st.one_of(st.just(SUITS), st.sets(st.sampled_from(SUITS), min_size=1).map("".join)))
    if most_players(len(ranks) * len(suits), hand_size, spare) < 2:
        suits = SUITS
    if most_players(len(ranks) * len(suits), hand_size, spare) < 2:
        ranks = RANKS
    most = most_players(len(ranks) * len(suits), hand_size, spare)
    return {"ranks": ranks, "suits": suits, "num_players": draw(st.one_of(st.integers(2, min(4, most)), st.just(most)))}


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Draw rules field by field, every combination that `Rules` allows."""
    is_exchange, is_for_points = draw(st.sampled_from(((False, False), (False, False), (False, True), (True, False))))
    hand_size = 3 if is_exchange else draw(st.sampled_from((3, 2, 4)))
    fields: dict[str, Any] = {
        "play_style": "exchange" if is_exchange else "draw",
        "scoring": "points" if is_for_points else "lives",
        "hand_size": hand_size,
        "three_of_a_kind": draw(st.sampled_from((61, 60, 0))),
        "failed_knock_penalty": draw(st.sampled_from((2, 1))),
        "knocker_tie": draw(st.sampled_from(("spared", "doubled", "shares"))),
        "stock_exhaustion": draw(st.sampled_from(("reshuffle", "last_call"))),
        "all_out": draw(st.sampled_from(("void", "playoff"))),
        "starting_lives": draw(st.sampled_from((1, 1, 2, 100))),
        "round_limit": draw(limits),
        "max_rounds": draw(horizons),
    }
    if is_exchange:
        fields |= {"three_aces": draw(st.sampled_from((0, 66))), "separate_close": draw(st.booleans())}
    if is_for_points:
        fields["target_points"] = draw(st.sampled_from((1, 2, 4, 31)))
    else:
        fields["buy_ins"] = draw(st.sampled_from((0, 0, 1, 2)))
    for name in (
        "may_knock_on_first_turn",
        "may_pass_on_last_turn",
        "may_return_upcard",
        "blitz_after_knock",
        "grace",
    ):
        fields[name] = draw(st.booleans())
    return Rules(**fields, **draw(decks(hand_size, 3 if is_exchange else 2)))


@st.composite
def preset_rules(draw: st.DrawFn) -> Rules:
    """Draw a preset at any size of table, as it is or with few lives or points and a near limit."""
    rules = PRESETS[draw(st.sampled_from(NAMES))]
    most = most_players(len(rules.deck), rules.hand_size, 2 if rules.play_style == PlayStyle.DRAW else 3)
    rules = rules.replace(num_players=draw(st.integers(2, most)))
    if draw(st.booleans()):
        return rules
    short = {"target_points": 2} if rules.scoring == Scoring.POINTS else {"starting_lives": draw(st.integers(1, 2))}
    return rules.replace(round_limit=draw(limits), max_rounds=draw(horizons), **short)


@st.composite
def brink_rules(draw: st.DrawFn) -> Rules:
    """Draw rules under which each round may put everyone out: one life, two cards of ten points, two turns (R23)."""
    return Rules(
        num_players=draw(st.integers(2, 4)),
        ranks="TJQK",
        hand_size=2,
        starting_lives=1,
        grace=False,
        round_limit=draw(st.integers(1, 2)),
        max_rounds=draw(horizons),
        all_out=draw(st.sampled_from(("playoff", "void"))),
        knocker_tie=draw(st.sampled_from(("spared", "doubled", "shares"))),
        buy_ins=draw(st.integers(0, 1)),
    )


rule_sets = st.one_of(preset_rules(), any_rules(), any_rules(), brink_rules())


@dataclass(frozen=True)
class Opening:
    """How a game begins; it begins the same each time."""

    rules: Rules
    seed: int
    dealer: int | None
    lives: tuple[int | None, ...] | None
    single_round: bool

    def game(self) -> Game:
        """Begin the game."""
        return Game(
            self.rules, self.seed, dealer=self.dealer, lives=self.lives, single_round=self.single_round
        )  # fmt: skip


@st.composite
def openings(draw: st.DrawFn) -> Opening:
    """Draw rules, a seed, and now and then a dealer, lives by seat (some seats out) or a single round."""
    rules = draw(rule_sets)
    dealer = lives = None
    if rules.scoring == Scoring.LIVES and draw(st.booleans()):
        some = st.integers(0 if rules.grace else 1, rules.starting_lives)
        drawn = [draw(st.one_of(some, st.none())) for _ in range(rules.num_players)]
        if sum(left is not None for left in drawn) < 2:
            drawn[:2] = [1, 1]
        lives = tuple(drawn)
    if draw(st.booleans()):
        seats = [seat for seat in range(rules.num_players) if lives is None or lives[seat] is not None]
        dealer = draw(st.sampled_from(seats))
    return Opening(rules, draw(seeds), dealer, lives, draw(st.sampled_from((False, False, False, True))))
