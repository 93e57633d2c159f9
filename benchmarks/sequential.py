"""Count how often the format sprt errs, and how long it takes, where the truth is known.

    python -m benchmarks.sequential --help

The matches of two bots are drawn from their true difference: everything follows from the seed.
"""

import argparse
import random
from statistics import fmean

from benchmarks.simulation import by_strength, play_out
from league.formats.format import Field
from league.formats.sprt import FORMAT as SPRT
from league.ratings.sprt import SprtState

ELO0, ELO1 = 0.0, 40.0
RATE = 0.05
DRAW_RATE = 0.3
FIELD = Field(entrants=2, seats=2, rounds=100_000, seed=0)
NAMES = ("new", "old")


def run(counts: str, elo: float, runs: int, seed: int) -> tuple[float, float]:
    """Return the share of tests that accept, and their mean length in matches."""
    test = SPRT(elo0=ELO0, elo1=ELO1, alpha=RATE, beta=RATE, model="logistic", counts=counts)
    source = random.Random(seed)
    accepted, lengths = 0, []
    for _ in range(runs):
        results = play_out(test, FIELD, by_strength((elo, 0.0), DRAW_RATE, source))
        accepted += f"is {SprtState.ACCEPTED}" in test.verdict(FIELD, results, NAMES)
        lengths.append(2 * len(results))
    return accepted / runs, fmean(lengths)


def main() -> None:
    """Print the table; fail where a test errs more often than it may, but for chance."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="tests of each kind")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print("| counts | true Elo | accepted | matches played, mean |")
    print("| --- | --- | --- | --- |")
    most = RATE + 3 * (RATE * (1 - RATE) / given.runs) ** 0.5
    for counts in ("pentanomial", "trinomial"):
        for elo in (ELO0, (ELO0 + ELO1) / 2, ELO1):
            accepted, length = run(counts, elo, given.runs, given.seed)
            print(f"| {counts} | {elo:g} | {accepted:.1%} | {length:,.0f} |")
            wrong = {ELO0: accepted, ELO1: 1 - accepted}.get(elo, 0.0)
            if wrong > most:
                raise SystemExit(f"{wrong:.1%} errors, wanted at most {RATE:.0%}")


if __name__ == "__main__":
    main()
