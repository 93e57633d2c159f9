"""Rings of who beats whom."""

import random

import pytest

from league.ratings.cycles import find_cycles, pairs_of


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
