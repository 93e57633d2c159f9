"""Bars of ratings: all that is known is drawn, to scale."""

import math
import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from league.render.rating_bars import interval_ends, intervals, scaled_interval

ratings = st.tuples(st.floats(-3000, 3000), st.none() | st.floats(0, 500))


@given(st.lists(ratings, min_size=2, max_size=8))
@example([(0.0, None), (2e-309, None)])
def test_intervals_are_to_one_scale_and_fit(values: list[tuple[float, float | None]]) -> None:
    drawn = []
    for text in intervals(values):
        wide = re.search(r'viewBox="0 0 (\d+) ', text)
        place = re.search(r'x1="([-.\d]+)" x2="([-.\d]+)".*middle" x1="([-.\d]+)"', text)
        assert wide is not None
        assert place is not None
        left, right, middle = map(float, place.groups())
        assert -0.1 <= left <= middle <= right <= float(wide[1]) + 0.1
        drawn.append(middle)
    order = sorted(range(len(values)), key=lambda place: values[place][0])
    assert all(drawn[one] <= drawn[other] for one, other in pairwise(order))


def test_an_unknown_rating_is_not_drawn() -> None:
    assert intervals([(math.nan, None)]) == [""]
    assert interval_ends([(math.nan, None)]) is None


@given(st.lists(ratings, min_size=1, max_size=8), st.data())
def test_the_scale_of_an_interval_holds_all_and_has_numbers(
    values: list[tuple[float, float | None]], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(values) - 1))
    drawn = scaled_interval([*values, (math.nan, None)], place)
    texts = re.findall(r'<text x="([\d.]+)" y="29">(−?\d+)</text>', drawn)
    assert 2 <= len(texts) <= 8
    ends = [float(texts[end][1].replace("−", "-")) for end in (0, -1)]
    assert ends[0] <= min(value - (error or 0) for value, error in values)
    assert ends[1] >= max(value + (error or 0) for value, error in values)
    bounds = [float(texts[end][0]) for end in (0, -1)]
    marks = re.findall(r'x1="([-.\d]+)" x2="([-.\d]+)"', drawn)
    assert all(bounds[0] <= float(x) <= bounds[1] for pair in marks for x in pair)
