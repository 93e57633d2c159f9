"""Rules, evaluations and drawings of games, independent of bots."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.support.errors import (
        GameError,
        InputError,
        MoveError,
        OptionError,
        PositionError,
        UnknownNameError,
    )
    from games.support.game import CHANCE, NULL, Evaluation, Game, Move, State
    from games.support.options import Option, option
    from games.support.view import HiddenState, TogetherState, View

__all__ = [
    "CHANCE",
    "NULL",
    "Evaluation",
    "Game",
    "GameError",
    "HiddenState",
    "InputError",
    "Move",
    "MoveError",
    "Option",
    "OptionError",
    "PositionError",
    "State",
    "TogetherState",
    "UnknownNameError",
    "View",
    "option",
]

_PLACES = tuple(f"games.support.{name}" for name in ("errors", "options", "game", "view"))


def __getattr__(name: str) -> Any:
    # `league --help` imports this package too, and must not wait for what it does not use.
    if name in __all__:
        for place in _PLACES:
            if hasattr(module := import_module(place), name):
                return getattr(module, name)
    raise AttributeError(f"module 'games' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
