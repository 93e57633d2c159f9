"""Charts for pages: the numbers, which a script of the page draws and a table repeats."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.model.number_format import true_minus

LINES_MAX = 6
"""Maximum number of lines of a chart: more can't be distinguished."""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line: a value or None for each x of its chart.

    `errors` are half-widths of the 95% intervals, drawn as a band, and `spans` are the ends of
    intervals that are not symmetric; () for none. The line joins the values around a None, save
    at the places `breaks`. `colour` is one of `SEAT_COLOURS`, or '' for the
    chart's own sequence of colours. `told` are the values in words, () where
    digits and a unit will do, and `short` is what stands at the end of a line with a long name.
    """

    name: str
    values: Sequence[float | None]
    errors: Sequence[float | None] = ()
    colour: str = ""
    spans: Sequence[tuple[float, float] | None] = ()
    breaks: Sequence[int] = ()
    told: Sequence[str] = ()
    short: str = ""

    def ends(self) -> list[tuple[float, float] | None]:
        """Return the ends of the interval of each value, None for none; [] without intervals."""
        if self.spans:
            return list(self.spans)
        return [
            None if value is None or error is None else (value - error, value + error)
            for value, error in zip(self.values, self.errors, strict=bool(self.errors))
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Lines over a common axis; all of them have one unit.

    `x` ascends, and `x_told` writes each of them, such as '5–8' for a range; () for the number.
    `unit` is written behind each value, and `digits` are the decimals of a value. `bounds` are
    horizontal lines with a name, and `is_bars` draws bars instead of lines.
    """

    title: str
    x_name: str
    y_name: str
    x: Sequence[float]
    lines: Sequence[ChartLine]
    x_told: Sequence[str] = ()
    unit: str = ""
    digits: int = 0
    bounds: Sequence[tuple[str, float]] = ()
    is_bars: bool = False

    @property
    def is_worth_drawing(self) -> bool:
        """Whether it has at least three points: fewer are better read as text."""
        return len(self.x) >= 3

    def told(self, place: int) -> str:
        """Write the x of that place."""
        return self.x_told[place] if self.x_told else f"{self.x[place]:,g}"

    def value_told(self, line: ChartLine, place: int) -> str:
        """Write a line's value at that place with its interval; a dash for none."""
        value, digits = line.values[place], self.digits
        if value is None:
            return "–"
        if line.told:
            return line.told[place]
        told = f"{true_minus(f'{value:.{digits}f}')}{self.unit}"
        error = line.errors[place] if line.errors else None
        if error is not None:
            return f"{told} ±{error:.{digits}f}"
        span = line.spans[place] if line.spans else None
        if span is None:
            return told
        low, high = span
        return f"{told} ({low:.{digits}f}–{high:.{digits}f}{self.unit})"

    def data(self) -> dict[str, object]:
        """Return what the page's script draws."""
        return {
            "x": list(self.x),
            "xTold": [self.told(place) for place in range(len(self.x))],
            "xName": self.x_name,
            "yName": self.y_name,
            "unit": self.unit,
            "digits": self.digits,
            "bars": self.is_bars,
            "bounds": [{"name": name, "at": value} for name, value in self.bounds],
            "lines": [
                {
                    "name": line.name,
                    "short": line.short,
                    "values": list(line.values),
                    "ends": line.ends(),
                    "errors": list(line.errors),
                    "colour": line.colour,
                    "breaks": list(line.breaks),
                    "told": list(line.told),
                }
                for line in self.lines[:LINES_MAX]
            ],
        }
