"""The files of a registered bot, written to disk for its process to read."""

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from league.model.bot_files import path_fault
from league.model.records import BotVersion

_PROGRAMS = (b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe")
"""The first bytes of a script, and of a program of Linux and of macOS."""


def lay_out(version: BotVersion) -> Path:
    """Return the folder with the version's files, written once per digest; raise `OSError`."""
    home = cache_folder()
    folder = home / version.digest
    if folder.is_dir():
        return folder
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home) as scratch:
        fresh = Path(scratch) / "files"
        write_files(fresh, version.files)
        try:
            fresh.rename(folder)
        except OSError:
            # Another worker was first, with the same files.
            if not folder.is_dir():
                raise
    return folder


def by_own_names(text: str, version: BotVersion) -> str:
    """Return a text of a bot with its files by their names, and not by where they are here."""
    return text.replace(f"{cache_folder() / version.digest}/", "") if version.files else text


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
    """Return the folder of all snapshots: `$XDG_CACHE_HOME/botleague/versions`."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "botleague" / "versions"
