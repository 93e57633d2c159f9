"""Swiss tournaments: no needless rematch, fair byes and seats, like against like."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.format import Encounter, EncounterResult, Field
from league.formats.specs import make_format
from league.formats.table import Unplayed
from tests.examples import examples
from tests.league.formats.playing import favourites, luck, of_stage, play_out

SWISS = make_format("swiss")


def meetings(results: Sequence[EncounterResult]) -> Counter[frozenset[int]]:
    """Count how often each two met."""
    return Counter(
        frozenset(pair) for each in results for pair in combinations(each.encounter.entrants, 2)
    )


def byes_of(results: Sequence[EncounterResult], entrants: int, stages: int) -> list[list[int]]:
    """List who had a bye in each stage."""
    found = []
    for stage in range(stages):
        seated = {entrant for each in of_stage(results, stage) for entrant in each.entrants}
        found.append([entrant for entrant in range(entrants) if entrant not in seated])
    return found


def can_all_be_new(entrants: Sequence[int], met: Counter[frozenset[int]]) -> bool:
    """Whether everybody can meet somebody new, by trying everything."""

    @cache
    def can(left: frozenset[int]) -> bool:
        if not left:
            return True
        one = min(left)
        others = (other for other in left if other != one and not met[frozenset((one, other))])
        return any(can(left - {one, other}) for other in others)

    return can(frozenset(entrants))


@given(st.integers(2, 9), st.integers(1, 10), st.integers(0, 999))
@examples(60, quick=15)
def test_a_rematch_comes_only_where_it_must(entrants: int, rounds: int, seed: int) -> None:
    field = Field(entrants=entrants, seats=2, rounds=rounds, seed=seed)
    results = play_out(SWISS, field, luck(seed))
    byes = byes_of(results, entrants, rounds)
    had: Counter[int] = Counter()
    for stage in range(rounds):
        earlier = [each for each in results if each.encounter.stage < stage]
        met = meetings(earlier)
        rematches = [each for each in of_stage(results, stage) if met[frozenset(each.entrants)] > 0]
        least = min(had[entrant] for entrant in range(entrants))
        resting = [each for each in range(entrants) if had[each] == least]
        if entrants % 2:
            could = [
                can_all_be_new([each for each in range(entrants) if each != rests], met)
                for rests in resting
            ]
        else:
            could = [can_all_be_new(range(entrants), met)]
        assert any(could) == (not rematches)
        had.update(byes[stage])


@given(st.sampled_from([4, 6, 8]), st.integers(0, 999))
def test_the_leader_meets_somebody_new_even_where_others_cannot(entrants: int, seed: int) -> None:
    results = play_out(
        SWISS, Field(entrants=entrants, seats=2, rounds=entrants + 2, seed=seed), luck(seed)
    )
    for stage in range(entrants + 2):
        earlier = [each for each in results if each.encounter.stage < stage]
        met, points = meetings(earlier), Counter[int]()
        for each in earlier:
            points.update(dict(zip(each.encounter.entrants, each.points, strict=True)))
        leader = min(range(entrants), key=lambda entrant: (-points[entrant], entrant))
        first = of_stage(results, stage)[0].entrants
        assert leader in first
        others = [each for each in range(entrants) if each != leader]
        most = max(met[frozenset(each.entrants)] for each in of_stage(results, stage))
        rest = Counter({pair: count for pair, count in met.items() if count > most})
        could = [
            other
            for other in others
            if not met[frozenset((leader, other))]
            and can_all_be_new([each for each in others if each != other], rest)
        ]
        assert bool(could) == (not met[frozenset(first)])


@given(st.integers(2, 14), st.integers(1, 2), st.integers(0, 999))
@examples(60, quick=15)
def test_as_many_stages_as_opponents_make_a_round_robin(
    entrants: int, cycles: int, seed: int
) -> None:
    rounds = cycles * (entrants - 1 + entrants % 2)
    field = Field(entrants=entrants, seats=2, rounds=rounds, seed=seed)
    met = meetings(play_out(SWISS, field, luck(seed)))
    assert len(met) == comb(entrants, 2)
    assert set(met.values()) == {cycles}


@given(st.integers(2, 13), st.integers(2, 4), st.integers(1, 12), st.integers(0, 99))
def test_nobody_has_a_second_bye_before_all_had_one(
    entrants: int, seats: int, rounds: int, seed: int
) -> None:
    if entrants < seats:
        return
    results = play_out(
        SWISS, Field(entrants=entrants, seats=seats, rounds=rounds, seed=seed), luck(seed)
    )
    had: Counter[int] = Counter(dict.fromkeys(range(entrants), 0))
    for byes in byes_of(results, entrants, rounds):
        assert len(byes) == entrants % seats
        had.update(byes)
        assert max(had.values()) - min(had.values()) <= 1


def test_the_bye_goes_to_the_last_and_counts() -> None:
    field = Field(entrants=5, seats=2, rounds=3, seed=0)
    results = play_out(SWISS, field, favourites)
    assert byes_of(results, 5, 3)[0] == [4]
    # 0 and 1 won, 4 had a bye: three of equal scores, of which the last floats down.
    assert {frozenset(each.entrants) for each in of_stage(results, 1)} == {
        frozenset({0, 1}),
        frozenset({4, 2}),
    }
    poor = play_out(make_format("swiss:bye=0"), field, favourites)
    assert {frozenset(each.entrants) for each in of_stage(poor, 1)} == {
        frozenset({0, 1}),
        frozenset({2, 4}),
    }
    assert byes_of(poor, 5, 3)[1] == [3]


def test_the_upper_half_meets_the_lower_half() -> None:
    results = play_out(SWISS, Field(entrants=8, seats=2, rounds=3, seed=0), favourites)
    stages = [{frozenset(each.entrants) for each in of_stage(results, n)} for n in range(3)]
    assert stages == [
        {frozenset(pair) for pair in pairs}
        for pairs in (
            [(0, 4), (1, 5), (2, 6), (3, 7)],
            [(0, 2), (1, 3), (4, 6), (5, 7)],
            [(0, 1), (2, 4), (3, 5), (6, 7)],
        )
    ]


@given(st.integers(4, 12), st.integers(0, 99))
def test_seats_even_out(entrants: int, seed: int) -> None:
    results = play_out(SWISS, Field(entrants=entrants, seats=2, rounds=9, seed=seed), luck(seed))
    lead: Counter[int] = Counter()
    for result in results:
        first, second = result.encounter.entrants
        assert lead[first] <= lead[second]
        lead[first] += 1
        lead[second] -= 1


def test_of_two_with_the_same_seats_the_one_that_moved_second_last_moves_first() -> None:
    """As in chess, where both want the colour they had not last (FIDE Handbook C.04.3, E.1)."""
    seated = [(0, (2, 0)), (0, (1, 3)), (1, (0, 3)), (1, (2, 1))]
    drawn = ((0.5, 0.5), (0.5, 0.5))
    results = [EncounterResult(Encounter(stage, stage, both), drawn) for stage, both in seated]
    third = SWISS.stage(2, Field(entrants=4, seats=2, rounds=3, seed=0), results)
    # 0 sat second and then first, 1 first and then second; 2 sat first twice, and 3 second.
    assert [each.entrants for each in third] == [(1, 0), (3, 2)]


def test_who_joins_late_has_no_points_for_what_was_missed() -> None:
    """Of the same results, a bye for the last means another place than joining late."""
    field = Field(entrants=4, seats=2, rounds=3, seed=0)
    results = play_out(SWISS, Field(entrants=4, seats=2, rounds=1, seed=0), favourites)
    late = Field(entrants=5, seats=2, rounds=3, seed=0, joined=(0, 0, 0, 0, 1))
    assert byes_of(play_out(SWISS, late, favourites, results, 1), 5, 2)[1] == [4]
    rested = Field(entrants=5, seats=2, rounds=3, seed=0)
    assert byes_of(play_out(SWISS, rested, favourites, results, 1), 5, 2)[1] == [3]
    assert play_out(SWISS, field, favourites, results, 1)


def test_a_bye_in_the_very_stage_of_joining_is_a_bye() -> None:
    """The next one goes to somebody else, and the newcomer has the points of a win."""
    results = play_out(SWISS, Field(entrants=4, seats=2, rounds=1, seed=0), favourites)
    late = Field(entrants=5, seats=2, rounds=3, seed=0, joined=(0, 0, 0, 0, 1))
    found = play_out(SWISS, late, favourites, results, 1)
    assert byes_of(found, 5, 3)[1:] == [[4], [3]]


@pytest.mark.parametrize("seats", [3, 4])
def test_groups_of_more_meet_new_ones(seats: int) -> None:
    results = play_out(SWISS, Field(entrants=4 * seats, seats=seats, rounds=3, seed=0), luck(5))
    assert sum(count > 1 for count in meetings(results).values()) <= 2


def test_byes_late_stages_and_those_after_a_withdrawal_are_told_apart() -> None:
    swiss = make_format("swiss:bye=0.75,late=0.25")
    # Of five, 4 joined at stage 1, and 2 withdrew after stage 1.
    met = [(0, (0, 1)), (0, (2, 3)), (1, (0, 2)), (1, (1, 4)), (2, (0, 3)), (2, (1, 4))]
    results = [EncounterResult(Encounter(stage, stage, pair), ()) for stage, pair in met]
    field = Field(entrants=5, seats=2, rounds=3, seed=0, joined=(0, 0, 0, 0, 1), withdrawn={2: 2})
    assert swiss.unplayed(field, results, 3) == [
        Unplayed(2, 0.0, is_requested=True, is_last=True),
        Unplayed(3, 1.5),
        Unplayed(4, 0.5, is_requested=True),
    ]
    # A bye before a withdrawal counts, and an encounter that it cut short is no bye.
    had_bye = replace(field, withdrawn={3: 2})
    assert swiss.unplayed(had_bye, results[:4], 2)[0] == Unplayed(3, 1.5)
    in_play = replace(field, withdrawn={1: 2})
    assert swiss.unplayed(in_play, results[:3], 2) == [
        Unplayed(1, 0.0, is_requested=True, is_last=True),
        Unplayed(3, 1.5),
        Unplayed(4, 0.5, is_requested=True),
        Unplayed(4, 1.5),
    ]
    # The stage in play leaves nobody over yet.
    assert [each.entrant for each in swiss.unplayed(field, results, 1)] == [4]


def test_a_later_withdrawal_leaves_earlier_byes_as_they_were() -> None:
    # Of five, 4 has the bye in stage 0, and 1 withdraws while it plays 0; the others stay longer.
    met = [(0, (2, 3)), (1, (0, 4)), (1, (2, 3))]
    results = [EncounterResult(Encounter(stage, stage, pair), ()) for stage, pair in met]
    field = Field(entrants=5, seats=2, rounds=3, seed=0, withdrawn={1: 1})
    byes = [Unplayed(0, 2.0), Unplayed(4, 2.0)]
    for later in ({}, {4: 2}, {0: 2}, {0: 3, 4: 2}):
        found = SWISS.unplayed(replace(field, withdrawn={1: 1, **later}), results, 1)
        assert [each for each in found if each.entrant != 1] == byes
