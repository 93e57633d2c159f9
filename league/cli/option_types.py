"""The types of options that a word of their own grammar is given for: times, memory, names."""

import math
import re
from collections.abc import Callable, Sequence
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


def _numbered(kind: str, lister: str) -> Callable[[str], int]:
    """Return what reads the number of a stored thing, which the command `lister` lists."""

    def read(text: str) -> int:
        if re.fullmatch(r"-?[0-9]{1,99}", text):
            return int(text)
        raise OptionError(f"{text!r} is not the number of a {kind}: '{lister}' lists them", kind)

    return read


MATCH = WordType("integer", _numbered("match", "league matches"), int)
TOURNAMENT = WordType("integer", _numbered("tournament", "league tournaments"), int)


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


def _cpus(text: str) -> frozenset[int]:
    """Read a list of processors as taskset writes it: `0-3,8`."""
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,4})(?:-([0-9]{1,4}))?\s*", part)
        if match is None:
            raise OptionError(f"{text!r}: write processors as 0-3,8", "cpus")
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    from league.platform import core_numbers

    here = core_numbers()
    if not found or found - here:
        known = ",".join(map(str, sorted(here)))
        raise OptionError(f"{text!r}: this process has the processors {known}", "cpus")
    return frozenset(found)


def _words(known: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    def read(text: str) -> tuple[str, ...]:
        words = tuple(word.strip() for word in text.split(","))
        for word in words:
            if word not in known:
                raise OptionError(f"{word!r}: expected some of {', '.join(known)}", "")
        return words

    return read


CPUS = WordType("cpus", _cpus, frozenset)
"""Processors of this machine: `0-3,8`."""

PGN_PARTS = WordType(
    "parts",
    _words(
        (
            *("pv", "nodes", "nps", "seldepth", "hashfull", "tbhits"),
            *("latency", "times", "opening"),
        )
    ),
    tuple,
)
"""The additional parts of a move's comment in PGN, and more tags."""

DURATION = WordType("duration", read_span, float)
"""A span of time in seconds: `50ms`, `2s`, `1.5`, `10m`, `1h`; a bare number is seconds."""

MOVE_TIME = WordType("duration", read_move_time, float)
"""A span for one move; above 10 s it needs a unit."""

RENAMING = WordType("name=bot", _renaming)
"""A name in a file, and the bot that the league knows it as: `Stockfish 16=sf16`."""

ANCHOR = WordType("name=elo", _anchor)
"""A name and the rating that it is held at: `Stockfish 16=3500`."""
