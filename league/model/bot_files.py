"""Limits on the files of a bot, and the rules for their names.

It imports no game: the process that reads a stranger's files has to start quickly.
"""

import hashlib
import unicodedata
from collections.abc import Collection, Mapping
from pathlib import PurePath, PurePosixPath

FILES_MAX = 500
"""The most files of a bot."""

FILES_BYTES = 32 << 20
"""The most bytes of all files of a bot together."""

PATH_MAX = 200
"""The most bytes of a file's path, relative to the bot's folder."""

_SHOWN = 80
"""The most letters of a path in a message."""

_LEFT_OUT = {"__pycache__", "__MACOSX", "target"}
"""Folders that can be made again, or that a system adds; hidden files are left out too."""

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def path_fault(path: str) -> str:
    """Return what is wrong with the path of a bot's file; '' for nothing.

    A path is relative, with slashes, and stays inside the bot's folder.
    """
    # First: the other rules look at each letter.
    if len(path) > PATH_MAX:
        return f"file {path[:_SHOWN]!r} has a name of more than {PATH_MAX} bytes"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return f"file {path[:_SHOWN]!r} is outside of the bot's folder"
    if "\\" in path or any(unicodedata.category(each) in _UNSEEN for each in path):
        return f"file {path[:_SHOWN]!r} has a control character or a backslash in its name"
    if len(path.encode()) > PATH_MAX:
        return f"file {path[:_SHOWN]!r} has a name of more than {PATH_MAX} bytes"
    return ""


def clash_fault(paths: Collection[str]) -> str:
    """Return which path is both a file and the folder of another one; '' for none."""
    folders = {str(folder) for path in paths for folder in PurePosixPath(path).parents}
    clash = min(folders.intersection(paths), default="")
    return f"{clash!r} is a file and a folder" if clash else ""


def room_fault(count: int, size: int) -> str:
    """Return why a bot can't have so many files or bytes; '' if it can."""
    if count > FILES_MAX:
        return f"more than {FILES_MAX} files"
    if size > FILES_BYTES:
        return f"more than {FILES_BYTES >> 20} MB of files"
    return ""


def is_left_out(path: PurePath) -> bool:
    """Whether a file is no part of a bot: hidden, a cache, or something that a system adds."""
    return any((part.startswith(".") and part != "..") or part in _LEFT_OUT for part in path.parts)


def without_wrapper(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files without the only folder that they are all in, as zips often have one."""
    heads = {name.partition("/")[0] for name in files}
    if len(heads) != 1 or any("/" not in name for name in files):
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def files_digest(files: Mapping[str, bytes]) -> str:
    """Return the SHA-256 in hex of files with their names."""
    whole = hashlib.sha256()
    for name, data in sorted(files.items()):
        for part in (name.encode(), data):
            whole.update(len(part).to_bytes(8) + part)
    return whole.hexdigest()
