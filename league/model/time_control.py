"""Time controls and handicaps, in the grammar of engine testers.

```
control   = preset | "hg" base | period {":" period}
                                            10+0.1, 60d2, kaggle, hg60, 40/60+0.5, 40/60:20/30
period    = [moves "/"] base [("+" | "d") span]
                                            40/60+0.5, 10+0.1, 5m+3s, 1:30+1, 60d2
base      = span | [hours ":"] minutes ":" seconds
span      = number [unit]                   100ms, 2s, 1.5, 10m, 1h
handicap  = name "=" number                 mine=0.5
```

The base of a period is as long as it can be: `40/60:30` has one period of an hour and 30 seconds,
and `40/60:30s` has two. PGN's `*60` is read like `hg60`.

Source of the periods: S. J. Edwards, Portable Game Notation, 1994, section 9.6.1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from games.support.errors import OptionError, brief

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
# Only significant digits, so that no sum of times exceeds the range of a float.
_NUMBER = r"(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
_SPAN = rf"{_NUMBER}\s*(?:ms|s|min|m|h|)"
_COLONS = r"(?:[0-9]{1,3}:(?=[0-9]{2}:))?[0-9]{1,3}:[0-5][0-9](?:\.[0-9]{0,9})?"
_PERIOD = re.compile(
    rf"(?:([0-9]{{1,4}})\s*/\s*)?({_COLONS}|{_SPAN})\s*(?:([+d])\s*({_SPAN})\s*)?"
    r"(?::\s*(?=\S)|\Z)"
)
_HOURGLASS = re.compile(r"(?:hg|\*)\s*")
_DIGITS = 9

PRESETS = {"kaggle": "60d2"}
"""Controls by name: Kaggle gives each move 2 s, and 60 s for all that take longer."""

SPAN_MAX_S = 20 * 24 * 3600.0
"""The longest span allowed: operating system timeouts overflow soon after."""

BARE_MAX_S = 10.0
"""The longest time for a move that needs no unit: testers write 50 for 50 ms."""

PERIODS_MAX = 9
"""The most periods of a time control, so that its text is short."""

FACTOR_MIN = 0.001
FACTOR_MAX = 1000.0


def read_span(text: str) -> float:
    """Return the seconds of a span: `50ms`, `2s`, `1.5`, `10m`, `1h`; a bare number is seconds.

    Raises `OptionError` for invalid text and spans of zero.
    """
    plain = text.strip().lower()
    seconds = _seconds(plain) if re.fullmatch(_SPAN, plain) else 0.0
    if not 0 < seconds <= SPAN_MAX_S:
        raise OptionError(f"{brief(text)} is not a time: write 50ms, 2s, 10m or 1h", "time")
    return seconds


def read_move_time(text: str) -> float:
    """Read a time for one move like `read_span`; raise `OptionError` for 50, but not for 50ms."""
    found = read_span(text)
    bare = text.strip().lower()
    if found > BARE_MAX_S and re.fullmatch(_NUMBER, bare):
        raise OptionError(
            f"{brief(text)} is {found:g} seconds without a unit: write {bare}ms or {bare}s", "time"
        )
    return found


def write_span(seconds: float) -> str:
    """Format a span so that `read_span` returns the same seconds: `100ms`, `2s`, `1.5s`."""
    thousandths = round(seconds * 1000, _DIGITS)
    if seconds < 1 and thousandths == round(thousandths):
        return f"{round(thousandths)}ms"
    return f"{_written(seconds)}s"


def read_handicap(text: str) -> tuple[str, float]:
    """Parse `NAME=0.5`; raise `OptionError` if it is invalid or the factor is out of range."""
    name, _, number = (part.strip() for part in text.rpartition("="))
    factor = float(number) if re.fullmatch(_NUMBER, number) else 0.0
    if not name or not FACTOR_MIN <= factor <= FACTOR_MAX:
        raise OptionError(
            f"{brief(text)} is not a handicap: write NAME=0.5 for half the time, from "
            f"{FACTOR_MIN:g} to {FACTOR_MAX:g}",
            "handicap",
        )
    return name, factor


@dataclass(frozen=True, slots=True)
class Period:
    """A part of a time control: `base_s` seconds, plus `increment_s` after each move.

    It ends after `moves` moves of the seat; with None, it lasts for the rest of the match. If the
    increment `is_delay`, the first move has it too, and no move leaves more on the clock than there
    was: the first `increment_s` seconds of each move are free.
    """

    base_s: float
    increment_s: float = 0.0
    moves: int | None = None
    is_delay: bool = False

    @property
    def free_s(self) -> float:
        """The seconds of each move that the clock has beside the base: the delay."""
        return self.increment_s if self.is_delay else 0.0

    def scaled(self, factor: float) -> "Period":
        """Return the period with `factor` times the time, clamped to the range of a span."""
        base, increment = (
            round(min(SPAN_MAX_S, span * factor), _DIGITS)
            for span in (self.base_s, self.increment_s)
        )
        is_delay = self.is_delay and increment > 0
        return Period(max(base, 10**-_DIGITS), increment, self.moves, is_delay)

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        sign = "d" if self.is_delay else "+"
        increment = f"{sign}{_written(self.increment_s)}" if self.increment_s else ""
        return f"{moves}{_written(self.base_s)}{increment}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The rules of a clock for the whole match: its periods in order, nearly always a single one.

    The last period repeats if it has a number of moves. What is left at the end of a period counts
    in the next. In an hourglass, a seat's clock gains what its opponent's loses.
    """

    periods: tuple[Period, ...]
    is_hourglass: bool = False

    @classmethod
    def read(cls, text: str) -> "TimeControl":
        """Parse `10+0.1`, `1:30+1`, `60d2`, `40/60:20/30`, `hg60` or the like.

        Raises `OptionError`, which says what is wrong.
        """
        plain = text.strip().lower()
        plain = PRESETS.get(plain, plain)
        hourglass = _HOURGLASS.match(plain)
        periods = _periods(plain[hourglass.end() :] if hourglass else plain)
        if wrong := _fault(periods, is_hourglass=hourglass is not None):
            raise OptionError(f"{brief(text)} is not a time control: {wrong}", "time")
        return cls(periods, hourglass is not None)

    def scaled(self, factor: float) -> "TimeControl":
        """Return the control with `factor` times the time."""
        return replace(self, periods=tuple(period.scaled(factor) for period in self.periods))

    @property
    def pgn(self) -> str:
        """The control as PGN has it, where a time is in seconds and has no unit."""
        return f"{'*' if self.is_hourglass else ''}{':'.join(map(str, self.periods))}"

    def __str__(self) -> str:
        if self.is_hourglass:
            return f"hg{self.periods[0]}"
        text = str(self.periods[0])
        for before, period in pairwise(self.periods):
            told, base = str(period), _written(period.base_s)
            is_next_to_base = not before.increment_s and period.moves is None
            # `40/60:30` is an hour and 30 seconds.
            if is_next_to_base and re.fullmatch(_COLONS, f"{_written(before.base_s)}:{base}"):
                told = f"{base}s{told.removeprefix(base)}"
            text += f":{told}"
        return text


