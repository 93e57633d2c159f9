"""The tests of a gate: what settings make of them, and how often their verdicts are wrong."""

import math
import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.analysis.gate import GateVerdict, family_verdict
from league.formats.specs import make_format
from league.model.errors import SettingError, SetupError
from league.ratings.elo_difference import NELO_PER_SIGMA, Counts
from league.ratings.sprt import Sprt, SprtState
from league.tournament.gate_tests import GateTest, read_tests
from tests.simulations import runs

HEAD: dict[str, Any] = {"game": "tictactoe", "depth": 2}
WEAKER = 250.0
"""The difference to find in simulations, in normalized Elo: large, so that tests are short."""

VERDICTS = st.lists(st.sampled_from(list(GateVerdict)[:3]), min_size=1)


def of(*opponents: dict[str, Any], **head: Any) -> tuple[GateTest, ...]:
    """Return the tests against opponents, by default one."""
    return read_tests(HEAD | head, opponents or [{"against": "main"}])


def test_the_settings_of_an_opponent_replace_those_of_all() -> None:
    one, two = of(
        {"against": "main"},
        {"against": "main/bot.py", "game": "nim", "elo0": -9, "minutes": 2, "name": "old"},
        elo0=-30,
    )
    assert (one.spec.game, one.test.elo0, one.minutes) == ("tictactoe", -30, None)
    assert (two.spec.game, two.test.elo0, two.minutes) == ("nim", -9, 2)
    assert (two.against, two.name, two.spec.limits.depth) == ("main/bot.py", "old", 2)


@given(
    elo0=st.integers(-99, -1),
    beta=st.floats(0.001, 0.4),
    count=st.integers(1, 30),
    batch=st.integers(1, 9),
)
def test_the_format_is_the_test_and_errs_no_more_often_than_the_family(
    elo0: int, beta: float, count: int, batch: int
) -> None:
    tests = of(*[{"against": "main"}] * count, elo0=elo0, beta=beta, batch=batch)
    assert sum(each.test.beta for each in tests) <= beta * (1 + 1e-12)
    assert tests[0].test.beta == pytest.approx(beta / count, abs=1e-6)
    stored: Any = make_format(tests[0].spec.format)
    assert (stored.elo0, stored.alpha, stored.batch) == (elo0, 0.05, batch)
    assert stored.test.beta == pytest.approx(tests[0].test.beta, rel=1e-5)


def test_the_same_test_is_written_the_same() -> None:
    assert of(elo0=-40)[0].spec.format == of(elo0="-40.0", alpha=0.05)[0].spec.format


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"elo0": 5}, "elo0 5 must be less than elo1 0"),
        ({"elo0": "x"}, "elo0"),
        ({"model": "bayesian"}, "counts single matches"),
        ({"alpha": 0}, "alpha 0 must be more than 0"),
        ({"depht": 3}, "unknown setting of a gate .did you mean 'depth'"),
        ({"format": "swiss"}, "format: unknown setting of a gate"),
        ({"move-time": "x"}, "move-time"),
        ({"game": None}, "game: missing"),
    ],
)
def test_a_setting_that_does_not_fit_is_named(given: dict[str, Any], text: str) -> None:
    with pytest.raises(SettingError, match=text):
        read_tests(HEAD | given, [{"against": "main"}])


@pytest.mark.parametrize(
    ("opponent", "text"),
    [
        ({}, "against: missing"),
        ({"against": "main", "beta": 0.1}, "beta: it is for all tests together"),
        ({"against": "main", "minutes": 0}, "minutes: 0: expected a number of minutes above 0"),
    ],
)
def test_an_opponent_that_does_not_fit_is_refused(opponent: dict[str, Any], text: str) -> None:
    with pytest.raises(SettingError, match=text):
        of(opponent)


def test_a_gate_needs_an_opponent() -> None:
    with pytest.raises(SetupError, match="an opponent"):
        read_tests(HEAD, [])


@given(verdicts=VERDICTS)
def test_a_change_must_pass_every_test(verdicts: list[GateVerdict]) -> None:
    found = family_verdict(verdicts)
    assert (found is GateVerdict.NOT_WEAKER) is (set(verdicts) == {GateVerdict.NOT_WEAKER})
    assert (found is GateVerdict.WEAKER) is (GateVerdict.WEAKER in verdicts)


def test_without_a_test_nothing_is_decided() -> None:
    assert family_verdict([]) is GateVerdict.UNDECIDED


@cache
def state_of(test: Sprt, numbers: tuple[int, ...]) -> SprtState:
    """Return the state of a test; short tests see the same counts again and again."""
    return test.state(Counts(numbers))


def decided(test: Sprt, elo: float, source: random.Random) -> GateVerdict:
    """Draw encounters of two matches without draws until the test decides."""
    share = elo / NELO_PER_SIGMA
    score = 0.5 + share / math.sqrt(4 + 4 * share * share)
    weights = (1 - score) ** 2, 2 * score * (1 - score), score**2
    counted = [0, 0, 0, 0, 0]
    while True:
        counted[source.choices((0, 2, 4), weights)[0]] += 1
        state = state_of(test, tuple(counted))
        if state is SprtState.ACCEPTED:
            return GateVerdict.NOT_WEAKER
        if state is SprtState.REJECTED:
            return GateVerdict.WEAKER


def rate(verdict: GateVerdict, differences: Sequence[float], count: int) -> float:
    """Return how often a gate against opponents at these differences has that verdict."""
    tests = of(*[{"against": "main"}] * len(differences), elo0=-WEAKER, batch=1)
    source = random.Random(1)
    found = [
        family_verdict(
            [decided(each.test, elo, source) for each, elo in zip(tests, differences, strict=True)]
        )
        for _ in range(count)
    ]
    return found.count(verdict) / count


@pytest.mark.parametrize("opponents", [1, 4])
def test_an_equal_change_fails_at_the_rate_of_the_family(opponents: int) -> None:
    count = runs(whole=20_000, short=1000)
    failed = rate(GateVerdict.WEAKER, [0.0] * opponents, count)
    # Four tests at 5% each would fail 18.5%.
    assert 0.01 < failed < 0.05 + 3 * math.sqrt(0.05 * 0.95 / count)


@pytest.mark.parametrize("others", [[], [0.0, 0.0, 0.0]])
def test_a_change_that_is_weaker_than_one_opponent_passes_at_the_rate_alpha(
    others: list[float],
) -> None:
    count = runs(whole=20_000, short=1000)
    passed = rate(GateVerdict.NOT_WEAKER, [-WEAKER, *others], count)
    assert 0.01 < passed < 0.05 + 3 * math.sqrt(0.05 * 0.95 / count)


def test_a_stronger_change_passes() -> None:
    assert rate(GateVerdict.NOT_WEAKER, [WEAKER, WEAKER], 200) == 1.0
