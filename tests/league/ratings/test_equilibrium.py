"""The maximum entropy equilibrium: published examples, OpenSpiel's answers, and what must hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.ratings.equilibrium import equilibrium
from league.ratings.result_table import Floats

RING = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
ORDER = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])

OF_OPENSPIEL = (
    ("0 2 -1 3 1, -2 0 1 2 2, 1 -1 0 1 3, -3 -2 -1 0 1, -1 -2 -3 -1 0", [0.25, 0.25, 0.5, 0, 0]),
    (
        "0 -2 -1 0 0 -1 4, 2 0 -3 -3 -1 2 -2, 1 3 0 2 1 -3 0, 0 3 -2 0 -2 1 -4, 0 1 -1 2 0 -2 -1, "
        "1 -2 3 -1 2 0 4, -4 2 0 4 1 -4 0",
        [0.05, 0, 0, 0.45, 0, 0.4, 0.1],
    ),
)
"""Payoffs, and the mix by OpenSpiel 2.0 with CVXPY 1.9; in the second, equilibria are many."""


def drawn(size: int, seed: int) -> Floats:
    """Draw payoffs of which no two are alike: the equilibrium is unique."""
    source = np.random.default_rng(seed)
    ranked, ringed = source.normal(size=size), source.normal(size=(size, size))
    payoffs: Floats = np.subtract.outer(ranked, ranked) * source.random() + (ringed - ringed.T)
    return payoffs


sizes, seeds = st.integers(1, 12), st.integers(0, 2**32)


@pytest.mark.parametrize("much", [0, 0.1, 0.4, 0.6, 3])
def test_a_ring_mixed_with_an_order(much: float) -> None:
    """Source: D. Balduzzi et al., Re-evaluating Evaluation (2018), the example of section 3."""
    mix = [(1 + much) / 3, (1 - 2 * much) / 3, (1 + much) / 3] if much < 0.5 else [1, 0, 0]
    assert equilibrium(RING + much * ORDER) == pytest.approx(mix, abs=1e-7)


@pytest.mark.parametrize(("payoffs", "mix"), OF_OPENSPIEL)
def test_the_mix_of_openspiel(payoffs: str, mix: list[float]) -> None:
    rows = [[float(each) for each in row.split()] for row in payoffs.split(",")]
    assert equilibrium(np.array(rows)) == pytest.approx(mix, abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_mix_of_openspiel_where_it_is_installed(seed: int) -> None:
    pytest.importorskip("cvxpy")
    nash = pytest.importorskip("open_spiel.python.algorithms.nash_averaging")
    payoffs = drawn(8, seed)
    expected = nash._max_entropy_symmetric_nash(payoffs).ravel()
    assert equilibrium(payoffs) == pytest.approx(expected, abs=1e-4)


def test_choices_that_are_even_share_evenly() -> None:
    assert equilibrium(np.zeros((0, 0))).tolist() == []
    assert equilibrium(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    twice = [0, 1, 2, 2]
    assert equilibrium(RING[np.ix_(twice, twice)]) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])


@given(sizes, seeds, st.booleans())
def test_nothing_gains_against_the_mix(size: int, seed: int, is_rounded: bool) -> None:
    payoffs = np.round(drawn(size, seed)) if is_rounded else drawn(size, seed)
    mix = equilibrium(payoffs)
    assert mix.sum() == pytest.approx(1)
    assert (mix >= 0).all()
    assert (payoffs @ mix).max() < 1e-6 * max(1, np.abs(payoffs).max())


@given(sizes, seeds, st.data())
def test_copies_share_what_the_original_had(size: int, seed: int, data: st.DataObject) -> None:
    payoffs = drawn(size, seed)
    copied = data.draw(st.lists(st.integers(0, size - 1), max_size=5))
    places = [*range(size), *copied]
    mix = equilibrium(payoffs)
    wider = equilibrium(payoffs[np.ix_(places, places)])
    assert np.bincount(places, wider) == pytest.approx(mix, abs=1e-5)
    assert payoffs @ np.bincount(places, wider) == pytest.approx(payoffs @ mix, abs=1e-4)


def test_two_hundred_choices_take_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    solve = np.linalg.solve

    def counted(matrix: Floats, right: Floats) -> Floats:
        steps.append(len(matrix))
        found: Floats = solve(matrix, right)
        return found

    monkeypatch.setattr(np.linalg, "solve", counted)
    payoffs = drawn(200, 1)
    assert (payoffs @ equilibrium(payoffs)).max() < 1e-6
    assert len(steps) < 400
