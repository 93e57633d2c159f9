"""What every format must keep to, played out with results that are drawn."""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import zip_longest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.errors import InputError
from league.formats.format import Field, Format
from league.formats.specs import FORMATS, make_format
from league.formats.table import Scores, make_table
from league.ratings.result_table import ResultColumns
from tests.examples import examples
from tests.league.formats.playing import PARAMETERS, able, luck, of_stage, play_out
from tests.parts import check_texts

SPECS = (
    "adaptive:batch=3",
    "gauntlet:challengers=2",
    "knockout:seeding=drawn,advance=one,replays=0,decide=lot",
    "knockout:seeding=listed,third=yes",
    "ladder:reach=2",
    "sprt:elo0=0,elo1=300,counts=trinomial,batch=2,model=logistic",
    "swiss:bye=0.5,late=0.5",
)
"""Formats under options, besides each one as it comes."""

every_format = pytest.mark.parametrize("name", FORMATS.names())
every_spec = pytest.mark.parametrize("spec", able(sorted({*FORMATS.names(), *SPECS})))
few = examples(15, quick=3)


def fits(schedule: Format, field: Field) -> bool:
    """Whether a tournament can be held so."""
    try:
        schedule.check(field)
    except ValueError:
        return False
    return True


def field_of(spec: str, entrants: int, seats: int, rounds: int, seed: int) -> Field:
    """Make a field, with parameters for a format that tunes them."""
    parameters = PARAMETERS if make_format(spec).is_tuning else ()
    return Field(entrants=entrants, seats=seats, rounds=rounds, seed=seed, parameters=parameters)


@cache
def sizes(spec: str) -> list[tuple[int, int]]:
    """List counts of entrants and of seats that fit a format."""
    schedule = make_format(spec)
    found = [(entrants, seats) for entrants in range(1, 12) for seats in (2, 3, 4)]
    return [
        (entrants, seats)
        for entrants, seats in found
        if fits(schedule, field_of(spec, entrants, seats, 1, 0))
    ]


@st.composite
def fields(draw: st.DrawFn, spec: str) -> Field:
    """Draw fields that fit a format."""
    entrants, seats = draw(st.sampled_from(sizes(spec)))
    return field_of(spec, entrants, seats, draw(st.integers(1, 5)), draw(st.integers(0, 99)))


@every_spec
@given(st.data())
@few
def test_every_encounter_is_valid_and_there_are_as_many_as_planned(
    spec: str, data: st.DataObject
) -> None:
    schedule = make_format(spec)
    field = data.draw(fields(spec))
    results = play_out(schedule, field, luck(data.draw(st.integers(0, 99))))
    assert results
    encounters = [result.encounter for result in results]
    assert len(set(encounters)) == len(encounters)
    for each in encounters:
        assert len(each.entrants) == field.seats
        # A bot meets itself only with other values of its parameters.
        assert len(set(zip_longest(each.entrants, each.options))) == field.seats
        assert set(each.entrants) <= set(range(field.entrants))
        assert each.stage >= 0
        assert each.opening >= 0
    # The same entrants never meet twice from the same opening: bots that draw nothing would
    # play the same matches again.
    met = Counter((frozenset(each.entrants), each.opening, each.options) for each in encounters)
    assert set(met.values()) == {1}
    planned = schedule.planned(field)
    assert planned is None or planned == len(encounters)


@every_spec
@given(st.data())
@few
def test_a_stage_made_again_is_the_same(spec: str, data: st.DataObject) -> None:
    schedule = make_format(spec)
    field = data.draw(fields(spec))
    results = play_out(schedule, field, luck(data.draw(st.integers(0, 99))))
    shuffled = list(results)
    random.Random(data.draw(st.integers(0, 99))).shuffle(shuffled)
    stages = results[-1].encounter.stage + 1
    for number in range(stages):
        # In another order, and with results that this stage does not wait for.
        assert schedule.stage(number, field, shuffled) == of_stage(results, number)
    names = [f"bot {entrant}" for entrant in range(field.entrants)]
    verdict = schedule.verdict(field, shuffled, names)
    assert verdict == schedule.verdict(field, results, names)
    assert "\n" not in verdict
    assert schedule.verdict(field, (), names) == ""


@every_spec
@given(st.data())
@few
def test_more_rounds_change_no_earlier_stage(spec: str, data: st.DataObject) -> None:
    schedule = make_format(spec)
    if not schedule.is_extensible:
        return
    field = data.draw(fields(spec))
    scores = luck(data.draw(st.integers(0, 99)))
    longer = replace(field, rounds=field.rounds + data.draw(st.integers(1, 4)))
    results = play_out(schedule, field, scores)
    straight = play_out(schedule, longer, scores)
    assert straight[: len(results)] == results
    begin = results[-1].encounter.stage + (not schedule.fills_last_stage)
    kept = [each for each in results if each.encounter.stage < begin]
    assert play_out(schedule, longer, scores, kept, begin) == straight


