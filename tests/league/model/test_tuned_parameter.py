"""Parameters are read as they are written, and their values are ones that a bot takes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import OptionError
from league.model.tuned_parameter import TunedParameter, options_at
from tests.examples import examples

some = examples(200)

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_. -]{0,30}[a-z0-9]", fullmatch=True)


@st.composite
def parameters(draw: st.DrawFn) -> TunedParameter:
    """Draw parameters of both kinds."""
    is_whole = draw(st.booleans())
    numbers = st.integers(-1000, 1000).map(float) if is_whole else st.floats(-1e6, 1e6)
    low, start, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    if low == high:
        high += 1
    return TunedParameter(
        name=draw(NAMES),
        start=start,
        low=low,
        high=high,
        step=draw(st.floats((high - low) / 1e4, high - low)),
        is_whole=is_whole,
        rate=draw(st.none() | st.floats(1e-6, 10)),
    )


@given(parameters())
@some
def test_a_parameter_is_read_as_it_was_written(parameter: TunedParameter) -> None:
    assert TunedParameter.read(parameter.written) == parameter


@given(parameters(), st.floats(-2e6, 2e6))
@some
def test_a_bot_gets_values_of_the_range(parameter: TunedParameter, value: float) -> None:
    text = parameter.text(parameter.within(value))
    assert parameter.low <= float(text) <= parameter.high
    if parameter.low <= value <= parameter.high:
        error = 0.5 if parameter.is_whole else parameter.step / 100
        assert abs(float(text) - value) <= error
    if parameter.is_whole:
        assert str(int(text)) == text


@given(parameters())
@some
def test_a_bot_gets_its_own_start(parameter: TunedParameter) -> None:
    ((name, text),) = options_at([parameter], [parameter.start])
    assert name == parameter.name
    assert float(text) == parameter.start


def test_values_are_whole_if_all_numbers_are() -> None:
    assert TunedParameter.read("depth=4,1,9,1") == TunedParameter(
        name="depth", start=4, low=1, high=9, step=1, is_whole=True
    )
    assert TunedParameter.read("depth=4,1,9,1,0.002").is_whole
    assert TunedParameter.read("depth = 4, -1, +9, 1").is_whole
    assert not TunedParameter.read("weight=1,0,4,0.1").is_whole
    assert not TunedParameter.read("weight=1.0,0,4,1").is_whole


def test_a_kind_before_the_numbers_decides() -> None:
    assert not TunedParameter.read("weight=float,1,0,4,1").is_whole
    assert TunedParameter.read("depth=int,4,1,9,0.5").is_whole


def test_a_fifth_number_is_the_rate() -> None:
    assert TunedParameter.read("weight=1.0,0,4,0.1,0.002").rate == 0.002
    assert TunedParameter.read("weight=1.0,0,4,0.1").rate is None


def test_lines_of_engines_are_read() -> None:
    text = """
    # what the engine prints
    rfp_margin, int, 8, 1, 20, 2, 0.002

    lmr base, float, 0.75, 0.1, 2.0, 0.1, 0.002
    """
    whole, real = TunedParameter.read_lines(text)
    assert whole == TunedParameter(
        name="rfp_margin", start=8, low=1, high=20, step=2, is_whole=True, rate=0.002
    )
    assert real == TunedParameter(
        name="lmr base", start=0.75, low=0.1, high=2, step=0.1, rate=0.002
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("weight", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=1,0,4", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=1,0,4,1,0.1,7", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=1,0,four,1", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=nan,0,4,1", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=1,0,inf,1", "expected NAME=START,MIN,MAX,STEP"),
        ("=1,0,4,1", "expected NAME=START,MIN,MAX,STEP"),
        ("weight=5,0,4,1", "expected a start between MIN and MAX"),
        ("weight=-1,0,4,1", "expected a start between MIN and MAX"),
        ("weight=4,4,4,1", "expected a start between MIN and MAX"),
        ("weight=1,0,4,0", "expected a STEP above 0"),
        ("weight=1,0,4,5", "fits between MIN and MAX"),
        ("weight=1,0,4,1,0", "expected a rate above 0"),
        ("depth=int,1.5,0,4,1", "expected whole numbers"),
        ("depth=int,1,0.5,4,1", "expected whole numbers"),
        ("depth=int,1,0,4.5,1", "expected whole numbers"),
    ],
)
def test_a_refusal_says_what_was_expected(text: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        TunedParameter.read(text)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("weight", "line 2: expected name, int or float"),
        ("weight, double, 1, 0, 4, 1, 0.002", "line 2: expected name, int or float"),
        ("weight, float, 1, 0, 4", "'weight': expected"),
        ("weight, float, 5, 0, 4, 1, 0.002", "'weight': expected a start between"),
    ],
)
def test_a_line_that_is_refused_is_named(line: str, said: str) -> None:
    with pytest.raises(OptionError, match=said):
        TunedParameter.read_lines(f"# tuned\n{line}\n")
