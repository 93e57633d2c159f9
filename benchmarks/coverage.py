"""Count how often true ratings are within their 95% bars.

    python -m benchmarks.coverage --help

Matches are drawn from true ratings, so that everything follows from the seed.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from itertools import permutations, product

import numpy as np

from benchmarks.measures import Row, table
from benchmarks.simulation import by_strength, draw_order, draw_totals, play_out, totals_of
from league.formats.format import Field
from league.formats.specs import make_format
from league.ratings.fit import Ratings, fit
from league.ratings.likelihood import Floats
from league.ratings.los import SURE, los_matrix, separated
from league.ratings.rating_system import SystemRatings
from league.ratings.result_table import ResultColumns

DUELS: dict[str, tuple[int, float, int, float, float]] = {
    "round robin of ten": (10, 200, 5, 0.3, 0),
    "few matches": (20, 100, 1, 0.3, 0),
    "many draws": (6, 50, 15, 0.7, 0),
    "far apart": (8, 400, 5, 0.1, 0),
    "an advantage": (12, 150, 4, 0.3, 60),
}
"""Pools: bots, spread of their ratings, matches of a pair in each seat, draw rate, advantage."""

MANY: dict[str, tuple[int, int, int]] = {
    "three seats": (8, 3, 100),
    "three seats, few matches": (8, 3, 24),
    "three seats, many bots": (24, 3, 480),
    "four seats": (8, 4, 80),
}
"""The same of more seats: bots, seats, matches in all."""


FORMATS = ("roundrobin", "gauntlet", "swiss", "knockout", "ladder", "adaptive")
SIZES = (4, 12, 30)
DRAW_RATES = (0.0, 0.3, 0.6)

Pool = Callable[[int, random.Random], list[float]]


def _normal(spread: float) -> Pool:
    return lambda bots, source: [source.gauss(0, spread) for _ in range(bots)]


def _skewed(spread: float) -> Pool:
    return lambda bots, source: [spread * source.expovariate(1) for _ in range(bots)]


def _two_humps(gap: float) -> Pool:
    return lambda bots, source: [gap * (bot % 2) + source.gauss(0, 30) for bot in range(bots)]


def _outliers(*leads: float) -> Pool:
    return lambda bots, source: [*leads, *[0.0] * (bots - len(leads))]


POOLS: dict[str, Pool] = {
    "equal": _normal(0),
    "normal, 150": _normal(150),
    "normal, 400": _normal(400),
    "skewed, 200": _skewed(200),
    "bimodal, 400": _two_humps(400),
    "one outlier, 100": _outliers(100),
    "one outlier, 300": _outliers(300),
    "one outlier, 600": _outliers(600),
    "two outliers, 300": _outliers(300, -300),
    "two outliers, 600": _outliers(600, -600),
}
"""True ratings in Elo: a standard deviation, a gap between two halves, or distances of outliers."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of tournament: its format and size, the pool of `POOLS`, and the draws of equals.

    It has the format's default rounds, or `longer` times as many.
    """

    format: str
    pool: str
    bots: int
    draw_rate: float
    longer: int = 1


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often bars hold in tournaments of one kind, as shares from 0 to 1.

    `mean` is over all bots, `strongest` and `weakest` are by the true ratings, and `leader` is the
    bot that the table shows first. `apart` is the share of pairs that LOS separates though they are
    equal or the other way round, `families` that of tournaments whose note does so for any pair.
    """

    mean: float
    strongest: float
    weakest: float
    leader: float
    apart: float
    families: float


def format_coverage(kind: Kind, runs: int, seed: int) -> Coverage:
    """Return how often bars hold in tournaments of a kind."""
    schedule, source, bots = make_format(kind.format), random.Random(seed), kind.bots
    held = np.zeros(6)
    for run in range(runs):
        elo = _centred(POOLS[kind.pool](bots, source))
        rounds = schedule.default_rounds(bots) * kind.longer
        field = Field(entrants=bots, seats=2, rounds=rounds, seed=run)
        results = play_out(schedule, field, by_strength(elo.tolist(), kind.draw_rate, source))
        held += _held(fit(bots, totals_of(results)), elo)
    return Coverage(*(held / runs).tolist())


def _held(fitted: Ratings, elo: Floats) -> Floats:
    """Return the values of a `Coverage` for one league."""
    holds = np.abs(fitted.elo - elo) <= fitted.error
    system = SystemRatings(fitted.elo, fitted.error, fitted.covariance)
    los = los_matrix(system, [range(len(elo))])
    weaker = elo[:, None] <= elo
    # Either of two may be the one that is falsely called stronger.
    apart = ((los >= SURE) & weaker).sum() / (len(elo) * (len(elo) - 1) / 2)
    is_family_wrong = (separated(los) & (los > 1 / 2) & weaker).any()
    each = holds[elo.argmax()], holds[elo.argmin()], holds[fitted.elo.argmax()]
    return np.array([holds.mean(), *each, apart, is_family_wrong])


