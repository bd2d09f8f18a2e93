"""Where compiled kernels are kept, and under which name: old code of an edited rule can never run.

numba notices an edit in a kernel's own file only, so a caller would keep the old code of an edited callee or constant.
Here the folder is named by a hash of *all* kernel sources: those of this package, and of the package the kernel stands
in. It lies in `$TRENTE_CACHE_DIR`, else in the user's cache directory, else in a private one for temporary files; where
none can be written, kernels are compiled anew in each process.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["CodeFiles", "cache_root", "source_hash"]

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_KERNEL_FOLDERS: Final = ("_jit", "core", "encoding")
_KERNEL_FILES: Final = ("cards.py", "rules.py")
"""Files of this package that kernels take constants from, though they hold none."""
_MARK: Final = b"@kernel"
_CHECK_SIZE: Final = 32


def _sources_beside(file: Path) -> list[Path]:
    """Return every source file of the top-level package that `file` stands in, or the file alone for a script."""
    top = file
    while (top.parent / "__init__.py").exists():
        top = top.parent
    return [file] if top == file else sorted(top.rglob("*.py"))


@functools.cache
def _digest(files: tuple[Path, ...]) -> str:
    """Hash the contents of the files, names included."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + b"\0")
        digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()[:24]


@functools.cache
def kernel_sources() -> tuple[Path, ...]:
    """Return the files of this package that hold kernels, or what kernels call or take constants from."""
    always = {*_KERNEL_FOLDERS, *_KERNEL_FILES}
    return tuple(
        file
        for file in sorted(_PACKAGE.rglob("*.py"))
        if file.relative_to(_PACKAGE).parts[0] in always or _MARK in file.read_bytes()
    )


@functools.cache
def source_hash(file: str) -> str:
    """Return the hash that names the compiled code of a kernel defined in `file`.

    It covers the kernel sources of this package; outside it, the whole top-level package that the file stands in as
    well, whose kernels may call one another.
    """
    own, path = list(kernel_sources()), Path(file).resolve()
    if _PACKAGE in path.parents:
        own += [] if path in own else [path]
    elif path.exists():
        own += _sources_beside(path)
    return _digest(tuple(own))


def _candidates() -> list[Path]:
    """Return the folders that may hold the cache, the first choice first."""
    chosen = os.environ.get("TRENTE_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    import platformdirs  # noqa: PLC0415 - only needed where a cache is opened

    return [Path(platformdirs.user_cache_dir("trente_env")), _temporary_root()]


def _temporary_root() -> Path:
    """Return the user's folder among everybody's temporary files."""
    user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    return Path(tempfile.gettempdir()) / f"trente_env_cache{user}"


def _is_planted(folder: Path) -> bool:
    """Return whether others can put a file into the temporary folder: what lies in a cache is run."""
    if folder != _temporary_root() or not hasattr(os, "getuid"):
        return False
    state = folder.lstat()
    return state.st_uid != os.getuid() or bool(stat.S_IMODE(state.st_mode) & (stat.S_IWGRP | stat.S_IWOTH))


@functools.cache
def cache_root() -> Path | None:
    """Return the first cache folder that can be written, or None."""
    for candidate in _candidates():
        try:
            candidate.mkdir(mode=0o700, parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=candidate):
                if not _is_planted(candidate):
                    return candidate
        except OSError:
            continue
    return None


@dataclass(frozen=True, slots=True)
class CodeFiles:
    """The compiled forms of one kernel, a file for each.

    There is no index, and a file is written whole or not at all: processes that start at once can only write the same
    file with the same content. A file that is damaged counts as none.
    """

    folder: Path
    name: str

    def _path(self, key: str) -> Path:
        return self.folder / f"{self.name}-{hashlib.sha256(key.encode()).hexdigest()[:24]}.code"

    def read(self, key: str) -> bytes | None:
        """Return what was written under a key, or None."""
        try:
            data = self._path(key).read_bytes()
        except OSError:
            return None
        code = data[_CHECK_SIZE:]
        return code if data[:_CHECK_SIZE] == _check(key, code) else None

    def write(self, key: str, code: bytes) -> None:
        """Keep something under a key; where it cannot be written, the kernel is compiled again next time."""
        path = self._path(key)
        part = path.with_name(f"{path.name}.{os.urandom(8).hex()}.part")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(_check(key, code) + code)
            part.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()


def _check(key: str, code: bytes) -> bytes:
    """Return what stands before the code in its file."""
    return hashlib.sha256(key.encode() + b"\0" + code).digest()
