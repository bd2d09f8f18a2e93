"""The rule sets as section I of the rule book has them, read once more."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class OracleRules:
    """The fields of `Rules`, words as text, with the values of the `quebec` column."""

    play_style: str = "draw"
    num_players: int = 4
    ranks: str = "23456789TJQKA"
    suits: str = "cdhs"
    hand_size: int = 3
    three_of_a_kind: int = 61
    three_aces: int = 0
    may_knock_on_first_turn: bool = True
    may_pass_on_last_turn: bool = False
    may_return_upcard: bool = False
    blitz_after_knock: bool = True
    failed_knock_penalty: int = 2
    knocker_tie: str = "spared"
    stock_exhaustion: str = "reshuffle"
    scoring: str = "lives"
    starting_lives: int = 3
    grace: bool = True
    all_out: str = "void"
    buy_ins: int = 0
    target_points: int = 0
    separate_close: bool = False
    round_limit: int = 100
    max_rounds: int = 1_000


QUEBEC = OracleRules()
CLASSIC = OracleRules(
    may_knock_on_first_turn=False,
    may_pass_on_last_turn=True,
    may_return_upcard=True,
    blitz_after_knock=False,
    stock_exhaustion="last_call",
    all_out="playoff",
)
KAWU = OracleRules(three_of_a_kind=60, may_return_upcard=True, knocker_tie="doubled", grace=False)
EXCHANGE = OracleRules(
    play_style="exchange",
    ranks="6789TJQKA",
    may_pass_on_last_turn=True,
    failed_knock_penalty=1,
    knocker_tie="shares",
)
QUEBEC_POINTS = OracleRules(scoring="points", target_points=31, starting_lives=0, grace=False)

PRESETS = {
    "quebec": QUEBEC,
    "classic": CLASSIC,
    "scat": CLASSIC,
    "trentuno": CLASSIC,
    "four_card": dataclasses.replace(CLASSIC, hand_size=4),
    "no_trips": dataclasses.replace(CLASSIC, three_of_a_kind=0),
    "buy_in": dataclasses.replace(CLASSIC, buy_ins=1),
    "italian40": dataclasses.replace(CLASSIC, ranks="234567JQKA"),
    "kawu": KAWU,
    "exchange": EXCHANGE,
    "schwimmen": dataclasses.replace(EXCHANGE, ranks="789TJQKA", separate_close=True, three_aces=66),
    "quebec_points": QUEBEC_POINTS,
}

DOES_NOT_APPLY = {
    "exchange": {
        "may_knock_on_first_turn",
        "may_pass_on_last_turn",
        "may_return_upcard",
        "blitz_after_knock",
        "failed_knock_penalty",
        "knocker_tie",
        "stock_exhaustion",
        "all_out",
    },
    "points": {"blitz_after_knock", "failed_knock_penalty", "knocker_tie", "starting_lives", "grace", "all_out"},
}
"""Fields that change nothing, by play style or scoring (R51)."""


def preset(name: str, **changes: Any) -> OracleRules:
    """Return a named rule set, with some fields changed."""
    return dataclasses.replace(PRESETS[name], **changes)
