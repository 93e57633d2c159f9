"""The files of a registered bot, written to disk for its process to read.

A folder of the cache is locked while a bot is in it. Any other may be removed: it is written again
when it is needed.
"""

import fcntl
import os
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from league.model.bot_files import files_digest, path_fault
from league.model.records import BotVersion
from league.seats.process.scratch import ScratchFolder

CACHE_BYTES = 1 << 30
"""The most bytes of the cache; folders that bots are in stay all the same."""

CACHE_FOLDERS = 500
"""The most folders of the cache; those that bots are in stay all the same."""

FILES = "files"
"""The name of the part of a version's folder that its bot sees; the lock is on the whole."""

LOCKED_S = 5.0
"""Longest wait for a folder that another process removes."""

_PROGRAMS = (b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe")
"""The first bytes of a script, and of a program of Linux and of macOS."""


class SourceFolder:
    """The files of a version, which stay at `path` until this is closed."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.close = weakref.finalize(self, os.close, lock)


def lay_out(version: BotVersion) -> SourceFolder:
    """Return the version's files, written once per digest; raise `OSError`."""
    place = _place(version)
    end_s = time.monotonic() + LOCKED_S
    while (lock := _entered(place)) is None:
        if time.monotonic() > end_s:
            raise OSError(f"{str(place)!r} is locked")
        if place.exists():
            time.sleep(0.01)
        else:
            _write(place, version.files)
    os.utime(place)
    return SourceFolder(place / FILES, lock)


def forget(version: BotVersion) -> None:
    """Remove a version's files, unless a bot is in them."""
    if version.files:
        _remove(_place(version))


def empty_cache() -> None:
    """Remove all files in which no bot is, such as those of checkers that were killed."""
    with suppress(FileNotFoundError):
        for each in cache_folder().iterdir():
            _remove(each)


def by_own_names(text: str, version: BotVersion) -> str:
    """Return a text of a bot with its files by their names, and not by where they are here."""
    return (
        text.replace(f"{cache_folder() / version.digest / FILES}/", "") if version.files else text
    )


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a bot's files into a new folder, read-only; scripts and programs can be executed."""
    folder.mkdir()
    for name, data in files.items():
        if fault := path_fault(name):
            # A database may come from anywhere.
            raise OSError(fault)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o555 if is_executable(data) else 0o444
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)


def is_executable(data: bytes) -> bool:
    """Whether a file's content is a script with a `#!` line or a program."""
    return data.startswith(_PROGRAMS)


def cache_folder() -> Path:
    """Return the folder of all snapshots: `$XDG_CACHE_HOME/botleague/bots`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "botleague" / "bots"


def _place(version: BotVersion) -> Path:
    # Not its own digest: a database may come from anywhere.
    return cache_folder() / files_digest(version.files)


def _entered(place: Path) -> int | None:
    """Lock a version's folder, so that nobody removes it; None if it is not there, or going."""
    with suppress(FileNotFoundError, BlockingIOError):
        lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            if os.fstat(lock).st_ino == place.stat().st_ino:
                return lock
        except OSError:
            os.close(lock)
            raise
        os.close(lock)
    return None


def _write(place: Path, files: Mapping[str, bytes]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    _make_room(place.parent, sum(map(len, files.values())))
    scratch = ScratchFolder(place.parent)
    try:
        fresh = scratch.path / "fresh"
        fresh.mkdir()
        write_files(fresh / FILES, files)
        try:
            fresh.rename(place)
        except OSError:
            # Another worker was first, with the same files.
            if not place.is_dir():
                raise
    finally:
        scratch.remove()


def _make_room(home: Path, wanted: int) -> None:
    """Remove the folders that were used longest ago, so that one of `wanted` bytes fits."""
    sizes: dict[Path, int] = {}
    used: dict[Path, float] = {}
    for each in home.iterdir():
        with suppress(FileNotFoundError):
            used[each] = each.stat().st_mtime
            sizes[each] = sum(file.stat().st_size for file in each.rglob("*"))
    size = sum(sizes.values()) + wanted
    for each in sorted(sizes, key=used.__getitem__):
        if size <= CACHE_BYTES and len(sizes) < CACHE_FOLDERS:
            return
        if _remove(each):
            size -= sizes.pop(each)


def _remove(place: Path) -> bool:
    """Remove a folder of the cache; return False if it is in use."""
    try:
        lock = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        trash = ScratchFolder(place.parent)
        try:
            # At once, so that nobody ever sees a part of it.
            place.rename(trash.path / FILES)
        finally:
            trash.remove()
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
