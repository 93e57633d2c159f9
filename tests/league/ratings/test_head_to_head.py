"""Results added up by hand."""

from itertools import product

import pytest

from league.ratings.elo_difference import Counts, difference, score_interval
from league.ratings.head_to_head import EXACT_MAX, KINDS, HeadToHead, sign_test


def test_every_encounter_is_of_its_kind() -> None:
    head_to_head = HeadToHead()
    for results in product((1, 0, -1), repeat=2):
        head_to_head.add(results, is_pair=True)
    # Two orders make one kind, but for the three where both matches went the same way.
    assert [head_to_head.kinds[kind] for kind in KINDS] == [1, 2, 2, 1, 2, 1]
    assert (head_to_head.wins, head_to_head.draws, head_to_head.losses, head_to_head.points) == (
        6,
        6,
        6,
        9,
    )
    assert (head_to_head.ahead, head_to_head.behind) == (3, 3)
    assert head_to_head.counts == Counts((1, 2, 3, 2, 1))
    assert head_to_head.left_out == 0


def test_what_is_not_whole_counts_by_matches_alone() -> None:
    head_to_head = HeadToHead()
    head_to_head.add([1])
    head_to_head.add([0])
    assert head_to_head.counts == Counts.of_matches(1, 0, 1)
    head_to_head.add([1, -1], is_pair=True)
    assert head_to_head.counts == Counts.of_encounters(0, 0, 1, 0, 0, 0)
    assert head_to_head.left_out == 2
    assert head_to_head.score == 2.5 / 4
    assert head_to_head.draw_rate == 1 / 4


def test_figures_are_those_of_the_counts() -> None:
    head_to_head = HeadToHead()
    for results in [(1, 1)] * 3 + [(1, -1)] * 5 + [(0, 1)] * 2:
        head_to_head.add(results, is_pair=True)
    counts = Counts.of_encounters(0, 0, 5, 0, 2, 3)
    assert head_to_head.difference == difference(counts)
    assert head_to_head.interval == score_interval(counts)
    assert head_to_head.score == 0.7
    empty = HeadToHead()
    assert (empty.difference, empty.interval, empty.score) == (None, (0, 1), 0.5)
    assert empty.draw_rate == 0


def test_two_tallies_as_one() -> None:
    one, other, both = HeadToHead(), HeadToHead(), HeadToHead()
    for head_to_head in (one, both):
        head_to_head.add([1, 0], is_pair=True)
    for head_to_head in (other, both):
        head_to_head.add([-1, -1], is_pair=True)
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
