"""Which opening an encounter starts from."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from league.match.openings import EncounterOpenings, Opening, openings_of, pack
from league.match.openings.allocation import rank
from league.model.records import Limits, TournamentConfig

DRAWN = TournamentConfig(
    game="connectfour", entrants=(1, 2), rounds=3, seed=7, opening_plies=4, limits=Limits()
)


def openings(available: int, groups: Sequence[tuple[int, ...]]) -> list[Opening]:
    """Return what encounters of these entrants start from; 0 available means drawn ones."""
    book = pack([Opening("connectfour", (number,)) for number in range(available)])
    config = replace(DRAWN, openings="digest" if available else "")
    own = EncounterOpenings(config, openings_of(config, book if available else ""))
    return [own.opening(number, groups.__getitem__) for number in range(len(groups))]


def test_of_a_book_each_pair_takes_the_next_and_then_moves_on() -> None:
    pairs = [*combinations(range(3), 2)] * 2
    assert [each.moves for each in openings(9, pairs)] == [(0,), (1,), (2,), (1,), (2,), (3,)]


def test_drawn_ones_are_drawn_for_each_encounter() -> None:
    pairs = [*combinations(range(4), 2)] * 4
    assert len(set(openings(0, pairs))) > 20
    assert len(set(openings(0, [(0, 1)] * 50))) == 50


@given(st.integers(2, 5), st.integers(0, 6), st.data())
def test_the_order_of_planning_decides_nothing_and_no_opening_comes_again_early(
    entrants: int, available: int, data: st.DataObject
) -> None:
    pairs = [*combinations(range(entrants), 2)] * (available or 3)
    by_pair: list[dict[tuple[int, ...], list[Opening]]] = []
    for order in (pairs, data.draw(st.permutations(pairs)), [each[::-1] for each in pairs]):
        found: dict[tuple[int, ...], list[Opening]] = {}
        for pair, opening in zip(order, openings(available, order), strict=True):
            found.setdefault(tuple(sorted(pair)), []).append(opening)
        by_pair.append(found)
    assert by_pair[0] == by_pair[1] == by_pair[2]
    for had in by_pair[0].values():
        assert len(set(had)) == len(had)


def test_ranks_do_not_depend_on_who_joins_later() -> None:
    for size in (2, 3):
        groups = sorted(combinations(range(7), size), key=lambda group: group[::-1])
        assert list(map(rank, groups)) == list(range(len(groups)))
