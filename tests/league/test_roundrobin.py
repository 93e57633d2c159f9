"""Round robins are fair and complete."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.errors import InputError
from league.schedules import catalogue
from league.schedules.roundrobin import berger

ROUND_ROBIN = catalogue.find("roundrobin")


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
    if entrants < seats:
        with pytest.raises(ValueError, match="can't fill"):
            list(ROUND_ROBIN.encounters(entrants, seats, rounds))
        return
    found = list(ROUND_ROBIN.encounters(entrants, seats, rounds))
    assert [each.number for each in found] == list(range(len(found)))
    groups = Counter(frozenset(each.entrants) for each in found)
    assert set(groups.values()) == {rounds}
    assert {len(group) for group in groups} == {seats}
    for each in found:
        lineups = [each.rotation(number) for number in range(seats)]
        for seat in range(seats):
            assert sorted(lineup[seat] for lineup in lineups) == sorted(each.entrants)


def test_an_unknown_format_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"'roundrobbin' \(did you mean 'roundrobin'\?\)"):
        catalogue.find("roundrobbin")
