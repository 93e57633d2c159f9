"""Ratings with their 95% intervals as SVG: bars of a table, and one over a scale."""

import math
from collections.abc import Sequence

from league.model.number_format import true_minus
from league.render.charts import Scale, ticks_around

_WIDTH, _HEIGHT, _DOT = 320, 12, 4
_NARROWEST = 1.0
"""The minimum span of the scale, so that tiny differences stay small."""

_STEP, _MARGIN = 10, 14
"""The smallest step between numbers, and the room at the ends of the scale."""

Rating = tuple[float, float | None]
"""A value, unknown if it is NaN, and the half-width of its interval."""


def intervals(values: Sequence[Rating]) -> list[str]:
    """Draw each value with its 95% interval, all on one scale; '' for an unknown one."""
    low, high = _ends(values) or (0.0, _NARROWEST)
    scale = Scale(low, high, _DOT, _WIDTH - _DOT)
    head = (
        f'<svg class="bar" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" '
        'aria-hidden="true">'
    )
    return [
        "" if math.isnan(each[0]) else f"{head}{_interval(scale, each, _HEIGHT // 2)}</svg>"
        for each in values
    ]


def interval_ends(values: Sequence[Rating]) -> tuple[str, str] | None:
    """Write the ends of the scale of `intervals`; None if no value is known.

    >>> interval_ends([(1000.0, 50.0), (-20.0, None)])
    ('−20', '1050')
    """
    ends = _ends(values)
    if ends is None:
        return None
    low, high = (true_minus(f"{each:.0f}") for each in ends)
    return low, high


def scaled_interval(values: Sequence[Rating], place: int) -> str:
    """Draw one value with its 95% interval, over a scale with numbers for all of them."""
    told, half = round(values[place][0]), round(values[place][1] or 0.0)
    numbers = ticks_around(*_ends(values) or (0.0, _NARROWEST), _STEP)
    scale = Scale(numbers[0], numbers[-1], _MARGIN, _WIDTH - _MARGIN)
    marks = "".join(f"M{scale.at(each)} 14v4" for each in numbers)
    texts = "".join(
        f'<text x="{scale.at(each)}" y="29">{true_minus(f"{each:.0f}")}</text>' for each in numbers
    )
    return (
        f'<svg class="bar scaled" viewBox="0 0 {_WIDTH} 32" role="img" '
        f'aria-label="{told}, between {told - half} and {told + half}">'
        f'<path class="axis" d="M{_MARGIN} 16H{_WIDTH - _MARGIN}{marks}"/>{texts}'
        f"{_interval(scale, values[place], 7)}</svg>"
    )


def _ends(values: Sequence[Rating]) -> tuple[float, float] | None:
    known = [(value, error or 0.0) for value, error in values if not math.isnan(value)]
    if not known:
        return None
    low = min(value - error for value, error in known)
    return low, max(low + _NARROWEST, *(value + error for value, error in known))


def _interval(scale: Scale, rating: Rating, y: int) -> str:
    value, error = rating[0], rating[1] or 0.0
    left, middle, right = (scale.at(each) for each in (value - error, value, value + error))
    return (
        f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
        # A line without a length is a dot that stays round at any width.
        f'<line class="middle" x1="{middle}" x2="{middle}" y1="{y}" y2="{y}"/>'
    )
