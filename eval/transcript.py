"""An example of the rule book: a position laid out by hand, played, and written down as it went."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from trente_env import Game, preset
from trente_env.game import LastRound
from trente_env.rules import Scoring

__all__ = ["STAND", "Example", "Played", "play", "write"]

STAND: Final = "stand"
"""In `Example.actions`: pass where that is legal, else draw and throw away the card drawn."""
WIDTH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A position, what is done in it, and what a reader should notice."""

    title: str
    """What happens, and the clauses it shows."""
    text: str
    """What to notice, in a sentence or two."""
    preset: str
    """Name of the rule set."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Changes of its fields."""
    position: Mapping[str, Any]
    """Arguments of `Game.set_up`."""
    actions: Sequence[str] = ()
    """Names of actions, or `STAND`."""
    shows_pot: bool = False
    """Whether the rewards by stakes are printed at the end."""


@dataclass(slots=True)
class Played:
    """An example that has been played."""

    game: Game
    actions: list[str]
    """The actions as they were, `STAND` written out."""
    lines: list[str]
    """What happened."""
    round_number: int = 1
    """The round that `lines` have got to."""


def play(example: Example) -> Played:
    """Lay an example's position out, play it, and write down what happens.

    Raises:
        TrenteError: If the position or an action cannot be.
        ValueError: If one decision ends several rounds, of which only the last could be told.
    """
    rules = preset(example.preset, **example.changes)
    played = Played(Game.set_up(rules, **example.position), [], [])
    _note_end(played)
    for action in example.actions:
        if action == STAND:
            _stand(played)
        else:
            _apply(played, action)
    if played.game.last_round is None:
        played.lines.append(f"    the round goes on: seat {played.game.seat_to_move} to move")
    if example.shows_pot:
        played.lines.append('rewards("pot"): ' + " ".join(f"{reward:+g}" for reward in played.game.rewards("pot")))
    return played


def _stand(played: Played) -> None:
    """Take a turn without changing the hand."""
    game = played.game
    if game.is_legal("pass"):
        _apply(played, "pass")
        return
    seat = _mover(game)
    before = set(game.hands[seat])
    _apply(played, "draw")
    (drawn,) = set(game.hands[seat]) - before
    _apply(played, f"discard {drawn}")


def _mover(game: Game) -> int:
    seat = game.seat_to_move
    if seat is None:
        raise ValueError("The example goes on after the end of the game.")
    return seat


def _apply(played: Played, action: str) -> None:
    """Apply an action; write down who did it, what came to hand, and what changed in the middle of the table."""
    game = played.game
    if game.round_number != played.round_number and game.phase != "BUY_IN":
        played.round_number = game.round_number
        played.lines.append(f"    round {game.round_number} is dealt by seat {game.dealer}")
    seat, before = _mover(game), game.clone()
    game.apply(action)
    played.actions.append(action)
    if game.rounds_ended or game.round_number != before.round_number:
        played.lines.append(f"seat {seat}: {action}")
        _note_end(played)
    else:
        gained = [card for card in game.hands[seat] if card not in before.hands[seat]]
        played.lines.append(f"seat {seat}: {action}" + (f" (gets {' '.join(gained)})" if gained else ""))
        if game.stock_size > before.stock_size:
            played.lines.append(f"    the discard pile is shuffled: stock {game.stock_size}, upcard {game.upcard}")
        if game.table != before.table:
            played.lines.append(f"    table {game.table}")
        if game.knocker != before.knocker:
            played.lines.append("    the last lap begins")
    if game.is_over:
        played.lines.append(f"    seat {game.winner} wins the game")


def _note_end(played: Played) -> None:
    """Write down how a round has just ended, and where that leaves everyone."""
    game = played.game
    if game.rounds_ended == 0:
        return
    last = game.last_round
    if game.rounds_ended > 1 or last is None:
        raise ValueError("The next round was over at the deal too: choose another seed for the example.")
    head, _, seats = str(last).partition("): ")
    played.lines.append(f"{head}):")
    played.lines += [f"    {seat}," for seat in seats.split(", ")[:-1]] + [f"    {seats.split(', ')[-1]}"]
    played.lines.append(f"    {_standing(game, last)}")
    if game.phase == "BUY_IN":
        played.lines.append(f"    seat {game.seat_to_move} is asked to buy in")


def _standing(game: Game, last: LastRound) -> str:
    """Write points, or lives and what was charged, by seat."""
    if game.rules.scoring == Scoring.POINTS:
        return f"points now: {' '.join(map(str, game.points))}"
    lives = [
        ("in" if game.is_playoff else str(left) if left else "grace") if is_in else "out"
        for left, is_in in zip(game.lives, game.in_game, strict=True)
    ]
    name = "playoff" if game.is_playoff else "lives now"
    return f"{name}: {' '.join(lives)} (charged: {' '.join(map(str, last.losses))})"


def write(example: Example) -> str:
    """Return an example as Markdown: what to notice, the code, and what happens."""
    played = play(example)
    arguments = [f'preset("{example.preset}"{_keywords(example.changes)}),']
    arguments += [f"{name}={_literal(value)}," for name, value in example.position.items()]
    code = ["game = Game.set_up(", *(f"    {line}" for line in arguments), ")"]
    if len(played.actions) == 1:
        code.append(f"game.apply({_literal(played.actions[0])})")
    elif played.actions:
        listed = textwrap.wrap(f"{', '.join(map(_literal, played.actions))},", WIDTH)
        if len(listed) == 1:
            listed = [f"for action in [{listed[0][:-1]}]:"]
        else:
            listed = ["for action in [", *(f"    {line}" for line in listed), "]:"]
        code += [*listed, "    game.apply(action)"]
    if played.game.last_round is not None:
        code.append("print(game.last_round)")
    title = [f"#### {example.title}", "", textwrap.fill(example.text, 118), ""]
    return "\n".join([*title, "```python", *code, "```", "", "```text", *played.lines, "```"])


def _literal(value: Any) -> str:
    """Write a value as code, texts in double quotes."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)


def _keywords(changes: Mapping[str, Any]) -> str:
    return "".join(f", {name}={_literal(value)}" for name, value in changes.items())
