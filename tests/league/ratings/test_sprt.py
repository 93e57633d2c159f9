"""The sequential test against the numbers of fastchess's own unit tests, and by simulation."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.elo_difference import Counts, difference, elo_of, expected_score
from league.ratings.sprt import Model, Sprt, SprtState

# Source: the unit tests of fastchess. Wins, losses, draws; or LL, LD, WL, DD, WD, WW.
CASES = [
    ((36433, 36027, 68692), 0, 2, "normalized", 0.92),
    ((10871, 10650, 20431), -1.75, 0.25, "normalized", 2.3),
    ((4250, 0, 0), 0, 10, "normalized", 120.56),
    ((21404, 21184, 40708), 0.5, 2.5, "logistic", -1.57),
    ((68965, 68526, 128429), 0, 2, "bayesian", -1.26),
    # By the program itself.
    ((74, 41139, 84019), -20, -10, "bayesian", -236.36),
    ((0, 50, 100), 0, 5, "bayesian", 0.0),
    ((365, 16618, 36029, 200, 16974, 390), 0, 2, "normalized", 2.25),
    ((0, 0, 0, 0, 0, 5550), 0, 5, "normalized", 111.82),
    ((223, 9863, 20279, 1000, 10037, 246), 0.5, 2.5, "logistic", -3.07),
]
DIFFERENCES: list[tuple[tuple[int, ...], dict[str, float]]] = [
    ((76, 89, 123), {"nelo": -20.76, "nelo_error": 40.13, "los": 0.1553, "score": 0.477}),
    (
        (136, 96, 111),
        {"nelo": 49.77, "nelo_error": 36.77, "elo": 40.7, "elo_error": 30.43}
        | {"los": 0.996, "score": 0.558},
    ),
    (
        (34, 54, 31, 32, 64, 75),
        {"nelo": 57.94, "nelo_error": 28.28, "elo": 55.58, "elo_error": 27.65}
        | {"los": 1.0, "score": 0.579},
    ),
    (
        (332, 433, 457, 41, 333, 334),
        {"nelo": -9.17, "nelo_error": 10.96, "elo": -8.64, "elo_error": 10.33}
        | {"los": 0.0505, "score": 0.488},
    ),
]


def counted(numbers: tuple[int, ...]) -> Counts:
    return Counts.of_matches(*numbers) if len(numbers) == 3 else Counts.of_encounters(*numbers)


@pytest.mark.parametrize(("numbers", "elo0", "elo1", "model", "llr"), CASES)
def test_published_ratios(
    numbers: tuple[int, ...], elo0: float, elo1: float, model: str, llr: float
) -> None:
    test = Sprt(elo0, elo1, model=Model(model))
    assert test.llr(counted(numbers)) == pytest.approx(llr, rel=0.01)


@pytest.mark.parametrize(("numbers", "expected"), DIFFERENCES)
def test_published_differences(numbers: tuple[int, ...], expected: dict[str, float]) -> None:
    found = difference(counted(numbers))
    for name, value in expected.items():
        # fastchess takes the spread of the results for its LOS, not that of equal bots.
        error = 0.0005 if name == "los" else abs(0.002 * value)
        assert getattr(found, name) == pytest.approx(value, rel=0, abs=error), name


def test_the_bounds_are_walds() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert Sprt(0, 5, alpha=0.01, beta=0.1).bounds == pytest.approx((-2.2925, 4.4998), abs=1e-4)


@pytest.mark.parametrize("wrong", [(2, 2), (5, 0), (math.nan, 1), (0, math.inf)])
def test_hypotheses_that_are_none(wrong: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="must be less than elo1"):
        Sprt(*wrong)


@pytest.mark.parametrize("rate", [0, 0.5, -1, 2])
def test_rates_that_are_none(rate: float) -> None:
    with pytest.raises(ValueError, match="alpha"):
        Sprt(0, 1, alpha=rate)
    with pytest.raises(ValueError, match="beta"):
        Sprt(0, 1, beta=rate)


def test_the_bayesian_model_counts_matches_alone() -> None:
    with pytest.raises(ValueError, match="single matches"):
        Sprt(0, 2, model=Model.BAYESIAN).llr(Counts.of_encounters(1, 2, 3, 4, 5, 6))


numbers = st.integers(0, 5000)


@given(st.lists(numbers, min_size=3, max_size=3), st.sampled_from(list(Model)))
def test_nothing_is_infinite(three: list[int], model: Model) -> None:
    assert math.isfinite(Sprt(-3, 3, model=model).llr(Counts.of_matches(*three)))


@given(
    st.lists(numbers, min_size=6, max_size=6),
    st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]),
)
def test_the_mirrored_counts_say_the_opposite(six: list[int], model: Model) -> None:
    test = Sprt(-3, 3, model=model)
    mirrored = Counts(counted(tuple(six)).numbers[::-1])
    assert test.llr(counted(tuple(six))) == pytest.approx(-test.llr(mirrored), abs=1e-6)


@given(
    st.lists(st.integers(0, 50), min_size=3, max_size=3)
    | st.lists(st.integers(0, 50), min_size=5, max_size=5),
    st.integers(-800, 800),
    st.integers(1, 800),
    st.sampled_from([Model.LOGISTIC, Model.NORMALIZED]),
)
def test_hypotheses_may_be_far_apart(
    numbers: list[int], elo: int, width: int, model: Model
) -> None:
    low, high = elo - width, elo + width
    llr = Sprt(low, high, model=model).llr(Counts(tuple(numbers)))
    mirrored = Sprt(-high, -low, model=model).llr(Counts(tuple(reversed(numbers))))
    assert llr == pytest.approx(-mirrored, rel=1e-4, abs=1e-4)


@given(st.floats(-800, 800))
def test_scores_and_elo_undo_each_other(elo: float) -> None:
    assert elo_of(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


LOOK = 16


def run(
    test: Sprt, chances: tuple[float, ...], source: random.Random, look: int = LOOK
) -> tuple[SprtState, float]:
    """Play with these chances of each score until the test decides, at one look in so many."""
    numbers = [0] * len(chances)
    while True:
        for score in source.choices(range(len(chances)), chances, k=look):
            numbers[score] += 1
        counts = Counts(tuple(numbers))
        state = test.state(counts)
        if state is not SprtState.UNDECIDED:
            return state, counts.total


@pytest.mark.slow
@pytest.mark.parametrize("is_stronger", [False, True])
def test_error_rates_by_simulation(is_stronger: bool) -> None:
    """At the hypotheses themselves no more than alpha and beta err, but for chance."""
    source = random.Random(5)
    test = Sprt(0, 30, alpha=0.1, beta=0.1, model=Model.LOGISTIC)
    score = expected_score(30 if is_stronger else 0)
    chances = (1 - score - 0.15, 0.3, score - 0.15)
    runs = 150
    wrong = SprtState.REJECTED if is_stronger else SprtState.ACCEPTED
    found = [run(test, chances, source) for _ in range(runs)]
    errors = sum(state is wrong for state, _ in found)
    # Three standard deviations above a tenth.
    assert errors / runs <= 0.1 + 3 * math.sqrt(0.09 / runs)
    # The test does err: one that never did would be a longer one than asked for.
    assert errors > 0
    average = sum(length for _, length in found) / runs
    sigma = math.sqrt(sum(p * (s - score) ** 2 for p, s in zip(chances, (0, 0.5, 1), strict=True)))
    expected = test.expected_length(30 if is_stronger else 0, sigma, LOOK)
    assert average == pytest.approx(expected, rel=0.25)


@pytest.mark.parametrize(("look", "true"), [(8, 0), (8, 50), (32, 0), (32, 50), (32, 100)])
def test_looks_far_apart_make_a_test_longer(look: int, true: float) -> None:
    """Without them the lengths are 64 and 105 matches, a third to a half too short."""
    source, test, sigma = random.Random(4), Sprt(0, 100), math.sqrt(0.7) / 2
    score = test.score(true, sigma)
    chances = (1 - score - 0.15, 0.3, score - 0.15)
    lengths = [run(test, chances, source, look)[1] for _ in range(60)]
    mean = sum(lengths) / len(lengths)
    error = statistics.stdev(lengths) / math.sqrt(len(lengths))
    expected = test.expected_length(true, sigma, look)
    # The approximation leaves out that the spread of the scores is estimated too.
    assert 0.8 * mean - 3 * error < expected < mean + 3 * error


def test_a_test_of_fixed_length() -> None:
    # (1.645 + 1.645)² × 0.7 / 4 / (score of 5 Elo above a half)²
    sigma = math.sqrt(0.7) / 2
    assert Sprt(model=Model.LOGISTIC).fixed_length(sigma) == pytest.approx(36577, rel=0.001)
    # ((1.645 + 1.645) × 800 / ln 10 / 5)², whatever the share of draws
    assert Sprt().fixed_length(sigma) == pytest.approx(52257, rel=0.001)
    assert Sprt().fixed_length(0.5) == Sprt().fixed_length(sigma)
