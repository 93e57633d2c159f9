"""What tuning gains: simulated matches of a bot whose best values are known.

    python -m benchmarks.tuning gains --help

The Elo falls with the square of the distance from the best values. SPSA is computed for many
tunings at once, exactly as `stage()` does it: `python -m benchmarks.tuning check` compares the two.
The Gaussian process plays through `stage()`, and so does chess-tuning-tools through its own
functions, if it is installed. Everything follows from the seed.
"""

import argparse
import math
import random
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import fmean, stdev

import numpy as np
import numpy.typing as npt

from benchmarks.simulation import by_values, draw_score, play_out
from league.formats.bayesian import Bayesian
from league.formats.format import Field
from league.formats.spsa import Spsa
from league.formats.tuning import Comparison, Tuning
from league.model.tuned_parameter import TunedParameter
from league.ratings.elo_difference import ELO_PER_LOGIT

Array = npt.NDArray[np.float64]

USUAL_RATE = 0.002
"""The rate at the end that OpenBench and fishtest suggest."""

LUCKS = (0.35, 0.7, 1.0, 1.4, 2.0, 2.8)


@dataclass(frozen=True, slots=True)
class Problem:
    """A bot that starts `away` steps from its best values and loses `loss` Elo by that.

    `draws` is the share of drawn matches between equals.
    """

    size: int
    loss: float
    away: float
    draws: float

    def field(self, comparisons: int, seed: int, rate: float | None = None) -> Field:
        """Return the field of a tournament that tunes it."""
        parameters = tuple(
            TunedParameter(
                name=f"p{number}",
                start=0.0,
                low=-3 * self.away,
                high=3 * self.away,
                step=1.0,
                rate=rate,
            )
            for number in range(self.size)
        )
        return Field(entrants=1, seats=2, rounds=comparisons, seed=seed, parameters=parameters)

    def elo(self, points: Array) -> Array:
        """Return the Elo of points over the start; the last axis is of parameters."""
        best = [self.away * (-1) ** number for number in range(self.size)]
        lost = self.loss * ((points - best) ** 2).mean(axis=-1) / self.away**2
        found: Array = self.loss - lost
        return found

    def elo_of(self, point: Sequence[float]) -> float:
        """Return the Elo of a point over the start."""
        return float(self.elo(np.array(point)))


@dataclass(frozen=True, slots=True)
class Ends:
    """Where many tunings ended: rows are tunings.

    `values` are means of the second half of the path, `last` its ends, and `gains` what each
    comparison gained.
    """

    values: Array
    last: Array
    gains: Array