@pytest.mark.slow
@every_spec
@given(st.data())
@few
def test_who_joins_is_given_what_is_missing(spec: str, data: st.DataObject) -> None:
    schedule = make_format(spec)
    field = data.draw(fields(spec))
    scores = luck(data.draw(st.integers(0, 99)))
    wider = replace(field, entrants=field.entrants + 1)
    if not schedule.is_open or not fits(schedule, wider):
        return
    results = play_out(schedule, field, scores)
    if schedule.lag is None:
        joined = play_out(schedule, wider, scores)
        assert set(joined) > set(results)
        for stage in range(field.rounds):
            newer = set(of_stage(joined, stage)) - set(of_stage(results, stage))
            assert all(field.entrants in each.entrants for each in newer)
        return
    begin = data.draw(st.integers(1, results[-1].encounter.stage + 1))
    # Rounds enough for the newcomer's turn to come, whatever a round is.
    rounds = field.rounds + 4 * wider.entrants
    wider = replace(wider, rounds=rounds, joined=(*[0] * field.entrants, begin))
    joined = play_out(
        schedule,
        wider,
        scores,
        [result for result in results if result.encounter.stage < begin],
        begin,
    )
    assert any(field.entrants in result.encounter.entrants for result in joined)
    assert {result.encounter for result in joined} >= {
        result.encounter for result in results if result.encounter.stage < begin
    }


@every_spec
@given(st.data())
@few
def test_who_withdrew_plays_no_more_and_the_others_end(spec: str, data: st.DataObject) -> None:
    schedule = make_format(spec)
    field = data.draw(fields(spec))
    scores = luck(data.draw(st.integers(0, 99)))
    results = play_out(schedule, field, scores)
    begin = data.draw(st.integers(0, results[-1].encounter.stage + 1))
    withdrawn = dict.fromkeys(data.draw(st.sets(st.integers(0, field.entrants - 1), min_size=1)), 0)
    # What is in play as they go need not come to an end either.
    kept = [
        result
        for result in results
        if result.encounter.stage < begin - 1
        or (
            result.encounter.stage == begin - 1
            and not set(withdrawn) & set(result.encounter.entrants)
        )
    ]
    smaller = replace(field, withdrawn=withdrawn)
    for result in play_out(schedule, smaller, scores, kept, begin)[len(kept) :]:
        assert not set(withdrawn) & set(result.encounter.entrants)
    names = [f"bot {entrant}" for entrant in range(field.entrants)]
    assert "\n" not in schedule.verdict(smaller, kept, names)


@every_spec
def test_too_few_entrants_are_refused_with_a_reason(spec: str) -> None:
    schedule = make_format(spec)
    # A bot that is tuned may play itself alone.
    for entrants, seats in [*([] if schedule.is_tuning else [(1, 2)]), (2, 3), (3, 4)]:
        with pytest.raises(ValueError, match=r"can't fill|entrants"):
            schedule.check(field_of(spec, entrants, seats, 1, 0))


@every_format
def test_a_format_says_what_it_is(name: str) -> None:
    check_texts(FORMATS.find(name), name)


@every_format
def test_an_unknown_option_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"unknown option 'colour' of format {name}"):
        make_format(f"{name}:colour=red")


def test_an_unknown_format_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"'roundrobbin' \(did you mean 'roundrobin'\?\)"):
        FORMATS.find("roundrobbin")


@every_spec
@given(st.data())
@few
def test_the_table_has_everybody_once_whenever_it_is_made(spec: str, data: st.DataObject) -> None:
    schedule = make_format(spec)
    field = data.draw(fields(spec))
    results = play_out(schedule, field, luck(data.draw(st.integers(0, 99))))
    field = replace(
        field, withdrawn=dict.fromkeys(data.draw(st.sets(st.integers(0, field.entrants - 1))), 0)
    )
    stages = data.draw(st.integers(0, results[-1].encounter.stage + 1))
    known = [each for each in results if each.encounter.stage < stages]
    places = schedule.places(field, known)
    everybody = list(range(field.entrants))
    assert sorted(entrant for group in places for entrant in group) == everybody
    unplayed = schedule.unplayed(field, known, stages)
    assert all(0 <= each.points <= field.seats for each in unplayed)
    rows = [(*match, 1.0) for result in known for match in result.matches]
    scores = Scores(
        entrants=field.entrants,
        results=ResultColumns.of(rows, field.sides),
        stages=stages,
        unplayed=unplayed,
    )
    table = make_table(scores, places, schedule.tiebreaks)
    assert sorted(row.entrant for row in table.rows) == everybody
    assert [row.rank for row in table.rows] == sorted(row.rank for row in table.rows)
    names = [f"bot {entrant}" for entrant in everybody]
    assert "\n" not in schedule.winner(table, names)
