"""Find the game for a spec.

A spec is a name with options, `connectfour?columns=8&rows=7`. The name is a module of `games` that
exports `GAME`, an entry point in the group `botleague.games`, a member of a family
(`openspiel:hex`), or a reference to a user's own game: `path/to/mygame.py:MyGame`,
`package.module:MyGame`.
"""

from pathlib import Path
from typing import Protocol

from games.support.catalogue import Catalogue
from games.support.errors import GameError, InputError, OptionError, UnknownNameError
from games.support.game import Game
from games.support.options import split_options
from games.support.references import is_file, load_game

GAMES: Catalogue[Game] = Catalogue(
    kind="game",
    package="games",
    attribute="GAME",
    group="botleague.games",
    is_part=lambda part: isinstance(part, Game),
    load=load_game,
)


class GameFamily(Protocol):
    """Named games of one module of `games`, which exports them as `FAMILY`."""

    def names(self) -> tuple[str, ...]:
        """List the members that can be played here."""

    def find(self, name: str) -> Game:
        """Return a member; raise `UnknownNameError`, or `GameError` if it can't be played."""


FAMILIES: Catalogue[GameFamily] = Catalogue(
    kind="family of games",
    package="games",
    attribute="FAMILY",
    group="botleague.game_families",
    is_part=lambda part: part is not None,
)


def find_game(spec: str) -> Game:
    """Return the game of `spec`, under its options.

    Raises `UnknownNameError` for the name, `OptionError` for the options, and `GameError` if the
    game can't be loaded or lacks a package.
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
        # A user's own game may refuse a value with any error.
        raise OptionError(f"options of game {name!r} don't fit: {error}", options) from None


def _find(name: str) -> Game:
    game = GAMES.built_in(name)
    if game is not None:
        return game
    head, colon, member = name.partition(":")
    if colon and FAMILIES.has(head):
        return FAMILIES.find(head).find(member)
    if colon or is_file(name):
        return load_game(name)
    if GAMES.has(name):
        return GAMES.find(name)
    if FAMILIES.has(name):
        raise GameError(f"game {name!r} is a family: name one of it as {name}:NAME", name)
    if Path(f"{name}.py").is_file():
        raise GameError(f"unknown game {name!r}; a file is named with its ending: {name}.py", name)
    raise UnknownNameError("game", name, GAMES.names())
