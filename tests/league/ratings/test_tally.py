"""Results added up by hand."""

from itertools import product

import pytest

from league.ratings.counts import Counts, difference, score_interval
from league.ratings.tally import EXACT_MAX, KINDS, Tally, sign_test


def test_every_encounter_is_of_its_kind() -> None:
    tally = Tally()
    for results in product((1, 0, -1), repeat=2):
        tally.add(results, is_pair=True)
    # Two orders make one kind, but for the three where both matches went the same way.
    assert [tally.kinds[kind] for kind in KINDS] == [1, 2, 2, 1, 2, 1]
    assert (tally.wins, tally.draws, tally.losses, tally.points) == (6, 6, 6, 9)
    assert (tally.ahead, tally.behind) == (3, 3)
    assert tally.counts == Counts((1, 2, 3, 2, 1))
    assert tally.left_out == 0


def test_what_is_not_whole_counts_by_matches_alone() -> None:
    tally = Tally()
    tally.add([1])
    tally.add([0])
    assert tally.counts == Counts.of_matches(1, 0, 1)
    tally.add([1, -1], is_pair=True)
    assert tally.counts == Counts.of_encounters(0, 0, 1, 0, 0, 0)
    assert tally.left_out == 2
    assert tally.score == 2.5 / 4


def test_figures_are_those_of_the_counts() -> None:
    tally = Tally()
    for results in [(1, 1)] * 3 + [(1, -1)] * 5 + [(0, 1)] * 2:
        tally.add(results, is_pair=True)
    counts = Counts.of_encounters(0, 0, 5, 0, 2, 3)
    assert tally.difference == difference(counts)
    assert tally.interval == score_interval(counts)
    assert tally.as_json()["score"] == 0.7
    empty = Tally()
    assert (empty.difference, empty.interval, empty.score) == (None, (0, 1), 0.5)


def test_two_tallies_as_one() -> None:
    one, other, both = Tally(), Tally(), Tally()
    for tally in (one, both):
        tally.add([1, 0], is_pair=True)
    for tally in (other, both):
        tally.add([-1, -1], is_pair=True)
    one.merge(other)
    assert one == both


@pytest.mark.parametrize(
    ("ahead", "behind", "chance"),
    [(0, 0, 1), (5, 0, 0.0625), (6, 0, 0.03125), (9, 1, 22 / 1024), (1, 9, 22 / 1024), (4, 4, 1)],
)
def test_the_sign_test_by_hand(ahead: int, behind: int, chance: float) -> None:
    assert sign_test(ahead, behind) == pytest.approx(chance)


def test_many_signs_are_as_good_as_exact() -> None:
    half = EXACT_MAX // 2
    assert sign_test(half + 40, half - 38) == pytest.approx(
        sign_test(half + 39, half - 39), rel=0.1
    )
    assert sign_test(half, half + 1) == pytest.approx(1, abs=0.01)
    assert sign_test(half + 1, half + 1) == 1
    assert sign_test(10**6, 0) < 1e-9
