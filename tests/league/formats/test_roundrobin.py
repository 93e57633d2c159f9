"""Round robins and gauntlets are fair and complete."""

from collections import Counter
from itertools import chain
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.format import Field
from league.formats.roundrobin import berger
from league.formats.specs import make_format

ROUND_ROBIN = make_format("roundrobin")


def test_the_berger_table_of_six() -> None:
    """The published table for five or six: J. Berger, as in the FIDE Handbook C.05 annex 1."""
    days = [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    expected = [(first - 1, second - 1) for day in days for first, second in day]
    assert list(berger(6)) == expected


@given(st.integers(2, 25))
def test_everybody_meets_everybody_once(entrants: int) -> None:
    pairs = list(berger(entrants))
    met = Counter(frozenset(pair) for pair in pairs)
    assert len(met) == entrants * (entrants - 1) // 2
    assert set(met.values()) == {1}
    first = Counter(pair[0] for pair in pairs)
    assert max(first.values()) - min(first[one] for one in range(entrants)) <= 1


@given(st.integers(2, 8), st.integers(2, 4), st.integers(1, 3))
def test_encounters_are_numbered_and_complete(entrants: int, seats: int, rounds: int) -> None:
    field = Field(entrants=entrants, seats=seats, rounds=rounds, seed=0)
    if entrants < seats:
        with pytest.raises(ValueError, match="can't fill"):
            ROUND_ROBIN.check(field)
        return
    cycles = [ROUND_ROBIN.stage(number, field, ()) for number in range(rounds)]
    assert ROUND_ROBIN.stage(rounds, field, ()) == []
    assert len(set(chain(*cycles))) == ROUND_ROBIN.planned(field)
    for number, cycle in enumerate(cycles):
        assert {(each.stage, each.opening) for each in cycle} == {(number, number)}
        assert len({frozenset(each.entrants) for each in cycle}) == comb(entrants, seats)
    for each in chain(*cycles):
        lineups = [each.rotation(number) for number in range(seats)]
        assert len(set(each.entrants)) == seats
        for seat in range(seats):
            assert sorted(lineup[seat] for lineup in lineups) == sorted(each.entrants)


@given(st.integers(2, 25), st.integers(1, 4))
def test_everybody_sits_first_half_of_the_time(entrants: int, rounds: int) -> None:
    field = Field(entrants=entrants, seats=2, rounds=rounds, seed=0)
    first: Counter[int] = Counter()
    for number in range(rounds):
        cycle = ROUND_ROBIN.stage(number, field, ())
        assert [set(each.entrants) for each in cycle] == [set(pair) for pair in berger(entrants)]
        first.update(each.entrants[0] for each in cycle)
    expected = rounds * (entrants - 1) / 2
    assert all(abs(first[entrant] - expected) <= 0.5 for entrant in range(entrants))


def test_two_cycles_swap_the_seats() -> None:
    field = Field(entrants=7, seats=2, rounds=2, seed=0)
    there, back = (ROUND_ROBIN.stage(number, field, ()) for number in range(2))
    assert [each.entrants[::-1] for each in there] == [each.entrants for each in back]


def test_a_gauntlet_is_run_by_the_first() -> None:
    gauntlet = make_format("gauntlet:challengers=2")
    cycle = gauntlet.stage(0, Field(entrants=5, seats=2, rounds=1, seed=0), ())
    groups = [(0, 2), (1, 2), (0, 3), (1, 3), (0, 4), (1, 4)]
    assert [tuple(sorted(each.entrants)) for each in cycle] == groups
    cycle = gauntlet.stage(0, Field(entrants=5, seats=3, rounds=1, seed=0), ())
    assert len(cycle) == 2 * 3
    assert all(len({0, 1} & set(each.entrants)) == 1 for each in cycle)
    with pytest.raises(ValueError, match="leaves 1 to meet, expected at least 2"):
        gauntlet.check(Field(entrants=3, seats=3, rounds=1, seed=0))
