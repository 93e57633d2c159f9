"""Rules, evaluations and drawings of games, independent of bots."""

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

__all__ = [
    "CHANCE",
    "NULL",
    "Evaluation",
    "Game",
    "GameError",
    "InputError",
    "Move",
    "MoveError",
    "Option",
    "OptionError",
    "PositionError",
    "State",
    "UnknownNameError",
    "option",
]
