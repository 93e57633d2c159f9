"""Objects by reference, `path/to/file.py:Name` or `package.module:Name`, and games found so."""

import ast
import importlib
import importlib.util
import sys
import traceback
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from games.contract import Game
from games.errors import GameError


def split_reference(text: str) -> tuple[str, str]:
    """Split `mine.py:MyBot` into the file or module and the name in it ('' where none)."""
    target, colon, name = text.rpartition(":")
    if not colon or not (name.isidentifier() or name == ""):
        return text, ""
    return target, name


def is_file(reference: str) -> bool:
    """Whether a reference is to a Python file."""
    return split_reference(reference)[0].endswith(".py")


def import_file(path: Path, name: str) -> ModuleType:
    """Import the file at `path` as the module `name`; raise whatever its code raises."""
    # Parsed first, so that a syntax error is reported with the file's own line.
    ast.parse(path.read_bytes(), path.name)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def place_of(error: BaseException, is_own: Callable[[str], bool]) -> str:
    """Say in which line of a user's own code an error arose, and what it was.

    `is_own(filename)` tells the user's code.
    """
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '?').name} line {error.lineno}: {error.msg}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_own(frame.filename)]
    place = f"{Path(own[-1].filename).name} line {own[-1].lineno}: " if own else ""
    text = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
    return place + text


def load_game(reference: str, origin: str = "") -> Game:
    """Return the game that a reference names: a subclass of `Game`, or an instance of one.

    The game's spec has the file's absolute path and the name, so that other processes find it too;
    `origin` replaces them there. Raises `GameError` with the line at fault.
    """
    target, name = split_reference(reference)
    if is_file(reference):
        path = Path(target).expanduser()
        if not path.is_file():
            raise GameError(f"no game file {target!r}", reference)
        target = str(path.resolve())
    return _load_named(target, name, origin)


@cache
def _load_named(target: str, name: str, origin: str) -> Game:
    try:
        module = _import(target)
    except Exception as error:
        where = place_of(error, lambda filename: filename == target)
        raise GameError(f"game {target!r} does not load: {where}", target) from None
    found = name or _only_game(module, target)
    spec = origin or f"{target}:{found}"
    if not hasattr(module, found):
        raise GameError(f"game {spec!r}: no {found!r} in it", spec)
    game = _instance(getattr(module, found), spec)
    # The project's own games keep the names that they have in the catalogue.
    if not type(game).__module__.startswith("games."):
        type(game).origin = spec
    return game


@cache
def _import(target: str) -> ModuleType:
    if not target.endswith(".py"):
        return importlib.import_module(target)
    path = Path(target)
    # Modules beside it may be imported, but replace none of those that are installed.
    sys.path.append(str(path.parent))
    try:
        # A name of its own, so that a user's chess.py hides no package.
        return import_file(path, f"game_{path.stem}_{zlib.crc32(target.encode()):x}")
    finally:
        sys.path.remove(str(path.parent))


def _only_game(module: ModuleType, target: str) -> str:
    """Return the name of a module's game where none is named."""
    if hasattr(module, "GAME"):
        return "GAME"
    own = [
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, Game) and each.__module__ == module.__name__
    ]
    if len(own) != 1:
        raise GameError(
            f"game {target!r}: it should define GAME or one subclass of games.Game, and has "
            f"{', '.join(own) or 'none'}; name one as FILE.py:NAME",
            target,
        )
    return own[0]


def _instance(found: Any, origin: str) -> Game:
    if isinstance(found, Game):
        return found
    if not (isinstance(found, type) and issubclass(found, Game)):
        raise GameError(f"game {origin!r} is none: expected a subclass of games.Game", origin)
    if "__dataclass_fields__" not in vars(found):
        raise GameError(f"game {origin!r}: {found.__name__} must be a dataclass", origin)
    for attribute in ("name", "title"):
        if not isinstance(getattr(found, attribute, None), str):
            raise GameError(f"game {origin!r}: {found.__name__} has no {attribute}", origin)
    try:
        return found()
    except TypeError as error:
        raise GameError(f"game {origin!r} can't be made: {error}", origin) from None
