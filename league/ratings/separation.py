"""Separation: results without finite ratings of maximum likelihood.

The term is that of A. Albert and J. Anderson (On the Existence of Maximum Likelihood Estimates in
Logistic Regression Models, 1984). Without an advantage of a seat, the ratings are finite unless a
bot or a group took all points from the rest of its pool (L. R. Ford, Solution of a Ranking Problem
from Binary Comparisons, 1957).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from games.support.errors import OptionError
from league.ratings.result_table import PairTotal

NAMED = 4
"""So many bots of a group are named."""


class SeparationError(ValueError):
    """Results have no finite ratings; `bots` are the positions of those that are the reason."""

    def __init__(self, bots: Sequence[int], fault: str) -> None:
        super().__init__(f"{fault}: the results have no finite ratings")
        self.bots = tuple(bots)

    def told(self, names: Sequence[str]) -> str:
        """Say it with the names of bots by position."""
        shown = [repr(names[bot]) for bot in self.bots[:NAMED]]
        rest = len(self.bots) - len(shown)
        return f"{', '.join(shown)}{f' and {rest} more' if rest else ''}: {self}"


@contextmanager
def naming(names: Callable[[], Sequence[str]]) -> Iterator[None]:
    """Raise `OptionError` with the names of bots by position where there are no finite ratings."""
    try:
        yield
    except SeparationError as error:
        raise OptionError(f"{error.told(names())}; rate it with a prior above 0", "prior") from None


def check_separation(
    bots: int, played: Sequence[PairTotal], pools: Sequence[Sequence[int]], has_advantage: bool
) -> None:
    """Raise `SeparationError` if results of pairs have no finite ratings without a prior."""
    beaten: list[set[int]] = [set() for _ in range(bots)]
    beat: list[set[int]] = [set() for _ in range(bots)]
    for each in played:
        scores = {(each.first, each.second): each.wins, (each.second, each.first): each.losses}
        for (winner, loser), count in scores.items():
            if count or each.draws:
                beaten[winner].add(loser)
                beat[loser].add(winner)
    for pool in pools:
        weaker, stronger = _reached(pool[0], beaten), _reached(pool[0], beat)
        if weaker != set(pool):
            stronger = set(pool) - weaker
        if stronger != set(pool):
            raise SeparationError(sorted(stronger), "took every point from the rest of the pool")
    if not has_advantage:
        return
    met = sorted({bot for each in played for bot in (each.first, each.second)})
    drawn = [PairTotal(each.first, each.second, 0, 1, 0) for each in played]
    if _is_explained(bots, drawn, 1):
        raise SeparationError(met, "strength and the first seat's advantage are inseparable")
    for advantage, seat in ((1, "first"), (-1, "second")):
        if _is_explained(bots, played, advantage):
            raise SeparationError(met, f"the {seat} seat alone can explain every result")


def _reached(begin: int, edges: Sequence[set[int]]) -> set[int]:
    found, edge = {begin}, [begin]
    while edge:
        new = edges[edge.pop()] - found
        found |= new
        edge += new
    return found


def _is_explained(bots: int, played: Sequence[PairTotal], advantage: int) -> bool:
    """Whether there are ratings with which an advantage of 1 or -1 makes every result likely.

    These are the potentials of difference constraints, which the algorithm of R. Bellman and L.
    Ford finds unless they contradict each other.
    """
    first = np.array([each.first for each in played], dtype=np.intp)
    second = np.array([each.second for each in played], dtype=np.intp)
    scored = np.array([each.wins + each.draws > 0 for each in played], dtype=bool)
    conceded = np.array([each.losses + each.draws > 0 for each in played], dtype=bool)
    above = np.concatenate([first[scored], second[conceded]])
    below = np.concatenate([second[scored], first[conceded]])
    lead = np.repeat([advantage, -advantage], [scored.sum(), conceded.sum()])
    ratings = np.zeros(bots)
    for _ in range(bots + 1):
        before = ratings.copy()
        np.minimum.at(ratings, below, ratings[above] + lead)
        if np.array_equal(before, ratings):
            return True
    return False
