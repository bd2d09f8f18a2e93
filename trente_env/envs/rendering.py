"""What the environment shows a person: the table as text, as one seat sees it."""

from __future__ import annotations

from typing import Final

from trente_env.core.layout import NOBODY
from trente_env.game import Game
from trente_env.text import describe_view

RENDER_MODES: Final = ("human", "ansi")
"""Text printed at every step, or returned by `render()`."""


def table_text(game: Game, seat: int) -> str:
    """Write the table as a seat sees it; at the start of a round, below how the last one ended.

    No hidden card is shown. The hands of the last round are: they lay open at its end.
    """
    winner = game.winner
    table = describe_view(
        game.seat_view(seat),
        game.rules,
        winner=NOBODY if winner is None else winner,
        is_truncated=game.is_truncated,
    )
    last = game.last_round
    is_news = game.turn_number <= 1 or game.is_over or game.phase == "BUY_IN"
    return f"{last}\n{table}" if last is not None and is_news else table
