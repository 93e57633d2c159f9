"""Entry points of installed distributions, read without `importlib.metadata`.

Importing that module takes a third of the time that `league --help` has.
"""

import os
import sys
from collections.abc import Iterator
from functools import cache

_KINDS = (".dist-info", ".egg-info")


def entry_points(group: str) -> dict[str, str]:
    """Return the references, `module:Name`, of a group by name.

    Of two distributions with the same name the first on `sys.path` counts, as for imports.
    """
    found: dict[str, str] = {}
    for name, reference in _all(tuple(sys.path)).get(group, ()):
        found.setdefault(name, reference)
    return found


@cache
def _all(path: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """Return names and references by group."""
    groups: dict[str, list[tuple[str, str]]] = {}
    seen = set[str]()
    for folder in _folders(path):
        distribution = folder.rpartition(os.sep)[2].partition("-")[0].lower().replace("_", "-")
        if distribution in seen:
            continue
        seen.add(distribution)
        try:
            with open(  # noqa: PTH123 (a Path of each would take as long again)
                f"{folder}/entry_points.txt", encoding="utf-8", errors="replace"
            ) as file:
                text = file.read()
        except OSError:
            continue
        for group, name, reference in _lines(text):
            groups.setdefault(group, []).append((name, reference))
    return groups


def _folders(path: tuple[str, ...]) -> Iterator[str]:
    for each in path:
        try:
            with os.scandir(each or ".") as entries:
                found = [entry.path for entry in entries if entry.name.endswith(_KINDS)]
        except OSError:
            continue
        yield from found


def _lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield group, name and reference of each line `name = module:Name`."""
    group = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1].strip()
        elif "=" in line and not line.startswith(("#", ";")):
            name, _, value = line.partition("=")
            # Extras in brackets are obsolete and may be ignored.
            yield group, name.strip(), value.partition("[")[0].replace(" ", "")
