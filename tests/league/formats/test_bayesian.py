"""The Gaussian process: what a stage follows from, and that it finds the best values."""

import importlib.util
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.tuning import Problem, play
from league.formats.bayesian import Bayesian
from league.formats.format import Field
from league.model.tuned_parameter import TunedParameter, options_at, start_of
from tests.examples import examples
from tests.league.formats.playing import PARAMETERS, luck, of_stage, play_out
from tests.league.formats.tunings import (
    check_progress,
    check_that_results_decide,
    check_values,
    field_of,
    fields,
    of_test,
)

few = examples(6, quick=2)

needs_package = pytest.mark.skipif(
    importlib.util.find_spec("sklearn") is None, reason="needs scikit-learn, of the extra 'bayes'"
)

START = options_at(PARAMETERS, start_of(PARAMETERS))
SMALL = Bayesian(batch=1, elo1=300, test_rounds=16)
"""Six comparisons are enough for a fit."""


@needs_package
@given(fields(8), st.integers(0, 99))
@few
def test_a_stage_follows_from_the_results_it_waits_for(field: Field, seed: int) -> None:
    check_that_results_decide(SMALL, field, seed)


@needs_package
@given(fields(8), st.integers(0, 99))
@few
def test_values_are_in_the_range_and_whole(field: Field, seed: int) -> None:
    check_values(SMALL, field, seed)


@needs_package
@given(fields(8), st.integers(0, 99))
@few
def test_the_progress_ends_at_the_tuned_values(field: Field, seed: int) -> None:
    check_progress(SMALL, field, seed)


@needs_package
def test_it_finds_the_best_values_of_a_bot() -> None:
    problem = Problem(size=2, loss=300, away=3, draws=0.5)
    # As a match tells little of small gains, a few comparisons are enough only for large ones.
    gains = [play(problem, Bayesian(batch=20, test_rounds=0), 640, seed) for seed in range(2)]
    assert fmean(gains) > 220


@needs_package
def test_each_stage_compares_one_point_with_the_start() -> None:
    field = field_of(40)
    method = Bayesian(batch=4, test_rounds=0)
    results = play_out(method, field, luck(1))
    points = []
    for number in range(10):
        ((point, other),) = {each.options for each in of_stage(results, number)}
        assert other == START != point
        points.append(point)
    # The first are spread out, and the others are drawn: now and then the same one again.
    assert len(set(points)) > 7


@needs_package
def test_the_first_points_are_spread_over_the_range() -> None:
    one = TunedParameter(name="weight", start=0.25, low=0, high=1, step=0.1)
    field = Field(entrants=1, seats=2, rounds=20, seed=3, parameters=(one,))
    tried = [Bayesian(batch=4).stage(number, field, [])[0].options[0] for number in range(5)]
    values = sorted(float(text) for ((_, text),) in tried)
    # Halfway from the start to the middles of fifths of the range.
    assert values == [0.175, 0.275, 0.375, 0.475, 0.575]


@needs_package
def test_values_that_round_to_the_start_are_not_compared_with_it() -> None:
    one = TunedParameter(name="depth", start=2, low=1, high=3, step=1, is_whole=True)
    field = Field(entrants=1, seats=2, rounds=8, seed=1, parameters=(one,))
    for result in play_out(Bayesian(batch=1, test_rounds=0), field, luck(1)):
        point, start = result.encounter.options
        assert point != start == (("depth", "2"),)


@needs_package
def test_opponents_take_turns() -> None:
    stage = Bayesian(batch=4).stage(0, field_of(8, entrants=3), [])
    assert [each.entrants for each in stage] == [(0, 1), (1, 0), (0, 2), (2, 0)] * 2
    assert {each.options[1] for each in stage[1::2]} == {START}


@needs_package
def test_the_test_plays_the_best_point_against_the_start() -> None:
    field = field_of(12)
    results = play_out(SMALL, field, lambda encounter, rotation: (1.0, 0.0))
    tuned = options_at(PARAMETERS, SMALL.tuned(field, results))
    assert {each.options for each in of_test(results, field)} == {(tuned, START)}
    assert SMALL.verdict(field, results, ["bot"]).startswith("gain shown: ")


@needs_package
def test_a_start_that_is_best_stays() -> None:
    field = field_of(12)
    results = play_out(SMALL, field, lambda encounter, rotation: (0.0, 1.0))
    assert SMALL.tuned(field, results) == start_of(PARAMETERS)
    assert of_test(results, field) == []
    said = SMALL.verdict(field, results, ["bot"])
    assert said.startswith("no gain shown: the values are those of the start; ")


@needs_package
def test_more_points_than_can_be_fitted_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1,000 points .* at most 500 .* batch=8"):
        Bayesian(batch=4).check(field_of(4000))
    Bayesian(batch=8).check(field_of(4000))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.formats.bayesian.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"pip install 'botleague\[bayes\]'"):
        Bayesian().check(field_of(10))