class SeatClock(NamedTuple):
    """The clock of a seat before a move: `left_s` seconds, in the period of number `place`.

    `moves_to_go` counts its moves until the next period begins, None if none does.
    """

    control: TimeControl
    left_s: float
    place: int
    moves_to_go: int | None

    @classmethod
    def of(cls, control: TimeControl) -> "SeatClock":
        """Return the clock before the first move of the match."""
        period = control.periods[0]
        return cls(control, period.base_s + period.free_s, 0, period.moves)

    @property
    def period(self) -> Period:
        """The period of the next move."""
        return self.control.periods[self.place]

    def gained(self, gain_s: float) -> "SeatClock":
        """Return the clock with so many seconds more."""
        return self._replace(left_s=self.left_s + gain_s)

    def after(self, spent_s: float) -> "SeatClock":
        """Return the clock after a move that took so long.

        A move within the grace period counts as on time.
        """
        period = self.period
        left_s = max(0.0, self.left_s - spent_s) + period.increment_s
        if period.is_delay:
            left_s = min(left_s, self.left_s)
        if self.moves_to_go is None:
            return self._replace(left_s=left_s)
        if self.moves_to_go > 1:
            return self._replace(left_s=left_s, moves_to_go=self.moves_to_go - 1)
        place = min(self.place + 1, len(self.control.periods) - 1)
        new = self.control.periods[place]
        left_s += new.base_s + (new.free_s - period.free_s)
        return SeatClock(self.control, left_s, place, new.moves)


_FORMS = (
    "write 10+0.1 (seconds and increment), 5m+3s, 1:30+1, 40/60+0.5 (that for each 40 moves), "
    "40/60:20/30 (then 30 s for each 20), 60d2 (2 s of each move are free) or hg60 (hourglass)"
)


def _periods(text: str) -> tuple[Period, ...]:
    """Return the periods of a text, () if it is none; times may be out of range."""
    found, begin = [], 0
    while begin < len(text):
        match = _PERIOD.match(text, begin)
        if match is None:
            return ()
        moves, base, sign, increment = match.groups()
        increment_s = _seconds(increment) if sign else 0.0
        is_delay = sign == "d" and increment_s > 0
        found.append(Period(_seconds(base), increment_s, int(moves) if moves else None, is_delay))
        begin = match.end()
    return tuple(found)


def _fault(periods: Sequence[Period], *, is_hourglass: bool) -> str:
    """Say what is wrong with the periods of a time control; '' if nothing is."""
    if not periods or any(
        not 0 < period.base_s <= SPAN_MAX_S or period.increment_s > SPAN_MAX_S or period.moves == 0
        for period in periods
    ):
        return _FORMS
    if is_hourglass and (len(periods) > 1 or periods[0].increment_s or periods[0].moves):
        return "an hourglass has only a time: write hg60"
    if len(periods) > PERIODS_MAX:
        return f"it has {len(periods)} periods, and at most {PERIODS_MAX} are allowed"
    for period in periods[:-1]:
        if period.moves is None:
            return (
                f"only the last period may have no number of moves, and {str(period)!r} has none: "
                "write 40/60:30s, or 1:05 for minutes and seconds"
            )
    return ""


def _seconds(text: str) -> float:
    """Return the seconds of a span, or of minutes and seconds with colons."""
    *before, last = text.split(":")
    number = re.match(_NUMBER, last)
    seconds = float(number[0]) * _UNITS[last[number.end() :].strip()] if number else 0.0
    for power, part in enumerate(reversed(before), 1):
        seconds += int(part) * 60**power
    return round(seconds, _DIGITS)


def _written(seconds: float) -> str:
    return f"{seconds:.{_DIGITS}f}".rstrip("0").removesuffix(".")
