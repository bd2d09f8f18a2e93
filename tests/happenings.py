"""What can happen in a game, told from the game: one predicate an event, over a decision and what came of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Final

from eval.playthrough import Scenario, steps
from trente_env import PRESETS, Game
from trente_env.rules import PlayStyle, Scoring

THREE_ACES: Final = 66
TOP_OF_FOUR: Final = 82


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """A decision and what came of it; at the beginning of a game, the beginning twice and no action."""

    before: Game
    action: str
    after: Game

    def ends(self, end: str, outcome: str = "charged") -> bool:
        """Return whether it ended a round so."""
        last = self.after.last_round
        return bool(self.after.rounds_ended) and last is not None and (last.end, last.outcome) == (end, outcome)

    @property
    def values(self) -> tuple[int, ...]:
        """Values of the hands shown in half points, by seat; none where no round ended."""
        last = self.after.last_round
        return last.half_points if self.after.rounds_ended and last else ()

    @property
    def losses(self) -> tuple[int, ...]:
        """Lives charged by the round it ended, by seat."""
        last = self.after.last_round
        return last.losses if self.after.rounds_ended and last else ()

    @property
    def scores(self) -> tuple[int, ...]:
        """Points scored in the round it ended, by seat."""
        last = self.after.last_round
        return last.points if self.after.rounds_ended and last else ()

    @property
    def out(self) -> tuple[int, ...]:
        """Seats put out by the round it ended."""
        last = self.after.last_round
        return last.out if self.after.rounds_ended and last else ()

    @property
    def judged(self) -> int | None:
        """The knocker that the round it ended judged."""
        last = self.after.last_round
        return last.knocker if self.after.rounds_ended and last else None

    @property
    def clause(self) -> str:
        """The clauses that decided the round it ended."""
        last = self.after.last_round
        return last.clause if self.after.rounds_ended and last else ""

    @property
    def num_31s(self) -> int:
        """How many of the hands shown are a 31."""
        return self.values.count(self.after.rules.top_half_points)

    @property
    def was_last_lap(self) -> bool:
        """Whether somebody had knocked before."""
        return bool(self.action) and self.before.knocker is not None

    @property
    def is_for_points(self) -> bool:
        """Whether the game is played for points."""
        return self.after.rules.scoring == Scoring.POINTS

    @property
    def is_exchange(self) -> bool:
        """Whether it is the exchange game."""
        return self.after.rules.play_style == PlayStyle.EXCHANGE


def all_steps(scenario: Scenario) -> Iterator[Step]:
    """Yield the steps of a game, its beginning first. A step is good until the next is asked for."""
    before, name = None, ""
    for game, action in steps(scenario):
        yield Step(game if before is None else before, name, game)
        before, name = game.clone(), "" if action is None else game.action_name(action)


def is_reshuffled(step: Step) -> bool:
    """R17: the stock grew within a round."""
    return step.after.round_number == step.before.round_number and step.after.stock_size > step.before.stock_size


def is_last_call(step: Step) -> bool:
    """R17: the turn began with an empty stock, which stayed empty."""
    return step.before.phase == "DRAW" and step.before.stock_size == 0 and not step.before.is_legal("draw")


def enters_grace(step: Step) -> bool:
    """R21: a seat lost its last life and stays in."""
    return any(
        loss and step.before.lives[seat] and step.after.in_game[seat] and step.after.lives[seat] == 0
        for seat, loss in enumerate(step.losses)
    )


def leaves_grace(step: Step) -> bool:
    """R21: a seat that has played on in grace goes out."""
    return not step.before.is_playoff and any(
        step.before.lives[seat] == 0 and step.before.turn_number > seat for seat in step.out
    )


def ties_at_the_top(step: Step) -> bool:
    """R31: the knocker is level at the top with others, which score, and does not."""
    if step.judged is None or not step.is_for_points:
        return False
    best = {seat for seat, value in enumerate(step.values) if value == max(step.values)}
    return step.judged in best and {seat for seat, score in enumerate(step.scores) if score} == best - {step.judged}


def ties_at_the_bottom(step: Step, loss: int) -> bool:
    """R16: the knocker is level at the bottom and loses so many lives, the others there one."""
    if step.judged is None or step.is_exchange or step.is_for_points:
        return False
    lowest = min(value for value in step.values if value)
    lost = {seat: step.losses[seat] for seat, value in enumerate(step.values) if value == lowest}
    return len(lost) > 1 and lost.pop(step.judged, None) == loss and set(lost.values()) == {1}


def is_locked(step: Step) -> bool:
    """R43: a seat is to move that can only pass, though nobody has passed yet."""
    return step.after.phase == "EXCHANGE" and step.after.knocker is None and len(step.after.legal_actions()) == 1


def is_refreshed(step: Step) -> bool:
    """R48: a pass put other cards on the table."""
    return step.action == "pass" and not step.after.rounds_ended and step.after.table != step.before.table


def is_dealt_again(step: Step) -> bool:
    """R9: with lives to lose the first deal is a round, over at once; here it is as if it had not been."""
    game = step.after
    is_new = not step.action and game.last_round is None and game.num_decisions == 0 and not any(game.lives)
    return is_new and Game(game.rules, game.seed).rounds_ended > 0


EVENTS: Final[dict[str, Callable[[Step], bool]]] = {
    "31 at the deal for two seats (R9, R15)": lambda s: s.ends("31 at the deal") and s.num_31s == 2 and any(s.losses),
    "31s at the deal for points (R30)": lambda s: s.ends("31 at the deal") and sum(s.scores) == 2,
    "31 in the last lap ends the round (R15)": lambda s: s.was_last_lap and s.ends("31") and any(s.losses),
    "31 in the last lap counts only (R15)": lambda s: s.ends("knock") and s.num_31s > 0,
    "31 in the last lap for points (R30)": lambda s: s.was_last_lap and s.ends("31") and sum(s.scores) == 1,
    "31 by exchange (R44)": lambda s: s.is_exchange and s.ends("31") and s.clause == "R44",
    "reshuffle (R17)": lambda s: is_reshuffled(s) and not s.was_last_lap,
    "reshuffle in the last lap (R17)": lambda s: is_reshuffled(s) and s.was_last_lap,
    "last call by pass (R17)": lambda s: is_last_call(s) and s.action == "pass" and s.ends("last call"),
    "last call by knock (R16, R17)": lambda s: is_last_call(s) and s.action == "knock" and s.clause == "R17, R16",
    "last call after a knock (R17)": lambda s: is_last_call(s) and s.was_last_lap,
    "round limit (R50)": lambda s: s.ends("limit") and not s.was_last_lap,
    "round limit in the last lap (R50)": lambda s: s.ends("limit") and s.was_last_lap,
    "two rounds in one step (R9)": lambda s: bool(s.action) and s.after.rounds_ended == 2,
    "dealt again (R9)": is_dealt_again,
    "truncated (R50)": lambda s: s.after.is_truncated,
    "grace (R21)": enters_grace,
    "out after grace (R21)": leaves_grace,
    "kawu void (R23)": lambda s: s.ends("knock", "void") and s.after.rules.replace(num_players=4) == PRESETS["kawu"],
    "playoff with three (R23)": lambda s: s.after.is_playoff and sum(s.after.in_game) == 3,
    "playoff won (R23)": lambda s: s.before.is_playoff and s.after.winner is not None,
    "buy-in (R24)": lambda s: s.action == "buy in" and sum(s.after.buy_ins) == 1 + sum(s.before.buy_ins),
    "buy-in declined (R24)": lambda s: s.action == "decline",
    "no buy-in in a playoff (R24)": lambda s: s.after.rules.buy_ins > 0 and s.before.is_playoff and s.after.is_over,
    "pot with a buy-in (R24)": lambda s: any(s.after.buy_ins) and any(s.after.rewards("pot")),
    "knocker strictly lowest (R16)": lambda s: s.ends("knock") and 2 in s.losses,
    "knocker tied and spared (R16)": lambda s: ties_at_the_bottom(s, 0),
    "knocker tied and doubled (R16)": lambda s: ties_at_the_bottom(s, 2),
    "points tie with the knocker (R31)": ties_at_the_top,
    "a 41 (R4)": lambda s: s.ends("31") and TOP_OF_FOUR in s.values,
    "all equal (R45)": lambda s: s.is_exchange and s.ends("knock", "void") and len(set(s.values)) == 1,
    "lock (R43)": is_locked,
    "dealer refusing (R40)": lambda s: s.action == "refuse",
    "refresh (R48)": is_refreshed,
    "table exhausted (R48)": lambda s: s.ends("table exhausted"),
    "three aces (R48)": lambda s: s.ends("31") and THREE_ACES in s.values,
    "three aces beat a 31 (R48)": lambda s: s.ends("31 at the deal") and s.num_31s > 0 and THREE_ACES in s.values,
    "over after a single round": lambda s: s.after.phase == "OVER" and s.after.winner is None and any(s.losses),
    "won (R22, R32)": lambda s: s.after.winner is not None and sum(s.after.rewards("game")) == 0,
}
"""What must occur in the playthroughs."""
