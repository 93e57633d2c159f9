"""What every method of tuning must keep to, and the fields that it is tried with."""

import random
from collections.abc import Iterable

from hypothesis import strategies as st

from league.formats.format import Encounter, EncounterResult, Field
from league.formats.tuning import Tuning
from league.model.tuned_parameter import options_at
from tests.league.formats.playing import PARAMETERS, luck, of_stage, play_out


def field_of(rounds: int, *, seed: int = 1, entrants: int = 1) -> Field:
    """Return a field that tunes `PARAMETERS`."""
    return Field(entrants=entrants, seats=2, rounds=rounds, seed=seed, parameters=PARAMETERS)


@st.composite
def fields(draw: st.DrawFn, rounds: int) -> Field:
    """Draw fields of at most so many comparisons."""
    return field_of(
        draw(st.integers(1, rounds)),
        seed=draw(st.integers(0, 99)),
        entrants=draw(st.integers(1, 4)),
    )


def check_that_results_decide(method: Tuning, field: Field, seed: int) -> None:
    """Fail unless a stage is the same for results in any order, and with those of later stages."""
    results = play_out(method, field, luck(seed))
    shuffled = random.Random(seed).sample(results, len(results))
    for number in range(results[-1].encounter.stage + 1):
        assert method.stage(number, field, shuffled) == of_stage(results, number)
    assert method.tuning(field, shuffled, ("mine",)) == method.tuning(field, results, ("mine",))
    assert method.tuned(field, shuffled) == method.tuned(field, results)


def check_values(method: Tuning, field: Field, seed: int) -> None:
    """Fail unless all values are in their range, and whole if they have to be."""
    results = play_out(method, field, luck(seed))
    tried = {options for each in results for options in each.encounter.options if options}
    for options in (*tried, options_at(field.parameters, method.tuned(field, results))):
        for parameter, (name, text) in zip(field.parameters, options, strict=True):
            assert name == parameter.name
            assert parameter.low <= float(text) <= parameter.high
            assert not parameter.is_whole or str(int(text)) == text


def check_progress(method: Tuning, field: Field, seed: int) -> None:
    """Fail unless the progress is that of all comparisons, and ends at the tuned values."""
    assert method.tuning(field, [], ("mine",)) is None
    assert method.verdict(field, [], ["bot"]) == ""
    results = play_out(method, field, luck(seed))
    found = method.tuning(field, results, ("mine",))
    assert found is not None
    assert found.played == found.planned == field.rounds
    assert tuple(each.value for each in found.paths) == method.tuned(field, results)
    for each in found.paths:
        assert each.path[0] == (0, each.parameter.start)
        assert each.path[-1] == (field.rounds, each.value)
        assert each.error >= 0
    values = dict(options_at(field.parameters, method.tuned(field, results)))
    assert found.values == values
    said = method.verdict(field, results, ["bot"])
    assert "bot has " + ", ".join(f"{name}={value}" for name, value in values.items()) in said
    assert f"{field.rounds:,} of {field.rounds:,} comparisons" in said


def of_test(results: Iterable[EncounterResult], field: Field) -> list[Encounter]:
    """Return the encounters of the test at the end."""
    met = (each.encounter for each in results)
    return [each for each in met if each.opening >= field.rounds]
