"""Ways to play that reach the rare events: each a function of what the seat to move sees, and of given dice."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tests import oracles
from trente_env import Rules

ENDING = frozenset({"knock", "pass", "close"})


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What a seat chooses by."""

    rules: Rules
    legal: Sequence[str]
    """Its legal actions by name, sorted."""
    hand: Collection[str]
    upcard: str | None
    table: Collection[str]
    gained: str | None
    """The card it has just drawn or taken; None at the start of a turn."""


Player = Callable[[Sight, random.Random], str]


def hasty(sight: Sight, dice: random.Random) -> str:
    """Do anything."""
    return dice.choice(sight.legal)


def patient(sight: Sight, dice: random.Random) -> str:
    """Put off knocking, passing and closing nearly always."""
    others = [name for name in sight.legal if name not in ENDING]
    return dice.choice(others if others and dice.random() < 0.97 else sight.legal)


def knocker(sight: Sight, dice: random.Random) -> str:
    """End the round as soon as possible."""
    return _first(sight, ("knock", "close", "pass", "draw"), dice)


def staller(sight: Sight, dice: random.Random) -> str:
    """Never knock: take the upcard and give it back, or draw and throw away; pass where passing ends nothing."""
    if sight.gained is not None:
        return _part_with(sight, sight.gained, dice)
    if sight.rules.separate_close and "pass" in sight.legal:
        return "pass"
    return _first(sight, ("take", "draw") if sight.rules.may_return_upcard else ("draw", "take"), dice)


def stander(sight: Sight, dice: random.Random) -> str:
    """Stand pat: pass wherever possible, else throw away what was drawn."""
    if sight.gained is not None:
        return _part_with(sight, sight.gained, dice)
    return _first(sight, ("pass", "draw"), dice)


def emptier(sight: Sight, dice: random.Random) -> str:
    """Draw until the stock is empty, throwing anything; then anything."""
    return "draw" if "draw" in sight.legal else dice.choice(sight.legal)


def swapper(sight: Sight, dice: random.Random) -> str:
    """Swap all three, refuse as the dealer, and swap single cards rather than pass."""
    return _first(sight, ("swap all", "refuse"), dice) if sight.gained is None else hasty(sight, dice)


def collector(sight: Sight, dice: random.Random) -> str:
    """Go for a 31 and never end a round otherwise, unless nothing else is legal."""
    return _improve(sight, dice, ends_at=1_000)


def sensible(sight: Sight, dice: random.Random) -> str:
    """Improve the hand and knock once it is good."""
    return _improve(sight, dice, ends_at=dice.choice((40, 46, 52, 56)))


PLAYERS: tuple[Player, ...] = (
    hasty, patient, knocker, staller, stander, emptier, swapper, collector, collector, sensible, sensible,
)  # fmt: skip


def company(num_players: int, dice: random.Random) -> list[Player]:
    """Return a player for each seat: one manner for the whole table, or one each."""
    if dice.random() < 0.5:
        return [dice.choice(PLAYERS)] * num_players
    return [dice.choice(PLAYERS) for _ in range(num_players)]


def _first(sight: Sight, wished: Sequence[str], dice: random.Random) -> str:
    """Return the first of the wished actions that is legal; any legal action without one."""
    return next((name for name in wished if name in sight.legal), None) or dice.choice(sight.legal)


def _part_with(sight: Sight, card: str, dice: random.Random) -> str:
    return _first(sight, (f"discard {card}", f"leave {card}"), dice)


def _improve(sight: Sight, dice: random.Random, *, ends_at: int) -> str:
    """Take what improves the hand, throw what it misses least; end the round from `ends_at` half points."""
    rules, hand = sight.rules, list(sight.hand)
    if sight.gained is not None:
        return max(sight.legal, key=lambda name: _value_without(rules, hand, name.split()[-1]))
    held = oracles.value(rules, hand)
    if held >= ends_at and dice.random() < 0.9:
        return _first(sight, ("knock", "close", "pass", "keep"), dice)
    gains = {
        name: max(_value_without(rules, [*hand, card], other) for other in hand) - held
        for name, card in _offers(sight).items()
    }
    best = max(gains, key=gains.__getitem__, default="")
    if gains.get(best, 0) > 0:
        return best
    return _first(sight, ("draw",), dice) if "draw" in sight.legal else patient(sight, dice)


def _offers(sight: Sight) -> dict[str, str]:
    """Return the open cards to be had, by the action that takes each."""
    offers = {name: name.split()[-1] for name in sight.legal if name.startswith("take table ")}
    if "take" in sight.legal and sight.upcard is not None:
        offers["take"] = sight.upcard
    return offers


def _value_without(rules: Rules, hand: Sequence[str], card: str) -> int:
    return oracles.value(rules, [held for held in hand if held != card])
