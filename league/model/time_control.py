"""Time controls and handicaps, in the grammar of engine testers.

```
control   = preset | [moves "/"] base [("+" | "d") span]
                                            40/60+0.5, 10+0.1, 5m+3s, 1:30+1, 60d2, kaggle
base      = span | [hours ":"] minutes ":" seconds
span      = number [unit]                   100ms, 2s, 1.5, 10m, 1h
handicap  = name "=" number                 mine=0.5
```
"""

import re
from dataclasses import dataclass

from games.support.errors import OptionError, brief

_UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
# Only significant digits, so that no sum of times exceeds the range of a float.
_NUMBER = r"([0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})"
_SPAN = rf"{_NUMBER}\s*(ms|s|min|m|h|)"
_CONTROL = re.compile(rf"(?:([0-9]{{1,4}})\s*/\s*)?([^/+d]+?)(?:\s*([+d])\s*{_SPAN})?")
_COLONS = re.compile(r"(?:([0-9]{1,3}):(?=[0-9]{2}:))?([0-9]{1,3}):([0-5][0-9](?:\.[0-9]{0,9})?)")
_DIGITS = 9

PRESETS = {"kaggle": "60d2"}
"""Controls by name: Kaggle gives each move 2 s, and 60 s for all that take longer."""

SPAN_MAX_S = 20 * 24 * 3600.0
"""The longest span allowed: operating system timeouts overflow soon after."""

BARE_MAX_S = 10.0
"""The longest time for a move that needs no unit: testers write 50 for 50 ms."""

FACTOR_MIN = 0.001
FACTOR_MAX = 1000.0


def read_span(text: str) -> float:
    """Return the seconds of a span: `50ms`, `2s`, `1.5`, `10m`, `1h`; a bare number is seconds.

    Raises `OptionError` for invalid text and spans of zero.
    """
    match = re.fullmatch(_SPAN, text.strip().lower())
    seconds = _seconds(match[1], match[2]) if match else 0.0
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
class TimeControl:
    """A clock for the whole match: `base_s` seconds, plus `increment_s` after each move.

    With `moves`, the seat gets another `base_s` after every `moves` of its moves. If the increment
    `is_delay`, the first move has it too, and no move leaves more on the clock than there was: the
    first `increment_s` seconds of each move are free.
    """

    base_s: float
    increment_s: float = 0.0
    moves: int | None = None
    is_delay: bool = False

    @classmethod
    def read(cls, text: str) -> "TimeControl":
        """Parse `10+0.1`, `40/60+0.5`, `5m+3s`, `1:30+1`, `60d2` or `60`; raise `OptionError`."""
        plain = text.strip().lower()
        match = _CONTROL.fullmatch(PRESETS.get(plain, plain))
        base = _base(match[2]) if match else 0.0
        increment = _seconds(match[4], match[5]) if match and match[3] else 0.0
        moves = int(match[1]) if match and match[1] else None
        if not 0 < base <= SPAN_MAX_S or increment > SPAN_MAX_S or moves == 0:
            raise OptionError(
                f"{brief(text)} is not a time control: write 10+0.1 (seconds and increment), "
                "5m+3s, 1:30+1, 40/60+0.5 (that for each 40 moves), or 60d2 (2 s of each move are "
                "free)",
                "time",
            )
        return cls(base, increment, moves, bool(increment) and bool(match and match[3] == "d"))

    @property
    def first_s(self) -> float:
        """The seconds that a clock has before its first move."""
        return self.base_s + self.increment_s if self.is_delay else self.base_s

    def after_move(self, left_s: float, spent_s: float) -> float:
        """Return what a clock of `left_s` seconds has after a move, but for a new session."""
        after = max(0.0, left_s - spent_s) + self.increment_s
        return min(after, left_s) if self.is_delay else after

    def scaled(self, factor: float) -> "TimeControl":
        """Return the control with `factor` times the time, clamped to the range of a span."""
        base, increment = (
            round(min(SPAN_MAX_S, span * factor), _DIGITS)
            for span in (self.base_s, self.increment_s)
        )
        is_delay = self.is_delay and increment > 0
        return TimeControl(max(base, 10**-_DIGITS), increment, self.moves, is_delay)

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        sign = "d" if self.is_delay else "+"
        increment = f"{sign}{_written(self.increment_s)}" if self.increment_s else ""
        return f"{moves}{_written(self.base_s)}{increment}"


def _base(text: str) -> float:
    """Return the seconds of `10`, `5m` or `1:30`; 0 for anything else."""
    if parts := _COLONS.fullmatch(text):
        hours, minutes, seconds = (float(part or 0) for part in parts.groups())
        return round(hours * 3600 + minutes * 60 + seconds, _DIGITS)
    span = re.fullmatch(_SPAN, text)
    return _seconds(span[1], span[2]) if span else 0.0


def _seconds(number: str, unit: str) -> float:
    return round(float(number) * _UNITS[unit], _DIGITS)


def _written(seconds: float) -> str:
    return f"{seconds:.{_DIGITS}f}".rstrip("0").removesuffix(".")
