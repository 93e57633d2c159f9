"""Count the matches that the adaptive format needs for the error that a round robin has.

    python -m benchmarks.adaptive --help

Bots have true ratings, and their matches are drawn from those: everything follows from the seed.
"""

import argparse
import itertools
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.simulation import Luck, by_strength, played, totals_of
from league.formats.adaptive import FORMAT as ADAPTIVE
from league.formats.format import Encounter, EncounterResult, Field
from league.formats.roundrobin import FORMAT as ROUND_ROBIN
from league.ratings.fit import fit

WANTED = 1.5
"""How many times fewer matches the adaptive format must need for newcomers."""

Curve = list[tuple[float, float]]
"""Matches, and the mean error of the ratings after them in Elo."""

Tournament = Callable[[Field, Luck, list[EncounterResult], int], Iterable[list[EncounterResult]]]

Measure = Callable[["Pool", Sequence[float], Sequence[EncounterResult]], float]
"""A pool, its true ratings and results, giving how wrong the ratings are, in Elo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Bots that have played `cycles` of a round robin, and `newcomers` that have not played.

    `spread` is the standard deviation of the true ratings in Elo.
    """

    rated: int = 20
    newcomers: int = 4
    cycles: int = 10
    spread: float = 300.0
    draw_rate: float = 0.3

    @property
    def bots(self) -> int:
        """How many there are in all."""
        return self.rated + self.newcomers

    @property
    def measured(self) -> range:
        """Whose error counts: the newcomers', or everybody's where there are none."""
        return range(self.rated if self.newcomers else 0, self.bots)


def run(pool: Pool, tournament: Tournament, matches: int, seed: int, measure: Measure) -> Curve:
    """Play a tournament in a pool of its own until so many matches; return how the error fell."""
    source = random.Random(seed)
    elo = [source.gauss(0, pool.spread) for _ in range(pool.bots)]
    luck = by_strength(elo, pool.draw_rate, source)
    before = Field(entrants=pool.rated, seats=2, rounds=pool.cycles, seed=seed)
    results: list[EncounterResult] = []
    for cycle in range(pool.cycles):
        results += played(ROUND_ROBIN().stage(cycle, before, ()), luck)
    field = Field(entrants=pool.bots, seats=2, rounds=10**6, seed=seed)
    curve: Curve = []
    count = 0
    for stage in tournament(field, luck, results, pool.cycles):
        results += stage
        count += 2 * len(stage)
        if not curve or count - curve[-1][0] >= STEP or count >= matches:
            curve.append((float(count), measure(pool, elo, results)))
        if count >= matches:
            break
    return curve


def adaptive(
    field: Field, luck: Luck, results: list[EncounterResult], begin: int
) -> Iterable[list[EncounterResult]]:
    """Yield the results of stage after stage; `results` grow as they are taken."""
    for stage in range(begin, field.rounds):
        yield played(ADAPTIVE().stage(stage, field, results), luck)


def round_robin(
    field: Field, luck: Luck, results: list[EncounterResult], begin: int
) -> Iterable[list[EncounterResult]]:
    """Yield the results of cycle after cycle in parts, without those that the pool has played."""
    known = {frozenset(result.encounter.entrants) for result in results}
    for cycle in range(begin, field.rounds):
        missing: list[Encounter] = [
            each
            for each in ROUND_ROBIN().stage(cycle, field, ())
            if frozenset(each.entrants) not in known
        ]
        for first in range(0, len(missing), PART):
            yield played(missing[first : first + PART], luck)


PART = 4
"""Encounters of a round robin that are played together."""

STEP = 16
"""Matches between two measures of the error, at least."""


def error(pool: Pool, elo: Sequence[float], results: Sequence[EncounterResult]) -> float:
    """Return the mean error of the ratings that are measured, in Elo.

    A rating has no zero of its own: both sides are taken from the mean of the bots that were there
    first.
    """
    found = fit(pool.bots, totals_of(results), has_advantage=False).elo
    known = range(pool.rated)
    zero = fmean(float(found[bot]) - elo[bot] for bot in known)
    return fmean(abs(float(found[bot]) - elo[bot] - zero) for bot in pool.measured)


def bar(pool: Pool, elo: Sequence[float], results: Sequence[EncounterResult]) -> float:
    """Return the mean bar of the ratings that are measured: much the same, with less noise."""
    return float(
        fit(pool.bots, totals_of(results), has_advantage=False).error[pool.measured].mean()
    )


def mean_curve(
    pool: Pool,
    tournament: Tournament,
    matches: int,
    seeds: Iterable[int],
    measure: Measure = error,
) -> Curve:
    """Return the mean of the curves of several pools."""
    curves = [run(pool, tournament, matches, seed, measure) for seed in seeds]
    return [
        (points[0][0], fmean(error for _, error in points)) for points in zip(*curves, strict=False)
    ]


def matches_for(curve: Curve, error: float) -> float | None:
    """Return after how many matches the error was that small, None where it never was."""
    for (before, above), (after, below) in itertools.pairwise(curve):
        if below <= error:
            return before + (after - before) * max(0.0, above - error) / max(above - below, 1e-9)
    return None


def compare(
    pool: Pool, cycles: Sequence[int], seeds: Sequence[int]
) -> list[tuple[int, float, float, float | None]]:
    """Compare both formats after so many cycles of the round robin.

    Returns rows: cycles, matches of the round robin, its error, the adaptive format's matches for
    the same error.
    """
    pairs = pool.bots * (pool.bots - 1) // 2
    if pool.newcomers:
        pairs -= pool.rated * (pool.rated - 1) // 2
    matches = 2 * pairs * max(cycles)
    plain = mean_curve(pool, round_robin, matches, seeds)
    chosen = mean_curve(pool, adaptive, matches, seeds)
    rows = []
    for each in cycles:
        count, left = min(plain, key=lambda point: abs(point[0] - 2 * pairs * each))
        rows.append((each, count, left, matches_for(chosen, left)))
    return rows


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=30, help="pools of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.runs)
    pools = [
        ("4 newcomers into 20 rated", Pool()),
        ("1 newcomer into 20 rated", Pool(newcomers=1)),
        ("4 newcomers, ratings close", Pool(spread=150)),
        ("20 bots, nobody rated", Pool(newcomers=0, cycles=0)),
    ]
    print("| pool | cycles | matches | mean error | adaptive | times fewer |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, pool in pools:
        for cycles, matches, left, needed in compare(pool, (1, 2), seeds):
            fewer = f"{needed:.0f} | {matches / needed:.2f}" if needed else "more | under 1"
            print(f"| {name} | {cycles} | {matches:.0f} | {left:.1f} | {fewer} |")


if __name__ == "__main__":
    main()
