"""Finding exports: the modules of this folder that hand out `EXPORT`."""

import importlib
import pkgutil
from functools import cache

import league.exports
from games.contract import Game
from games.errors import UnknownNameError
from league.exports.contract import Export


@cache
def exports() -> dict[str, Export]:
    """Return the exports by name; `json`, which takes any game, is the last."""
    found: dict[str, Export] = {}
    for module in pkgutil.iter_modules(league.exports.__path__):
        handed = getattr(importlib.import_module(f"league.exports.{module.name}"), "EXPORT", None)
        if handed is not None:
            found[handed.name] = handed
    return {name: found[name] for name in sorted(found, key=lambda name: (name == "json", name))}


def find(name: str) -> Export:
    """Return the export of that name; raise `UnknownNameError`."""
    known = exports()
    if name not in known:
        raise UnknownNameError("export", name, known)
    return known[name]


def usual(game: Game) -> Export:
    """Return the first export that is the usual one of `game`; `json` is everybody's."""
    return next(each for each in exports().values() if each.is_usual(game))
