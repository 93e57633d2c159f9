"""Ratings over the course of many matches in few points, from counts that only grow."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from league.ratings.rating_system import TotalsSystem
from league.ratings.result_table import Floats, ResultColumns

POINTS_MAX = 20
"""The maximum number of points: each of them costs a fit."""

Kind = tuple[tuple[int, ...], tuple[float, ...]]
"""Bots and their points, both by seat."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The ratings after `after` steps, with half-widths of 95% intervals.

    Only bots connected by matches are on one scale: there is no point until the largest connected
    group holds most of the bots that have played.
    """

    after: int
    rated: Mapping[int, tuple[float, float]]


class RatingCurve:
    """Collects matches by step, in any order; bots are any numbers."""

    def __init__(self, system: TotalsSystem, sides: Sequence[int] = ()) -> None:
        self._system = system
        self._sides = tuple(sides)
        self._kinds: dict[Kind, int] = {}
        self._blocks: list[Counter[int]] = []
        self._width = 1
        self._made: dict[int, tuple[int, CurvePoint]] = {}
        self.steps = 0
        """The number of steps so far."""

    def take(self, step: int, bots: tuple[int, ...], scores: tuple[float, ...]) -> None:
        """Record a match at a step from 0: bots and their points by seat."""
        kind = self._kinds.setdefault((bots, scores), len(self._kinds))
        self.reach(step)
        self._blocks[step // self._width][kind] += 1

    def reach(self, step: int) -> None:
        """Lead the curve to a step from 0, also if none of its matches counts."""
        self.steps = max(self.steps, step + 1)
        while step // self._width >= POINTS_MAX:
            self._halve()
        while len(self._blocks) <= step // self._width:
            self._blocks.append(Counter())

    def marks(self, end_s: float) -> list[CurvePoint] | None:
        """Return the ratings along the way; None if `end_s` passes first.

        Finished work is kept for the next call, and every call makes at least one more rating.
        """
        found: list[CurvePoint] = []
        matches = 0
        total = np.zeros(len(self._kinds))
        kinds: _Kinds | None = None
        for number, block in enumerate(self._blocks, 1):
            total[list(block.keys())] += list(block.values())
            matches += block.total()
            after = min(number * self._width, self.steps)
            if not block:
                found.append(CurvePoint(after, found[-1].rated if found else {}))
                continue
            kept = self._made.get(after)
            if kept is None or kept[0] != matches:
                if kinds is not None and time.monotonic() > end_s:
                    return None
                kinds = kinds or _Kinds.of(self._kinds)
                kept = self._made[after] = matches, self._rated(after, kinds, total)
            found.append(kept[1])
        return found

    def _halve(self) -> None:
        blocks = [*self._blocks, Counter[int]()]
        self._blocks = [
            one + other for one, other in zip(blocks[:-1:2], blocks[1::2], strict=False)
        ]
        self._width *= 2

    def _rated(self, after: int, kinds: "_Kinds", total: Floats) -> CurvePoint:
        chosen = np.flatnonzero(total)
        if not len(chosen):
            return CurvePoint(after, {})
        seated = kinds.bots[chosen]
        bots, places = np.unique(seated, return_inverse=True)
        places = places.reshape(seated.shape)
        results = ResultColumns(places, kinds.scores[chosen], total[chosen], self._sides)
        rated = self._system.rate(len(bots), results)
        errors = np.full(len(bots), np.inf) if rated.errors is None else rated.errors
        pool = _largest_pool(len(bots), places)
        if 2 * len(pool) <= len(bots):
            return CurvePoint(after, {})
        return CurvePoint(
            after,
            {int(bots[each]): (float(rated.values[each]), float(errors[each])) for each in pool},
        )


@dataclass(frozen=True, slots=True)
class _Kinds:
    """All kinds of matches in columns, by seat."""

    bots: NDArray[np.intp]
    scores: Floats

    @classmethod
    def of(cls, kinds: Iterable[Kind]) -> "_Kinds":
        bots, scores = zip(*kinds, strict=True)
        return cls(np.array(bots), np.array(scores))


def _largest_pool(count: int, places: NDArray[np.intp]) -> list[int]:
    """Return the positions of the largest group of bots connected by matches."""
    met = np.eye(count, dtype=bool)
    for one, other in permutations(range(places.shape[1]), 2):
        met[places[:, one], places[:, other]] = True
    labels = np.arange(count)
    while True:
        # Each bot takes the smallest label of its opponents, until no label changes.
        spread = np.where(met, labels, count).min(axis=1)
        if (spread == labels).all():
            return [int(each) for each in np.flatnonzero(labels == np.bincount(labels).argmax())]
        labels = spread
