"""The state of a sequential test, and the number of matches that a difference takes."""

import math
from dataclasses import dataclass
from typing import Self

from league.model.number_format import told_interval
from league.ratings.elo_difference import Counts
from league.ratings.sprt import Model, Sprt, SprtState
from league.ratings.sprt_estimate import Interval, SprtEstimate


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtResult:
    """The state of a test after some matches.

    `llr` is the log-likelihood ratio, which ends the test outside of `lower` and `upper`; `score`
    the observed share of the points. The `estimate` is corrected for the stopping of the test.
    """

    test: Sprt
    counts: Counts
    llr: float
    lower: float
    upper: float
    state: SprtState
    score: float
    estimate: SprtEstimate

    @classmethod
    def of(cls, test: Sprt, counts: Counts) -> Self:
        """Judge counts; raise `ValueError` for counts that make no test."""
        test.check(counts)
        estimate = SprtEstimate.of(test, counts)
        lower, upper = test.bounds
        return cls(
            test=test,
            counts=counts,
            llr=test.llr(counts),
            lower=lower,
            upper=upper,
            state=test.state(counts),
            score=counts.mean,
            estimate=estimate,
        )

    @property
    def matches(self) -> float:
        """The number of matches that were counted."""
        return self.counts.total * self.counts.matches_each

    @property
    def conclusion(self) -> str:
        """The hypothesis that the test favours, in a line."""
        return conclusion(self.test, self.state)


def conclusion(test: Sprt, state: SprtState) -> str:
    """Say in words what the evidence favours.

    It does not say that the difference is at least `elo1`: of two hypotheses, a difference between
    them favours either.
    """
    elo0, elo1 = f"{test.elo0:g}", f"{test.elo1:g} {test.model.unit}"
    if state is SprtState.UNDECIDED:
        return f"undecided between {elo0} and {elo1}"
    if state is SprtState.ACCEPTED:
        return f"evidence favours {elo1} over {elo0}"
    return f"evidence favours {test.elo0:g} {test.model.unit} over {test.elo1:g}"


def standing(test: Sprt, counts: Counts) -> str:
    """Return the ratio, its bounds, the hypotheses and the counts, as `league sprt` takes them."""
    lower, upper = test.bounds
    kind, ordered = "pentanomial", counts.numbers
    if counts.matches_each == 1:
        # Wins, losses and draws, the order in which 'league sprt' reads them.
        losses, draws, wins = counts.numbers
        kind, ordered = "trinomial", (wins, losses, draws)
    numbers = ", ".join(f"{number:g}" for number in ordered)
    return (
        f"LLR {test.llr(counts):+.2f} ({lower:.2f} to {upper:.2f}), "
        f"{test.model.unit} [{test.elo0:g}, {test.elo1:g}], {kind} [{numbers}] "
        f"of {counts.total * counts.matches_each:,} matches"
    )


def told(interval: Interval) -> str:
    """Write an estimate with its 95% interval, which stands alone for an infinite estimate."""
    whole = told_interval(interval.low, interval.high)
    if not math.isfinite(interval.value):
        return whole
    return f"{interval.value:+z.1f}, 95% interval {whole}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The matches that it takes to see a difference of `elo` with a share of `draws`.

    `fixed` is the number if it is fixed beforehand; `sequential` the mean number of the sequential
    test of 0 against `elo` with a look after each `batch` encounters, by the true difference.
    `model` is the unit of the differences; in normalized Elo the share of draws makes no
    difference.
    """

    elo: float
    model: Model
    draws: float
    alpha: float
    beta: float
    batch: int
    fixed: int
    sequential: dict[float, int]

    @classmethod
    def of(
        cls, elo: float, model: Model, draws: float, alpha: float, beta: float, batch: int
    ) -> Self:
        """Compute the numbers; raise `ValueError` for a difference of 0 or impossible rates.

        Bayesian Elo has no length: it depends on more than the share of draws.
        """
        if not elo:
            raise ValueError("no difference can't be shown")
        if model is Model.BAYESIAN:
            raise ValueError("model 'bayesian': expected normalized or logistic")
        if not 0 <= draws < 1:
            raise ValueError(f"draws {draws:g} must be from 0 to less than 1")
        if batch < 1:
            raise ValueError(f"batch {batch} must be at least 1")
        sigma = math.sqrt(1 - draws) / 2
        test = Sprt(0.0, abs(elo), alpha=alpha, beta=beta, model=model)
        return cls(
            elo=elo,
            model=model,
            draws=draws,
            alpha=alpha,
            beta=beta,
            batch=batch,
            fixed=test.fixed_length(sigma),
            sequential={
                true: round(test.expected_length(true, sigma, 2 * batch))
                for true in (0.0, abs(elo) / 2, abs(elo), 2 * abs(elo))
            },
        )
