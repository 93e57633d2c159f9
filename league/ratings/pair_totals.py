"""Matches as totals between pairs of bots: all that a fitted rating needs to know of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class PairTotal:
    """What `first` scored against `second` in the matches in which it had the earlier seat.

    Both are positions from 0. Counts of matches; in games for more than two, shares of them.
    """

    first: int
    second: int
    wins: float
    draws: float
    losses: float

    @property
    def matches(self) -> float:
        """How many matches that is."""
        return self.wins + self.draws + self.losses


def pair_totals(
    matches: Iterable[tuple[Sequence[int], Sequence[float]]], sides: Sequence[int] = ()
) -> list[PairTotal]:
    """Add up matches, each the bots and their points by seat, in the order of the pairs.

    A match of more than two seats counts as all its pairs of different `sides` (by seat; each for
    itself where not given), each with so much less that the match counts once for each bot, or for
    bots of sides of unequal size once on average.
    """
    sums: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for bots, scores in matches:
        teams = sides or range(len(bots))
        opposed = [
            (one, other)
            for one, other in combinations(range(len(bots)), 2)
            if teams[one] != teams[other]
        ]
        for one, other in opposed:
            result = (scores[one] > scores[other]) - (scores[one] < scores[other])
            sums[bots[one], bots[other]][1 - result] += len(bots) / (2 * len(opposed))
    return [PairTotal(*pair, *sums[pair]) for pair in sorted(sums)]
