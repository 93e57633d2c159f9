"""Ratings in the course of matches: at each point what rating the matches up to there gives."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.fit import fit
from league.ratings.rating_curve import POINTS_MAX, CurvePoint, RatingCurve
from league.ratings.result_table import ResultColumns
from league.ratings.systems.fitted import Fitted
from tests.examples import examples

Played = tuple[int, tuple[int, int], tuple[float, float]]

scores = st.sampled_from([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)])
pairs = st.permutations([7, 3, 12]).map(lambda bots: (bots[0], bots[1]))


def course_of(matches: list[Played]) -> RatingCurve:
    """Tell a course of matches."""
    course = RatingCurve(Fitted())
    for step, bots, points in matches:
        course.take(step, bots, points)
    return course


def marks_of(course: RatingCurve) -> list[CurvePoint]:
    """Return all marks, however long that takes."""
    found = course.marks(math.inf)
    assert found is not None
    return found


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 99), pairs, scores), min_size=1, max_size=60))
@examples(100, quick=4)
def test_a_mark_is_what_all_before_it_come_to(matches: list[Played]) -> None:
    course = course_of(matches)
    marks = marks_of(course)
    assert 0 < len(marks) <= POINTS_MAX
    assert marks[-1].after == course.steps == max(step for step, _, _ in matches) + 1
    assert marks == marks_of(course_of(matches[::-1]))
    for mark in marks:
        before = [(bots, points) for step, bots, points in matches if step < mark.after]
        bots = sorted({bot for seats, _ in before for bot in seats})
        if not bots:
            assert not mark.rated
            continue
        seated = [(tuple(map(bots.index, seats)), points, 1.0) for seats, points in before]
        expected = fit(len(bots), ResultColumns.of(seated).pair_totals(), anchor=(None, 1200.0))
        assert sorted(mark.rated) == bots
        for place, bot in enumerate(bots):
            assert mark.rated[bot] == pytest.approx((expected.elo[place], expected.error[place]))


@pytest.mark.slow
def test_steps_come_one_by_one_and_change_what_was_drawn() -> None:
    course = RatingCurve(Fitted())
    steps = 2 * POINTS_MAX + 5
    matches = [(step, (1, 2), (1.0, 0.0) if step % 3 else (0.0, 1.0)) for step in range(steps)]
    for step, bots, points in matches:
        course.take(step, bots, points)
        marks = marks_of(course)
        # Where a mark's place changes, and now and then between.
        if step % POINTS_MAX in (0, 1, POINTS_MAX // 2, POINTS_MAX - 1):
            assert marks == marks_of(course_of(matches[: step + 1]))


def test_work_that_takes_too_long_is_gone_on_with() -> None:
    course = course_of([(step, (1, 2), (0.5, 0.5)) for step in range(10)])
    tries = 0
    while (found := course.marks(-math.inf)) is None:
        tries += 1
    assert tries == 9
    assert found == marks_of(course)


def test_who_never_met_most_of_the_others_has_no_place_on_their_scale() -> None:
    win = (1.0, 0.0)
    course = course_of([(0, (1, 2), win), (0, (3, 4), win), (1, (5, 1), win), (2, (2, 3), win)])
    assert [sorted(mark.rated) for mark in marks_of(course)] == [[], [1, 2, 5], [1, 2, 3, 4, 5]]
