"""The tables of docs/results.md that commands write: each between two markers, with what it takes to make it again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from eval.report import Sheet
from trente_env.errors import InvalidOptionError
from trente_env.files import write_whole

__all__ = ["PAGE", "block_of", "check_page", "write_block"]

PAGE: Final = "results.md"


def _markers(name: str) -> tuple[str, str]:
    return f"<!-- written by python -m eval {name} --docs -->", f"<!-- end of {name} -->"


def check_page(folder: Path, name: str) -> str:
    """Return the page's text, after looking that a table can be written into it.

    Raises:
        InvalidOptionError: If there is no such page, or it has no place for the table.
    """
    page = folder / PAGE
    if not page.is_file():
        raise InvalidOptionError(f"--docs cannot be {str(folder)!r}: there is no {PAGE} in it. Run it in a checkout.")
    text = page.read_text()
    begin, end = _markers(name)
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise InvalidOptionError(f"{page} has no place for the table: write the lines {begin} and {end} into it.")
    return text


def block_of(text: str, name: str) -> str:
    """Return what stands between the markers of a page's text."""
    begin, end = _markers(name)
    return text.partition(begin)[2].partition(end)[0]


def write_block(folder: Path, name: str, sheet: Sheet, origin: dict[str, Any], *, picture: str | None = None) -> None:
    """Put a table into the page, in place of the one that stood there.

    Args:
        folder: Where the page lies.
        name: The command that the table is of.
        sheet: The table.
        origin: What `eval.report.origin` says.
        picture: File name of a picture beside the page, and what it shows.

    Raises:
        InvalidOptionError: If there is no place for it.
        WriteError: If it cannot be written.
    """
    text = check_page(folder, name)
    begin, end = _markers(name)
    commit = str(origin["git_commit"])[:10]
    state = "" if origin["git_is_clean"] else ", with changes"
    lines = [f"    {origin['command']}", "", f"{_today()}, commit {commit}{state}. {sheet.markdown()}"]
    if picture is not None:
        lines += ["", picture]
    written = text.partition(begin)[0] + "\n".join([begin, "", *lines, "", end]) + text.partition(end)[2]
    write_whole(folder / PAGE, written)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
