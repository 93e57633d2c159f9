"""The types of options that a word of their own grammar is given for: times, memory, names."""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from games.support.errors import OptionError
from league.model.time_control import read_move_time, read_span

T = TypeVar("T")


class WordType(click.ParamType[T]):
    """A type whose words `read` reads; a value that is a `kind` already stays as it is.

    `read` raises `OptionError` for what it can't read.
    """

    def __init__(self, name: str, read: Callable[[str], T], kind: type[T] | None = None) -> None:
        self.name = name
        self._read = read
        self._kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return what the word says; fail with the text of the error."""
        if self._kind is not None and isinstance(value, self._kind):
            return value
        try:
            return self._read(str(value))
        except OptionError as error:
            self.fail(str(error), param, ctx)


def _renaming(text: str) -> tuple[str, str]:
    name, _, bot = (part.strip() for part in text.rpartition("="))
    if not name or not bot:
        raise OptionError(f"{text!r}: write NAME=BOT, as in 'Stockfish 16=sf16'", "as")
    return name, bot


def _anchor(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        elo = float(number)
    except ValueError:
        elo = math.nan
    if not name or not math.isfinite(elo):
        raise OptionError(f"{text!r}: write NAME=ELO, as in 'mine=2000'", "anchor")
    return name, elo


DURATION = WordType("duration", read_span, float)
"""A span of time in seconds: `50ms`, `2s`, `1.5`, `10m`, `1h`; a bare number is seconds."""

MOVE_TIME = WordType("duration", read_move_time, float)
"""A span for one move; above 10 s it needs a unit."""

RENAMING = WordType("name=bot", _renaming)
"""A name in a file, and the bot that the league knows it as: `Stockfish 16=sf16`."""

ANCHOR = WordType("name=elo", _anchor)
"""A name and the rating that it is held at: `Stockfish 16=3500`."""
