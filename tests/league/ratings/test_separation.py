"""Results without a prior have finite ratings, or are refused with the bots that are the reason."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.elo_difference import expected_score
from league.ratings.fit import fit
from league.ratings.result_table import PairTotal
from league.ratings.separation import SeparationError
from tests.examples import examples

BOTS = 4


@st.composite
def sparse_totals(draw: st.DrawFn) -> list[PairTotal]:
    """Draw few results, so that many a pool has no finite ratings."""
    pairs = draw(st.sets(st.sampled_from(list(permutations(range(BOTS), 2))), min_size=1))
    numbers = st.integers(0, 2)
    return [PairTotal(*pair, draw(numbers), draw(numbers), draw(numbers)) for pair in sorted(pairs)]


@examples(300, quick=60)
@given(sparse_totals())
def test_without_a_prior_scores_are_those_expected_or_the_results_are_refused(
    totals: list[PairTotal],
) -> None:
    try:
        found = fit(BOTS, totals, prior=0)
    except SeparationError:
        return
    assert np.abs(found.elo).max() < 5000
    surplus, of_first = np.zeros(BOTS), 0.0
    for each in totals:
        gap = found.elo[each.first] - found.elo[each.second] + found.advantage
        extra = each.wins + each.draws / 2 - each.matches * expected_score(float(gap))
        surplus[[each.first, each.second]] += extra, -extra
        of_first += extra
    assert np.append(surplus, of_first) == pytest.approx([0] * (BOTS + 1), abs=1e-4)


@pytest.mark.parametrize(
    ("wins", "text", "bots"),
    [
        ({(0, 1): 1, (1, 0): 1}, "the first seat alone", (0, 1)),
        ({(0, 1): 2, (1, 2): 2, (0, 2): 1}, "took every point", (0,)),
    ],
)
def test_the_bots_that_are_the_reason_are_named(
    wins: dict[tuple[int, int], int], text: str, bots: tuple[int, ...]
) -> None:
    totals = [PairTotal(*pair, count, 0, 0) for pair, count in wins.items()]
    with pytest.raises(SeparationError, match=text) as refused:
        fit(3, totals, prior=0)
    assert refused.value.bots == bots
    names = ["sunfish", "toga", "gnu"]
    assert refused.value.told(names).startswith(", ".join(repr(names[bot]) for bot in bots))
