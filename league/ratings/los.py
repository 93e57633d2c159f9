"""Likelihood of superiority between bots, and the ranks that it does not separate."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from league.ratings.elo_difference import BAR
from league.ratings.rating_system import SystemRatings
from league.ratings.result_table import Floats

SURE = 0.975
"""From this likelihood on two bots are separated, taken alone: one side of a 95% interval."""


def los_matrix(rated: SystemRatings, pools: Sequence[Sequence[int]]) -> Floats:
    """Return the likelihood that each bot is stronger than each other, 0 to 1.

    The shape is (bots, bots). NaN between two pools, on the diagonal, and everywhere if the system
    has no errors.
    """
    bots = len(rated.values)
    los = np.full((bots, bots), math.nan)
    if rated.errors is None:
        return los
    if rated.covariance is None:
        own = (rated.errors / BAR) ** 2
        variance = own[:, None] + own[None, :]
    else:
        own = np.diag(rated.covariance)
        variance = own[:, None] + own[None, :] - 2 * rated.covariance
    gaps = rated.values[:, None] - rated.values[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        sigmas = gaps / np.sqrt(2 * np.maximum(variance, 0))
    for pool in pools:
        among = np.ix_(pool, pool)
        values = [(1 + math.erf(each)) / 2 for each in sigmas[among].ravel().tolist()]
        los[among] = np.array(values).reshape(len(pool), len(pool))
    np.fill_diagonal(los, math.nan)
    return los


def separated(los: Floats) -> NDArray[np.bool_]:
    """Return whether each two bots of a pool are separated; the shape is that of `los`.

    All these statements together are right in 95% of leagues (S. Holm, A Simple Sequentially
    Rejective Multiple Test Procedure, 1979).
    """
    pairs = np.triu_indices(len(los), 1)
    chances = np.nan_to_num(2 * np.minimum(los, los.T)[pairs], nan=1.0)
    order = np.argsort(chances)
    levels = 2 * (1 - SURE) / np.arange(len(order), 0, -1)
    fails = np.flatnonzero(chances[order] > levels)
    sure = order[: fails[0] if len(fails) else len(order)]
    found = np.zeros(los.shape, dtype=bool)
    found[pairs[0][sure], pairs[1][sure]] = True
    return found | found.T


def inseparable_groups(apart: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return groups of ranks, from 0, in which no two are separated: each such pair is in one.

    These are the longest runs of ranks, and the pairs that are in none of them. `apart` is by rank.
    """
    groups: list[tuple[int, ...]] = []
    first = 0
    for last in range(1, len(apart)):
        away = np.flatnonzero(apart[first:last, last])
        if len(away):
            if last - 1 > first:
                groups.append(tuple(range(first, last)))
            first += int(away[-1]) + 1
    if len(apart) - 1 > first:
        groups.append(tuple(range(first, len(apart))))
    left = ~apart
    for group in groups:
        left[np.ix_(group, group)] = False
    pairs = zip(*np.nonzero(np.triu(left, 1)), strict=True)
    return sorted([*groups, *((int(one), int(other)) for one, other in pairs)])
