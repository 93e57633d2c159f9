"""The state of a sequential test, and the number of matches that a difference takes."""

import math
from dataclasses import dataclass
from typing import Self

from league.ratings.elo_difference import Counts, Difference, difference
from league.ratings.sprt import Model, Sprt, SprtState, fixed_length


@dataclass(frozen=True, slots=True, kw_only=True)
class SprtResult:
    """The state of a test after some matches.

    `llr` is the log-likelihood ratio, which ends the test outside of `lower` and `upper`.
    """

    test: Sprt
    llr: float
    lower: float
    upper: float
    state: SprtState
    matches: float
    difference: Difference

    @classmethod
    def of(cls, test: Sprt, counts: Counts) -> Self:
        """Judge counts; raise `ValueError` for counts that make no test."""
        lower, upper = test.bounds
        return cls(
            test=test,
            llr=test.llr(counts),
            lower=lower,
            upper=upper,
            state=test.state(counts),
            matches=counts.total * counts.matches_each,
            difference=difference(counts),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """How many matches it takes to see a difference of `elo` with a share of `draws`.

    `fixed` is the number if it is fixed beforehand; `sequential` the mean number of the sequential
    test of 0 against `elo`, by the true difference in Elo.
    """

    elo: float
    draws: float
    alpha: float
    beta: float
    fixed: int
    sequential: dict[float, int]

    @classmethod
    def of(cls, elo: float, draws: float, alpha: float, beta: float) -> Self:
        """Compute the numbers; raise `ValueError` for a difference of 0 or impossible rates."""
        if not 0 <= draws < 1:
            raise ValueError(f"draws {draws:g} must be from 0 to less than 1")
        sigma = math.sqrt(1 - draws) / 2
        test = Sprt(0.0, abs(elo), alpha=alpha, beta=beta, model=Model.LOGISTIC)
        return cls(
            elo=elo,
            draws=draws,
            alpha=alpha,
            beta=beta,
            fixed=fixed_length(elo, sigma, alpha=alpha, beta=beta),
            sequential={
                true: round(test.expected_length(true, sigma))
                for true in (0.0, abs(elo) / 2, abs(elo), 2 * abs(elo))
            },
        )
