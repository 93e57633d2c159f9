"""Rating plots: lines that stretch with the page, with labels as text around them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

WIDTH, HEIGHT = 640, 240
TICKS_MAX = 5
SERIES_MAX = 6
"""More lines than this can't be distinguished."""


@dataclass(frozen=True, slots=True)
class CurvePosition:
    """A value at a place, with the half-width of its 95% interval."""

    x: float
    y: float
    error: float = 0.0


@dataclass(frozen=True, slots=True)
class CurveSeries:
    """A line and its name."""

    name: str
    points: Sequence[CurvePosition]

    @property
    def last(self) -> CurvePosition:
        """The end of the line."""
        return self.points[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart: its drawing, and evenly spaced labels beside and below it.

    `ys` go from the top down, `xs` from the left. A template writes them as text, so that they keep
    their size on a phone.
    """

    title: str
    unit: str
    drawing: Markup
    ys: tuple[str, ...]
    xs: tuple[str, ...]
    series: tuple[CurveSeries, ...]


def lines(title: str, unit: str, series: Sequence[CurveSeries]) -> Chart | None:
    """Draw lines with their bands; None unless one has two points. `unit` is that of the places."""
    drawn = [each for each in series if len(each.points) > 1][:SERIES_MAX]
    if not drawn:
        return None
    # The first intervals may be arbitrarily wide: they are clipped.
    low = min(min(each.last.y - each.last.error, *(one.y for one in each.points)) for each in drawn)
    high = max(
        max(each.last.y + each.last.error, *(one.y for one in each.points)) for each in drawn
    )
    ticks = ticks_of(low, high)
    plane = _Plane.around(drawn, ticks)
    body = [plane.level("grid", tick) for tick in ticks]
    body += [plane.band(place, each.points) for place, each in enumerate(drawn)]
    body += [plane.line(place, each.points) for place, each in enumerate(drawn)]
    return _chart(title, unit, plane, body, ticks, drawn)


def walk(title: str, unit: str, series: CurveSeries, bounds: tuple[float, float]) -> Chart | None:
    """Draw a line between two bounds; None before its first point."""
    if len(series.points) < 2:
        return None
    ticks = ticks_of(
        min(bounds[0], *(each.y for each in series.points)),
        max(bounds[1], *(each.y for each in series.points)),
    )
    plane = _Plane.around([series], ticks)
    body = [plane.level("grid", tick) for tick in ticks]
    body += [plane.level("bound", bound) for bound in bounds]
    body.append(plane.line(0, series.points))
    return _chart(title, unit, plane, body, ticks, [series])


def ticks_of(low: float, high: float) -> list[float]:
    """Return evenly spaced round numbers, ascending, that enclose `low` and `high`."""
    span = (high - low) or max(1.0, abs(high) / 100)
    power = 10.0 ** math.floor(math.log10(span / TICKS_MAX))
    for step in (power, 2 * power, 5 * power, 10 * power, 20 * power):
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first < TICKS_MAX:
            return [number * step for number in range(first, max(last, first + 1) + 1)]
    raise AssertionError("twenty times a fifth of the span is always enough")


def _chart(
    title: str,
    unit: str,
    plane: "_Plane",
    body: Sequence[str],
    ticks: Sequence[float],
    series: Sequence[CurveSeries],
) -> Chart:
    text = (
        f'<svg class="plane" viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" '
        f'aria-hidden="true">' + "".join(body) + "</svg>"
    )
    places = [plane.left, (plane.left + plane.right) / 2, plane.right]
    if not places[1].is_integer():
        del places[1]
    return Chart(
        title=title,
        unit=unit,
        drawing=Markup(text),  # noqa: S704 (numbers alone)
        ys=tuple(f"{tick:,.10g}" for tick in reversed(ticks)),
        xs=tuple(f"{each:,.0f}" for each in places),
        series=tuple(series),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plane:
    left: float
    right: float
    low: float
    high: float

    @classmethod
    def around(cls, series: Sequence[CurveSeries], ticks: Sequence[float]) -> "_Plane":
        places = [point.x for each in series for point in each.points]
        return cls(left=min(places), right=max(places), low=ticks[0], high=ticks[-1])

    def x(self, place: float) -> str:
        return f"{(place - self.left) / ((self.right - self.left) or 1) * WIDTH:.1f}"

    def y(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        # Clipped, so points far outside need no exact place.
        return f"{HEIGHT * (1 - max(-1.0, min(2.0, share))):.1f}"

    def level(self, kind: str, value: float) -> str:
        return (
            f'<line class="{kind}" x1="0" x2="{WIDTH}" y1="{self.y(value)}" y2="{self.y(value)}"/>'
        )

    def line(self, place: int, points: Sequence[CurvePosition]) -> str:
        drawn = " ".join(f"{self.x(each.x)},{self.y(each.y)}" for each in points)
        return f'<polyline class="series{place}" points="{drawn}"/>'

    def band(self, place: int, points: Sequence[CurvePosition]) -> str:
        there = [(each.x, each.y + each.error) for each in points]
        back = [(each.x, each.y - each.error) for each in reversed(points)]
        drawn = " ".join(f"{self.x(x)},{self.y(y)}" for x, y in there + back)
        return f'<polygon class="series{place}" points="{drawn}"/>'
