"""Files written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Final

from trente_env.errors import InvalidOptionError, WriteError

__all__ = ["write_whole"]

_REMEDIES: Final = {
    errno.EACCES: "choose a folder that you may write to",
    errno.EPERM: "choose a folder that you may write to",
    errno.EROFS: "choose a folder that you may write to",
    errno.ENOENT: "make the folder first",
    errno.ENOTDIR: "name a file in a folder that exists",
    errno.EISDIR: "name a file, not a folder",
    errno.ENOSPC: "free some space or choose another disk",
    errno.EDQUOT: "free some space or choose another disk",
    errno.EFBIG: "free some space or choose another disk",
    errno.ENAMETOOLONG: "choose a shorter name",
}
_SHOWN_NAME: Final = 40
"""Characters of a file's name that stand in the name of its unfinished copy too: even four bytes each fit."""


def write_whole(path: Path | str, data: bytes | str) -> None:
    """Write a file so that, whatever happens, its old or its new content is found there, whole.

    The content goes into a file beside it, `.NAME.….part`, and to the disk; only then does that file take the name.
    Killed in between, a process leaves the part behind and the old file untouched. A file that is replaced keeps its
    permissions; a link stays a link, and what it points to is replaced.

    Args:
        path: The file; its folder must exist.
        data: Its content; a text is written as UTF-8, its line ends as they are.

    Raises:
        InvalidOptionError: If the path or the content is none.
        WriteError: If it cannot be written: no such folder, not allowed, disk full…
    """
    try:
        content = data.encode() if isinstance(data, str) else bytes(memoryview(data))
        target = Path(os.path.realpath(path))
    except (TypeError, ValueError) as error:
        raise InvalidOptionError(
            f"{path!r} cannot be written: give the file's path, and its content as a text or bytes ({error})."
        ) from error
    part = target.with_name(f".{target.name[:_SHOWN_NAME]}.{secrets.token_hex(8)}.part")
    try:
        mode = _mode_of(target)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if mode is not None:
                part.chmod(mode)
            part.replace(target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _settle(target.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise WriteError(str(path), reason, _REMEDIES.get(error.errno or 0, "choose another file")) from error


def _mode_of(target: Path) -> int | None:
    """Return the permissions of the file to be replaced, None where there is none yet; refuse what is no file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):  # a device or a pipe would be lost, not written to
        raise OSError(errno.EINVAL, "it is no regular file")
    return stat.S_IMODE(mode)


def _settle(folder: Path) -> None:
    """Put the new name on the disk as well, where a folder can be opened; the file is whole either way."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
