"""Ladders: neighbours meet, winners climb."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.format import Encounter, Field
from league.formats.ladder import spots
from league.formats.specs import make_format
from tests.league.formats.playing import favourites, luck, of_stage, play_out

LADDER = make_format("ladder")
NAMES = [f"bot {number}" for number in range(12)]


def underdogs(encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Let the one that stands last in the tournament's list win, and so on."""
    return tuple(1 - points for points in favourites(encounter, rotation))


def test_neighbours_meet_by_turns() -> None:
    results = play_out(LADDER, Field(entrants=5, seats=2, rounds=2, seed=0), favourites)
    assert [each.encounter.entrants for each in results] == [(0, 1), (2, 3), (1, 2), (3, 4)]
    results = play_out(
        make_format("ladder:reach=2"), Field(entrants=6, seats=2, rounds=2, seed=0), favourites
    )
    assert [each.encounter.entrants for each in results] == [(0, 2), (1, 3), (2, 4), (3, 5)]
    results = play_out(LADDER, Field(entrants=6, seats=3, rounds=2, seed=0), favourites)
    assert [each.encounter.entrants for each in results] == [(0, 1, 2), (3, 4, 5), (1, 2, 3)]


def test_a_challenger_who_wins_takes_the_spot() -> None:
    field = Field(entrants=4, seats=2, rounds=2, seed=0)
    results = play_out(LADDER, field, underdogs)
    assert [each.entrants for each in of_stage(results, 1)] == [(0, 3)]
    assert spots(field, results) == [1, 3, 0, 2]
    assert LADDER.verdict(field, results, NAMES) == "bot 1 tops the ladder"


def test_a_tie_keeps_the_spots() -> None:
    field = Field(entrants=6, seats=2, rounds=5, seed=0)
    assert spots(field, play_out(LADDER, field, lambda *_: (0.5, 0.5))) == list(range(6))


@given(st.integers(3, 9))
def test_the_best_climb_to_the_top(entrants: int) -> None:
    """Stages enough sort any ladder: it is an odd-even transposition sort."""
    field = Field(entrants=entrants, seats=2, rounds=entrants + 1, seed=0)
    results = play_out(LADDER, field, underdogs)
    assert spots(field, results) == list(reversed(range(entrants)))


def test_who_joins_begins_at_the_bottom() -> None:
    results = play_out(LADDER, Field(entrants=4, seats=2, rounds=2, seed=0), luck(1))
    assert spots(Field(entrants=5, seats=2, rounds=2, seed=0), results)[-1] == 4


def test_a_reach_beyond_the_ladder_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a reach of 1 to 3"):
        make_format("ladder:reach=4").check(Field(entrants=4, seats=2, rounds=1, seed=0))
