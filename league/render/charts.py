"""Charts of files as SVG: lines with axes and bands, and bars to scale.

They contain only numbers and fixed words; the file shows names beside them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 380, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 12, 20, 34
_TICKS = 4
_ROOM = 0.05
"""The free share of the height above and below."""

_LEAST = 1e-9
"""Numbers closer together share one tick."""

_BAR_WIDTH, _BAR_HEIGHT = 400, 20


@dataclass(frozen=True, slots=True)
class Line:
    """Points (x, y) from left to right; `errors` are half-widths of each y's 95% interval."""

    points: Sequence[tuple[float, float]]
    errors: Sequence[float | None] = ()


def lines(title: str, drawn: Sequence[Line], x_name: str) -> str:
    """Draw lines on common axes with classes `seat0`, `seat1`, … in turn; '' without points."""
    points = [point for line in drawn for point in line.points]
    if not points:
        return ""
    spans = [span for line in drawn for span in _spans(line)]
    lows, highs = zip(*[(low, high) for _, low, high in spans], strict=True)
    low, high = min(lows), max(highs)
    room = _ROOM * (high - low) or max(1.0, abs(high) * _ROOM)
    scale = _Scale(
        left=min(x for x, _ in points),
        right=max(x for x, _ in points),
        low=low - room,
        high=high + room,
    )
    body = _axes(scale, title, x_name)
    for number, line in enumerate(drawn):
        body += _drawn(scale, line, f"seat{number % 5}")
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f"<title>{title}</title>" + "".join(body) + "</svg>"
    )


def lengths(values: Sequence[float]) -> list[str]:
    """Draw each value as a bar from 0; the greatest has the full width."""
    most = max(values, default=0.0) or 1.0
    return [
        f'<svg class="length" viewBox="0 0 {_BAR_WIDTH} {_BAR_HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true"><rect width="{max(0.0, value) / most * _BAR_WIDTH:.1f}" '
        f'height="{_BAR_HEIGHT}"/></svg>'
        for value in values
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scale:
    """Maps numbers to places in a chart; a single x is centred."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        wide = self.right - self.left
        share = (value - self.left) / wide if wide else 0.5
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)


def _spans(line: Line) -> list[tuple[float, float, float]]:
    """Return each point's x with the ends of its interval."""
    errors = line.errors or [None] * len(line.points)
    return [
        (x, y - (error or 0.0), y + (error or 0.0))
        for (x, y), error in zip(line.points, errors, strict=True)
    ]


def _axes(scale: _Scale, title: str, x_name: str) -> list[str]:
    body = [f'<text class="name" x="4" y="12">{title}</text>']
    for value in ticks(scale.low, scale.high):
        y = scale.y(value)
        body.append(f'<path class="grid" d="M{_LEFT} {y}H{WIDTH - _RIGHT}"/>')
        body.append(f'<text class="end" x="{_LEFT - 5}" y="{y + 4:.1f}">{value:,g}</text>')
    for value in ticks(scale.left, scale.right):
        x = scale.x(value)
        body.append(f'<path class="grid" d="M{x} {HEIGHT - _BOTTOM}v4"/>')
        # A centred label would stick out at the edge.
        style, x = ("end", WIDTH - 2) if x > WIDTH - _LEFT else ("mid", x)
        body.append(f'<text class="{style}" x="{x}" y="{HEIGHT - 18}">{value:,g}</text>')
    body.append(f'<text class="end" x="{WIDTH - _RIGHT}" y="{HEIGHT - 4}">{x_name}</text>')
    return body


def _drawn(scale: _Scale, line: Line, style: str) -> list[str]:
    body = []
    if any(error is not None for error in line.errors):
        spans = _spans(line)
        outline = [(x, high) for x, _, high in spans] + [(x, low) for x, low, _ in spans[::-1]]
        body.append(f'<polygon class="band {style}" points="{_path(scale, outline)}"/>')
    if len(line.points) == 1:
        x, y = line.points[0]
        body.append(f'<circle class="dot {style}" cx="{scale.x(x)}" cy="{scale.y(y)}" r="3"/>')
    else:
        body.append(f'<polyline class="{style}" points="{_path(scale, line.points)}"/>')
    return body


def _path(scale: _Scale, points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{scale.x(x)},{scale.y(y)}" for x, y in points)


def ticks(low: float, high: float) -> list[float]:
    """Return about four round numbers from `low` to `high`, one if these are equal."""
    if high - low < _LEAST:
        return [low]
    rough = (high - low) / _TICKS
    size = 10.0 ** math.floor(math.log10(rough))
    steps = [each * size for each in (1, 2, 5, 10)]
    step = min(steps, key=lambda each: abs(math.log(each / rough)))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(number * step, 9) for number in range(first, last + 1)]
