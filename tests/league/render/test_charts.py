"""Charts: what is drawn is to scale, within its axes, and round numbers stand at them."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from league.render.charts import HEIGHT, WIDTH, Line, lines, ticks

numbers = st.floats(-1e6, 1e6)


@given(
    st.lists(
        st.lists(st.tuples(numbers, numbers, st.none() | st.floats(0, 1e6)), max_size=6),
        max_size=3,
    )
)
def test_everything_is_within_the_chart(
    drawn: list[list[tuple[float, float, float | None]]],
) -> None:
    given_lines = [
        Line([(x, y) for x, y, _ in points], [error for *_, error in points]) for points in drawn
    ]
    text = lines("rating", given_lines, "matches")
    assert (text == "") == (not any(drawn))
    for pair in re.findall(r'([-.\de]+),([-.\de]+)(?=[ "])', text):
        x, y = map(float, pair)
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_points_keep_their_order_and_bands_surround_them() -> None:
    text = lines("rating", [Line([(0, 10), (5, 30), (10, 20)], [1.0, None, 2.0])], "matches")
    line = re.search(r'<polyline class="seat0" points="([^"]+)"', text)
    band = re.search(r'<polygon class="band seat0" points="([^"]+)"', text)
    assert line is not None
    assert band is not None
    points = [tuple(map(float, pair.split(","))) for pair in line[1].split()]
    ends = [tuple(map(float, pair.split(","))) for pair in band[1].split()]
    assert all(one[0] < other[0] for one, other in pairwise(points))
    assert points[1][1] < points[2][1] < points[0][1]
    assert [high[1] < point[1] for high, point in zip(ends, points, strict=False)] == [
        True,
        False,
        True,
    ]


@given(numbers, st.floats(1e-3, 1e6))
def test_marks_are_round_and_evenly_apart(low: float, wide: float) -> None:
    marks = ticks(low, low + wide)
    assert 1 <= len(marks) <= 9
    steps = {round(other - one, 6) for one, other in pairwise(marks)}
    assert len(steps) <= 1 or max(steps) - min(steps) <= 1e-5
    assert all(low - 1e-5 * wide - 1e-8 <= mark <= low + wide * 1.00001 + 1e-8 for mark in marks)
