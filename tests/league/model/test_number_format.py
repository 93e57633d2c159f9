"""Numbers in words."""

import pytest

from league.model.number_format import matches_told, told_depth
from league.model.records import ReportRecord


@pytest.mark.parametrize(("count", "told"), [(0, "0 matches"), (1, "1 match"), (12, "12 matches")])
def test_one_match_is_no_plural(count: int, told: str) -> None:
    assert matches_told(count) == told


@pytest.mark.parametrize(
    ("depth", "longest", "told"),
    [(None, 4, ""), (9, None, "9"), (9, 14, "9/14"), (9, 9, "9"), (9, 8, "9"), (127, 1, "127")],
)
def test_the_depth_of_the_longest_line_is_told_if_it_is_larger(
    depth: int | None, longest: int | None, told: str
) -> None:
    assert told_depth(ReportRecord(depth=depth, seldepth=longest)) == told
