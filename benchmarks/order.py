"""Measure how much ratings depend on the order of the matches.

    python -m benchmarks.order --help

One league is drawn from true ratings, and rated again and again with its matches in other orders:
all of it follows from the seed.
"""

import argparse
import random
from itertools import permutations

import numpy as np

from benchmarks.measures import Row, table
from benchmarks.simulation import draw_score
from league.ratings.rating_system import TotalsSystem
from league.ratings.result_table import Floats, ResultColumns
from league.ratings.system_specs import SYSTEMS, make_system

Match = tuple[tuple[int, int], tuple[float, float]]

SPREAD, DRAW_RATE, EACH = 200, 0.3, 5


def drawn(bots: int, seed: int) -> list[Match]:
    """Draw a round robin of that many bots, each pair five times in each seat."""
    source = random.Random(seed)
    elo = [source.gauss(0, SPREAD) for _ in range(bots)]
    found: list[Match] = []
    for one, other in list(permutations(range(bots), 2)) * EACH:
        score = draw_score(elo[one] - elo[other], DRAW_RATE, source)
        found.append(((one, other), (score, 1 - score)))
    return found


def rated(name: str, matches: list[Match], bots: int) -> Floats:
    """Rate the bots by matches in that order."""
    system = make_system(name)
    if isinstance(system, TotalsSystem):
        return system.rate(bots, ResultColumns.of([(*match, 1) for match in matches])).values
    live = system.start()
    for match in matches:
        live.take(*match)
    return live.rated(range(bots)).values


def row(name: str, matches: list[Match], bots: int, orders: int, seed: int) -> Row:
    """Rate in many orders: how far the ratings are apart, and how often the ranking is another."""
    source = random.Random(seed)
    every = np.array(
        [rated(name, source.sample(matches, len(matches)), bots) for _ in range(orders)]
    )
    rankings = [tuple(np.argsort(-values)) for values in every]
    usual = max(set(rankings), key=rankings.count)
    # In parts of how far the bots are apart, for each system has a unit of its own.
    apart = np.ptp(every.mean(axis=0))
    widest = np.ptp(every, axis=0).max()
    return (
        name,
        f"{widest / apart:.2%}",
        f"{every.std(axis=0).mean() / apart:.2%}",
        f"{sum(each != usual for each in rankings) / orders:.1%}",
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bots", type=int, default=10)
    parser.add_argument("--orders", type=int, default=500)
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    matches = drawn(given.bots, given.seed)
    rows = [row(name, matches, given.bots, given.orders, given.seed) for name in SYSTEMS.names()]
    print(table(("system", "widest", "standard deviation", "another ranking"), rows))


if __name__ == "__main__":
    main()
