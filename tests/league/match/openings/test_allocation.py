"""Which opening an encounter starts from."""

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from league.match.openings import BookOpenings, Opening, allocation_of
from league.match.openings.allocation import OpeningAllocation
from league.model.records import Limits, TournamentConfig


def numbers(available: int, groups: Sequence[tuple[int, ...]], most: int = 10**6) -> list[int]:
    """Return the openings of encounters of these entrants."""
    book = BookOpenings([Opening("connectfour", (number,)) for number in range(available)])
    found = OpeningAllocation(book, most)
    return [found.number(each, groups.__getitem__) for each in range(len(groups))]


def test_each_encounter_has_its_own_while_they_last() -> None:
    pairs = [*combinations(range(5), 2)] * 3
    assert numbers(100, pairs) == list(range(30))


@given(st.integers(2, 6), st.integers(1, 9), st.data())
@settings(max_examples=50)
def test_bots_meet_from_every_opening_before_one_repeats(
    entrants: int, available: int, data: st.DataObject
) -> None:
    pairs = [*combinations(range(entrants), 2)] * available
    if data.draw(st.booleans()):
        pairs = data.draw(st.permutations(pairs))
    given = numbers(available, pairs)
    for pair in set(pairs):
        had = [number for each, number in zip(pairs, given, strict=True) if each == pair]
        assert sorted(had) == list(range(available))
    swapped = [(other, one) for one, other in pairs]
    assert numbers(available, swapped) == given


def test_no_more_are_drawn_than_are_needed() -> None:
    assert max(numbers(10**4, [(0, 1), (0, 2), (1, 2)] * 5, most=5)) == 4
    config = TournamentConfig(
        game="tictactoe", entrants=(1, 2), rounds=3, seed=7, opening_plies=1, limits=Limits()
    )
    openings = BookOpenings([Opening("tictactoe", (number,)) for number in range(2000)])
    drawn = allocation_of(config, openings)
    assert [drawn.number(each, lambda _: (0, 1)) for each in (999, 1000)] == [999, 0]
