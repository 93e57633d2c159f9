"""The parameters of a bot that a tournament tunes."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from games.support.errors import OptionError

FORM = "NAME=START,MIN,MAX,STEP"
"""How a parameter is written."""

EntrantOptions = tuple[tuple[str, str], ...]
"""Names and values of options that replace those of a bot."""

_NAME = re.compile(r"[^\s,=][^,=]{0,79}")

_KINDS = {"int": True, "float": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedParameter:
    """An option of a bot, its value at the start and the range to search.

    `step` is about how far apart two values must be to play differently well: matches compare
    values that far above and below. `rate` is what a won match more moves the value by at the end,
    in steps; None is the method's own. Values of one that `is_whole` are whole numbers.
    """

    name: str
    start: float
    low: float
    high: float
    step: float
    is_whole: bool = False
    rate: float | None = None

    def __post_init__(self) -> None:
        numbers = (self.start, self.low, self.high, self.step, self.rate or 0.0)
        if not _NAME.fullmatch(self.name) or not all(map(math.isfinite, numbers)):
            raise _unfit(self.name, f"expected {FORM}")
        if not self.low < self.high or not self.low <= self.start <= self.high:
            raise _unfit(self.name, "expected a start between MIN and MAX")
        if not 0 < self.step <= self.high - self.low:
            raise _unfit(self.name, "expected a STEP above 0 that fits between MIN and MAX")
        if self.is_whole and not all(map(float.is_integer, map(float, numbers[:3]))):
            raise _unfit(self.name, "expected whole numbers as START, MIN and MAX")
        if self.rate is not None and self.rate <= 0:
            raise _unfit(self.name, "expected a rate above 0")

    @classmethod
    def read(cls, text: str) -> "TunedParameter":
        """Read `weight=1.0,0,4,0.1`, with the rate as a fifth number; raise `OptionError`.

        `int` or `float` may come first; else values are whole if all numbers but the rate are.
        """
        name, _, numbers = text.partition("=")
        texts = [each.strip() for each in numbers.split(",")]
        is_whole = _KINDS.get(texts[0])
        return _of(name, texts if is_whole is None else texts[1:], is_whole=is_whole)

    @classmethod
    def read_lines(cls, text: str) -> "list[TunedParameter]":
        """Read lines of `name, type, start, min, max, step, rate`, as engines print them.

        The type is `int` or `float`. Lines that are empty or begin with # do not count. Raises
        `OptionError`.
        """
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            name, *parts = (each.strip() for each in line.split(","))
            kind, *numbers = parts or [""]
            if kind not in _KINDS:
                form = "name, int or float, start, min, max, step, rate"
                raise OptionError(f"line {number}: expected {form}", name)
            found.append(_of(name, numbers, is_whole=_KINDS[kind]))
        return found

    @property
    def written(self) -> str:
        """The text that `read` reads as this parameter."""
        kind = next(name for name, is_whole in _KINDS.items() if is_whole is self.is_whole)
        numbers = [self.start, self.low, self.high, self.step]
        numbers += [] if self.rate is None else [self.rate]
        texts = (repr(each).removesuffix(".0") for each in map(float, numbers))
        return f"{self.name}={kind},{','.join(texts)}"

    def text(self, value: float) -> str:
        """Return a value as the option of a bot."""
        if self.is_whole:
            return str(round(value))
        return f"{value:.{self._decimals}f}"

    def within(self, value: float) -> float:
        """Return the nearest value of the range."""
        return min(self.high, max(self.low, value))

    @property
    def _decimals(self) -> int:
        # A hundredth of a step makes no difference, but a value beyond a bound does.
        given = (Decimal(repr(each)).as_tuple() for each in (self.start, self.low, self.high))
        exponents = (each.exponent for each in given if isinstance(each.exponent, int))
        return -min(0, math.floor(math.log10(self.step)) - 2, *exponents)


def start_of(parameters: Iterable[TunedParameter]) -> tuple[float, ...]:
    """Return the values at the start."""
    return tuple(each.start for each in parameters)


def options_at(parameters: Sequence[TunedParameter], point: Sequence[float]) -> EntrantOptions:
    """Return a bot's options for the values of its parameters."""
    return tuple(
        (each.name, each.text(value)) for each, value in zip(parameters, point, strict=True)
    )


def _of(name: str, texts: list[str], *, is_whole: bool | None = None) -> TunedParameter:
    try:
        numbers = [float(each) for each in texts]
        start, low, high, step, *rate = numbers
        own_rate: float | None = None
        if rate:
            (own_rate,) = rate
    except ValueError:
        raise _unfit(name, f"expected {FORM}, and a rate or not") from None
    if is_whole is None:
        is_whole = all(re.fullmatch(r"[+-]?\d+", each) for each in texts[:4])
    return TunedParameter(
        name=name.strip(),
        start=start,
        low=low,
        high=high,
        step=step,
        is_whole=is_whole,
        rate=own_rate,
    )


def _unfit(name: str, expected: str) -> OptionError:
    return OptionError(f"parameter {name!r}: {expected}", name)
