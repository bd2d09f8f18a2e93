"""Recording a game as it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trente_env.core.layout import NOBODY, OUT
from trente_env.errors import InvalidOptionError
from trente_env.game import Game
from trente_env.record.entries import Entry, Record
from trente_env.record.play import Play
from trente_env.record.writing import nearest_preset, numbered

__all__ = ["Recorder"]

MAX_NAME: Final = 64
"""Most characters of a player's name: nine of them fit a line."""


class Recorder:
    """Plays a game and keeps its record.

        recorder = Recorder(Game(preset("quebec"), seed=7))
        recorder.apply("draw")
        print(write(recorder.record()))

    Args:
        game: A game at its beginning. From then on it is played through `apply` here.
        players: Names by seat, if any.

    Raises:
        InvalidOptionError: If the game is under way or was laid out by hand, or the names do not fit it.
    """

    def __init__(self, game: Game, players: Sequence[str] = ()) -> None:
        """Take the opening deal down."""
        self.game = game
        """The game being played: ask it anything, but let `apply` here move it."""
        self._players = _checked_players(players, game.rules.num_players)
        self._play = Play(game)
        self._entries: list[Entry] = self._play.open()
        if self._play.game != game:
            raise InvalidOptionError(
                f"{game!r} is under way, or was laid out by hand: a record begins with the first deal. "
                "Record Game(rules, seed) before any action."
            )
        opening = game.to_array()[0]
        lives = tuple(None if left == OUT else int(left) for left in opening["opening_lives"][: len(game.lives)])
        self._lives = None if set(lives) == {game.rules.starting_lives} else lives
        self._dealer = None if opening["opening_dealer"] == NOBODY else int(opening["opening_dealer"])
        self._is_single_round = bool(opening["is_single_round"])

    def apply(self, action: int | str) -> None:
        """Take one decision for the seat to move, as `Game.apply` does.

        Raises:
            IllegalActionError: If it is not legal; nothing is changed.
            GameOverError: If the game is over.
            InvalidOptionError: If the game was moved by anything but this method.
        """
        if self.game.num_decisions != self._play.game.num_decisions:
            raise InvalidOptionError("The game was moved behind its recorder's back: apply every action through it.")
        chosen = self.game.verify(action)
        self.game.apply(chosen)
        self._entries += self._play.apply(chosen)
        self._entries += self._play.run_on()

    def record(self) -> Record:
        """Return the record so far; it ends as unfinished while the game goes on."""
        return numbered(
            Record(
                rules=self.game.rules,
                entries=(*self._entries, self._play.end),
                seed=self.game.seed,
                dealer=self._dealer,
                lives=self._lives,
                is_single_round=self._is_single_round,
                players=self._players,
                preset=nearest_preset(self.game.rules),
            )
        )


def _checked_players(players: Sequence[str], count: int) -> tuple[str, ...]:
    names = tuple(players)
    if isinstance(players, str) or (names and len(names) != count):
        raise InvalidOptionError(f"players must be {count} names, one a seat, or none, not {players!r}.")
    for name in names:
        if not name or " ".join(name.split()) != name or set(name) & set(",#"):
            raise InvalidOptionError(
                f"A player cannot be named {name!r}: give a text without commas, '#', or blanks around it."
            )
        if not name.isprintable() or len(name) > MAX_NAME:
            raise InvalidOptionError(
                f"A player cannot be named {name!r}: give at most {MAX_NAME} characters that can be printed."
            )
    return names
