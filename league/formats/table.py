"""The table of a tournament: points, tie-breaks, and the order that they make.

Source of the tie-breaks: FIDE Handbook C.07, Tie-Break Regulations, as of March 2026. A round there
is an encounter here, so that a won one is worth as many points as the game has seats.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, groupby

import numpy as np

from games.support.counts import noun_for
from league.model.tiebreak import Tiebreak
from league.ratings.result_table import Floats, ResultColumns

DIGITS = 6
"""Sixths of a point don't add up exactly, but equal scores must compare equal."""


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A stage without an encounter for an entrant, and the points that it got instead.

    `is_requested` unless the pairing left it over: it had not joined yet, or has withdrawn.
    `is_last` if it plays no more.
    """

    entrant: int
    points: float
    is_requested: bool = False
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """The line of an entrant, by position; entrants that nothing tells apart share a rank, from 1.

    `tiebreaks` are in the table's order, None for a direct encounter that was not needed or does
    not count, since not all who are tied have met.
    """

    rank: int
    entrant: int
    points: float
    tiebreaks: tuple[float | None, ...] = ()


@dataclass(frozen=True, slots=True)
class PointsTable:
    """The rows of a table from the first to the last, and the tie-breaks that are their columns.

    `decided` is the tie-break that left one row alone at the top, None if none was needed.
    """

    tiebreaks: tuple[Tiebreak, ...]
    rows: tuple[TableRow, ...]
    decided: Tiebreak | None = None

    def winner(self, names: Sequence[str]) -> str:
        """Say who is first, and by what; `names` are by position."""
        leaders = [names[row.entrant] for row in self.rows if row.rank == 1]
        most = self.rows[0].points
        points = f"{round(most, 2):g} {noun_for(most, 'point')}"
        if len(leaders) > 1:
            return f"{', '.join(leaders[:-1])} and {leaders[-1]} tie for first with {points} each"
        if self.decided is None:
            return f"{leaders[0]} wins with {points}"
        second = names[self.rows[1].entrant]
        return f"{leaders[0]} wins with {points}, ahead of {second} by {self.decided.words}"


@dataclass(frozen=True, kw_only=True)
class Scores:
    """The results of a tournament by position; `stages` is the number of stages that are over."""

    entrants: int
    results: ResultColumns
    stages: int = 0
    unplayed: Sequence[Unplayed] = field(default_factory=tuple)

    @cached_property
    def points(self) -> Floats:
        """The points of each entrant, for unplayed stages too."""
        found = np.zeros(self.entrants)
        results = self.results
        np.add.at(found, results.bots, results.scores * results.counts[:, None])
        for each in self.unplayed:
            found[each.entrant] += each.points
        return found.round(DIGITS)

    @cached_property
    def encounters(self) -> Floats:
        """Return the encounters of each two entrants; an unfinished one counts in part."""
        found = np.zeros((self.entrants, self.entrants))
        bots, counts = self.results.bots, self.results.counts / self.results.seats
        for one, other in combinations(range(self.results.seats), 2):
            np.add.at(found, (bots[:, one], bots[:, other]), counts)
        return found + found.T

    @cached_property
    def against(self) -> Floats:
        """Return the score of each entrant against each other one; nothing where no bot started."""
        found = np.zeros((self.entrants, self.entrants))
        bots, scores, weights = self.results.bots, self.results.scores, self.results.started
        for one, other in self.results.opposed:
            share = (1 + np.sign(scores[:, one] - scores[:, other])) / 2
            np.add.at(found, (bots[:, one], bots[:, other]), share * weights)
            np.add.at(found, (bots[:, other], bots[:, one]), (1 - share) * weights)
        return found

    @property
    def draw(self) -> float:
        """The points of a drawn encounter."""
        return self.results.seats / 2

    @cached_property
    def adjusted(self) -> Floats:
        """The points of each entrant as an opponent: the stages after it withdrew are drawn.

        Source: C.07, articles 16.2 and 16.3.
        """
        found = self.points.copy()
        for each in self.unplayed:
            if each.is_requested and each.is_last:
                found[each.entrant] += self.draw - each.points
        return found

    @cached_property
    def dummies(self) -> Floats:
        """The score of each entrant's dummy opponent in stages that it did not play.

        It is its own, and at most that of drawn encounters. Source: C.07, article 16.4.
        """
        return np.minimum(self.points, self.draw * self.stages)

    def buchholz(self) -> Floats:
        """Sum up the scores of the opponents. Source: C.07, article 8.1."""
        found: Floats = self.encounters @ self.adjusted
        for each in self.unplayed:
            found[each.entrant] += self.dummies[each.entrant]
        return found

    def buchholz_cut1(self) -> Floats:
        """Leave out the least opponent, or a stage that the entrant itself chose not to play.

        Source: C.07, articles 14.1 and 16.5.
        """
        found = self.buchholz()
        missed = Counter(each.entrant for each in self.unplayed)
        requested = {each.entrant for each in self.unplayed if each.is_requested}
        for entrant, encounters in enumerate(self.encounters):
            met = np.flatnonzero(encounters)
            values = [float(self.adjusted[other] * min(1, encounters[other])) for other in met]
            dummy = float(self.dummies[entrant])
            if entrant in requested:
                values = [dummy]
            elif entrant in missed:
                values.append(dummy)
            found[entrant] -= min(values, default=0.0)
        return found

    def sonneborn_berger(self) -> Floats:
        """Sum up the scores of the opponents times the points against them.

        Source: C.07, article 9.1.
        """
        found: Floats = self.against @ self.adjusted
        for each in self.unplayed:
            found[each.entrant] += self.dummies[each.entrant] * each.points
        return found

    def direct(self, group: Sequence[int]) -> tuple[list[list[int]], dict[int, float]]:
        """Order a tied group by its encounters among itself; return it in parts, and its points.

        If some have not met, only who would be alone in its place whatever they scored there is
        placed, from the top; the points of the others do not count. Source: C.07, article 6.
        """
        among = np.ix_(group, group)
        met = self.encounters[among]
        mean = np.divide(self.against[among], met, out=np.zeros_like(met), where=met > 0)
        points = mean.sum(axis=1).round(DIGITS)
        most = points + (len(group) - 1 - np.count_nonzero(met, axis=1)) * self.results.seats
        scored = dict(zip(group, points.tolist(), strict=True))
        if np.array_equal(points, most):
            parts = _parted(group, scored)
            if len(parts) > 1:
                parts = [part for each in parts for part in self._direct_parts(each)]
            return parts, scored
        highest = dict(zip(group, most.tolist(), strict=True))
        left = sorted(group, key=lambda each: -scored[each])
        found = []
        while len(left) > 1 and all(scored[left[0]] > highest[each] for each in left[1:]):
            found.append([left.pop(0)])
        return [*found, left], {each: scored[each] for part in found for each in part}

    def _direct_parts(self, group: Sequence[int]) -> list[list[int]]:
        return self.direct(group)[0] if len(group) > 1 else [list(group)]


def make_table(
    scores: Scores,
    places: Sequence[Sequence[int]],
    tiebreaks: Sequence[Tiebreak],
    *,
    is_by_points: bool = True,
) -> PointsTable:
    """Return the table of a tournament.

    `places` are all entrants in groups, the first group first. Points and then `tiebreaks` order
    those of a group if the table `is_by_points`; else they share their rank.
    """
    points = dict(enumerate(scores.points.tolist()))
    order = [sorted(group) for group in places if group]
    values: list[Mapping[int, float]] = []
    if is_by_points:
        order = [part for group in order for part in _parted(group, points)]
    decided = None
    for tiebreak in tiebreaks:
        was_tied = len(order[0]) > 1
        order, found = _broken(scores, order, tiebreak)
        decided = tiebreak if was_tied and len(order[0]) == 1 else decided
        values.append(found)
    rows: list[TableRow] = []
    for group in order:
        rank = len(rows) + 1
        for entrant in group:
            broken = tuple(found.get(entrant) for found in values)
            rows.append(TableRow(rank, entrant, points[entrant], broken))
    return PointsTable(tuple(tiebreaks), tuple(rows), decided)


_SCALARS: Mapping[Tiebreak, Callable[[Scores], Floats]] = {
    Tiebreak.BUCHHOLZ: Scores.buchholz,
    Tiebreak.BUCHHOLZ_CUT1: Scores.buchholz_cut1,
    Tiebreak.SONNEBORN_BERGER: Scores.sonneborn_berger,
}


def _broken(
    scores: Scores, order: Sequence[list[int]], tiebreak: Tiebreak
) -> tuple[list[list[int]], Mapping[int, float]]:
    """Return the groups that a tie-break makes of groups, and its value for each entrant."""
    if tiebreak is not Tiebreak.DIRECT:
        values = dict(enumerate(_SCALARS[tiebreak](scores).round(DIGITS).tolist()))
        return [part for group in order for part in _parted(group, values)], values
    found: list[list[int]] = []
    points: dict[int, float] = {}
    for group in order:
        if len(group) == 1:
            found.append(group)
        else:
            parts, scored = scores.direct(group)
            found += parts
            points |= scored
    return found, points


def _parted(group: Sequence[int], values: Mapping[int, float]) -> list[list[int]]:
    """Return the parts of a group with equal values, the highest first."""
    ordered = sorted(group, key=lambda each: -values[each])
    return [list(part) for _, part in groupby(ordered, key=values.__getitem__)]
