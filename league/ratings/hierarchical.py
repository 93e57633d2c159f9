"""Ratings with a prior whose width is estimated together with them.

The ratings of a pool are draws from a normal distribution of unknown width, which is integrated
over (a hierarchical model: A. Gelman et al., Bayesian Data Analysis, 2013, chapter 5; for each
width by P. Laplace's approximation). Given the ratings, results tell the same however the pairs
were chosen. So bars hold where results choose the pairs, as in a Swiss tournament; those of the
likelihood alone do not, because whoever was lucky met the lucky, and the ratings spread out.

Every width is thought equally likely, but for those far below the error of one rating: without that
limit the ratings of equal bots would be the same number with hardly any bar, and bots that differ a
little would seem equal.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from league.ratings.elo_difference import ELO_PER_LOGIT
from league.ratings.likelihood import Comparisons, Floats, maximum

LEAST = 1.6
"""The width below which widths are ruled out, in standard errors of one bot's rating.

By simulation (`python -m benchmarks.coverage --formats`): with 1, bars of equal bots always hold;
with 2, more than 6% of the pairs in a Swiss tournament are falsely separated.
"""

WIDEST = 1600 / ELO_PER_LOGIT
"""The widest prior that is tried, in log odds."""

RATIO = 1.4
"""The ratio of one width to the next. Ratings change so little between two that more is no use."""

NEGLIGIBLE = 7.0
"""A width whose log probability is so much below the best one's is left out."""


@dataclass(frozen=True, slots=True)
class _Node:
    weight: float
    fitted: Floats
    curvature: Floats


def posterior(rows: Comparisons, pools: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Return the mean and the covariance of the log odds and the advantage.

    The ratings of each pool have a mean of zero. `rows` have no prior of their own, and weights
    such that each comparison has the variance E (1 - E).
    """
    rated = sum(len(pool) for pool in pools if len(pool) > 1)
    unit = math.sqrt(2 * max(1, rated) / float(rows.weight.sum()))
    nodes: list[_Node] = []
    best, width = -math.inf, LEAST * unit / 2
    fitted: Floats = np.zeros(rows.bots + 1)
    while width < RATIO * max(WIDEST, LEAST * unit):
        each = replace(rows, precision=width**-2)
        fitted = maximum(each, begin=fitted)
        curvature = each.curvature(fitted)
        # Nodes are equally far apart in the logarithm of the width.
        weight = each.likelihood(fitted) - (rows.bots - 1) * math.log(width)
        weight -= np.linalg.slogdet(curvature)[1] / 2 + (LEAST * unit / width) ** 2
        nodes.append(_Node(weight, fitted, curvature))
        best = max(best, weight)
        if weight < best - NEGLIGIBLE:
            break
        width *= RATIO
    return _mixed([each for each in nodes if each.weight > best - NEGLIGIBLE], pools)


def _mixed(nodes: Sequence[_Node], pools: Sequence[Sequence[int]]) -> tuple[Floats, Floats]:
    """Return the mean and the covariance of a mixture of normal distributions."""
    weights = np.array([each.weight for each in nodes])
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    fitted = np.array([each.fitted for each in nodes])
    mean: Floats = weights @ fitted
    covariance = ((fitted - mean) * weights[:, None]).T @ (fitted - mean)
    for weight, each in zip(weights.tolist(), nodes, strict=True):
        covariance += weight * np.linalg.inv(each.curvature)
    # A pool's own mean is a convention, and no error of its bots.
    for pool in pools:
        covariance[pool, :] -= covariance[pool, :].mean(axis=0)
        covariance[:, pool] -= covariance[:, pool].mean(axis=1)[:, None]
    return mean, covariance
