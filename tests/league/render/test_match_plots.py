"""Plots: what is drawn is what is known, to scale."""

import math
import re
from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from league.render.match_plots import PlotPoint, intervals, scores, times

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
    assert scores([], 9) == ""
    assert times([PlotPoint(1, 0, 0.0)], 9) == ""


def test_scores_are_above_and_below_the_middle_and_cut_off_at_the_edge() -> None:
    points = [PlotPoint(ply, ply % 2, value) for ply, value in enumerate([1.0, -1.0, 0.0, 1e9], 1)]
    drawn = scores(points, 4)
    heights = [
        float(pair.split(",")[1])
        for line in re.findall(r'points="([^"]+)"', drawn)
        for pair in line.split()
    ]
    assert heights[0] > 60 > min(heights) >= 0
    assert max(heights) <= 120
    assert drawn.count("<polyline") == 2
