"""A playthrough: a fixed game written down at every decision, all that is hidden and all that a seat is told.

The text comes from `Game` and `GameBatch` alone, so it changes when the game, its rewards or its observations change,
and not when the engine inside is cut differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from eval.observation_text import numbers_lines, section_lines
from trente_env import Game, GameBatch, preset
from trente_env.cards import NUM_CARDS, parse_card
from trente_env.core.rewards import REWARD_KINDS
from trente_env.core.rng import random_below
from trente_env.rules import Rules, Scoring

__all__ = ["COMMAND", "Scenario", "choose", "lines", "steps"]

COMMAND: Final = "python -m eval playthroughs"
"""What writes the files anew."""
_ENDING: Final = frozenset({"knock", "pass", "close"})
_CARDS_A_SUIT: Final = NUM_CARDS // 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A game to be written down: how it begins, and what is done in it."""

    name: str
    """Name of its file, without the ending."""
    text: str
    """What a reader should notice."""
    preset: str
    """Name of the rule set."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Changes of its fields."""
    opening: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of `Game`: seed, dealer, lives, single_round."""
    position: Mapping[str, Any] | None = None
    """Arguments of `Game.set_up`, for a game that begins in the middle instead."""
    actions: Sequence[str] = ()
    """The first actions, by name."""
    further: int = 0
    """Most decisions after those; `choose` takes them."""
    patience: int = 4
    """How `choose` ends rounds: one time in so many that it could."""

    @property
    def rules(self) -> Rules:
        """The rule set with its changes."""
        return preset(self.preset, **self.changes)

    def begin(self) -> Game:
        """Return the game as it begins."""
        if self.position is None:
            return Game(self.rules, **self.opening)
        return Game.set_up(self.rules, **self.position)


def choose(game: Game, patience: int) -> int:
    """Choose a legal action, a function of the game alone: mostly for one suit, now and then any at all.

    Args:
        game: The game.
        patience: A knock, pass or close is chosen one time in so many where there is another way.
    """
    seat = game.seat_to_move
    legal = game.legal_actions()
    if seat is None or len(legal) == 1:
        return legal[0]
    dice = [
        random_below(game.seed, 4 * game.num_decisions + number, bound) for number, bound in enumerate((patience, 4))
    ]
    ending = [action for action in legal if game.action_name(action) in _ENDING]
    options = [action for action in legal if action not in ending] or legal
    if ending and dice[0] == 0:
        options = ending
    if dice[1] == 0:
        return options[random_below(game.seed, 4 * game.num_decisions + 2, len(options))]
    held = [parse_card(card) // _CARDS_A_SUIT for card in game.hands[seat]]
    if game.phase in {"DISCARD", "LEAVE"}:
        return min(options, key=lambda card: held.count(card // _CARDS_A_SUIT))
    if game.phase == "EXCHANGE":
        return max(options, key=lambda action: held.count(action // _CARDS_A_SUIT))
    fits = game.upcard is not None and held.count(parse_card(game.upcard) // _CARDS_A_SUIT) > 1
    return options[1] if fits and len(options) > 1 else options[0]


def steps(scenario: Scenario) -> Iterator[tuple[Game, int | None]]:
    """Yield the game at every decision, with the action taken in it next; at last with None, where it is left.

    Raises:
        TrenteError: If the position or an action cannot be.
    """
    game = scenario.begin()
    for name in scenario.actions:
        action = game.verify(name)
        yield game, action
        game.apply(action)
    for _ in range(scenario.further):
        if game.is_over:
            break
        action = choose(game, scenario.patience)
        yield game, action
        game.apply(action)
    yield game, None


def lines(scenario: Scenario) -> list[str]:
    """Return a playthrough, line by line.

    Raises:
        TrenteError: If the position or an action cannot be.
    """
    table = GameBatch(scenario.rules, 1)
    written = _head(scenario, table)
    for number, (game, action) in enumerate(steps(scenario)):
        if number or game.rounds_ended:
            written += _results(game)
        written += ["", f"== {number}: {_headline(game)}", *_state(game)]
        if not game.is_over:
            written += _observation(game, table, with_numbers=number == 0 or action is None)
        if action is not None:
            written += [f"action: {action} {game.action_name(action)}"]
    return written


def _head(scenario: Scenario, table: GameBatch) -> list[str]:
    """Write what the game is."""
    changes = "".join(f", {name}={value!r}" for name, value in scenario.changes.items())
    call, given = ("Game", scenario.opening) if scenario.position is None else ("Game.set_up", scenario.position)
    rules = scenario.rules.to_dict()
    return [
        f"# {scenario.text}",
        f"# Written by `{COMMAND}`, compared by a test: do not edit.",
        "",
        f'{call}(preset("{scenario.preset}"{changes}))',
        *(f"    {name}: {value!r}" for name, value in given.items()),
        "rules",
        *(f"    {name}: {value}" for name, value in rules.items()),
        f"    fingerprint: {scenario.rules.fingerprint}",
        f"observation: {table.spec.size} numbers, layout {table.spec.fingerprint}",
    ]


def _headline(game: Game) -> str:
    """Write whose decision it is, or how the game came out."""
    if not game.is_over:
        return f"seat {game.seat_to_move} to move, {game.phase}"
    if game.is_truncated:
        return "truncated"
    return "over" if game.winner is None else f"seat {game.winner} wins"


def _state(game: Game) -> list[str]:
    """Write everything, hidden cards included, a fact a line."""
    knocker = "nobody" if game.knocker is None else f"seat {game.knocker}"
    playoff = ", a playoff" if game.is_playoff else ""
    return [
        f"round {game.round_number}{playoff}, turn {game.turn_number}, dealer seat {game.dealer}, knocker {knocker}",
        *(f"seat {seat}: {_seat(game, seat)}" for seat in range(game.rules.num_players)),
        f"stock: {game.stock_size}",
        f"discard pile: {' '.join(game.discard_pile) or '-'}",
        f"upcard: {game.upcard or '-'}",
        f"table: {game.table or '-'}",
    ]


def _seat(game: Game, seat: int) -> str:
    """Write what a seat holds and how it stands."""
    if game.rules.scoring == Scoring.POINTS:
        standing = f"points {game.points[seat]}"
    elif not game.in_game[seat]:
        standing = "out"
    else:
        standing = f"lives {game.lives[seat]}" if game.lives[seat] else "grace"
    bought = f", buy-ins {game.buy_ins[seat]}" if game.rules.buy_ins else ""
    return f"{game.hands[seat] or '-'}, {standing}{bought}"


def _observation(game: Game, table: GameBatch, *, with_numbers: bool) -> list[str]:
    """Write what the seat to move may do and is told; the rules, which stay as they are, only with the numbers."""
    table.restore(game.to_array())
    seen = table.arrays()
    table.look(seen)
    mask, row = seen.masks_BA[0], seen.observations_BS[0]
    legal = ", ".join(f"{action} {game.action_name(action)}" for action in np.flatnonzero(mask).tolist())
    sections = [line for line in section_lines(row, table.spec) if with_numbers or not line.startswith("rules: ")]
    numbers = ["numbers", *(f"    {line}" for line in numbers_lines(row))] if with_numbers else []
    return [f"legal: {legal}", "observed", *(f"    {line}" for line in sections), *numbers]


def _results(game: Game) -> list[str]:
    """Write what the last decision brought: the rewards of every kind, and how a round ended."""
    by_kind = {kind: game.rewards(kind) for kind in REWARD_KINDS}
    rewards = [f"reward {kind}: {' '.join(f'{reward:.6g}' for reward in by_kind[kind])}" for kind in by_kind]
    if not any(map(any, by_kind.values())):
        rewards = [f"rewards ({', '.join(by_kind)}): all zero"]
    last = game.last_round
    if game.rounds_ended == 0 or last is None:
        return rewards
    knocker = "nobody" if last.knocker is None else f"seat {last.knocker}"
    return [
        *rewards,
        f"rounds ended: {game.rounds_ended}",
        f"round {last.number} ended by {last.end}: {last.outcome}, {last.clause}; knocker {knocker}",
        *(
            f"    seat {seat}: {hand}, {last.half_points[seat]} half points, loses {last.losses[seat]}, "
            f"scores {last.points[seat]}{', goes out' if seat in last.out else ''}"
            for seat, hand in enumerate(last.hands)
            if hand
        ),
    ]
