"""The named rule sets (section I of the rule book) and `preset(name, **changes)`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from trente_env.errors import InvalidRulesError, UnknownNameError, is_name
from trente_env.rules import AllOut, KnockerTie, PlayStyle, Rules, Scoring, StockExhaustion

__all__ = ["PRESETS", "field_value", "preset"]

MAX_DIGITS: Final = 9
"""More than any field takes."""
_BOOLEANS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}

QUEBEC: Final = Rules(num_players=4)
CLASSIC: Final = Rules(
    num_players=4,
    may_knock_on_first_turn=False,
    may_pass_on_last_turn=True,
    may_return_upcard=True,
    blitz_after_knock=False,
    stock_exhaustion=StockExhaustion.LAST_CALL,
    all_out=AllOut.PLAYOFF,
)
KAWU: Final = Rules(
    num_players=4, three_of_a_kind=60, may_return_upcard=True, knocker_tie=KnockerTie.DOUBLED, grace=False
)
EXCHANGE: Final = Rules(play_style=PlayStyle.EXCHANGE, num_players=4, ranks="6789TJQKA")

PRESETS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "quebec": QUEBEC,
        "classic": CLASSIC,
        "kawu": KAWU,
        "exchange": EXCHANGE,
        "quebec_points": QUEBEC.replace(scoring=Scoring.POINTS),
        "schwimmen": EXCHANGE.replace(ranks="789TJQKA", separate_close=True, three_aces=66),
        "italian40": CLASSIC.replace(ranks="234567JQKA"),
        "four_card": CLASSIC.replace(hand_size=4),
        "no_trips": CLASSIC.replace(three_of_a_kind=0),
        "buy_in": CLASSIC.replace(buy_ins=1),
        "scat": CLASSIC,
        "trentuno": CLASSIC,
    }
)
"""Every named rule set, at its default number of players."""


def preset(name: str, **changes: Any) -> Rules:
    """Return a named rule set, with some fields changed.

    Args:
        name: A key of `PRESETS`: "quebec", "classic", …
        **changes: Fields of `Rules`, as in `preset("quebec", num_players=2, failed_knock_penalty=1)`.

    Raises:
        UnknownNameError: If there is no such preset.
        InvalidRulesError: If a change makes no sense.
    """
    if not is_name(name, PRESETS):
        raise UnknownNameError("preset", name, list(PRESETS))
    return PRESETS[name].replace(**changes)


def field_value(name: str, text: str) -> bool | int | str:
    """Read the value of a field of `Rules` as a person writes it: "yes", "3", "spared".

    A field that does not exist is left to `Rules` to refuse.

    Raises:
        InvalidRulesError: If the text is no value of the field's type.
    """
    default = next((field.default for field in dataclasses.fields(Rules) if field.name == name), "")
    if isinstance(default, bool):
        if text.lower() not in _BOOLEANS:
            raise InvalidRulesError(name, text, f"give one of {', '.join(_BOOLEANS)}")
        return _BOOLEANS[text.lower()]
    if isinstance(default, int):
        if not (text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS):
            raise InvalidRulesError(name, text, "give a whole number")
        return int(text)
    return text