def coverage(shape: str, runs: int, seed: int) -> float:
    """Return how often the true rating is within its bar, for two seats."""
    bots, spread, matches, draw_rate, advantage = DUELS[shape]
    source = random.Random(seed)
    within = 0
    for _ in range(runs):
        elo = _centred(_normal(spread)(bots, source)).tolist()
        pairs = list(permutations(range(bots), 2))
        found = draw_totals(
            elo, pairs, matches, source=source, draw_rate=draw_rate, advantage=advantage
        )
        within += _within(fit(bots, found), elo)
    return within / (runs * bots)


def ring_coverage(runs: int, seed: int) -> float:
    """Return the same for a pool in which each bot meets its two neighbours alone."""
    source, bots, within = random.Random(seed), 12, 0
    for _ in range(runs):
        elo = _centred(_normal(100)(bots, source)).tolist()
        pairs = [(bot, (bot + step) % bots) for bot in range(bots) for step in (1, bots - 1)]
        within += _within(fit(bots, draw_totals(elo, pairs, 20, source=source)), elo)
    return within / (runs * bots)


def coverage_of_many(
    shape: str, pool: str, runs: int, seed: int, is_clustered: bool = True
) -> Coverage:
    """Return how often bars hold in leagues of more than two seats.

    Without clusters, the pairs of a match count as if they were independent.
    """
    bots, seats, matches = MANY[shape]
    source, held = random.Random(seed), np.zeros(6)
    for _ in range(runs):
        elo = _centred(POOLS[pool](bots, source))
        rows = []
        for _ in range(matches):
            sitting = source.sample(range(bots), seats)
            rows.append((sitting, draw_order([elo[bot] for bot in sitting], source), 1))
        results = ResultColumns.of(rows)
        found = fit(
            bots,
            results.pair_totals(),
            has_advantage=False,
            matches=results if is_clustered else None,
        )
        held += _held(found, elo)
    return Coverage(*(held / runs).tolist())


def _centred(elo: Sequence[float]) -> Floats:
    centred: Floats = np.array(elo) - sum(elo) / len(elo)
    return centred


def _within(ratings: Ratings, elo: list[float]) -> int:
    return int((np.abs(ratings.elo - np.array(elo)) <= ratings.error).sum())


COLUMNS = ("mean", "strongest", "weakest", "first", "pairs apart", "tables wrong")


def print_formats(
    formats: Sequence[str], sizes: Sequence[int], *, runs: int, seed: int, longer: int
) -> None:
    """Print a row for each format and pool, over all sizes and draw rates."""
    rows: list[Row] = []
    for name, pool in product(formats, POOLS):
        found = [
            astuple(format_coverage(Kind(name, pool, bots, draw_rate, longer), runs, seed))
            for bots in sizes
            for draw_rate in DRAW_RATES
        ]
        rows.append((name, pool, *(f"{share:.1%}" for share in np.mean(found, axis=0))))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    print(table(("format", "pool", *COLUMNS), rows))


def print_many(runs: int, seed: int) -> None:
    """Print a row for each shape of more than two seats and each pool."""
    rows: list[Row] = []
    for shape, pool in product(MANY, POOLS):
        found = astuple(coverage_of_many(shape, pool, runs, seed))
        rows.append((shape, pool, *(f"{share:.1%}" for share in found)))
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    print(table(("seats", "pool", *COLUMNS), rows))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1500, help="leagues of each shape")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--formats", nargs="*", choices=FORMATS, help="by format and pool")
    parser.add_argument("--bots", nargs="*", type=int, default=SIZES, help="sizes of --formats")
    parser.add_argument("--many", action="store_true", help="more than two seats, by pool")
    parser.add_argument("--longer", type=int, default=1, help="so many times the default rounds")
    given = parser.parse_args()
    runs, seed = given.runs, given.seed
    if given.formats is not None:
        formats = given.formats or FORMATS
        print_formats(formats, given.bots, runs=runs, seed=seed, longer=given.longer)
        return
    if given.many:
        print_many(runs, seed)
        return
    rows: list[Row] = []
    for shape, (bots, spread, matches, *_) in DUELS.items():
        found = coverage(shape, runs, seed)
        rows.append((shape, bots, f"{spread:g}", matches * bots * (bots - 1), f"{found:.1%}"))
    rows.append(("ring", 12, 100, 480, f"{ring_coverage(runs, seed):.1%}"))
    shape = "four seats"
    bots, _, matches = MANY[shape]
    found = coverage_of_many(shape, "normal, 150", runs, seed, is_clustered=False).mean
    rows.append((f"{shape}, pairs as if independent", bots, 150, matches, f"{found:.1%}"))
    print(table(("league", "bots", "spread in Elo", "matches", "within the bar"), rows))


if __name__ == "__main__":
    main()
