"""Charts: what is drawn is to scale, between round numbers."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.render.rating_plots import (
    HEIGHT,
    WIDTH,
    CurvePosition,
    CurveSeries,
    lines,
    ticks_of,
    walk,
)

values = st.integers(-(10**8), 10**8).map(lambda number: number / 100)


@given(values, values)
def test_ticks_are_few_and_hold_everything(one: float, other: float) -> None:
    low, high = sorted((one, other))
    ticks = ticks_of(low, high)
    assert 2 <= len(ticks) <= 6
    assert ticks[0] <= low + 1e-6
    assert ticks[-1] >= high - 1e-6
    steps = {round(after - before, 6) for before, after in pairwise(ticks)}
    assert max(steps) - min(steps) <= 1e-5 * max(steps)
    mantissa = float(f"{max(steps):.3e}".partition("e")[0])
    assert round(mantissa, 3) in (1, 2, 5)


def test_lines_end_where_their_values_are() -> None:
    points = [CurvePosition(10, 1150, 300), CurvePosition(20, 1250, 40)]
    chart = lines("t", "matches", [CurveSeries("one", points), CurveSeries("none", points[:1])])
    assert chart is not None
    assert [each.name for each in chart.series] == ["one"]
    assert chart.ys == ("1,300", "1,250", "1,200", "1,150")
    assert chart.xs == ("10", "15", "20")
    found = re.findall(r'<polyline[^>]*points="([^"]+)"', chart.drawing)
    assert found == [f"0.0,{HEIGHT:.1f} {WIDTH:.1f},{HEIGHT / 3:.1f}"]
    assert "<polygon" in chart.drawing


def test_a_walk_shows_both_its_bounds() -> None:
    chart = walk(
        "t",
        "encounters",
        CurveSeries("LLR", [CurvePosition(0, 0), CurvePosition(9, 1.5)]),
        (-2.94, 2.94),
    )
    assert chart is not None
    assert chart.ys == ("4", "2", "0", "-2", "-4")
    assert chart.xs == ("0", "9")
    levels = [float(each) for each in re.findall(r'class="bound"[^>]*y1="([^"]+)"', chart.drawing)]
    assert levels == pytest.approx([HEIGHT * (4 + 2.94) / 8, HEIGHT * (4 - 2.94) / 8], abs=0.1)


def test_what_has_not_begun_is_not_drawn() -> None:
    assert lines("t", "rounds", []) is None
    assert walk("t", "encounters", CurveSeries("LLR", [CurvePosition(0, 0)]), (-1, 1)) is None
