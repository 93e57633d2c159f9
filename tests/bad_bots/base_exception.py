"""Raises what no `except Exception` catches."""

from bots import Clock
from games import State


class Revolt(BaseException):
    """Nobody expects it."""


def choose(state: State, clock: Clock) -> object:
    """Raise it."""
    raise Revolt("no")
