"""Rules, evaluations and drawings of games. Knows no bot."""

from games.contract import CHANCE, NULL, Evaluation, Game, Move, State
from games.errors import InputError, MoveError, OptionError, UnknownNameError
from games.options import Option, option

__all__ = [
    "CHANCE",
    "NULL",
    "Evaluation",
    "Game",
    "InputError",
    "Move",
    "MoveError",
    "Option",
    "OptionError",
    "State",
    "UnknownNameError",
    "option",
]
