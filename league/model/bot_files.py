"""Limits on the files of a bot, and the rule for their names."""

import unicodedata
from collections.abc import Collection
from pathlib import PurePosixPath

from games.support.errors import brief

FILES_MAX = 500
"""The most files of a bot."""

FILES_BYTES = 32 << 20
"""The most bytes of all files of a bot together."""

PATH_MAX = 200
"""The most bytes of a file's path, relative to the bot's folder."""

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def path_fault(path: str) -> str:
    """Return what is wrong with the path of a bot's file; '' for nothing.

    A path is relative, with slashes, and stays inside the bot's folder.
    """
    if any(part in ("", ".", "..") for part in path.split("/")):
        return f"file {brief(path)} is outside of the bot's folder"
    if "\\" in path or any(unicodedata.category(each) in _UNSEEN for each in path):
        return f"file {brief(path)} has a control character or a backslash in its name"
    if len(path.encode()) > PATH_MAX:
        return f"file {brief(path)} has a name of more than {PATH_MAX} bytes"
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
