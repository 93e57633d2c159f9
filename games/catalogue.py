"""Finding games: the modules of this folder that hand out `GAME`, and others by reference.

A spec is a name with options, `connectfour?columns=8&rows=7`. The name is one of this folder, of
an entry point in the group `botleague.games`, of a family (`openspiel:hex`), or a reference to a
user's own game: `path/to/mygame.py:MyGame`, `package.module:MyGame`.
"""

import importlib
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import games
from games.contract import Game
from games.errors import GameError, InputError, OptionError, UnknownNameError
from games.options import split_options
from games.references import is_file, load_game

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "botleague.games"
"""The entry points by which an installed package offers games."""


class Family(Protocol):
    """Games that one module offers by name; it hands them out as `FAMILY`."""

    def names(self) -> tuple[str, ...]:
        """List the members that can be played here."""

    def find(self, name: str) -> Game:
        """Return a member; raise `UnknownNameError`, or `GameError` where it can't be played."""


@cache
def names() -> tuple[str, ...]:
    """List the games of this folder and of installed packages by name, sorted."""
    own = (name for name in _modules() if _load(name) is not None)
    return tuple(sorted({*own, *_entry_points()}))


def find(spec: str) -> Game:
    """Return the game that `spec` names, under its options.

    Raises `UnknownNameError` for the name, `OptionError` for the options, and `GameError` when the
    game can't be loaded or needs what is not installed.
    """
    name, _, options = spec.partition("?")
    game = _find(name)
    if game.needs:
        raise GameError(f"game {name!r} needs {game.needs}", spec)
    given = split_options(options, "&")
    try:
        return game.with_options(given)
    except InputError:
        raise
    except Exception as error:
        # A user's own game refuses a value as it likes.
        raise OptionError(f"options of game {name!r} don't fit: {error}", options) from None


def family(name: str) -> Family | None:
    """Return the family that a module of this folder offers, None where it offers none."""
    module = importlib.import_module(f"games.{name}") if name in _modules() else None
    found: Family | None = getattr(module, "FAMILY", None)
    return found


def _find(name: str) -> Game:
    game = _load(name) if name in _modules() else None
    if game is not None:
        return game
    head, colon, member = name.partition(":")
    if colon and (kin := family(head)) is not None:
        return kin.find(member)
    if colon or is_file(name):
        return load_game(name)
    if name in _entry_points():
        return load_game(_entry_points()[name].value, name)
    if name in _modules() and family(name) is not None:
        raise GameError(f"game {name!r} is a family: name one of it as {name}:NAME", name)
    if Path(f"{name}.py").is_file():
        raise GameError(f"unknown game {name!r}; a file is named with its ending: {name}.py", name)
    raise UnknownNameError("game", name, names())


@cache
def _modules() -> frozenset[str]:
    return frozenset(module.name for module in pkgutil.iter_modules(games.__path__))


@cache
def _load(name: str) -> Game | None:
    module = importlib.import_module(f"games.{name}")
    game = getattr(module, "GAME", None)
    return game if isinstance(game, Game) else None


@cache
def _entry_points() -> "dict[str, EntryPoint]":
    from importlib.metadata import entry_points  # noqa: PLC0415 (a bot's process starts light)

    return {point.name: point for point in entry_points(group=GROUP)}
