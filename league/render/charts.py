"""Drawings of numbers as SVG, for files without scripts: scales, round ticks, lines, bands, bars.

Texts are numbers and fixed words; what needs names has them beside the drawing.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 380, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 20, 34
_TICKS = 4
_ROOM = 0.05
"""The free share of the height above and below."""

_LEAST = 1e-9
"""Numbers closer together share one tick."""

Point = tuple[float, float]
Span = tuple[float, float, float]
"""An x with the lower and the upper end of its interval."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps numbers from `low` to `high` to places from `begin` to `end`; one to the middle."""

    low: float
    high: float
    begin: float
    end: float

    def at(self, value: float) -> float:
        """Return the place of a number."""
        wide = self.high - self.low
        share = (value - self.low) / wide if wide else 0.5
        return round(self.begin + share * (self.end - self.begin), 1)


@dataclass(frozen=True, slots=True)
class Plane:
    """Draws on two scales: `x` from left to right, and `y` from the bottom to the top."""

    x: Scale
    y: Scale

    def line(self, style: str, points: Iterable[Point]) -> str:
        """Join points."""
        return f'<polyline class="{style}" points="{self._places(points)}"/>'

    def band(self, style: str, spans: Sequence[Span]) -> str:
        """Fill what lies between the ends of intervals."""
        outline = [(x, high) for x, _, high in spans] + [(x, low) for x, low, _ in spans[::-1]]
        return f'<polygon class="band {style}" points="{self._places(outline)}"/>'

    def span(self, style: str, x: float, low: float, high: float) -> str:
        """Draw an interval."""
        return f'<path class="{style}" d="M{self.x.at(x)} {self.y.at(low)}V{self.y.at(high)}"/>'

    def dot(self, style: str, point: Point, radius: int) -> str:
        """Draw a point."""
        x, y = self.x.at(point[0]), self.y.at(point[1])
        return f'<circle class="{style}" cx="{x}" cy="{y}" r="{radius}"/>'

    def bar(self, style: str, point: Point, width: float) -> str:
        """Draw a bar from the bottom to the point in the middle of its end."""
        left, top = self.x.at(point[0]) - width / 2, self.y.at(point[1])
        return (
            f'<rect class="{style}" x="{left:.1f}" y="{top}" '
            f'width="{width:.1f}" height="{self.y.begin - top:.1f}"/>'
        )

    def axes(
        self, x_ticks: Iterable[tuple[float, str]], y_ticks: Iterable[tuple[float, str]], name: str
    ) -> list[str]:
        """Draw numbers with their texts at the left and below, and the name of the x."""
        left, right, bottom = self.x.begin, self.x.end, self.y.begin
        body = []
        for value, text in y_ticks:
            y = self.y.at(value)
            body.append(f'<path class="grid" d="M{left} {y}H{right}"/>')
            body.append(f'<text class="end" x="{left - 5}" y="{y + 4:.1f}">{text}</text>')
        for value, text in x_ticks:
            x = self.x.at(value)
            body.append(f'<path class="grid" d="M{x} {bottom}v4"/>')
            # A centred label would stick out at the edge.
            style, x = ("end", right + 10) if x > right - 34 else ("mid", x)
            body.append(f'<text class="{style}" x="{x}" y="{bottom + 16}">{text}</text>')
        return [*body, f'<text class="end" x="{right}" y="{bottom + 30}">{name}</text>']

    def _places(self, points: Iterable[Point]) -> str:
        return " ".join(f"{self.x.at(x)},{self.y.at(y)}" for x, y in points)


def ticks(low: float, high: float) -> list[float]:
    """Return about four round numbers from `low` to `high`, one if these are equal."""
    if high - low < _LEAST:
        return [low]
    step = _step(high - low)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 9) for number in range(first, last + 1)]


def ticks_around(low: float, high: float, least: float) -> list[float]:
    """Return round numbers, at least two and `least` apart, the ends of which hold both."""
    step = max(least, _step(max(least, high - low)))
    first = math.floor(low / step)
    return [number * step for number in range(first, max(math.ceil(high / step), first + 1) + 1)]


def _step(wide: float) -> float:
    rough = wide / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    return min(
        (each * size for each in (1, 2, 5, 10)), key=lambda each: abs(math.log(each / rough))
    )


@dataclass(frozen=True, slots=True)
class Line:
    """Points (x, y) from left to right; `errors` are half-widths of each y's 95% interval."""

    points: Sequence[Point]
    errors: Sequence[float | None] = ()

    @property
    def spans(self) -> list[Span]:
        """Return the interval of each point."""
        errors = [error or 0.0 for error in self.errors] or [0.0] * len(self.points)
        return [(x, y - half, y + half) for (x, y), half in zip(self.points, errors, strict=True)]


def lines(title: str, drawn: Sequence[Line], x_name: str) -> str:
    """Draw lines on common axes with classes `seat0`, `seat1`, … in turn; '' without points."""
    spans = [span for line in drawn for span in line.spans]
    if not spans:
        return ""
    places, lows, highs = zip(*spans, strict=True)
    low, high = min(lows), max(highs)
    room = _ROOM * (high - low) or max(1.0, abs(high) * _ROOM)
    plane = Plane(
        Scale(min(places), max(places), _LEFT, WIDTH - _RIGHT),
        Scale(low - room, high + room, HEIGHT - _BOTTOM, _TOP),
    )
    x_ticks, y_ticks = (
        [(value, f"{value:,g}") for value in ticks(scale.low, scale.high)]
        for scale in (plane.x, plane.y)
    )
    body = plane.axes(x_ticks, y_ticks, x_name)
    for number, line in enumerate(drawn):
        style = f"seat{number % 5}"
        if any(error is not None for error in line.errors):
            body.append(plane.band(style, line.spans))
        if len(line.points) == 1:
            body.append(plane.dot(f"dot {style}", line.points[0], 3))
        else:
            body.append(plane.line(style, line.points))
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title>'
        f'<text class="name" x="4" y="12">{title}</text>{"".join(body)}</svg>'
    )
