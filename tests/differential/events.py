"""The rare events of the game, told from what a game shows: a proof that never meets them proves little."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests.differential.compare import Pair

EVENTS: Final = (
    "31 after a swap or discard (R15, R44)",
    "31 in the last lap ends the round (R15)",
    "31 in the last lap counts at the showdown (R15)",
    "31 at the deal (R9)",
    "31 at the deal, two seats or more (R15)",
    "31 at the deal, every seat (R15)",
    "31 in a playoff (R23)",
    "three aces (R48)",
    "several rounds in one decision (R9)",
    "new game dealt again (R9)",
    "upcard given back (R12)",
    "reshuffle (R17)",
    "reshuffle in the last lap (R17)",
    "second reshuffle in a round (R17)",
    "last call, pass (R17)",
    "last call, knock (R17)",
    "last call in the last lap, pass (R17)",
    "failed knock costs two (R16)",
    "knocker tied, spared (R16)",
    "knocker tied, doubled (R16)",
    "knocker tied, shares (R16)",
    "grace (R21)",
    "two lives lost with one left (R21)",
    "two seats out at once (R22)",
    "old dealer out (R7)",
    "void, all out (R23)",
    "playoff (R23)",
    "playoff of three or more (R23)",
    "playoff again (R23)",
    "playoff loses a seat, goes on (R23)",
    "buy-in (R24)",
    "second buy-in of a seat (R24)",
    "two seats asked to buy in (R24)",
    "buy-in declined (R24)",
    "points tie with the knocker (R31)",
    "points tied beyond the target (R32)",
    "dealer keeps (R40)",
    "dealer refuses (R40)",
    "first pass opens the last lap (R42)",
    "locked seat passes (R43)",
    "locked seat opens the last lap (R43)",
    "swap all makes a 31 (R44)",
    "all equal (R45)",
    "close (R48)",
    "locked seat closes (R48)",
    "table renewed (R48)",
    "table exhausted (R48)",
    "round limit (R50)",
    "round limit in the last lap (R50)",
    "game truncated (R50)",
    "game won (R22, R32)",
    "single round over (R9)",
)
"""Every event that a long run must have reached."""


@dataclass(frozen=True)
class Glance:
    """The state before a decision, as far as events need it."""

    seat: int
    knocker: int | None
    is_playoff: bool
    lives: tuple[int, ...]
    in_game: tuple[bool, ...]
    dealer: int
    round_number: int
    stock_size: int
    pile_size: int
    reshuffles: int
    is_locked: bool
    upcard_taken: str | None


def glance(pair: Pair) -> Glance:
    """Look at a pair before its next decision."""
    game = pair.oracle
    seat = game.seat_to_move
    assert seat is not None
    knowledge = pair.knowledge[seat]
    return Glance(
        seat=seat,
        knocker=game.knocker,
        is_playoff=game.is_playoff,
        lives=tuple(game.lives),
        in_game=tuple(game.in_game),
        dealer=game.dealer,
        round_number=game.round_number,
        stock_size=len(game.stock),
        pile_size=len(game.discard_pile),
        reshuffles=knowledge.reshuffles,
        is_locked=knowledge.locked[seat],
        upcard_taken=knowledge.taken,
    )


def opening_events(pair: Pair) -> Iterator[str]:
    """Yield what has happened before the first decision."""
    if pair.chance.last_deal > pair.oracle.round_number:
        yield "new game dealt again (R9)"
    for settled in pair.oracle.rounds:
        yield from _events_of_round(pair, settled, None, "")


def events(pair: Pair, before: Glance, name: str) -> Iterator[str]:
    """Yield what the last decision has brought about."""
    game, rules = pair.oracle, pair.rules
    settled = game.rounds[pair.num_rounds :]
    yield from _events_of_action(pair, before, name, is_round_over=bool(settled))
    for number, each in enumerate(settled):
        yield from _events_of_round(pair, each, before if number == 0 else None, name)
    if len(settled) > 1:
        yield "several rounds in one decision (R9)"
    if any(now == 0 < was and still for now, was, still in zip(game.lives, before.lives, game.in_game, strict=True)):
        yield "grace (R21)"
    if game.dealer != before.dealer and not game.in_game[before.dealer]:
        yield "old dealer out (R7)"
    if rules.scoring == "points" and settled and not game.is_over and max(game.points) >= rules.target_points:
        yield "points tied beyond the target (R32)"
    if game.is_over:
        ended = "game won (R22, R32)" if game.winner is not None else "single round over (R9)"
        yield "game truncated (R50)" if game.is_truncated else ended


def _events_of_action(pair: Pair, before: Glance, name: str, *, is_round_over: bool) -> Iterator[str]:
    """Yield what an action is, where that is rare."""
    game, rules = pair.oracle, pair.rules
    is_exchange = rules.play_style == "exchange"
    opens = not is_round_over and before.knocker is None and game.knocker is not None
    plain = {
        "keep": "dealer keeps (R40)",
        "refuse": "dealer refuses (R40)",
        "close": "close (R48)",
        "decline": "buy-in declined (R24)",
        "buy in": "buy-in (R24)",
    }
    if name in plain:
        yield plain[name]
    if name == "buy in" and game.buy_ins[before.seat] > 1:
        yield "second buy-in of a seat (R24)"
    if name in {"buy in", "decline"} and {"buy in", "decline"} == set(pair.legal):
        yield "two seats asked to buy in (R24)"
    if before.upcard_taken is not None and name == f"discard {before.upcard_taken}":
        yield "upcard given back (R12)"
    if is_exchange and name == "pass" and opens:
        yield "first pass opens the last lap (R42)"
    if before.is_locked and name == "pass":
        yield "locked seat passes (R43)"
        if opens:
            yield "locked seat opens the last lap (R43)"
    if before.is_locked and name == "close":
        yield "locked seat closes (R48)"
    if is_exchange and not is_round_over and len(game.discard_pile) > before.pile_size:
        yield "table renewed (R48)"
    if not is_exchange and name == "pass" and before.knocker is not None and before.stock_size == 0:
        yield "last call in the last lap, pass (R17)"
    if not is_exchange and not is_round_over and len(game.stock) > before.stock_size and name not in plain:
        yield "reshuffle (R17)"
        if game.knocker is not None:
            yield "reshuffle in the last lap (R17)"
        if before.reshuffles > 0:
            yield "second reshuffle in a round (R17)"


def _events_of_round(pair: Pair, settled: Any, before: Glance | None, name: str) -> Iterator[str]:
    """Yield how a round ended and what came of it, where that is rare.

    Args:
        pair: The game, after the round.
        settled: The round.
        before: The state before the decision that ended it; None for a round over at the deal.
        name: That decision.
    """
    rules = pair.rules
    values = {seat: settled.half_points[seat] for seat, hand in enumerate(settled.hands) if hand}
    tops = [seat for seat, value in values.items() if value >= rules.top_half_points]
    was_last_lap = before is not None and (before.knocker is not None or name == "knock")
    if settled.end == "31":
        yield "31 after a swap or discard (R15, R44)"
        if was_last_lap:
            yield "31 in the last lap ends the round (R15)"
        if name == "swap all":
            yield "swap all makes a 31 (R44)"
    if settled.end == "31 at the deal":
        yield "31 at the deal (R9)"
        if len(tops) > 1:
            yield "31 at the deal, two seats or more (R15)"
        if len(tops) == len(values):
            yield "31 at the deal, every seat (R15)"
    if settled.end == "knock" and tops:
        yield "31 in the last lap counts at the showdown (R15)"
    if rules.three_aces and settled.end.startswith("31") and rules.three_aces in values.values():
        yield "three aces (R48)"
    if settled.end == "last call":
        yield "last call, pass (R17)"
    if settled.end == "knock" and name == "knock":
        yield "last call, knock (R17)"
    if settled.end == "table exhausted":
        yield "table exhausted (R48)"
    if settled.end == "limit":
        yield "round limit (R50)"
        if was_last_lap:
            yield "round limit in the last lap (R50)"
    yield from _events_of_losses(pair, settled, before, values)


def _events_of_losses(pair: Pair, settled: Any, before: Glance | None, values: dict[int, int]) -> Iterator[str]:
    """Yield who lost what by a round, where that is rare."""
    rules = pair.rules
    lowest = [seat for seat, value in values.items() if value == min(values.values())]
    highest = [seat for seat, value in values.items() if value == max(values.values())]
    if settled.knocker is not None and rules.play_style == "draw":
        if rules.scoring == "points" and settled.knocker in highest and len(highest) > 1:
            yield "points tie with the knocker (R31)"
        if rules.scoring == "lives" and settled.knocker in lowest and len(lowest) > 1:
            yield f"knocker tied, {rules.knocker_tie} (R16)"
    if max(settled.losses) > 1:
        yield "failed knock costs two (R16)"
    if before is not None and any(
        loss == 2 and before.lives[seat] == 1 and seat not in settled.out for seat, loss in enumerate(settled.losses)
    ):
        yield "two lives lost with one left (R21)"
    if len(settled.out) > 1:
        yield "two seats out at once (R22)"
    if settled.outcome == "void":
        yield "all equal (R45)" if rules.play_style == "exchange" else "void, all out (R23)"
    is_playoff = before is not None and before.is_playoff
    if settled.outcome == "playoff":
        yield "playoff again (R23)" if is_playoff else "playoff (R23)"
        if len(values) > 2:
            yield "playoff of three or more (R23)"
    if is_playoff and settled.outcome == "charged":
        if settled.end.startswith("31"):
            yield "31 in a playoff (R23)"
        if len(values) - len(settled.out) > 1:
            yield "playoff loses a seat, goes on (R23)"
