"""Splits of regular graphs into perfect matchings, against graphs whose answer is known."""

from hypothesis import given
from hypothesis import strategies as st

from league.formats.one_factors import MatchingSearch, without


def graph(vertices: int, pairs: list[tuple[int, int]]) -> list[set[int]]:
    """Return the neighbours of each vertex."""
    found: list[set[int]] = [set() for _ in range(vertices)]
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return found


def complete(vertices: int) -> list[set[int]]:
    """Return the graph of all pairs."""
    return [set(range(vertices)) - {each} for each in range(vertices)]


OUTER = [(each, (each + 1) % 5) for each in range(5)]
SPOKES = [(each, each + 5) for each in range(5)]
STAR = [(5 + each, 5 + (each + 2) % 5) for each in range(5)]
PRISM = [(5 + each, 5 + (each + 1) % 5) for each in range(5)]


def test_the_petersen_graph_does_not_split_and_the_prism_does() -> None:
    # J. Petersen, Sur le théorème de Tait (1898): it has six perfect matchings, and what each of
    # them leaves is two pentagons.
    petersen = graph(10, [*OUTER, *SPOKES, *STAR])
    assert len(list(MatchingSearch().matchings(petersen, range(10)))) == 6
    assert not MatchingSearch().can_split(petersen)
    assert MatchingSearch().can_split(graph(10, [*OUTER, *SPOKES, *PRISM]))


def test_two_triangles_do_not_split_and_a_hexagon_does() -> None:
    triangles = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    assert not MatchingSearch().can_split(graph(6, triangles))
    assert MatchingSearch().can_split(graph(6, [(each, (each + 1) % 6) for each in range(6)]))


def test_a_complete_graph_has_as_many_perfect_matchings_as_it_must() -> None:
    for vertices, count in ((2, 1), (4, 3), (6, 15), (8, 105)):
        assert len(list(MatchingSearch().matchings(complete(vertices), range(vertices)))) == count


@given(st.sampled_from([4, 6, 8, 10]), st.integers(0, 999))
def test_a_split_can_be_taken_to_its_end(vertices: int, seed: int) -> None:
    left = complete(vertices)
    while any(left):
        search = MatchingSearch()
        found = search.matchings(left, sorted(range(vertices), key=lambda each: hash((seed, each))))
        pairs = next(each for each in found if search.can_split(without(left, each)))
        left = without(left, pairs)
    assert left == [set() for _ in range(vertices)]


def test_a_search_that_has_become_too_long_gives_up() -> None:
    search = MatchingSearch()
    search._left = 0
    assert list(search.matchings(complete(4), range(4))) == []
    assert search.can_split(graph(10, [*OUTER, *SPOKES, *STAR]))