def tune_many(
    problem: Problem, method: Spsa, field: Field, *, runs: int, source: np.random.Generator
) -> Ends:
    """Tune by SPSA, all runs at once."""
    count, size = field.rounds, problem.size
    rate = field.parameters[0].rate
    now = np.zeros((runs, size))
    # A stage starts from what was known `lag` stages before.
    known = deque([now] * method.lag, method.lag)
    sums, gains = np.zeros((runs, size)), []
    for begin in range(0, count, method.batch):
        numbers = range(begin, min(begin + method.batch, count))
        sides = source.choice((-1.0, 1.0), (runs, len(numbers), size))
        steps = sides * np.array([[method.width(each, count)] for each in numbers])
        base, bound = known[0][:, None], field.parameters[0].high
        up, down = ((base + sign * steps).clip(-bound, bound) for sign in (1, -1))
        gained = 2 * _scores(problem.elo(up) - problem.elo(down), problem.draws, source) - 2
        for place, number in enumerate(numbers):
            move = method.move(number, field, rate)
            now = now + move * gained[:, place, None] * sides[:, place]
            now = now.clip(-bound, bound)
            if number + 1 >= count // 2:
                sums += now
        known.append(now)
        gains.append(gained)
    return Ends(sums / (count + 1 - count // 2), now, np.concatenate(gains, axis=1))


def _scores(elo: Array, draw_rate: float, source: np.random.Generator) -> Array:
    """Draw points of two matches each, as `draw_score` does."""
    score = 1 / (1 + np.exp(-elo / ELO_PER_LOGIT))
    draws = np.minimum(draw_rate * 4 * score * (1 - score), 2 * np.minimum(score, 1 - score))
    found = np.zeros(elo.shape)
    for _ in range(2):
        chance = source.random(elo.shape)
        found += np.where(chance < draws, 0.5, chance < draws / 2 + score)
    return found


def play(problem: Problem, method: Tuning, matches: int, seed: int) -> float:
    """Return the Elo that a tuning gains through `stage()`, without a test."""
    field = problem.field(matches // 2, seed)
    results = play_out(method, field, by_values(problem.elo_of, problem.draws, random.Random(seed)))
    return problem.elo_of(method.tuned(field, results))


def play_peer(problem: Problem, matches: int, seed: int) -> float:
    """Return the Elo that chess-tuning-tools gains, with its usual settings."""
    from skopt.utils import create_result, expected_minimum  # noqa: PLC0415 (a peer that may be missing)
    from tune.local import counts_to_penta, initialize_optimizer, update_model  # noqa: PLC0415
    from tune.priors import create_priors  # noqa: PLC0415

    source = random.Random(seed)
    field = problem.field(matches // 2, seed)
    optimizer = initialize_optimizer(
        X=[],
        y=[],
        noise=[],
        parameter_ranges=[(each.low, each.high) for each in field.parameters],
        random_seed=seed,
        gp_priors=create_priors(n_parameters=problem.size),
        resume=False,
    )
    rounds = 10
    for _ in range(field.rounds // rounds):
        point = optimizer.ask()
        elo = problem.elo_of(point)
        pairs = Counter(
            round(2 * sum(draw_score(elo, problem.draws, source) for _ in range(2)))
            for _ in range(rounds)
        )
        score, variance = counts_to_penta(
            np.array([pairs[points] for points in (4, 3, 2, 1, 0)]),
            n_dirichlet_samples=10_000,
            random_state=seed,
        )
        update_model(optimizer, point, score, variance)
    found = create_result(
        Xi=optimizer.Xi, yi=optimizer.yi, space=optimizer.space, models=[optimizer.gp]
    )
    best, _ = expected_minimum(found, random_state=seed)
    return problem.elo_of(best)


def problems(sizes: Iterable[int]) -> Iterator[Problem]:
    """Yield the rows of the tables."""
    for (loss, away), draws, size in product(((60, 3), (200, 10)), (0.0, 0.5), sizes):
        yield Problem(size, loss, away, draws)


def told(gains: Iterable[float]) -> str:
    """Tell a mean and its standard error."""
    found = list(gains)
    return f"{fmean(found):.1f} ± {stdev(found) / math.sqrt(len(found)):.1f}"


def print_gains(given: argparse.Namespace) -> None:
    """Print the Elo that SPSA gains, with its usual rate and with the one of OpenBench."""
    print("| best at, steps | loss | draws | parameters | matches | spsa | usual constants |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for problem, matches in product(problems(given.sizes), given.matches):
        columns = []
        for rate in (None, USUAL_RATE):
            field = problem.field(matches // 2, given.seed, rate)
            source = np.random.default_rng(given.seed)
            ends = tune_many(problem, Spsa(), field, runs=given.runs, source=source)
            columns.append(told(problem.elo(ends.values if rate is None else ends.last)))
        print(_row(problem, matches, *columns), flush=True)


def print_processes(given: argparse.Namespace) -> None:
    """Print what the Gaussian process gains, or the peer."""
    print(f"| best at, steps | loss | draws | parameters | matches | {given.by} |")
    print("| --- | --- | --- | --- | --- | --- |")
    for problem, matches in product(problems(given.sizes), given.matches):
        method = Bayesian(batch=max(8, matches // 250), test_rounds=0)
        gains = (
            play(problem, method, matches, given.seed + run)
            if given.by == "bayesian"
            else play_peer(problem, matches, given.seed + run)
            for run in range(given.runs)
        )
        print(_row(problem, matches, told(gains)), flush=True)


def print_lucks(given: argparse.Namespace) -> None:
    """Print the Elo that SPSA gains with other constants, with and without the mean of the path."""
    names = [f"{luck:g}{end}" for luck in LUCKS for end in ("", " last")]
    print(f"| best at, steps | loss | draws | parameters | matches | {' | '.join(names)} |")
    print("| --- " * (5 + len(names)) + "|")
    for problem, matches in product(problems(given.sizes), given.matches):
        columns = []
        for luck in LUCKS:
            count = matches // 2
            field = problem.field(count, given.seed, luck / math.sqrt(count))
            source = np.random.default_rng(given.seed)
            ends = tune_many(problem, Spsa(), field, runs=given.runs, source=source)
            columns += [f"{problem.elo(each).mean():.1f}" for each in (ends.values, ends.last)]
        print(_row(problem, matches, *columns), flush=True)


def print_coverage(given: argparse.Namespace) -> None:
    """Print how often the error of SPSA's values holds the mean of the ends."""
    print("| best at, steps | loss | draws | parameters | matches | values held | error | spread |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    still = [Problem(2, 0, 3, draws) for draws in (0.0, 0.5)]
    for problem, matches in product([*problems(given.sizes), *still], given.matches):
        field = problem.field(matches // 2, given.seed)
        source = np.random.default_rng(given.seed)
        ends = tune_many(problem, Spsa(), field, runs=given.runs, source=source)
        errors = np.array([_errors(field, gains) for gains in ends.gains])
        held = np.abs(ends.values - ends.values.mean(axis=0)) <= errors
        spread = 1.96 * ends.values.std(axis=0).mean()
        told = f"{held.mean():.1%}", f"{errors.mean():.2f}", f"{spread:.2f}"
        print(_row(problem, matches, *told), flush=True)


def print_check(given: argparse.Namespace) -> None:
    """Print what SPSA gains through `stage()` beside what `tune_many` says."""
    print("| best at, steps | loss | draws | parameters | matches | stage() | tune_many |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for problem, matches in product(problems(given.sizes), given.matches):
        method = Spsa(test_rounds=0)
        real = (play(problem, method, matches, given.seed + run) for run in range(given.runs))
        field = problem.field(matches // 2, given.seed)
        source = np.random.default_rng(given.seed)
        ends = tune_many(problem, method, field, runs=10 * given.runs, source=source)
        print(_row(problem, matches, told(real), told(problem.elo(ends.values))), flush=True)


def _errors(field: Field, gains: Array) -> tuple[float, ...]:
    played = [Comparison(number, (), (), float(gain)) for number, gain in enumerate(gains)]
    return Spsa().errors(field, played)


def _row(problem: Problem, matches: int, *columns: str) -> str:
    facts = (f"{problem.away:g}", f"{problem.loss:g}", f"{problem.draws:.0%}", f"{problem.size}")
    return f"| {' | '.join((*facts, f'{matches:,}', *columns))} |"


TABLES = {
    "gains": print_gains,
    "process": print_processes,
    "luck": print_lucks,
    "coverage": print_coverage,
    "check": print_check,
}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=TABLES)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 2, 4, 8, 12])
    parser.add_argument(
        "--matches", type=int, nargs="+", default=[1000, 4000, 16_000, 64_000], help="of a tuning"
    )
    parser.add_argument("--runs", type=int, default=100, help="tunings of each kind")
    parser.add_argument("--by", choices=("bayesian", "chess-tuning-tools"), default="bayesian")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    TABLES[given.table](given)


if __name__ == "__main__":
    main()
