"""Knockouts: brackets, byes, replays, one champion."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.support.options import join_options
from league.formats.format import Encounter, EncounterResult, Field, Format
from league.formats.specs import FORMATS, make_format
from tests.league.formats.playing import favourites, luck, of_stage, play_out

NAMES = [f"bot {number}" for number in range(40)]


def make(**options: str) -> Format:
    """Make a knockout under options."""
    return make_format("knockout:" + join_options(options, ","))


def drawn(encounter: Encounter, rotation: int) -> tuple[float, ...]:
    """Let nobody win."""
    return (0.5,) * len(encounter.entrants)


@given(
    st.integers(2, 33),
    st.integers(2, 5),
    st.sampled_from(["half", "one"]),
    st.sampled_from(["standard", "listed", "drawn"]),
    st.sampled_from(["seeding", "lot"]),
    st.integers(0, 99),
)
def test_one_champion_is_left_who_never_lost(
    entrants: int, seats: int, advance: str, seeding: str, decide: str, seed: int
) -> None:
    if entrants < seats:
        return
    knockout = make(advance=advance, seeding=seeding, decide=decide, replays="1")
    field = Field(entrants=entrants, seats=seats, rounds=1, seed=seed)
    results = play_out(knockout, field, luck(seed))
    champion = NAMES.index(knockout.verdict(field, results, NAMES).removesuffix(" is the champion"))
    points: dict[frozenset[int], Counter[int]] = {}
    for result in results:
        table = points.setdefault(frozenset(result.encounter.entrants), Counter())
        for entrant, gained in zip(result.encounter.entrants, result.points, strict=True):
            table[entrant] += round(1000 * gained)
    mine = [table for group, table in points.items() if champion in group]
    if seats == 2:
        assert all(table[champion] == max(table.values()) for table in mine)
        # Each tie but the third place's puts one out.
        assert len(points) == entrants - 1
    assert mine
    # Nobody is unheard of: a bye spares a round, never the tournament.
    assert {entrant for group in points for entrant in group} == set(range(entrants))


def test_the_usual_bracket_of_eight() -> None:
    results = play_out(make(), Field(entrants=8, seats=2, rounds=1, seed=0), favourites)
    assert [each.encounter.entrants for each in results] == [
        *[(0, 7), (1, 6), (2, 5), (3, 4)],
        *[(0, 3), (1, 2)],
        (0, 1),
    ]


def test_byes_go_to_the_best_in_the_first_round() -> None:
    results = play_out(make(), Field(entrants=11, seats=2, rounds=1, seed=0), favourites)
    assert [each.entrants for each in of_stage(results, 0)] == [(5, 10), (6, 9), (7, 8)]
    assert [each.entrants for each in of_stage(results, 1)] == [(0, 7), (1, 6), (2, 5), (3, 4)]


def test_an_upset_takes_the_place_of_who_was_beaten() -> None:
    def upset(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        return (0.0, 1.0) if encounter.entrants == (0, 7) else favourites(encounter, rotation)

    results = play_out(make(), Field(entrants=8, seats=2, rounds=1, seed=0), upset)
    assert [each.entrants for each in of_stage(results, 1)] == [(7, 3), (1, 2)]


def test_listed_neighbours_meet() -> None:
    results = play_out(
        make(seeding="listed"), Field(entrants=8, seats=2, rounds=1, seed=0), favourites
    )
    assert [each.encounter.entrants for each in results] == [
        *[(0, 1), (2, 3), (4, 5), (6, 7)],
        *[(0, 2), (4, 6)],
        (0, 4),
    ]


@pytest.mark.parametrize(
    ("seats", "advance", "entrants", "groups"),
    [
        (4, "half", 16, [4, 2, 1]),
        (4, "half", 6, [1, 1]),
        (4, "one", 16, [4, 1]),
        (3, "half", 9, [3, 1]),
        (3, "half", 5, [1, 1]),
        (3, "half", 4, [1, 1]),
    ],
)
def test_rounds_of_more_seats(seats: int, advance: str, entrants: int, groups: list[int]) -> None:
    knockout = make(advance=advance)
    field = Field(entrants=entrants, seats=seats, rounds=1, seed=0)
    results = play_out(knockout, field, favourites)
    found = Counter(each.encounter.stage for each in results)
    assert [found[stage] for stage in sorted(found)] == groups
    assert knockout.verdict(field, results, NAMES) == "bot 0 is the champion"


def test_the_winners_of_groups_are_kept_apart_before_the_seconds() -> None:
    results = play_out(make(), Field(entrants=16, seats=4, rounds=1, seed=0), favourites)
    assert [each.entrants for each in of_stage(results, 1)] == [(0, 3, 7, 4), (1, 2, 6, 5)]


def test_ties_are_replayed_from_the_next_opening_and_then_decided() -> None:
    field = Field(entrants=2, seats=2, rounds=2, seed=0)
    results = play_out(make(replays="3"), field, drawn)
    assert [(each.encounter.stage, each.encounter.opening) for each in results] == [
        (0, 0),
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
    ]
    assert make().verdict(field, results, NAMES) == "bot 0 is the champion"
    lots = {
        make(decide="lot").verdict(replace(field, seed=seed), results, NAMES) for seed in range(9)
    }
    assert lots == {"bot 0 is the champion", "bot 1 is the champion"}


def test_a_replay_that_decides_is_the_last() -> None:
    def late(encounter: Encounter, rotation: int) -> tuple[float, ...]:
        return (0.0, 1.0) if encounter.opening == 2 else (0.5, 0.5)

    field = Field(entrants=2, seats=2, rounds=1, seed=0)
    results = play_out(make(replays="5"), field, late)
    assert [each.encounter.opening for each in results] == [0, 1, 2]
    assert make(replays="5").verdict(field, results, NAMES) == "bot 1 is the champion"
    assert make(replays="5").verdict(field, results[:2], NAMES) == ""


def test_the_third_place() -> None:
    field = Field(entrants=8, seats=2, rounds=1, seed=0)
    results = play_out(make(third="yes"), field, favourites)
    assert [each.entrants for each in of_stage(results, 2)] == [(0, 1), (3, 2)]
    verdict = make(third="yes").verdict(field, results, NAMES)
    assert verdict == "bot 0 is the champion, bot 2 is third"
    field = Field(entrants=3, seats=2, rounds=1, seed=0)
    results = play_out(make(third="yes"), field, favourites)
    verdict = make(third="yes").verdict(field, results, NAMES)
    assert verdict == "bot 0 is the champion, bot 2 is third"
    with pytest.raises(ValueError, match="the final ranks all"):
        make(third="yes").check(Field(entrants=8, seats=4, rounds=1, seed=0))


def test_who_withdraws_loses_unless_the_tie_was_played() -> None:
    field = Field(entrants=4, seats=2, rounds=1, seed=0)
    first: list[EncounterResult] = play_out(make(), field, favourites)[:2]
    gone = replace(field, withdrawn={0: 0})
    results = play_out(make(), gone, favourites, first, 1)
    assert len(results) == 2
    assert make().verdict(gone, results, NAMES) == "bot 1 is the champion"
    # Nobody has played yet: the tie is lost without one.
    assert [each.encounter.entrants for each in play_out(make(), gone, favourites)] == [
        (1, 2),
        (3, 1),
    ]


def test_bots_cannot_join_a_bracket() -> None:
    assert not FORMATS.find("knockout").is_open
    assert not FORMATS.find("knockout").is_extensible


def test_the_bracket_is_told_round_by_round() -> None:
    knockout, field = make(third="yes", replays="0"), Field(entrants=4, seats=2, rounds=1, seed=0)
    assert [(tie.round, tie.points, tie.through) for tie in knockout.ties(field, [])] == [
        (0, (), ()),
        (0, (), ()),
    ]
    ties = knockout.ties(field, play_out(knockout, field, favourites))
    assert [(tie.round, sorted(tie.entrants), tie.through) for tie in ties] == [
        (0, [0, 3], (0,)),
        (0, [1, 2], (1,)),
        (1, [0, 1], (0,)),
        (1, [2, 3], (2,)),
    ]
    assert [dict(zip(tie.entrants, tie.points, strict=True)) for tie in ties][:2] == [
        {0: 2.0, 3: 0.0},
        {1: 2.0, 2: 0.0},
    ]
