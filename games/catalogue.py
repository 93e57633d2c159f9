"""Finding games: the modules of this folder that hand out `GAME`, and a user's own by reference."""

import importlib
import pkgutil
from functools import cache

import games
from games.contract import Game
from games.errors import UnknownNameError
from games.options import split_options


@cache
def names() -> tuple[str, ...]:
    """List the games of this folder by name, sorted."""
    return tuple(sorted(name for name in _modules() if _load(name) is not None))


def find(spec: str) -> Game:
    """Return the game that `spec` names, under its options: `connectfour?columns=8&rows=7`.

    Raises `UnknownNameError` for the name and `OptionError` for the options.
    """
    name, _, options = spec.partition("?")
    game = _load(name) if name in _modules() else None
    if game is None:
        raise UnknownNameError("game", name, names())
    return game.with_options(split_options(options, "&"))


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(games.__path__))


@cache
def _load(name: str) -> Game | None:
    module = importlib.import_module(f"games.{name}")
    game = getattr(module, "GAME", None)
    return game if isinstance(game, Game) else None
