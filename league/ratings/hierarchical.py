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
one which the prior draws most. So what the prior draws a bot by counts as an error of its rating.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.likelihood import Comparisons, Floats, maximum

FREEDOM = 2
"""The degrees of freedom of the t distribution: the fewer, the heavier its tails."""

LEAST = 1.2
"""The width below which widths are ruled out, in standard errors of one bot's rating."""

DRAWN = 2
"""So many times the square of what the prior draws a bot by is added to its variance.

It is estimated from the rating that is drawn already, and so by too little. This and the two above
are by simulation (`python -m benchmarks.coverage`).
"""

WIDEST = 1600 / ELO_PER_LOGIT
"""The widest prior that is tried, in log odds."""

RATIO = 1.4
"""The ratio of one width to the next. Ratings change so little between two that more is no use."""

NEGLIGIBLE = 7.0
"""A width whose log probability is so much below the best one's is left out."""

_ROUNDS = 40
_PRECISION = 1e-3


@dataclass(frozen=True, slots=True)
class _Node:
    """The posterior at one width; `weight` is the logarithm of the width's probability.

    `drawn` are the log odds by which the prior draws each bot to the middle of its pool.
    """

    weight: float
    fitted: Floats
    covariance: Floats
    drawn: Floats


def posterior(rows: Comparisons, pools: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Return the mean of the log odds and the advantage, and the covariance of their errors.

    The ratings of each pool have a mean of zero. `rows` have no prior of their own, and weights
    such that each comparison has the variance E (1 - E).
    """
    rated = sum(len(pool) for pool in pools if len(pool) > 1)
    least = LEAST * math.sqrt(2 * max(1, rated) / float(rows.weight.sum()))
    nodes: list[_Node] = []
    best, width = -math.inf, least / 2
    fitted: Floats = np.zeros(rows.bots + 1)
    while width < RATIO * max(WIDEST, least):
        node = _at_width(rows, width, fitted)
        fitted = node.fitted
        # Nodes are equally far apart in the logarithm of the width.
        weight = node.weight + math.log(width) - (least / width) ** 2
        nodes.append(replace(node, weight=weight))
        best = max(best, weight)
        if weight < best - NEGLIGIBLE:
            break
        width *= RATIO
    return _mixed([each for each in nodes if each.weight > best - NEGLIGIBLE], pools)


def _at_width(rows: Comparisons, width: float, fitted: Floats) -> _Node:
    """Return the posterior for a width of the prior, beginning with ratings near it."""
    precision: Floats = np.full(rows.bots, width**-2)
    for _ in range(_ROUNDS):
        before = precision
        each = replace(rows, precision=precision)
        fitted = maximum(each, begin=fitted)
        covariance = np.linalg.inv(each.curvature(fitted))
        squared = fitted[:-1] ** 2 + covariance.diagonal()[:-1]
        precision = (FREEDOM + 1) / (FREEDOM * width**2 + squared)
        if np.abs(np.log(precision / before)).max() < _PRECISION:
            break
    own = before * covariance.diagonal()[:-1]
    weight = rows.likelihood(fitted) + np.linalg.slogdet(covariance)[1] / 2 + float(own.sum()) / 2
    tails = np.log1p(squared / (FREEDOM * width**2))
    weight -= (FREEDOM + 1) / 2 * float(tails.sum()) + rows.bots * math.log(width)
    drawn = covariance[:-1, :-1] @ (before * fitted[:-1])
    return _Node(weight, fitted, covariance, drawn)


def _mixed(nodes: Sequence[_Node], pools: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Return the mean and the covariance of a mixture of normal distributions."""
    weights = np.array([each.weight for each in nodes])
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    fitted = np.array([each.fitted for each in nodes])
    mean: Floats = weights @ fitted
    covariance = ((fitted - mean) * weights[:, None]).T @ (fitted - mean)
    for weight, each in zip(weights.tolist(), nodes, strict=True):
        covariance += weight * each.covariance
    drawn = weights @ np.array([each.drawn for each in nodes])
    covariance[:-1, :-1] += DRAWN * np.outer(drawn, drawn)
    # A pool's own mean is a convention, and no error of its bots.
    for pool in map(list, pools):
        mean[pool] -= mean[pool].mean()
        covariance[pool, :] -= covariance[pool, :].mean(axis=0)
        covariance[:, pool] -= covariance[:, pool].mean(axis=1)[:, None]
    return mean, covariance
