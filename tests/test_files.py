"""Files: written whole or not at all, and a failure that says what to do."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from trente_env import WriteError
from trente_env.files import write_whole

LONG_NAME = "♠" * 80 + ".txt"


@pytest.mark.parametrize("data", [b"", b"\x00\xff\r\n", "Kc 10♥\r\n\n", "x" * 1_000_000])
def test_what_is_written_is_what_is_read(tmp_path: Path, data: bytes | str) -> None:
    """Bytes arrive as they are, a text as UTF-8 with its own line ends, and nothing else is left in the folder."""
    write_whole(tmp_path / "file", data)
    assert (tmp_path / "file").read_bytes() == (data.encode() if isinstance(data, str) else data)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_new_file_has_the_usual_permissions(tmp_path: Path) -> None:
    """A new file may be read by whom the umask lets, a replaced one by whom it let before."""
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "new", "")
        (tmp_path / "old").touch()
        (tmp_path / "old").chmod(0o604)
        write_whole(tmp_path / "old", "text")
    finally:
        os.umask(mask)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "old").stat().st_mode & 0o777 == 0o604


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Writing to a link replaces what it points to."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "file")
    write_whole(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "file").read_text() == "text"
    assert [path.name for path in (tmp_path / "real").iterdir()] == ["file"]


def test_a_long_name_is_no_obstacle(tmp_path: Path) -> None:
    """A name as long as the disk allows can be written: the unfinished copy has a shorter one."""
    write_whole(tmp_path / LONG_NAME, "text")
    assert (tmp_path / LONG_NAME).read_text() == "text"


@pytest.mark.parametrize(
    ("name", "reason", "remedy"),
    [
        ("no/file", "no such file", "make the folder first"),
        ("there/file", "not a directory", "name a file in a folder"),
        ("folder", "is a directory", "name a file, not a folder"),
        ("x" * 300, "too long", "shorter name"),
    ],
)
def test_what_cannot_be_written_says_why(tmp_path: Path, name: str, reason: str, remedy: str) -> None:
    """The error names the file, the reason and the remedy."""
    (tmp_path / "there").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(WriteError, match=remedy) as caught:
        write_whole(tmp_path / name, "text")
    assert reason in caught.value.reason
    assert caught.value.path == str(tmp_path / name)
    assert isinstance(caught.value, OSError)


@pytest.mark.parametrize(
    ("code", "remedy"),
    [(errno.EACCES, "may write to"), (errno.EROFS, "may write to"), (errno.ENOSPC, "free some space"), (99, "another")],
)
@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int, remedy: str
) -> None:
    """Whether the folder is read-only, the disk full, or renaming fails: the old file stands, no part is left."""
    file = tmp_path / "file"
    file.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(*((Path, "replace") if step == "replace" else (os, step)), fail)
        with pytest.raises(WriteError, match=remedy):
            write_whole(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while writing is a Ctrl-C, and the old file stands alone."""
    (tmp_path / "file").write_text("old")

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", interrupt)
        with pytest.raises(KeyboardInterrupt):
            write_whole(tmp_path / "file", "new")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"file": "old"}


def test_a_device_is_not_replaced(tmp_path: Path) -> None:
    """A pipe or a device is refused: putting a file in its place would destroy it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WriteError, match="no regular file"):
        write_whole(tmp_path / "pipe", "text")
    assert (tmp_path / "pipe").is_fifo()


def test_a_killed_process_leaves_the_old_file(tmp_path: Path) -> None:
    """A kill -9 before the new name is taken leaves the old content, whole."""
    file = tmp_path / "file"
    file.write_text("old")
    program = (
        "import os, signal, sys; from trente_env.files import write_whole; "
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL); write_whole(sys.argv[1], 'new' * 100_000)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], check=False)
    assert done.returncode == -9
    assert file.read_text() == "old"
