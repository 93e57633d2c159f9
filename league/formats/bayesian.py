"""Bayesian optimization: a Gaussian process learns what values are worth, and says what to try.

Each stage compares one point with the start, and is one observation of a Gaussian process over the
ranges of the parameters, scaled to 0 to 1, in which the start has 0 Elo. The point is drawn by
Thompson sampling: it is the best one of a function that is drawn from the posterior. Numbers that
come from a fit are rounded, so that other machines choose the same values, as far as possible.

Sources: C. E. Rasmussen and C. K. I. Williams, Gaussian Processes for Machine Learning (2006); D.
Russo and others, A Tutorial on Thompson Sampling (2018).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from itertools import groupby
from statistics import fmean
from typing import TYPE_CHECKING

from games.support.options import option
from league.formats.format import Field, stride
from league.formats.tuning import Comparison, Point, Tuning, elo_of_gain
from league.match.seeds import seed_of
from league.model.tuned_parameter import TunedParameter, start_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.float64]
    """Points as rows, each parameter scaled to 0 to 1."""

STAGES_MAX = 500
"""The most observations: a fit takes time with their number cubed, a second for so many."""

CANDIDATES = 1000
"""Points among which a drawn function has its best."""

REFITS = 40
"""At most about so many points of a path are fitted, and others are those before them."""

CLIMBS = 6
"""How often the best point is looked for among candidates near the best of those before."""

DOUBT = 1.0
"""The standard deviations that are taken from the mean of a point that is to be the best.

