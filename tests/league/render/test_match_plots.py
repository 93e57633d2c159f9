"""Plots of matches: what is drawn is what is known, to scale."""

import re

from league.render.match_plots import PlotPoint, chances, times


def test_what_is_not_known_is_not_drawn() -> None:
    assert chances([], 9) == ""
    assert times([PlotPoint(1, 0, 0.0)], 9) == ""


def test_chances_are_above_and_below_the_middle_and_within() -> None:
    points = [PlotPoint(ply, ply % 2, value) for ply, value in enumerate([1.0, 0.0, 0.5, 0.75], 1)]
    drawn = chances(points, 4)
    heights = [
        float(pair.split(",")[1])
        for line in re.findall(r'class="wears-.*points="([^"]+)"', drawn)
        for pair in line.split()
    ]
    # The line of the first seat is that of plies 2 and 4.
    below, above, most, even = heights
    assert 120 >= below > 60 == even > above > most >= 0
    assert drawn.count('<polyline class="wears-') == 2


def test_lines_and_bars_have_the_colours_of_their_seats() -> None:
    points = [PlotPoint(1, 0, 0.5, "yellow"), PlotPoint(2, 1, 0.5, "red")]
    for drawn in (chances(points, 2), times(points, 2)):
        assert re.findall(r'class="wears-(\w+)"', drawn) == ["yellow", "red"]
    # The edge of a pale line lies below it.
    assert re.findall(r'class="(.*wears-yellow)"', chances(points, 2)) == [
        "edge wears-yellow",
        "wears-yellow",
    ]
