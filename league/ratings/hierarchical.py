"""Ratings with a prior whose width is estimated together with them.

The ratings of a pool are draws from a distribution of unknown width, which is integrated over (a
hierarchical model: A. Gelman et al., Bayesian Data Analysis, 2013, chapter 5). Given the ratings,
results tell the same however the pairs were chosen. So bars hold where results choose the pairs, as
in a Swiss tournament; those of the likelihood alone do not, because whoever was lucky met the
lucky, and the ratings spread out.

The distribution is Student's t, whose heavy tails leave a bot alone that is far from all others. It
is a mixture of normal distributions with a width for each bot; for each width of the whole, the
posterior is approximated by a normal distribution and one of each bot's own width, in turn (M.
Tipping and N. Lawrence, Variational inference for Student-t models, 2005).

Every width is thought equally likely (A. Gelman, Prior distributions for variance parameters,
2006), but for those far below the error of one rating: without that limit the ratings of equal bots
would be the same number with hardly any bar, and bots that differ a little would seem equal.

Bars of such a model hold on average over the bots of a pool, and not for its best one: that is the
one which the prior draws most. So what the prior draws a bot by counts as an error in its bar. It
does not count in the likelihood that one bot is stronger than another: the prior only draws the two
together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.likelihood import Comparisons, Floats

FREEDOM = 2
"""The degrees of freedom of the t distribution: the fewer, the heavier its tails."""

LEAST = 1.2
"""The width below which widths are ruled out, in standard errors of one bot's rating."""

DRAWN = 1.5
"""So many times the square of what the prior draws a bot by counts as variance in its bar.

It is estimated from the rating that is drawn already, and so by too little. This and the two above
are by simulation (`python -m benchmarks.coverage`).
"""

WIDEST = 1600 / ELO_PER_LOGIT
"""The widest prior that is tried, in log odds."""

RATIO = 1.4
"""The ratio of one width to the next. Ratings change so little between two that more is no use."""

NEGLIGIBLE = 7.0
"""A width whose log probability is so much below the best one's is left out."""

_ROUNDS = 60
_PRECISION = 3e-3
_STEP_MAX = 2.0


@dataclass(frozen=True, slots=True)
class Posterior:
    """The mean and the covariance of the log odds of bots, and then of the advantage.

    `drawn` are the log odds by which the prior draws each bot to the middle of its pool. The bots
    of each pool have a mean of zero.
    """

    mean: Floats
    covariance: Floats
    drawn: Floats


def posterior(rows: Comparisons, pools: Sequence[Sequence[int]]) -> Posterior:
    """Return what the results tell.

    `rows` have no prior of their own, and weights such that each comparison has the variance
    E (1 - E).
    """
    rated = sum(len(pool) for pool in pools if len(pool) > 1)
    least = LEAST * math.sqrt(2 * max(1, rated) / float(rows.weight.sum()))
    nodes: list[tuple[float, Posterior]] = []
    best, width = -math.inf, least / RATIO
    size = rows.bots + 1
    found = Posterior(np.zeros(size), np.zeros((size, size)), np.zeros(rows.bots))
    while width < RATIO * max(WIDEST, least):
        chance, found = _at_width(rows, width, found)
        # Nodes are equally far apart in the logarithm of the width.
        weight = chance + math.log(width) - (least / width) ** 2
        nodes.append((weight, found))
        best = max(best, weight)
        if weight < best - NEGLIGIBLE:
            break
        width *= RATIO
    return _mixed([each for each in nodes if each[0] > best - NEGLIGIBLE], pools)


def _at_width(rows: Comparisons, width: float, near: Posterior) -> tuple[float, Posterior]:
    """Return the log probability of the results at a width of the prior, and the posterior.

    Begin with one that is near it.
    """
    fitted, squared = near.mean, _squared(near.mean, near.covariance)
    for _ in range(_ROUNDS):
        precision = (FREEDOM + 1) / (FREEDOM * width**2 + squared)
        each = replace(rows, precision=precision)
        slope, curvature = each.newton(fitted)
        covariance = np.linalg.inv(curvature)
        step = covariance @ slope
        # A full step from far away may overshoot.
        fitted = fitted + step * min(1.0, _STEP_MAX / max(_STEP_MAX, np.abs(step).max()))
        before, squared = squared, _squared(fitted, covariance)
        moved = np.abs(squared - before) / (FREEDOM * width**2 + before)
        if max(moved.max(), np.abs(step).max()) < _PRECISION:
            break
    own = precision * covariance.diagonal()[:-1]
    chance = rows.likelihood(fitted) + np.linalg.slogdet(covariance)[1] / 2 + float(own.sum()) / 2
    tails = np.log1p(squared / (FREEDOM * width**2))
    chance -= (FREEDOM + 1) / 2 * float(tails.sum()) + rows.bots * math.log(width)
    drawn = covariance[:-1, :-1] @ (precision * fitted[:-1])
    return chance, Posterior(fitted, covariance, drawn)


def _squared(mean: Floats, covariance: Floats) -> Floats:
    """Return the expected square of each bot's log odds."""
    squared: Floats = mean[:-1] ** 2 + covariance.diagonal()[:-1]
    return squared


def _mixed(nodes: Sequence[tuple[float, Posterior]], pools: Sequence[Sequence[int]]) -> Posterior:
    """Return the mixture of normal distributions, each with the logarithm of its weight."""
    weights = np.array([weight for weight, _ in nodes])
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    fitted = np.array([each.mean for _, each in nodes])
    mean: Floats = weights @ fitted
    covariance = ((fitted - mean) * weights[:, None]).T @ (fitted - mean)
    for weight, (_, each) in zip(weights.tolist(), nodes, strict=True):
        covariance += weight * each.covariance
    drawn: Floats = weights @ np.array([each.drawn for _, each in nodes])
    # A pool's own mean is a convention, and no error of its bots.
    for pool in map(list, pools):
        mean[pool] -= mean[pool].mean()
        drawn[pool] -= drawn[pool].mean()
        covariance[pool, :] -= covariance[pool, :].mean(axis=0)
        covariance[:, pool] -= covariance[:, pool].mean(axis=1)[:, None]
    return Posterior(mean, covariance, drawn)
