"""SPSA: what a stage follows from, where the values end, and what the test at the end says."""

import random
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulation import by_values
from benchmarks.tuning import Problem, play, tune_many
from league.formats.format import Encounter, Field
from league.formats.spsa import Spsa
from league.formats.tuning import Comparison
from league.model.tuned_parameter import TunedParameter, options_at, start_of
from tests.examples import examples
from tests.league.formats.playing import PARAMETERS, Luck, luck, play_out
from tests.league.formats.tunings import (
    check_progress,
    check_that_results_decide,
    check_values,
    field_of,
    fields,
    of_test,
)

some = examples(20, quick=5)

START = options_at(PARAMETERS, start_of(PARAMETERS))
QUICK = Spsa(elo1=300, test_rounds=24)
"""A test that a few results decide."""


def drawn(encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Let every match be a draw."""
    return 0.5, 0.5


def first_wins(encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Let the first of an encounter win: the point above in a comparison, or the tuned values."""
    return 1.0, 0.0


@given(fields(20), st.integers(1, 9), st.integers(0, 99))
@some
def test_a_stage_follows_from_the_results_it_waits_for(field: Field, batch: int, seed: int) -> None:
    check_that_results_decide(replace(QUICK, batch=batch), field, seed)


@given(fields(60), st.integers(0, 99))
@some
def test_values_are_in_the_range_and_whole(field: Field, seed: int) -> None:
    check_values(Spsa(test_rounds=0), field, seed)


def test_strong_luck_ends_at_the_bounds() -> None:
    parameters = tuple(replace(each, rate=50.0) for each in PARAMETERS)
    field = replace(field_of(40), parameters=parameters)
    check_values(Spsa(test_rounds=0), field, 3)


@given(fields(30), st.integers(0, 99))
@some
def test_the_progress_ends_at_the_tuned_values(field: Field, seed: int) -> None:
    check_progress(QUICK, field, seed)


def test_it_finds_the_best_values_of_a_bot() -> None:
    problem = Problem(size=2, loss=60, away=3, draws=0.5)
    gains = [play(problem, Spsa(test_rounds=0), 1000, seed) for seed in range(3)]
    assert fmean(gains) > 50


def test_the_simulation_of_many_tunings_is_that_of_one() -> None:
    problem = Problem(size=2, loss=200, away=10, draws=0.0)
    gains = [play(problem, Spsa(test_rounds=0), 200, seed) for seed in range(40)]
    field = problem.field(100, 1)
    ends = tune_many(problem, Spsa(), field, runs=400, source=np.random.default_rng(1))
    usual = problem.elo(ends.values)
    assert abs(fmean(gains) - usual.mean()) < 3 * usual.std() / len(gains) ** 0.5


def test_whoever_wins_draws_the_values_to_its_side() -> None:
    field = field_of(8)
    results = play_out(Spsa(test_rounds=0), field, first_wins)
    ((above, below),) = [each.encounter.options for each in results[:1]]
    (after,) = Spsa().best(field, [_comparison(field, above, below)], [1])
    for place, value in enumerate(after):
        start = PARAMETERS[place].start
        assert (value > start) == (float(above[place][1]) > float(below[place][1]))


def _comparison(field: Field, *points: tuple[tuple[str, str], ...]) -> Comparison:
    first, second = (tuple(float(text) for _, text in point) for point in points)
    return Comparison(0, first, second, 2.0)


def test_the_rate_says_how_far_a_win_moves_a_value_at_the_end() -> None:
    one = TunedParameter(name="weight", start=0, low=-100, high=100, step=2, rate=0.01)
    field = Field(entrants=1, seats=2, rounds=9, seed=1, parameters=(one,))
    assert Spsa().move(8, field, one.rate) == pytest.approx(0.01)
    played = [Comparison(number, (1.0,), (-1.0,), float(number == 8)) for number in range(9)]
    method = Spsa()
    ((moved,),) = method.best(field, played, [9])
    # Half of the path, from the value after four comparisons on, has six values, one of them moved.
    assert abs(moved) == pytest.approx(0.01 * 2 / 6)


def test_two_matches_compare_the_points_if_the_bot_is_alone() -> None:
    for each in Spsa().stage(0, field_of(8), []):
        assert each.entrants == (0, 0)
        assert all(each.options)
        assert each.options[0] != each.options[1]


def test_opponents_take_turns() -> None:
    stage = Spsa(batch=4).stage(0, field_of(8, entrants=3), [])
    assert [each.entrants for each in stage] == [(0, 1), (1, 0), (0, 2), (2, 0)] * 2
    assert [each.opening for each in stage] == [0, 0, 1, 1, 2, 2, 3, 3]
    for above, below in zip(stage[::2], stage[1::2], strict=True):
        assert above.options[1] == below.options[0] == ()
        assert above.options[0] != below.options[1]


def test_the_test_plays_the_tuned_values_against_the_start() -> None:
    field = field_of(16)
    results = play_out(QUICK, field, first_wins)
    tuned = options_at(PARAMETERS, QUICK.tuned(field, results))
    met = of_test(results, field)
    assert met
    assert {each.options for each in met} == {(tuned, START)}
    assert {each.entrants for each in met} == {(0, 0)}
    assert len({each.opening for each in met}) == len(met)


def test_the_test_waits_for_all_comparisons() -> None:
    field = field_of(20)
    known = [Spsa(batch=4).known_before(number, field) for number in range(8)]
    assert known == [0, 0, 1, 2, 3, 5, 5, 6]


def test_values_that_have_not_changed_are_not_tested() -> None:
    field = field_of(16)
    results = play_out(Spsa(), field, drawn)
    assert of_test(results, field) == []
    assert len(results) == 16
    said = Spsa().verdict(field, results, ["bot"])
    assert said.startswith("no gain shown: the values are those of the start; ")


@pytest.mark.parametrize("most", [0, 1, 3])
def test_the_test_has_so_many_encounters_at_most(most: int) -> None:
    field = field_of(16)
    method = Spsa(test_rounds=most)
    assert len(of_test(play_out(method, field, luck(1)), field)) == most


def test_the_test_is_as_long_as_the_tuning_at_most() -> None:
    field = field_of(16)
    assert len(of_test(play_out(Spsa(), field, luck(1)), field)) == 16


def test_instead_of_a_test_the_gain_is_measured() -> None:
    field = field_of(200)
    coarse, fine = (
        len(of_test(play_out(Spsa(test_error=error), field, luck(1)), field)) for error in (60, 30)
    )
    # A bar half as wide takes four times as many matches; a batch or two are played meanwhile.
    assert 4 * (coarse - 32) <= fine <= 4 * coarse
    method = Spsa(test_error=80)
    results = play_out(method, field, luck(1))
    assert "Elo over the start of bot; " in method.verdict(field, results, ["bot"])
    assert method.trial(field, results) is None


@pytest.mark.parametrize(
    ("scores", "said", "is_gain"),
    [(first_wins, "gain shown: ", True), (luck(1), "no gain shown: ", False)],
)
@pytest.mark.parametrize("error", [None, 100.0])
def test_the_verdict_says_whether_a_gain_is_shown(
    scores: Luck, said: str, is_gain: bool, error: float | None
) -> None:
    field = field_of(50)
    method = Spsa(elo1=200, test_error=error)
    results = play_out(method, field, lambda each, rotation: _some_draws(scores, each, rotation))
    found = method.tuning(field, results, ("mine",))
    assert found is not None
    assert found.is_gain == is_gain
    assert method.verdict(field, results, ["bot"]).startswith(said)


def test_a_comparison_that_an_opponent_left_out_hides_no_verdict() -> None:
    field, method = field_of(16, entrants=3), Spsa(test_rounds=32)
    results = play_out(method, field, luck(1))
    left = [each for each in results if each.encounter.opening != 3]
    assert method.verdict(field, left, ["bot"]).startswith("no gain shown")


def _some_draws(scores: Luck, encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Return the scores, with a draw now and then: results that are all alike have no spread."""
    return (0.5, 0.5) if (encounter.opening + rotation) % 5 == 0 else scores(encounter, rotation)


def test_hardly_any_tuning_without_effect_shows_a_gain() -> None:
    method, runs = Spsa(elo1=200, alpha=0.3, beta=0.3, test_rounds=96), 30
    shown = []
    for seed in range(runs):
        field = field_of(8, seed=seed)
        found = method.tuning(field, play_out(method, field, luck(seed)), ("bot",))
        shown.append(found is not None and found.is_gain)
    assert sum(shown) <= method.alpha * runs


@pytest.mark.parametrize("loss", [0.0, 60.0])
def test_the_error_holds_what_other_luck_would_have_given(loss: float) -> None:
    problem = Problem(size=2, loss=loss, away=3, draws=0.0)
    field = problem.field(200, 1)
    ends = tune_many(problem, Spsa(), field, runs=400, source=np.random.default_rng(1))
    comparisons = [
        [Comparison(number, (), (), gain) for number, gain in enumerate(gains.tolist())]
        for gains in ends.gains
    ]
    errors = np.array([Spsa().errors(field, played) for played in comparisons])
    held = (np.abs(ends.values - ends.values.mean(axis=0)) <= errors).mean()
    # Where something brings the values back, the error is larger than it needs to be.
    assert 0.93 < held < (0.97 if loss == 0 else 1.01)


def test_the_bar_of_a_slope_holds_a_linear_effect() -> None:
    truth = (12.0, 0.0)
    held = []
    for seed in range(100):
        field = Problem(size=2, loss=0, away=10, draws=0.0).field(40, seed)
        scores = by_values(lambda point: 12 * point[0], 0.0, random.Random(seed))
        results = play_out(Spsa(test_rounds=0), field, scores)
        found = Spsa().tuning(field, results, ("mine",))
        assert found is not None
        held += [
            abs(each.slope - slope) <= each.slope_error
            for each, slope in zip(found.paths, truth, strict=True)
        ]
    assert 0.9 < fmean(held) < 0.985
