"""Objects by reference, `path/to/file.py:Name` or `package.module:Name`, and games among them."""

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

from games.support.errors import GameError, brief, suggestion
from games.support.game import Game


def split_reference(text: str) -> tuple[str, str]:
    """Split `mine.py:MyBot` into the file or module and the name in it ('' if none)."""
    target, colon, name = text.rpartition(":")
    if not colon or not (name.isidentifier() or name == ""):
        return text, ""
    return target, name


def is_file(reference: str) -> bool:
    """Whether a reference is to a Python file."""
    return split_reference(reference)[0].endswith(".py")


def absolute_path(name: str) -> Path:
    """Return the path of a game's file as specs have it; raise `OSError` or `RuntimeError`.

    An absolute path stays as it is: if a folder has moved, a link at its old place is enough.
    """
    path = Path(name).expanduser()
    return path if path.is_absolute() and ".." not in path.parts else path.resolve()


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
    """Describe an error and its line in the user's own code, as told by `is_own(filename)`."""
    if isinstance(error, SyntaxError):
        line = f" line {error.lineno}" if error.lineno else ""
        return f"{Path(error.filename or '?').name}{line}: {error.msg}"
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if is_own(frame.filename)]
    place = f"{Path(own[-1].filename).name} line {own[-1].lineno}: " if own else ""
    text = str(error) if isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
    return place + text


def load_game(reference: str, origin: str = "") -> Game:
    """Return the game of a reference to a subclass of `Game` or an instance of one.

    The game's spec has the file's absolute path and the name, so that other processes find it too,
    unless `origin` replaces them. Raises `GameError` with the wrong line.
    """
    target, name = split_reference(reference)
    if not is_file(reference):
        if not all(part.isidentifier() for part in target.split(".")):
            raise GameError(
                f"game {reference!r}: {target!r} is neither a file.py nor a module", target
            )
        return _load_named(target, name, origin)
    try:
        path = absolute_path(target)
        is_there = path.is_file()
    except (OSError, RuntimeError, ValueError) as error:
        raise GameError(f"game file {brief(target)}: {error}", reference) from None
    if not is_there:
        raise GameError(f"no game file {brief(target)}", reference)
    refuse_signs(str(path), reference)
    return _load_named(str(path), name, origin)


def refuse_signs(path: str, spec: str) -> None:
    """Raise `GameError` for a path with ? or &, which start the options of a spec."""
    for sign in "?&":
        if sign in path:
            raise GameError(
                f"{path!r} has a {sign!r} in it, which the name of a game can't hold: "
                "rename the folder or the file",
                spec,
            )


def place_in_game(error: BaseException) -> str | None:
    """Describe an error and its line in a user's game; None if it arose elsewhere."""
    frames = traceback.extract_tb(error.__traceback__)
    if not any(frame.filename in _LOADED for frame in frames):
        return None
    return place_of(error, lambda filename: filename in _LOADED)


_LOADED: set[str] = set()
"""The files of users' games that this process runs."""


@cache
def _load_named(target: str, name: str, origin: str) -> Game:
    spec = origin or target
    try:
        module = _import(target)
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:
        where = place_of(error, lambda filename: filename == target)
        raise GameError(f"game {spec!r} does not load: {where}", spec) from None
    found = name or _only_game(module, target)
    spec = origin or f"{target}:{found}"
    if not hasattr(module, found):
        raise GameError(f"game {spec!r}: no {found!r} in it{suggestion(found, _own(module))}", spec)
    game = _instance(getattr(module, found), spec)
    # The project's own games keep their catalogue names.
    if module.__name__.startswith("games."):
        return game
    return game.named(spec, _text_of(module))


def _text_of(module: ModuleType) -> str:
    path = getattr(module, "__file__", None)
    if not path or not path.endswith(".py"):
        return ""
    _LOADED.add(path)
    return Path(path).read_text(encoding="utf-8", errors="replace")


@cache
def _import(target: str) -> ModuleType:
    if not target.endswith(".py"):
        return importlib.import_module(target)
    path = Path(target)
    # Last, so that neighbouring modules can be imported but never shadow installed ones.
    sys.path.append(str(path.parent))
    try:
        # A unique name, so that a user's chess.py hides no package.
        return import_file(path, f"game_{path.stem}_{zlib.crc32(target.encode()):x}")
    finally:
        sys.path.remove(str(path.parent))


def _only_game(module: ModuleType, target: str) -> str:
    """Return the name of a module's only game."""
    if hasattr(module, "GAME"):
        return "GAME"
    own = _own(module)
    if len(own) != 1:
        raise GameError(
            f"game {target!r}: it should define GAME or one subclass of games.Game, and has "
            f"{', '.join(own) or 'none'}; name one as FILE.py:NAME",
            target,
        )
    return own[0]


def _own(module: ModuleType) -> list[str]:
    """List the names of the games that a module defines."""
    return [
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, Game) and each.__module__ == module.__name__
    ]


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
        game = found()
        # Fail on wrong options now, not in the middle of a match.
        game.with_options({name: str(value) for name, value in game.values.items()})
    except Exception as error:
        raise GameError(f"game {origin!r} can't be made: {error}", origin) from None
    return game
