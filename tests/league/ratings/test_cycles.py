"""Rings of who beats whom."""

import random
from itertools import combinations

import pytest

from league.ratings.cycles import LEAST_LEAN, LEVEL, find_cycles, pairs_of, significant_cycles
from league.ratings.head_to_head import sign_test


def test_stone_scissors_paper() -> None:
    assert find_cycles({(0, 1): 0.01, (1, 2): 0.01, (2, 0): 0.01}, 5) == [(0, 1, 2)]


def test_no_ring_in_an_order() -> None:
    order = {(one, other): 0.01 for one in range(6) for other in range(one + 1, 6)}
    assert find_cycles(order, 5) == []
    assert find_cycles({}, 5) == []


def test_the_smallest_come_first_and_of_those_the_surest() -> None:
    large = {(0, 1): 0.0, (1, 2): 0.0, (2, 3): 0.0, (3, 0): 0.0}
    unsure = {(4, 5): 0.001, (5, 6): 0.04, (6, 4): 0.001}
    sure = {(7, 8): 0.01, (8, 9): 0.01, (9, 7): 0.01}
    beats = {**large, **unsure, **sure, (0, 4): 0.0, (3, 9): 0.0}
    assert find_cycles(beats, 5) == [(7, 8, 9), (4, 5, 6), (0, 1, 2, 3)]
    assert find_cycles(beats, 1) == [(7, 8, 9)]


def test_a_ring_of_chance_does_not_count() -> None:
    sure, unsure = (6, 0), (7, 1)
    assert significant_cycles({(0, 1): sure, (1, 2): sure, (0, 2): (0, 6)}, 5) == [(0, 1, 2)]
    assert significant_cycles({(0, 1): sure, (1, 2): sure, (0, 2): (1, 7)}, 5) == []
    assert significant_cycles({(0, 1): unsure}, 5) == significant_cycles({}, 5) == []


def test_the_more_bots_the_surer_a_ring_has_to_be() -> None:
    ring = {(0, 1): (6, 0), (1, 2): (6, 0), (0, 2): (0, 6)}
    even = dict.fromkeys(combinations(range(3, 60), 2), (3, 3))
    assert significant_cycles(ring | even, 5) == []
    assert significant_cycles({pair: (2 * a, 2 * b) for pair, (a, b) in ring.items()} | even, 5)


def test_equal_bots_hardly_ever_make_a_ring() -> None:
    """At 5% for every pair, sixty equal bots would have one ring in each league."""
    source = random.Random(1)
    found = 0
    for _ in range(10):
        wins = {pair: source.getrandbits(40).bit_count() for pair in combinations(range(60), 2)}
        found += bool(significant_cycles({pair: (w, 40 - w) for pair, w in wins.items()}, 1))
    assert found <= 2


@pytest.mark.slow
@pytest.mark.parametrize("decided", [6, 7, 20, 40, 139, 400, 999, 1001, 5000])
def test_no_significant_lead_is_passed_over(decided: int) -> None:
    for ahead in range(decided // 2 + 1, min(decided, decided // 2 + 200) + 1):
        lead = 2 * ahead - decided
        assert sign_test(ahead, decided - ahead) > LEVEL or lead**2 > LEAST_LEAN * decided


@pytest.mark.parametrize("seed", range(5))
def test_each_beats_the_next(seed: int) -> None:
    source = random.Random(seed)
    beats = {
        (one, other) if source.random() < 0.5 else (other, one): source.random() / 20
        for one in range(12)
        for other in range(one)
    }
    found = find_cycles(beats, 5)
    assert len(found) == len(set(found)) == 5
    # Where everybody has met, the smallest ring is always one of three.
    assert all(len(ring) == 3 and all(pair in beats for pair in pairs_of(ring)) for ring in found)
