"""Ratings and their errors, fitted to all results at once in any order.

Ratings are on the Elo scale, E = 1 / (1 + 10^(-(ri - rj + h) / 400)) with an advantage h of the
first seat (see `likelihood`). By default they come from a hierarchical model, whose errors hold
however pairs were chosen (see `hierarchical`); one virtual draw, divided among the bots, keeps
perfect scores finite. Draws and the correlation of the pairs of one match change the variance of a
score: it is the model's times a dispersion, as in the quasi-likelihood of R. Wedderburn (1974).

With a prior in virtual draws the ratings are those of the maximum likelihood, as in M. Ballicora's
Ordo (2012); errors use Cov = H^-1 V H^-1 (H. White, Maximum Likelihood Estimation of Misspecified
Models, 1982). Such errors are too small where results chose the pairs. Two bots that met get half
the virtual draws of a bot, without seat advantage, times the share of its matches that each of them
played against the other. That keeps perfect scores finite, moves no mean, joins no pools, and fades
as 1 / matches however many opponents there were. Errors treat the virtual draws as observed.

A match of more than two seats counts as its pairs, whose results are correlated: there V comes from
whole matches (see `match_covariance`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from league.ratings.elo_difference import BAR, ELO_PER_LOGIT
from league.ratings.hierarchical import DRAWN, Posterior, posterior
from league.ratings.likelihood import Comparisons, Floats, gauge_of, maximum
from league.ratings.match_covariance import summed_variance
from league.ratings.result_table import PairTotal, ResultColumns
from league.ratings.separation import check_separation

LEAST_DISPERSION = 0.05
"""A result never counts as telling more than twenty times as much, however many draws there are."""

UNSURE = 400 / ELO_PER_LOGIT
"""The width of a prior that only keeps ratings finite, in log odds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Fitted ratings of bots by position, in Elo, with half-widths of 95% intervals.

    `elo` and `error` have the shape (bots,), `covariance` (bots, bots) in Elo²: of the anchored
    ratings, so that the anchor's error is 0. `drawn` (bots,) is how far the prior has drawn each
    rating: errors count it, the covariance does not. A bot without matches has an infinite error.
    `draw_rate` is the share of draws between equals, 0 to 1. `pools` are groups of positions
    connected by matches; ratings of different pools are not comparable.
    """

    elo: Floats
    error: Floats
    covariance: Floats
    drawn: Floats
    advantage: float
    advantage_error: float
    draw_rate: float
    pools: tuple[tuple[int, ...], ...]

    def difference(self, one: int, other: int) -> tuple[float, float]:
        """Return `one`'s lead and the half-width of its 95% interval, infinite between pools."""
        elo = float(self.elo[one] - self.elo[other])
        if not any(one in pool and other in pool for pool in self.pools):
            return elo, math.inf
        covariance = self.covariance
        variance = covariance[one, one] + covariance[other, other] - 2 * covariance[one, other]
        variance += DRAWN * (self.drawn[one] - self.drawn[other]) ** 2
        return elo, BAR * math.sqrt(max(0.0, float(variance)))


Anchor: TypeAlias = tuple[int | None, float]
"""A bot, or None for the mean, and the rating that it is held at."""


def fit(
    bots: int,
    totals: Sequence[PairTotal],
    *,
    has_advantage: bool = True,
    anchor: Anchor = (None, 0.0),
    prior: float | None = None,
    matches: ResultColumns | None = None,
) -> Ratings:
    """Return the ratings of `bots` bots.

    `anchor` is a bot and its rating; None, and pools without that bot, mean the mean. Without
    `has_advantage` all seats count as equal. `prior` is None for the hierarchical model, else a
    number of virtual draws of each bot; with 0, each bot's points equal those expected. If
    `matches` is given, the ones behind the totals, errors account for the correlation of pairs in
    one match. Raises `ValueError` for an unknown anchor, and its kind `SeparationError` if with a
    prior of 0 no finite maximum exists.
    """
    known = range(bots)
    if any(each.first not in known or each.second not in known for each in totals):
        raise ValueError(f"results of a bot beyond the {bots} that are rated")
    if anchor[0] is not None and anchor[0] not in known:
        raise ValueError(f"anchor {anchor[0]} is none of the {bots} bots")
    played = _played(totals)
    if not bots:
        none = np.zeros(0)
        return Ratings(
            elo=none,
            error=none,
            covariance=np.zeros((0, 0)),
            drawn=none,
            advantage=0.0,
            advantage_error=0.0,
            draw_rate=0.0,
            pools=(),
        )
    pools = find_pools(bots, played)
    rows = Comparisons.of(bots, played, has_advantage, 1 / bots if prior is None else prior)
    if prior == 0:
        check_separation(bots, played, pools, has_advantage)
    fitted = _hierarchical if prior is None else _likeliest
    return _anchored(fitted(rows, played, matches, pools), pools, anchor)


def comparisons(
    bots: int,
    totals: Sequence[PairTotal],
    *,
    has_advantage: bool = True,
    matches: ResultColumns | None = None,
) -> Comparisons:
    """Return results, and one virtual draw in all, so weighed that each has the variance E (1 - E).

    The arguments are those of `fit`.
    """
    played = _played(totals)
    return _scaled(Comparisons.of(bots, played, has_advantage, 1 / bots), played, matches)[0]


