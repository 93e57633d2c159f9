"""Matches counted in columns: bots by seat, their scores, and counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class PairTotal:
    """The scores of `first` against `second` in matches where `first` had the earlier seat.

    Both are positions from 0. Counts of matches; in games for more than two, fractions of them.
    """

    first: int
    second: int
    wins: float
    draws: float
    losses: float

    @property
    def matches(self) -> float:
        """The number of matches."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True, eq=False)
class ResultColumns:
    """Matches of one game; those with the same seating and scores share a row.

    `bots` has the shape (rows, seats) and holds positions from 0; `scores` has the same shape, 0 to
    1; `counts` has the shape (rows,). `sides` are by seat; without them each seat plays for itself.
    `distinct` are the counts without matches that repeat others, by default all.
    """

    bots: NDArray[np.intp]
    scores: Floats
    counts: Floats
    sides: tuple[int, ...] = ()
    distinct: Floats | None = None

    @classmethod
    def of(
        cls,
        rows: Sequence[tuple[Sequence[int], Sequence[float], float]],
        sides: Sequence[int] = (),
        distinct: Sequence[float] | None = None,
    ) -> "ResultColumns":
        """Build the columns from rows of bots by seat, scores by seat, and counts."""
        seats = len(rows[0][0]) if rows else 2
        return cls(
            np.array([row[0] for row in rows], dtype=np.intp).reshape(-1, seats),
            np.array([row[1] for row in rows], dtype=np.float64).reshape(-1, seats),
            np.array([row[2] for row in rows], dtype=np.float64),
            tuple(sides),
            None if distinct is None else np.array(distinct, dtype=np.float64),
        )

    @property
    def seats(self) -> int:
        """The number of seats of a match."""
        return int(self.bots.shape[1])

    @property
    def opposed(self) -> list[tuple[int, int]]:
        """The pairs of seats that play against each other."""
        teams = self.sides or range(self.seats)
        pairs = combinations(range(self.seats), 2)
        return [(one, other) for one, other in pairs if teams[one] != teams[other]]

    @property
    def share(self) -> float:
        """The weight of one such pair in a match."""
        return self.seats / (2 * max(1, len(self.opposed)))

    @property
    def started(self) -> Floats:
        """The counts, 0 for matches without points: none of their bots started."""
        return self.counts * self.scores.any(axis=1)

    @property
    def weights(self) -> Floats:
        """The counts for ratings: of distinct matches in which a bot started."""
        distinct = self.counts if self.distinct is None else self.distinct
        return distinct * self.scores.any(axis=1)

    def pair_totals(self) -> list[PairTotal]:
        """Return totals by pair of bots, in the order of the pairs.

        A match of more than two seats counts as all its pairs of different sides, weighted so that
        the match counts once for each bot, or, with sides of unequal size, once on average.
        """
        if not len(self.counts):
            return []
        size = int(self.bots.max()) + 1
        pairs, results, counts = [], [], []
        for one, other in self.opposed:
            pairs.append(self.bots[:, one] * size + self.bots[:, other])
            results.append(1 - np.sign(self.scores[:, one] - self.scores[:, other]).astype(np.intp))
            counts.append(self.weights * self.share)
        met, place = np.unique(np.concatenate(pairs), return_inverse=True)
        cells = place * 3 + np.concatenate(results)
        sums = np.bincount(cells, np.concatenate(counts), 3 * len(met)).reshape(-1, 3)
        firsts, seconds = np.divmod(met, size)
        return [
            PairTotal(first, second, *three)
            for first, second, three in zip(
                firsts.tolist(), seconds.tolist(), sums.tolist(), strict=True
            )
            if any(three)
        ]
