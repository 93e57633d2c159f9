"""Measure how far Nash averaging is from the truth, with and without an estimated spread.

    python -m benchmarks.nash --help

Round robins are drawn from true ratings and true deviations of each two bots from them: all of it
follows from the seed.
"""

import argparse
from itertools import permutations

import numpy as np

from benchmarks.measures import Row, table
from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.equilibrium import equilibrium
from league.ratings.fit import fit
from league.ratings.result_table import Floats, ResultColumns
from league.ratings.systems.nash import Nash

BOTS, DRAW_RATE = 8, 0.3
SHAPES = ((0, 0), (150, 0), (150, 50), (150, 200), (0, 200))
"""Standard deviations of ratings and of deviations, in Elo."""


def drawn(odds: Floats, each: int, source: np.random.Generator) -> ResultColumns:
    """Draw matches of each two bots, so many in each order."""
    rows = []
    for one, other in permutations(range(len(odds)), 2):
        score = 1 / (1 + np.exp(-odds[one, other]))
        draw = 2 * DRAW_RATE * min(score, 1 - score)
        counts = source.multinomial(each, [score - draw / 2, draw, 1 - score - draw / 2])
        for scores, count in zip(((1, 0), (0.5, 0.5), (0, 1)), counts, strict=True):
            rows.append(((one, other), scores, int(count)))
    return ResultColumns.of(rows)


def row(shape: tuple[int, int], each: int, runs: int, source: np.random.Generator) -> Row:
    """Return the errors of `fitted`, of `nash` and of bare results for one kind of pool."""
    missed: Floats = np.zeros((runs, 3))
    for run in range(runs):
        ratings = source.normal(size=BOTS) * shape[0] / ELO_PER_LOGIT
        ringed = np.triu(source.normal(size=(BOTS, BOTS)), 1) * shape[1] / ELO_PER_LOGIT
        odds = np.subtract.outer(ratings, ratings) + ringed - ringed.T
        true = ELO_PER_LOGIT * odds @ equilibrium(odds)
        results = drawn(odds, each, source)
        fitted = fit(BOTS, results.pair_totals()).elo
        found = [fitted - fitted.max()]
        found += [Nash(0.0, spread).rate(BOTS, results).values for spread in (None, 2000.0)]
        missed[run] = [float(((values - true) ** 2).mean()) for values in found]
    errors = np.sqrt(missed.mean(axis=0))
    return (f"{shape[0]} and {shape[1]}", 2 * each, *(f"{error:.0f}" for error in errors))


def main() -> None:
    """Print a row for each kind of pool and number of matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=25)
    parser.add_argument("--seed", type=int, default=3)
    asked = parser.parse_args()
    source = np.random.default_rng(asked.seed)
    head = ("ratings and deviations", "matches a pair", "fitted", "nash", "nash:spread=2000")
    rows = [row(shape, each, asked.runs, source) for shape in SHAPES for each in (4, 20, 100)]
    print(table(head, rows))


if __name__ == "__main__":
    main()
