"""Likelihood of superiority between bots, and the ranks that it does not separate."""

import math
from collections.abc import Sequence

import numpy as np

from league.ratings.elo_difference import BAR
from league.ratings.rating_system import SystemRatings
from league.ratings.result_table import Floats

SURE = 0.975
"""Two bots are distinguished from this likelihood on: one side of a 95% interval."""


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


def inseparable_runs(los: Floats, order: Sequence[int]) -> list[tuple[int, int]]:
    """Return the longest runs of ranks within which no two bots can be distinguished.

    `order` are positions by rank; a run is its first and last index in `order`.
    """
    among = los[np.ix_(order, order)]
    is_apart = among >= SURE
    runs: list[tuple[int, int]] = []
    first = 0
    for last in range(1, len(order)):
        apart = np.flatnonzero(is_apart[first:last, last])
        if len(apart):
            if last - 1 > first:
                runs.append((first, last - 1))
            first += int(apart[-1]) + 1
    if len(order) - 1 > first:
        runs.append((first, len(order) - 1))
    return runs