def _played(totals: Sequence[PairTotal]) -> list[PairTotal]:
    return [each for each in totals if each.matches and each.first != each.second]


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What the results tell of the log odds and the advantage, and the share of draws."""

    found: Posterior
    draw_rate: float


@dataclass(frozen=True, slots=True)
class _Scatter:
    """The scatter of results: the variance of the likelihood's slope at fitted log odds.

    `model` is that variance if all matches were decisive and independent. `is_real` tells the rows
    of results from those of the prior.
    """

    variance: Floats
    model: Floats
    is_real: NDArray[np.bool_]
    draw_rate: float

    @classmethod
    def around(
        cls,
        fitted: Floats,
        rows: Comparisons,
        played: Sequence[PairTotal],
        matches: ResultColumns | None,
    ) -> "_Scatter":
        """Return the scatter of rows, of which those of `played` come first."""
        spread = rows.spread(fitted)
        is_real = np.arange(len(rows.weight)) < len(played)
        draws = sum(each.draws for each in played)
        # One decisive match more than there were: a few draws don't prove that all are drawn.
        draw_rate = min(1.0, draws / (4 * float(spread[is_real].sum()) + 1))
        model = rows.information(np.where(is_real, spread, 0))
        if matches is None:
            variance = (1 - draw_rate) * model
        else:
            variance = np.zeros_like(model)
            variance[:-1, :-1] = summed_variance(matches, fitted[:-1])
        return cls(variance, model, is_real, draw_rate)


def _hierarchical(
    rows: Comparisons,
    played: Sequence[PairTotal],
    matches: ResultColumns | None,
    pools: Sequence[Sequence[int]],
) -> _Fitted:
    """Fit with a prior whose width is estimated."""
    scaled, draw_rate = _scaled(rows, played, matches)
    return _Fitted(posterior(scaled, pools), draw_rate)


def _scaled(
    rows: Comparisons, played: Sequence[PairTotal], matches: ResultColumns | None
) -> tuple[Comparisons, float]:
    """Return the rows with results weighed by how their scores scatter, and the draw rate."""
    near = maximum(replace(rows, precision=UNSURE**-2))
    found = _Scatter.around(near, rows, played, matches)
    model = float(np.trace(found.model[:-1, :-1]))
    dispersion = np.trace(found.variance[:-1, :-1]) / max(model, 1e-9)
    scale = np.where(found.is_real, 1 / max(float(dispersion), LEAST_DISPERSION), 1)
    return replace(rows, weight=scale * rows.weight, score=scale * rows.score), found.draw_rate


def _likeliest(
    rows: Comparisons,
    played: Sequence[PairTotal],
    matches: ResultColumns | None,
    pools: Sequence[Sequence[int]],
) -> _Fitted:
    """Fit by maximum likelihood, with the virtual draws as results."""
    gauge = gauge_of(rows.bots, pools)
    mean = maximum(rows, gauge)
    found = _Scatter.around(mean, rows, played, matches)
    spread = rows.spread(mean)
    inverse = np.linalg.inv(rows.information(spread) + gauge)
    variance = found.variance + rows.information(np.where(found.is_real, 0, spread))
    told = Posterior(mean, inverse @ variance @ inverse, np.zeros(rows.bots))
    return _Fitted(told, found.draw_rate)


def find_pools(bots: int, totals: Sequence[PairTotal]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of bots connected by matches, largest first."""
    root = list(range(bots))

    def find(bot: int) -> int:
        while root[bot] != bot:
            root[bot] = root[root[bot]]
            bot = root[bot]
        return bot

    left = bots - 1
    for each in totals:
        one, other = find(each.first), find(each.second)
        if one != other and each.matches:
            root[one] = other
            left -= 1
            if not left:
                break
    pools: dict[int, list[int]] = {}
    for bot in range(bots):
        pools.setdefault(find(bot), []).append(bot)
    return tuple(sorted(map(tuple, pools.values()), key=lambda pool: (-len(pool), pool)))


def _anchored(fitted: _Fitted, pools: tuple[tuple[int, ...], ...], anchor: Anchor) -> Ratings:
    held, at = anchor
    mean, covariance = fitted.found.mean, fitted.found.covariance
    bots = len(mean) - 1
    shift = np.eye(bots)
    for pool in pools:
        if held in pool:
            shift[pool, held] -= 1
    elo = ELO_PER_LOGIT * (shift @ mean[:-1])
    among = ELO_PER_LOGIT**2 * (shift @ covariance[:-1, :-1] @ shift.T)
    drawn = ELO_PER_LOGIT * (shift @ fitted.found.drawn)
    error = BAR * np.sqrt(np.maximum(0, np.diag(among)) + DRAWN * drawn**2)
    for pool in pools:
        if len(pool) == 1 and pool[0] != held:
            error[pool[0]] = np.inf
    return Ratings(
        elo=elo + at,
        error=error,
        covariance=among,
        drawn=drawn,
        advantage=ELO_PER_LOGIT * float(mean[-1]),
        advantage_error=BAR * ELO_PER_LOGIT * math.sqrt(max(0.0, float(covariance[-1, -1]))),
        draw_rate=fitted.draw_rate,
        pools=pools,
    )
