"""Decisions per second against the size of the batch, drawn."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib import util
from pathlib import Path
from typing import Final

from eval.speed.bench import Figure
from trente_env.errors import InvalidOptionError
from trente_env.files import write_whole

__all__ = ["PICTURE", "check_plotting", "draw"]

PICTURE: Final = "speed.svg"
SIZE_IN_INCHES: Final = (8.0, 6.0)
BATCH: Final = "GameBatch.step"


def check_plotting() -> None:
    """Look that a plot can be drawn.

    Raises:
        InvalidOptionError: If matplotlib is not installed.
    """
    if util.find_spec("matplotlib") is None:
        raise InvalidOptionError("A plot needs matplotlib: pip install 'trente-env[bench]'.")


def draw(figures: Sequence[Figure], path: Path) -> None:
    """Draw decisions per second of batches, a line for each number of threads, and the peers as level lines.

    Raises:
        InvalidOptionError: If matplotlib is not installed, or no batch was measured.
        WriteError: If the file cannot be written.
    """
    check_plotting()
    import matplotlib as mpl  # noqa: PLC0415 - takes a second, and is of no use to the other commands
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415

    batches = [(figure.batch, figure) for figure in figures if figure.batch is not None]
    if not batches:
        raise InvalidOptionError("There is nothing to draw: no batch was measured.")
    # Text stays text, and the same figures make the same file.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": PICTURE}):
        canvas = Canvas(figsize=SIZE_IN_INCHES, layout="constrained")
        axes = canvas.subplots()
        for threads in sorted({figure.threads for _, figure in batches}):
            sizes, line = zip(*(each for each in batches if each[1].threads == threads), strict=True)
            axes.errorbar(
                sizes,
                [figure.median for figure in line],
                yerr=[
                    [figure.median - figure.low for figure in line],
                    [figure.high - figure.median for figure in line],
                ],
                marker="o",
                capsize=3,
                label=f"{BATCH}, {threads} thread{'s' * (threads > 1)} ({line[0].clock} time)",
            )
        peers = [figure for figure in figures if figure.is_peer]
        for number, peer in enumerate(peers):
            axes.axhline(peer.median, color=f"C{number + 2}", linestyle="--", linewidth=1, label=peer.layer)
        axes.set(xscale="log", yscale="log", xlabel="games in the batch", ylabel="decisions per second")
        axes.grid(which="major", alpha=0.3)
        canvas.legend(loc="outside lower center", ncols=2, fontsize="small")
        picture = io.BytesIO()
        canvas.savefig(picture, format="svg", metadata={"Date": None})
    write_whole(path, picture.getvalue())
