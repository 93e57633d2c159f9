"""The files and folders that the values of an engine's options name."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

_LISTS = re.compile(r"[:;]")
_ENDING = re.compile(r"[^\s/.][^/]*\.[A-Za-z][A-Za-z0-9]{1,7}")
_WRITTEN = re.compile(r"log|debug|trace|save|write|output|learn|experience", re.IGNORECASE)
"""The names of options for files that an engine makes."""


def places_of(folder: Path, program: Path) -> tuple[Path, ...]:
    """Return the folders where an engine looks for a relative name: engines try both."""
    return tuple(dict.fromkeys((folder, program.parent.resolve())))


def named_by(values: Iterable[str], places: Sequence[Path]) -> list[Path]:
    """List what values name that exists: one path, or several with `:` or `;` between."""
    return [
        found
        for value in values
        for name in dict.fromkeys((value, *_LISTS.split(value)))
        for found in _found(name, places)
    ]


def missing_from(option: str, value: str, places: Sequence[Path]) -> str:
    """Return the first part of a value that looks like a path and leads nowhere; '' for none.

    A path has a slash or ends like a file's name. An option for a file that the engine makes, such
    as its log, may name a new one.
    """
    if _WRITTEN.search(option) or any(_found(value, places)):
        return ""
    looks = (part.strip() for part in _LISTS.split(value) if "://" not in value)
    paths = (part for part in looks if "/" in part or _ENDING.fullmatch(part))
    return next((part for part in paths if not any(_found(part, places))), "")


def _found(name: str, places: Sequence[Path]) -> list[Path]:
    name = name.strip()
    paths = [place / name for place in places] if name not in ("", ".", "/") else []
    # Not `Path.exists`, which raises for a name that is too long for one.
    return [path for path in paths if os.path.exists(path)]  # noqa: PTH110
