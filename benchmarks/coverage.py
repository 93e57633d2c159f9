"""Count how often true ratings are within their 95% bars.

    python -m benchmarks.coverage --help

Matches are drawn from true ratings, so that everything follows from the seed.
"""

import argparse
import random
from itertools import permutations

import numpy as np

from benchmarks.measures import Row, table
from benchmarks.simulation import by_strength, draw_order, draw_totals, play_out, totals_of
from league.formats.format import Field
from league.formats.specs import make_format
from league.ratings.fit import Ratings, fit
from league.ratings.los import SURE, los_matrix
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

MANY: dict[str, tuple[int, int, int, float]] = {
    "three seats": (8, 3, 100, 200),
    "three seats, few matches": (8, 3, 24, 100),
    "four seats": (8, 4, 80, 200),
}
"""The same of more seats: bots, seats, matches in all, spread of the ratings."""


FORMATS = ("roundrobin", "gauntlet", "swiss", "knockout", "ladder", "adaptive")
SIZES = (8, 12, 16, 32)
SPREADS = (0.0, 150.0, 400.0)
DRAW_RATES = (0.0, 0.4)


def format_coverage(
    name: str, bots: int, spread: float, draw_rate: float, runs: int, seed: int
) -> tuple[float, float]:
    """Return how often a true rating is within its bar in tournaments of a format.

    Also the share of pairs that are told apart though they are equal or the other way round. The
    format has its default rounds; `spread` is the standard deviation of the true ratings in Elo.
    """
    schedule, source = make_format(name), random.Random(seed)
    within = apart = 0.0
    for run in range(runs):
        elo = _drawn(bots, spread, source)
        field = Field(entrants=bots, seats=2, rounds=schedule.default_rounds(bots), seed=run)
        results = play_out(schedule, field, by_strength(elo, draw_rate, source))
        found = fit(bots, totals_of(results))
        within += _within(found, elo) / bots
        los = los_matrix(SystemRatings(found.elo, found.error, found.covariance), [range(bots)])
        weaker = np.array(elo)[:, None] <= np.array(elo)
        # Either of two may be the one that is falsely called stronger.
        apart += float(((los >= SURE) & weaker).sum()) / (bots * (bots - 1) / 2)
    return within / runs, apart / runs


def coverage(shape: str, runs: int, seed: int) -> float:
    """Return how often the true rating is within its bar, for two seats."""
    bots, spread, matches, draw_rate, advantage = DUELS[shape]
    source = random.Random(seed)
    within = 0
    for _ in range(runs):
        elo = _drawn(bots, spread, source)
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
        elo = _drawn(bots, 100, source)
        pairs = [(bot, (bot + step) % bots) for bot in range(bots) for step in (1, bots - 1)]
        within += _within(fit(bots, draw_totals(elo, pairs, 20, source=source)), elo)
    return within / (runs * bots)


def coverage_of_many(shape: str, runs: int, seed: int, is_clustered: bool = True) -> float:
    """Return the same for more than two seats; as if pairs were independent where not clustered."""
    bots, seats, matches, spread = MANY[shape]
    source = random.Random(seed)
    within = 0
    for _ in range(runs):
        elo = _drawn(bots, spread, source)
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
        within += _within(found, elo)
    return within / (runs * bots)


def _drawn(bots: int, spread: float, source: random.Random) -> list[float]:
    drawn = [source.gauss(0, spread) for _ in range(bots)]
    return [each - sum(drawn) / bots for each in drawn]


def _within(ratings: Ratings, elo: list[float]) -> int:
    return int((np.abs(ratings.elo - np.array(elo)) <= ratings.error).sum())


def print_formats(runs: int, seed: int) -> None:
    """Print the least and the most over all sizes and draw rates, for each format and spread."""
    rows: list[Row] = []
    for name in FORMATS:
        for spread in SPREADS:
            found = [
                format_coverage(name, bots, spread, draw_rate, runs, seed)
                for bots in SIZES
                for draw_rate in DRAW_RATES
            ]
            held = [within for within, _ in found]
            apart = max(each for _, each in found)
            rows.append(
                (name, f"{spread:g}", f"{min(held):.1%}", f"{max(held):.1%}", f"{apart:.1%}")
            )
    columns = ("format", "spread in Elo", "within, least", "most", "falsely apart, most")
    print(table(columns, rows))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1500, help="leagues of each shape")
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--formats", action="store_true", help="by format, size, spread and draws")
    given = parser.parse_args()
    runs, seed = given.runs, given.seed
    if given.formats:
        print_formats(runs, seed)
        return
    rows: list[Row] = []
    for shape, (bots, spread, matches, *_) in DUELS.items():
        found = coverage(shape, runs, seed)
        rows.append((shape, bots, f"{spread:g}", matches * bots * (bots - 1), f"{found:.1%}"))
    rows.append(("ring", 12, 100, 480, f"{ring_coverage(runs, seed):.1%}"))
    for shape, (bots, _, matches, spread) in MANY.items():
        found = coverage_of_many(shape, runs, seed)
        rows.append((shape, bots, f"{spread:g}", matches, f"{found:.1%}"))
    shape = "four seats"
    found = coverage_of_many(shape, runs, seed, is_clustered=False)
    bots, _, matches, spread = MANY[shape]
    rows.append((f"{shape}, pairs as if independent", bots, f"{spread:g}", matches, f"{found:.1%}"))
    print(table(("league", "bots", "spread in Elo", "matches", "within the bar"), rows))


if __name__ == "__main__":
    main()
