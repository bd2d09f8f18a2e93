"""Readable records of games: text to read, compare, write by hand, and replay (docs/record.md).

recorder = Recorder(Game(preset("quebec"), seed=7))      recorder.apply("draw")
save(recorder.record(), "game.txt")                      game = replay(load("game.txt"))
"""

from trente_env.record.entries import (
    VERSION,
    Comment,
    Deal,
    End,
    Entry,
    Lives,
    Move,
    Points,
    Record,
    Refresh,
    Reshuffle,
    Result,
    Round,
    Show,
    TableCards,
    Upcard,
)
from trente_env.record.parsing import load, parse
from trente_env.record.recorder import Recorder
from trente_env.record.replaying import replay
from trente_env.record.writing import rules_text, save, write

__all__ = [
    "VERSION",
    "Comment",
    "Deal",
    "End",
    "Entry",
    "Lives",
    "Move",
    "Points",
    "Record",
    "Recorder",
    "Refresh",
    "Reshuffle",
    "Result",
    "Round",
    "Show",
    "TableCards",
    "Upcard",
    "load",
    "parse",
    "replay",
    "rules_text",
    "save",
    "write",
]
