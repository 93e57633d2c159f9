"""The pace of a tournament that its page shows."""

import pytest

from league.web.tournament_watch import past_rate
from tests.league.matches import match_row


@pytest.mark.parametrize(
    ("ends", "wall_ms", "rate"),
    [
        ([100, 90, 80], 10_000, 0.1),
        # Two workers end two at a time.
        ([100, 100, 80, 80, 60, 60], 20_000, 5 / 40),
        # For an hour nobody played.
        ([3700, 3690, 80, 70], 10_000, 0.1),
        ([100], 10_000, None),
        ([], 10_000, None),
        ([100, 100], 20, None),
    ],
)
def test_the_rate_of_matches_that_are_over(
    ends: list[int], wall_ms: int, rate: float | None
) -> None:
    assert past_rate([match_row(at, finished_at=at, wall_ms=wall_ms) for at in ends]) == rate
