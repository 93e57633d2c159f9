"""Tables: tie-breaks by the worked examples of FIDE, and what holds for any results."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.formats.format import Field
from league.formats.specs import make_format
from league.formats.table import PointsTable, Scores, Unplayed, make_table
from league.model.tiebreak import Tiebreak
from league.ratings.result_table import ResultColumns
from tests.examples import examples
from tests.league.formats.playing import luck, play_out, table

BYE, ASKED, AWAY = "bye", "asked", "away"

Round = tuple[int | str, float]
"""The opponent, or why there was none, and the points."""

EXERCISES: Mapping[int, Sequence[Round]] = {
    1: [(9, 1), (13, 0.5), (2, 0.5), (15, 1), (4, 0.5)],
    2: [(10, 1), (7, 1), (1, 0.5), (16, 1), (3, 0.5)],
    3: [(11, 0.5), (6, 1), (8, 1), (4, 0.5), (2, 0.5)],
    4: [(12, 1), (ASKED, 0.5), (13, 1), (3, 0.5), (1, 0.5)],
    5: [(13, 0), (15, 0), (11, 1), (7, 0.5), (10, 1)],
    6: [(14, 0), (3, 0), (BYE, 1), (10, 1), (8, 1)],
    7: [(15, 1), (2, 0), (16, 0), (5, 0.5), (11, 0)],
    8: [(16, 0.5), (14, 1), (3, 0), (13, 1), (6, 0)],
    9: [(1, 0), (10, 0), (ASKED, 0.5), (ASKED, 0), (BYE, 1)],
    10: [(2, 0), (9, 1), (15, 0), (6, 0), (5, 0)],
    11: [(3, 0.5), (16, 0), (5, 0), (BYE, 1), (7, 1)],
    12: [(4, 0), (BYE, 1), (BYE, 1), (AWAY, 0), (AWAY, 0)],
    13: [(5, 1), (1, 0.5), (4, 0), (8, 0), (14, 0)],
    14: [(6, 1), (8, 0), (ASKED, 0), (ASKED, 0), (13, 1)],
    15: [(7, 0), (5, 1), (10, 1), (1, 0), (16, 0)],
    16: [(8, 0.5), (11, 1), (7, 1), (2, 0), (15, 1)],
}
"""FIDE Technical Commission, Tie-Break Exercises (2024): a Swiss tournament of five rounds.

