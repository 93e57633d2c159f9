"""Plots: what is drawn is what is known, to scale."""

import math
import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from league.render.match_plots import PlotPoint, chances, intervals, times

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


def test_what_is_not_known_is_not_drawn() -> None:
    assert intervals([(math.nan, None)]) == [""]
    assert chances([], 9) == ""
    assert times([PlotPoint(1, 0, 0.0)], 9) == ""


def test_chances_are_above_and_below_the_middle_and_within() -> None:
    points = [PlotPoint(ply, ply % 2, value) for ply, value in enumerate([1.0, 0.0, 0.5, 0.75], 1)]
    drawn = chances(points, 4)
    heights = [
        float(pair.split(",")[1])
        for line in re.findall(r'points="([^"]+)"', drawn)
        for pair in line.split()
    ]
    # The line of the first seat is that of plies 2 and 4.
    below, above, most, even = heights
    assert 120 >= below > 60 == even > above > most >= 0
    assert drawn.count("<polyline") == 2