Of many unknown points, the one with the best mean is often worse than the start.
"""

SAMPLES = 400
"""Functions that are drawn for the errors of the best point."""

_GRID = 1000
"""Values are multiples of the range divided by this."""

_ELO = 100.0
"""The unit of the process."""

_KNOWN = 1e-4
"""The variance of the start, whose value is known: a process needs a little."""


@dataclass(frozen=True, kw_only=True)
class Bayesian(Tuning):
    """Compares one point with the start in each stage."""

    name = "bayesian"
    title = "Bayesian optimization"
    help = "tune a few parameters of a bot: a Gaussian process says what to compare with the start"

    batch: int = option(16, help="comparisons of a point with the start", low=1)

    def check(self, field: Field) -> None:
        """Raise `ValueError` as other methods do, if the package is missing or for many stages."""
        super().check(field)
        if find_spec("sklearn") is None:
            raise ValueError("it needs a package: pip install 'botleague[bayes]'")
        if self._stages(field) > STAGES_MAX:
            raise ValueError(
                f"{self._stages(field):,} points to compare, and at most {STAGES_MAX} are fitted "
                f"in a useful time: write batch={-(-field.rounds // STAGES_MAX)}, or take spsa"
            )

    def pairs(
        self, numbers: range, field: Field, played: Sequence[Comparison]
    ) -> list[tuple[Point, Point]]:
        """Return the point of a stage and the start, for each of its comparisons."""
        stage = numbers.start // self.batch
        return [(self._tried(stage, field, played), start_of(field.parameters))] * len(numbers)

    def best(
        self, field: Field, played: Sequence[Comparison], counts: Sequence[int]
    ) -> Iterator[Point]:
        """Yield the best point that is not in much doubt; of a long path, not all are fitted."""
        step = stride(len(self._seen(field, played)), REFITS)
        for count in counts:
            used = count if count == len(played) else count - count % (step * self.batch)
            yield _best(field.parameters, field.seed, self._seen(field, played[:used]))

    def errors(self, field: Field, played: Sequence[Comparison]) -> Point:
        """Return half of the central 95% of the best points of functions that are drawn."""
        import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

        process = _process(field.parameters, self._seen(field, played))
        source = _source(field.seed, "errors", len(played))
        rows = _candidates(process, _best(field.parameters, field.seed, process.seen), source)
        ends = rows[process.samples(rows, SAMPLES, source).argmax(axis=1)]
        low, high = np.quantile(ends, (0.025, 0.975), axis=0)
        return tuple(((high - low) / 2).tolist())

    def _tried(self, stage: int, field: Field, played: Sequence[Comparison]) -> Point:
        """Return the point of a stage: of the first design, then from a function that is drawn."""
        parameters, start = field.parameters, start_of(field.parameters)
        design = _design(parameters, field.seed)
        if stage < len(design) and design[stage] != start:
            return design[stage]
        process = _process(parameters, self._seen(field, played))
        source = _source(field.seed, "stage", stage)
        rows = _candidates(process, _best(parameters, field.seed, process.seen), source)
        # The start against itself would show nothing.
        rows = rows[(rows != start).any(axis=1)]
        (drawn,) = process.samples(rows, 1, source)
        return _point(rows[drawn.argmax()])

    def _seen(self, field: Field, played: Sequence[Comparison]) -> tuple[_Observation, ...]:
        """Return what each stage has shown."""
        stages = [
            list(group) for _, group in groupby(played, lambda each: each.number // self.batch)
        ]
        means = [fmean(each.gain for each in stage) for stage in stages]
        squares = sum(
            (each.gain - mean) ** 2
            for stage, mean in zip(stages, means, strict=True)
            for each in stage
        )
        # One comparison with a usual gain is believed beforehand, so that no noise is zero.
        variance = (1 + squares) / (1 + len(played) - len(stages))
        worth = elo_of_gain(field)
        return tuple(
            _Observation(stage[0].first, worth * mean, worth**2 * variance / len(stage))
            for stage, mean in zip(stages, means, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Observation:
    """The measured Elo of a point over the start, and the variance of its error."""

    point: Point
    elo: float
    variance: float


class _Process:
    """The posterior of the Elo of all points, from what was seen."""

    def __init__(
        self, parameters: tuple[TunedParameter, ...], seen: tuple[_Observation, ...]
    ) -> None:
        import numpy as np  # noqa: PLC0415 (NumPy loads slowly, and scikit-learn too)
        from sklearn.exceptions import ConvergenceWarning  # noqa: PLC0415
        from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: PLC0415
        from sklearn.gaussian_process.kernels import ConstantKernel, Matern  # noqa: PLC0415

        self.parameters, self.seen = parameters, seen
        rows = _scaled(parameters, [start_of(parameters), *(each.point for each in seen)])
        values = [0.0, *(each.elo / _ELO for each in seen)]
        noise = np.array([_KNOWN, *(each.variance / _ELO**2 for each in seen)])
        # The constant is the mean of all points, which is not the value of the start.
        kernel = ConstantKernel(4.0, "fixed") + ConstantKernel(1.0, (0.01, 100.0)) * Matern(
            [0.5] * len(parameters), (0.3, 10.0), nu=2.5
        )
        if len(seen) >= _design_size(parameters):
            with warnings.catch_warnings():
                # A parameter without effect has its length at the bound.
                warnings.simplefilter("ignore", ConvergenceWarning)
                fitted = GaussianProcessRegressor(kernel, alpha=noise).fit(rows, values)
            kernel = fitted.kernel_.clone_with_theta(fitted.kernel_.theta.round(2))
        self._posterior = GaussianProcessRegressor(kernel, alpha=noise, optimizer=None)
        self._posterior.fit(rows, values)

    def best(self, rows: Rows) -> Point:
        """Return the point with the best mean less its doubt; of those within an Elo, the first."""
        means, spreads = self._posterior.predict(_scaled(self.parameters, rows), return_std=True)
        return _point(rows[(means - DOUBT * spreads).round(2).argmax()])

    def samples(self, rows: Rows, count: int, source: np.random.RandomState) -> Rows:
        """Draw functions: the values of each at the points are a row."""
        import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

        means, covariance = self._posterior.predict(_scaled(self.parameters, rows), return_cov=True)
        # The library's own way uses singular vectors, whose signs differ between machines.
        factor = np.linalg.cholesky(covariance + 1e-6 * np.eye(len(rows)))
        found: Rows = means + source.standard_normal((count, len(rows))) @ factor.T
        return found


@lru_cache(2)
def _process(parameters: tuple[TunedParameter, ...], seen: tuple[_Observation, ...]) -> _Process:
    return _Process(parameters, seen)


@lru_cache(256)
def _best(
    parameters: tuple[TunedParameter, ...], seed: int, seen: tuple[_Observation, ...]
) -> Point:
    """Return the best point that is not in much doubt, from better and better candidates."""
    found = start_of(parameters)
    if not seen:
        return found
    process = _process(parameters, seen)
    source = _source(seed, "best", len(seen))
    for _ in range(CLIMBS):
        found = process.best(_candidates(process, found, source))
    return found


def _candidates(process: _Process, centre: Point, source: np.random.RandomState) -> Rows:
    """Return the start, a centre, what was compared, points near the centre, and any others."""
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    parameters, size = process.parameters, len(process.parameters)
    shape = (CANDIDATES // 2, size)
    # Few or all values change, a little or much: what helps depends on how many there are.
    changed = source.random_sample(shape) < max(0.5, 1 / size)
    scales = 10 ** source.uniform(-2.5, -0.5, (len(changed), 1))
    middle = _scaled(parameters, [centre])
    near = middle + source.standard_normal(shape) * scales * changed
    rows = _values(parameters, np.vstack([near, source.random_sample(shape)]))
    known = [start_of(parameters), centre, *(each.point for each in process.seen)]
    return np.vstack([known, rows])


@lru_cache(16)
def _design(parameters: tuple[TunedParameter, ...], seed: int) -> tuple[Point, ...]:
    """Return the first points: a Latin hypercube, so that the values of each are spread out.

    It reaches from the start to half of the way to each bound: beyond, most values are bad.
    """
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    size = _design_size(parameters)
    source = _source(seed, "design")
    columns = [(source.permutation(size) + 0.5) / size for _ in parameters]
    start = _scaled(parameters, [start_of(parameters)])
    return tuple(map(_point, _values(parameters, (np.array(columns).T + start) / 2)))


def _design_size(parameters: Sequence[TunedParameter]) -> int:
    return max(5, 2 * len(parameters))


def _scaled(parameters: Sequence[TunedParameter], points: Rows | Sequence[Point]) -> Rows:
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    low, high = _bounds(parameters)
    found: Rows = (np.array(points) - low) / (high - low)
    return found


def _values(parameters: Sequence[TunedParameter], scaled: Rows) -> Rows:
    """Return the nearest values that the bot can get."""
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    low, high = _bounds(parameters)
    found: Rows = low + (high - low) * (scaled.clip(0, 1) * _GRID).round() / _GRID
    return np.where([each.is_whole for each in parameters], found.round(), found)


def _bounds(parameters: Sequence[TunedParameter]) -> Rows:
    """Return the least and the greatest values, a row each."""
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    return np.array([(each.low, each.high) for each in parameters]).T


def _point(row: Rows) -> Point:
    return tuple(row.tolist())


def _source(seed: int, *path: int | str) -> np.random.RandomState:
    """Return random numbers that are the same in every version of NumPy."""
    import numpy as np  # noqa: PLC0415 (NumPy loads slowly)

    return np.random.RandomState(seed_of(seed, "bayesian", *path) % 2**32)


FORMAT = Bayesian
