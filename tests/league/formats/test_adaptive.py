"""The adaptive format: newcomers first, well-matched, and fewer matches for the same error."""

import random

import pytest

from benchmarks.adaptive import (
    WANTED,
    Pool,
    adaptive,
    bar,
    compare,
    matches_for,
    mean_curve,
    round_robin,
)
from benchmarks.simulation import by_strength, played
from league.formats.format import Field
from league.formats.specs import make_format
from tests.league.formats.playing import favourites, of_stage, play_out

ADAPTIVE = make_format("adaptive")
ROUND_ROBIN = make_format("roundrobin")


@pytest.mark.slow
def test_newcomers_come_first_and_meet_their_likes() -> None:
    elo = [400.0, 300.0, 200.0, 100.0, 0.0, -100.0, -200.0, -300.0, 350.0, -350.0]
    source = random.Random(4)
    luck = by_strength(elo, 0.3, source)
    results = []
    for cycle in range(6):
        results += played(
            ROUND_ROBIN.stage(cycle, Field(entrants=8, seats=2, rounds=6, seed=0), ()), luck
        )
    wider = Field(entrants=10, seats=2, rounds=30, seed=0)
    for stage in range(6, 36):
        encounters = ADAPTIVE.stage(stage, wider, results)
        if stage < 12:
            assert all({8, 9} & set(each.entrants) for each in encounters)
        results += played(encounters, luck)
    met = [
        elo[one] - elo[other]
        for result in results
        if result.encounter.stage >= 12
        for one, other in [sorted(result.encounter.entrants, reverse=True)]
        if one >= 8
    ]
    # Of all that they could meet, the mean gap is 380.
    assert sum(abs(gap) for gap in met) / len(met) < 250


def test_everybody_comes_once_when_nothing_is_known() -> None:
    schedule = make_format("adaptive:batch=5")
    stage = schedule.stage(0, Field(entrants=10, seats=2, rounds=1, seed=3), ())
    assert sorted(entrant for each in stage for entrant in each.entrants) == list(range(10))
    assert stage != schedule.stage(0, Field(entrants=10, seats=2, rounds=1, seed=4), ())


def test_rounds_are_encounters_of_each() -> None:
    results = play_out(ADAPTIVE, Field(entrants=7, seats=2, rounds=5, seed=0), favourites)
    # 15 encounters make nearly five for each of seven, in whole batches of four.
    assert len(results) == 16


def test_no_two_meet_twice_in_a_stage() -> None:
    many = make_format("adaptive:batch=50")
    field = Field(entrants=5, seats=2, rounds=50, seed=0)
    results = play_out(many, field, favourites)
    assert results[-1].encounter.stage == 1
    for stage in range(2):
        met = [frozenset(each.entrants) for each in of_stage(results, stage)]
        assert len(set(met)) == len(met) == 10


@pytest.mark.slow
def test_newcomers_need_fewer_matches_than_in_a_round_robin() -> None:
    """A small version of benchmarks/adaptive.py: 1.5 times fewer for the same error bar."""
    pool, seeds = Pool(rated=16, newcomers=3, cycles=6, spread=400), range(1, 5)
    cycle = 2 * (16 * 3 + 3)
    plain = mean_curve(pool, round_robin, 2 * cycle, seeds, bar)
    chosen = mean_curve(pool, adaptive, 2 * cycle, seeds, bar)
    matches, error = plain[-1]
    needed = matches_for(chosen, error)
    assert needed is not None
    assert matches / needed >= 1.5


@pytest.mark.slow
@pytest.mark.soak
def test_newcomers_need_fewer_matches_for_the_same_mean_error() -> None:
    # Chance decides with fewer pools.
    rows = compare(Pool(), (1, 2), range(1, 31))
    for _, matches, _, needed in rows:
        assert needed is not None
        assert matches / needed >= WANTED