The row of 12 is made so that it counts 3.0 as an opponent, as it does there.
"""

LAXMAN: Mapping[int, Sequence[Round]] = {
    1: [
        *((11, 1), (12, 1), (13, 0), (ASKED, 0), (15, 1)),
        *((16, 0.5), (17, 1), (18, 0.5), (19, 1), (20, 1)),
    ],
}
LAXMAN_OPPONENTS = {
    **{11: 5.0, 12: 5.0, 13: 6.5, 15: 4.5, 16: 6.0},
    **{17: 5.0, 18: 6.5, 19: 5.5, 20: 6.0},
}
"""FIDE Arbiters' Manual 2026, annex to C.07: one player of ten rounds, and the final scores of the
opponents."""


def scores_of(rounds: Mapping[int, Sequence[Round]], extra: Mapping[int, float]) -> Scores:
    """Return a chess tournament with both matches of each encounter ending as the game did.

    Points are therefore twice those of the example. `extra` are points besides those in `rounds`.
    """
    rows, unplayed = [], []
    for entrant, line in rounds.items():
        for other, points in line:
            if isinstance(other, str):
                is_away = other == AWAY
                unplayed.append(Unplayed(entrant, 2 * points, other != BYE, is_away))
            elif entrant < other:
                rows.append(((entrant, other), (points, 1 - points), 2.0))
    unplayed += [Unplayed(entrant, 2 * points) for entrant, points in extra.items()]
    return Scores(
        entrants=21,
        results=ResultColumns.of(rows),
        stages=max(map(len, rounds.values())),
        unplayed=unplayed,
    )


@pytest.fixture(scope="module")
def exercises() -> Scores:
    """Return the tournament of the exercises."""
    return scores_of(EXERCISES, {})


def test_scores_are_those_of_the_exercises(exercises: Scores) -> None:
    scores = {1: 3.5, 2: 4, 3: 3.5, 4: 3.5, 7: 1.5, 10: 1, 11: 2.5, 13: 1.5, 15: 2, 16: 3.5}
    assert {each: exercises.points[each] / 2 for each in scores} == scores


def test_buchholz_is_that_of_the_exercises(exercises: Scores) -> None:
    assert exercises.buchholz()[2] / 2 == 1.0 + 1.5 + 3.5 + 3.5 + 3.5


def test_a_cut_leaves_out_a_requested_bye_before_the_least_opponent(exercises: Scores) -> None:
    assert exercises.adjusted[12] / 2 == 3.0
    assert exercises.buchholz_cut1()[4] / 2 == 3.5 + 3.5 + 3.0 + 1.5


def test_sonneborn_berger_is_that_of_the_exercises(exercises: Scores) -> None:
    assert exercises.sonneborn_berger()[16] / 4 == 7.25
    # Its unplayed round, which it was given, is against a dummy of its own score, 2.5.
    assert exercises.sonneborn_berger()[11] / 4 == 1.75 + 2.5 + 1.5


def test_a_dummy_scores_no_more_than_draws() -> None:
    own = sum(points for _, points in LAXMAN[1])
    assert own == 7.0
    others = {
        each: score - sum(1 - points for other, points in LAXMAN[1] if other == each)
        for each, score in LAXMAN_OPPONENTS.items()
    }
    found = scores_of(LAXMAN, others)
    assert found.buchholz()[1] / 2 == 55
    assert found.buchholz_cut1()[1] / 2 == 50
    assert found.sonneborn_berger()[1] / 4 == 37.25


def duels(*results: tuple[int, int, float], entrants: int) -> Scores:
    """Return encounters of two matches that both ended so."""
    rows = [((one, other), (points, 1 - points), 2.0) for one, other, points in results]
    return Scores(entrants=entrants, results=ResultColumns.of(rows))


def order(found: PointsTable) -> list[list[int]]:
    """List the entrants by rank."""
    ranks = sorted({row.rank for row in found.rows})
    return [[row.entrant for row in found.rows if row.rank == rank] for rank in ranks]


def test_direct_encounters_decide_where_all_have_met() -> None:
    # 0 beat 1 and 2 drew with both: 0 is first, 2 second.
    tied = duels((0, 1, 1), (0, 2, 0.5), (1, 2, 0.5), (1, 3, 1), (2, 3, 0.5), entrants=4)
    assert tied.direct([0, 1, 2])[0] == [[0], [2], [1]]


def test_direct_encounters_are_counted_again_among_those_still_tied() -> None:
    # 0, 1 and 2 have two points each among the four, 3 has none; among the three, all have one.
    around = [(0, 1, 1.0), (1, 2, 1.0), (2, 0, 1.0), (0, 3, 1.0), (1, 3, 1.0), (2, 3, 1.0)]
    parts, points = duels(*around, entrants=4).direct([0, 1, 2, 3])
    assert parts == [[0, 1, 2], [3]]
    assert points == {0: 4, 1: 4, 2: 4, 3: 0}


def test_who_is_first_whatever_the_missing_encounters_is_first() -> None:
    # FIDE C.07, article 6.3: 0 beat 1 and 2, who have not met.
    won = duels((0, 1, 1), (0, 2, 1), entrants=3).direct([0, 1, 2])
    assert won == ([[0], [1, 2]], {0: 4})
    # The points of those who are not placed so do not count.
    assert duels((0, 1, 1), entrants=3).direct([0, 1, 2]) == ([[0, 1, 2]], {})


def test_places_come_before_points() -> None:
    scores = duels((0, 1, 1), (2, 3, 1), entrants=4)
    assert order(make_table(scores, [[1, 3], [0, 2]], ())) == [[1, 3], [0, 2]]
    assert order(make_table(scores, [[0, 1, 2, 3]], (), is_by_points=False)) == [[0, 1, 2, 3]]


def test_the_winner_is_named_with_what_decided() -> None:
    names = ["ann", "bob", "cy"]
    everybody = [[0, 1, 2]]
    clear = duels((0, 1, 1), (1, 2, 1), (0, 2, 1), entrants=3)
    assert make_table(clear, everybody, tuple(Tiebreak)).winner(names) == "ann wins with 4 points"
    level = duels((0, 1, 1), (0, 2, 0), (1, 2, 0.5), entrants=3)
    assert make_table(level, everybody, ()).winner(names) == "cy wins with 3 points"
    around = duels((0, 1, 1), (1, 2, 1), (2, 0, 0.5), (1, 0, 0.5), entrants=3)
    told = make_table(around, everybody, [Tiebreak.DIRECT]).winner(names)
    assert told == "ann wins with 4 points"
    shared = make_table(duels((0, 1, 0.5), entrants=2), [[0, 1]], tuple(Tiebreak))
    assert shared.winner(names) == "ann and bob tie for first with 1 point each"


def test_the_tie_break_that_decided_is_named() -> None:
    # 0, 1 and 3 have three points each; 3 beat 0 and drew with 1.
    level = duels((0, 1, 1), (1, 2, 1), (0, 3, 0), (1, 3, 0.5), (0, 2, 0.5), entrants=4)
    found = make_table(level, [[0, 1, 2, 3]], [Tiebreak.DIRECT])
    assert found.decided is Tiebreak.DIRECT
    told = found.winner(["ann", "bob", "cy", "di"])
    assert told == "di wins with 3 points, ahead of ann by direct encounter"


@given(st.integers(2, 8), st.integers(1, 6), st.integers(0, 999), st.permutations(list(Tiebreak)))
@examples(40, quick=10)
def test_a_table_is_a_ranking_of_everybody(
    entrants: int, rounds: int, seed: int, tiebreaks: list[Tiebreak]
) -> None:
    swiss = make_format("swiss:bye=0.5")
    field = Field(entrants=entrants, seats=2, rounds=rounds, seed=seed)
    results = play_out(swiss, field, luck(seed))
    unplayed = swiss.unplayed(field, results, rounds)
    found = table(results, field, tiebreaks, unplayed)
    assert found == table(results[::-1], field, tiebreaks, unplayed)
    assert sorted(row.entrant for row in found.rows) == list(range(entrants))
    # Direct encounters tell only some of a group apart where not all have met.
    of_all = [each for each, name in enumerate(tiebreaks) if name is not Tiebreak.DIRECT]
    for number, (one, other) in enumerate(pairwise(found.rows)):
        assert one.points >= other.points
        assert other.rank in (one.rank, number + 2)
        if one.rank == other.rank:
            assert one.points == other.points
            assert [one.tiebreaks[each] for each in of_all] == [
                other.tiebreaks[each] for each in of_all
            ]
    # Every match gives one point, and every bye one of two.
    played = 2 * len(results) + entrants % 2 * rounds
    assert sum(row.points for row in found.rows) == pytest.approx(played)


@given(st.integers(3, 8), st.integers(0, 999))
@examples(40, quick=10)
def test_in_a_round_robin_buchholz_tells_nothing(entrants: int, seed: int) -> None:
    # Everybody has met everybody: who has more points has met those with fewer.
    field = Field(entrants=entrants, seats=2, rounds=1, seed=seed)
    results = play_out(make_format("roundrobin"), field, luck(seed))
    rows = table(results, field, [Tiebreak.BUCHHOLZ]).rows
    total = sum(row.points for row in rows)
    assert all(row.tiebreaks == (total - row.points,) for row in rows)
    for one, other in combinations(rows, 2):
        assert (one.rank == other.rank) == (one.points == other.points)
