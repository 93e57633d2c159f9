"""Rules, evaluations and drawings of games. Knows no bot."""

from games.contract import CHANCE, NULL, Evaluation, Game, Move, State
from games.errors import (
    GameError,
    InputError,
    MoveError,
    OptionError,
    PositionError,
    UnknownNameError,
)
from games.options import Option, option

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
