"""What the page of a tournament in play says of its pace."""

import pytest

from league.model.records import MatchKey, Termination
from league.store.rows import BotRef, MatchRow
from league.web.tournament_watch import past_rate


def ended(at: int, wall_ms: int) -> MatchRow:
    """Return a match that ended at a second of the clock and took so long."""
    return MatchRow(
        id=at,
        tournament_id=1,
        key=MatchKey(at, 0),
        game="tictactoe",
        versions=(BotRef(1, "ann", 1), BotRef(2, "bob", 1)),
        scores=(1.0, 0.0),
        termination=Termination.RULES,
        fault_seat=None,
        plies=9,
        wall_ms=wall_ms,
        finished_at=at,
    )


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
    assert past_rate([ended(at, wall_ms) for at in ends]) == rate
