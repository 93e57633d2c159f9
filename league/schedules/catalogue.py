"""Finding tournament formats: the modules of this folder that hand out `FORMAT`."""

import importlib
import pkgutil
from functools import cache

import league.schedules
from games.errors import UnknownNameError
from league.schedules.contract import Format


@cache
def formats() -> dict[str, Format]:
    """Return the formats by name."""
    found = {}
    for module in pkgutil.iter_modules(league.schedules.__path__):
        handed = getattr(importlib.import_module(f"league.schedules.{module.name}"), "FORMAT", None)
        if handed is not None:
            found[handed.name] = handed
    return found


def find(name: str) -> Format:
    """Return the format of that name; raise `UnknownNameError`."""
    known = formats()
    if name not in known:
        raise UnknownNameError("format", name, known)
    return known[name]
