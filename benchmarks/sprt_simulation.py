"""Error rates of the sequential test, and the bias and coverage of its estimates, by simulation.

    python -m benchmarks.sprt_simulation --help

Results are drawn from known chances; the test is looked at after each batch. Everything follows
from the seed.
"""

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, median

from league.ratings.elo_difference import Counts, difference, elo_of, moments
from league.ratings.sprt import Model, Sprt, SprtState
from league.ratings.sprt_estimate import SprtEstimate

RATE = 0.05
POSITIONS = (-0.5, 0.0, 0.5, 1.0, 2.0)
"""True differences: 0 is H0, 1 is H1."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: a model, the number of scores that are counted (3 or 5), draws and the truth."""

    model: Model
    scores: int
    draws: float
    position: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What many tests of one setting came to.

    `accepted` and `covered` are shares, `matches` is the mean length; the biases are those of the
    medians, in logistic Elo.
    """

    accepted: float
    matches: float
    raw_bias: float
    raw_covered: float
    bias: float
    covered: float


def simulate(setting: Setting, test: Sprt, *, runs: int, batch: int, seed: int) -> Row:
    """Run tests with `batch` matches between two looks."""
    source = random.Random(seed)
    chances = _chances(setting, test)
    scores = Counts((0,) * len(chances)).scores
    truth, _ = moments(scores, chances)
    accepted, found = 0, []
    for _ in range(runs):
        counts, state = _stopped(test, chances, batch, source)
        accepted += state is SprtState.ACCEPTED
        raw, estimate = difference(counts), SprtEstimate.of(test, counts)
        found.append((counts.total * counts.matches_each, raw, estimate))
    elo = elo_of(truth)
    return Row(
        accepted=accepted / runs,
        matches=fmean(matches for matches, _, _ in found),
        raw_bias=median(raw.elo for _, raw, _ in found) - elo,
        raw_covered=fmean(abs(raw.elo - elo) <= raw.elo_error for _, raw, _ in found),
        bias=median(each.elo.value for _, _, each in found) - elo,
        covered=fmean(each.elo.low <= elo <= each.elo.high for _, _, each in found),
    )


def _stopped(
    test: Sprt, chances: Sequence[float], batch: int, source: random.Random
) -> tuple[Counts, SprtState]:
    """Draw results until the test decides."""
    counted, kinds = Counter[int](), range(len(chances))
    size = max(1, batch if len(chances) == 3 else batch // 2)
    while True:
        counted.update(source.choices(kinds, chances, k=size))
        counts = Counts(tuple(counted[kind] for kind in kinds))
        state = test.state(counts)
        if state is not SprtState.UNDECIDED:
            return counts, state


def _chances(setting: Setting, test: Sprt) -> list[float]:
    """Return the chances of each score at a true difference in the test's own unit."""
    elo = test.elo0 + setting.position * (test.elo1 - test.elo0)
    sigma = ((1 - setting.draws) / 4) ** 0.5
    score = test.score(elo, sigma)
    draws = min(setting.draws * 4 * score * (1 - score), 2 * min(score, 1 - score))
    single = (1 - score - draws / 2, draws, score - draws / 2)
    if setting.scores == 3:
        return list(single)
    pairs = defaultdict[int, float](float)
    for (one, first), (other, second) in product(enumerate(single), repeat=2):
        pairs[one + other] += first * second
    return [pairs[score] for score in range(5)]


def settings() -> Iterator[Setting]:
    """Yield the rows of the table."""
    for model, scores, draws in product((Model.LOGISTIC, Model.NORMALIZED), (3, 5), (0.0, 0.4)):
        for position in POSITIONS:
            yield Setting(model, scores, draws, position)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="tests of each kind")
    parser.add_argument("--elo1", type=float, default=40.0, help="H1; H0 is 0")
    parser.add_argument("--batch", type=int, default=16, help="matches between two looks")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        "| model | counts | draws | truth | H1 accepted | matches | raw | held | corrected | held |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for each in settings():
        test = Sprt(0.0, given.elo1, alpha=RATE, beta=RATE, model=each.model)
        row = simulate(each, test, runs=given.runs, batch=given.batch, seed=given.seed)
        print(
            f"| {each.model} | {'trinomial' if each.scores == 3 else 'pentanomial'} "
            f"| {each.draws:.0%} | {each.position * given.elo1:g} | {row.accepted:.1%} "
            f"| {row.matches:,.0f} | {row.raw_bias:+.1f} | {row.raw_covered:.1%} "
            f"| {row.bias:+.1f} | {row.covered:.1%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
