"""Numbers in words."""

import pytest

from league.model.number_format import told_depth
from league.model.records import ReportRecord


@pytest.mark.parametrize(
    ("depth", "longest", "told"),
    [(None, 4, ""), (9, None, "9"), (9, 14, "9/14"), (9, 9, "9"), (9, 8, "9"), (127, 1, "127")],
)
def test_the_depth_of_the_longest_line_is_told_if_it_is_larger(
    depth: int | None, longest: int | None, told: str
) -> None:
    assert told_depth(ReportRecord(depth=depth, seldepth=longest)) == told
