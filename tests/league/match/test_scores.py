"""Points by seat, for as many seats and sides as games have."""

from collections.abc import Sequence

import pytest

from league.match.scores import scores_of, scores_without


@pytest.mark.parametrize(
    ("placing", "sides", "scores"),
    [
        ((1, -1), (0, 1), (1.0, 0.0)),
        ((0, 0), (0, 1), (0.5, 0.5)),
        ((3, 1, 2), (0, 1, 2), (1.0, 0.0, 0.5)),
        ((2, 2, 1), (0, 1, 2), (0.75, 0.75, 0.0)),
        # Pacman against the ghosts, which do not play against each other.
        ((-1, 1, 5), (0, 1, 1), (0.0, 1.0, 1.0)),
    ],
)
def test_a_seat_has_the_share_of_its_opponents_that_it_beats(
    placing: Sequence[float], sides: Sequence[int], scores: tuple[float, ...]
) -> None:
    assert scores_of(placing, sides) == scores


@pytest.mark.parametrize("placing", [(-1.0,), (0.0, 0.0), (-2.0, 1.0)])
def test_without_opponents_every_seat_has_all_points(placing: Sequence[float]) -> None:
    """Nobody beats a seat of a game for one, or for one side."""
    assert scores_of(placing, (0,) * len(placing)) == (1.0,) * len(placing)


def test_a_fault_costs_the_whole_side_and_nobody_else() -> None:
    assert scores_without([0], (0, 1)) == (0.0, 1.0)
    assert scores_without([2], (0, 1, 1)) == (1.0, 0.0, 0.0)
    assert scores_without([1], (0, 1, 2)) == (1.0, 0.0, 1.0)
    assert scores_without([1, 0], (0, 1, 2)) == (0.0, 0.0, 1.0)
