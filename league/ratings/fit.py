"""Ratings and their errors, fitted to all results at once in any order.

The maximum-likelihood ratings of the model of R. Bradley and M. Terry (1952) on the Elo scale, with
an advantage h of the first seat, E = 1 / (1 + 10^(-(ri - rj + h) / 400)), a draw counting as half a
win and half a loss, as in M. Ballicora's Ordo (2012), found by Newton's method. Draws reduce the
variance of a score, so errors use Cov = H^-1 V H^-1 (H. White, Maximum Likelihood Estimation of
Misspecified Models, 1982).

The prior is half a virtual draw for each bot: two bots that met get a quarter of a draw, without
seat advantage, times the share of its matches that each of them played against the other. The
advantage has half a virtual draw of its own. The prior keeps perfect scores finite, moves no mean,
joins no pools, and fades as 1 / matches however many opponents there were; a prior per pair would
grow with their number. Errors treat it as observed.

A match of more than two seats counts as its pairs, whose results are correlated: there errors take
V from whole matches (`league.ratings.match_covariance`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from league.ratings.elo_difference import BAR, ELO_PER_LOGIT
from league.ratings.match_covariance import summed_variance
from league.ratings.result_table import PairTotal, ResultColumns

Floats: TypeAlias = NDArray[np.floating[Any]]

PRIOR = 0.5
"""Virtual draws of each bot and of the advantage."""

STEPS_MAX = 100
STEP_MIN = 1e-9
"""The last step of Newton's method, in log odds: too small to show in a rating."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratings:
    """Fitted ratings of bots by position, in Elo, with half-widths of 95% intervals.

    `elo` and `error` have the shape (bots,), `covariance` (bots, bots) in Elo²: of the anchored
    ratings, so that the anchor's error is 0. A bot without matches has an infinite error.
    `draw_rate` is the share of draws between equals, 0 to 1. `pools` are groups of positions
    connected by matches; ratings of different pools are not comparable.
    """

    elo: Floats
    error: Floats
    covariance: Floats
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
        return elo, BAR * math.sqrt(max(0.0, float(variance)))


Anchor: TypeAlias = tuple[int | None, float]
"""A bot, or None for the mean, and the rating that it is held at."""


def fit(
    bots: int,
    totals: Sequence[PairTotal],
    *,
    has_advantage: bool = True,
    anchor: Anchor = (None, 0.0),
    prior: float = PRIOR,
    matches: ResultColumns | None = None,
) -> Ratings:
    """Return the maximum-likelihood ratings of `bots` bots.

    `anchor` is a bot and its rating; None, and pools without that bot, mean the mean. Without
    `has_advantage` all seats count as equal. `prior` is in virtual draws per bot; with 0, each
    bot's points equal those expected. If `matches` is given, the ones behind the totals, errors
    account for the correlation of pairs in one match. Raises `ValueError` for an unknown anchor,
    and if without a prior no finite maximum exists.
    """
    known = range(bots)
    if any(each.first not in known or each.second not in known for each in totals):
        raise ValueError(f"results of a bot beyond the {bots} that are rated")
    if anchor[0] is not None and anchor[0] not in known:
        raise ValueError(f"anchor {anchor[0]} is none of the {bots} bots")
    played = [each for each in totals if each.matches and each.first != each.second]
    if not bots:
        none = np.zeros(0)
        return Ratings(
            elo=none,
            error=none,
            covariance=np.zeros((0, 0)),
            advantage=0.0,
            advantage_error=0.0,
            draw_rate=0.0,
            pools=(),
        )
    pools = find_pools(bots, played)
    rows = _Rows.of(bots, played, has_advantage, prior)
    if not prior:
        _check_bounded(bots, played, rows, pools)
    likeliest = _maximum(rows, pools)
    spread = rows.spread(likeliest)
    is_real = np.arange(len(rows.weight)) < len(played)
    draws = sum(each.draws for each in played)
    # One decisive match more than there were: a few draws don't prove that all matches are drawn.
    draw_rate = min(1.0, draws / (4 * float(spread[is_real].sum()) + 1))
    inverse = np.linalg.inv(rows.information(spread) + _gauge(bots, pools))
    if matches is None:
        variance = rows.information(spread * np.where(is_real, 1 - draw_rate, 1))
    else:
        variance = rows.information(np.where(is_real, 0, spread))
        variance[:-1, :-1] += summed_variance(matches, likeliest[:-1])
    covariance = inverse @ variance @ inverse
    return _anchored(likeliest, covariance, draw_rate, pools, anchor)


def find_pools(bots: int, totals: Sequence[PairTotal]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of bots connected by matches, largest first."""
    root = list(range(bots))

    def find(bot: int) -> int:
        while root[bot] != bot:
            root[bot] = root[root[bot]]
            bot = root[bot]
        return bot

    for each in totals:
        if each.matches:
            root[find(each.first)] = find(each.second)
    pools: dict[int, list[int]] = {}
    for bot in range(bots):
        pools.setdefault(find(bot), []).append(bot)
    return tuple(sorted(map(tuple, pools.values()), key=lambda pool: (-len(pool), pool)))


def _check_bounded(
    bots: int, played: Sequence[PairTotal], rows: "_Rows", pools: Sequence[Sequence[int]]
) -> None:
    """Raise `ValueError` if the results alone have no maximum-likelihood ratings.

    They have unless a bot or group took all points from the rest of its pool (L. R. Ford, Solution
    of a Ranking Problem from Binary Comparisons, 1957), or the seats determine all results.
    """
    gained: list[set[int]] = [set() for _ in range(bots)]
    given: list[set[int]] = [set() for _ in range(bots)]
    for each in played:
        scores = {(each.first, each.second): each.wins, (each.second, each.first): each.losses}
        for (winner, loser), count in scores.items():
            if count or each.draws:
                gained[winner].add(loser)
                given[loser].add(winner)
    for pool in pools:
        if any(_reached(pool[0], edges) != set(pool) for edges in (gained, given)):
            raise ValueError("a bot, or a group, took every point from the rest of its pool")
    information = rows.information(rows.spread(np.zeros(bots + 1))) + _gauge(bots, pools)
    if np.linalg.matrix_rank(information, hermitian=True) < len(information):
        raise ValueError("strength and the first seat's advantage can't be told apart")


def _reached(begin: int, edges: Sequence[set[int]]) -> set[int]:
    found, edge = {begin}, [begin]
    while edge:
        new = edges[edge.pop()] - found
        found |= new
        edge += new
    return found


@dataclass(frozen=True, slots=True)
class _Rows:
    """Weighted comparisons, first the real ones, then the prior's.

    `seat` is 1 if the first bot has the seat advantage. The fitted vector is each bot's natural log
    odds, then the advantage.
    """

    bots: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    seat: Floats
    weight: Floats
    score: Floats

    @classmethod
    def of(
        cls, bots: int, played: Sequence[PairTotal], has_advantage: bool, virtual: float
    ) -> "_Rows":
        first = np.array([each.first for each in played], dtype=np.intp)
        second = np.array([each.second for each in played], dtype=np.intp)
        weight = np.array([each.matches for each in played], dtype=np.float64)
        score = np.array([each.wins + each.draws / 2 for each in played], dtype=np.float64)
        share = np.bincount(first, weight, bots) + np.bincount(second, weight, bots)
        prior = virtual / 2 * weight * (1 / share[first] + 1 / share[second])
        return cls(
            bots,
            # The last row compares no bots: it is the prior of the advantage alone.
            np.concatenate([first, first, [0]]),
            np.concatenate([second, second, [0]]),
            np.concatenate([np.full(len(played), float(has_advantage)), 0 * prior, [1]]),
            # Without `has_advantage` only this prior holds the advantage at zero.
            np.concatenate([weight, prior, [virtual if has_advantage else PRIOR]]),
            np.concatenate([score, prior / 2, [(virtual if has_advantage else PRIOR) / 2]]),
        )

    def odds(self, fitted: Floats) -> Floats:
        """Return the log odds of each row's first bot."""
        odds: Floats = fitted[self.first] - fitted[self.second] + self.seat * fitted[-1]
        return odds

    def likelihood(self, fitted: Floats) -> float:
        odds = self.odds(fitted)
        return float((self.score * odds - self.weight * np.logaddexp(0, odds)).sum())

    def slope(self, fitted: Floats) -> Floats:
        """Return the gradient of the log likelihood."""
        surplus = self.score - self.weight / (1 + np.exp(-self.odds(fitted)))
        gains = np.bincount(self.first, surplus, self.bots)
        return np.append(gains - np.bincount(self.second, surplus, self.bots), surplus @ self.seat)

    def spread(self, fitted: Floats) -> Floats:
        """Return each row's weight times E (1 - E)."""
        spread: Floats = self.weight / (2 + 2 * np.cosh(self.odds(fitted)))
        return spread

    def information(self, spread: Floats) -> Floats:
        """Return the sum over rows of `spread` times the outer product of the row's comparison."""
        bots, seated = self.bots, spread * self.seat
        matrix = np.zeros((bots + 1, bots + 1))
        mixed = np.bincount(self.first * bots + self.second, spread, bots * bots)
        mixed = mixed.reshape(bots, bots)
        alone = np.bincount(self.first, spread, bots) + np.bincount(self.second, spread, bots)
        matrix[:-1, :-1] = np.diag(alone) - mixed - mixed.T
        crossed = np.bincount(self.first, seated, bots) - np.bincount(self.second, seated, bots)
        matrix[:-1, -1] = matrix[-1, :-1] = crossed
        matrix[-1, -1] = seated @ self.seat
        return matrix


def _maximum(rows: _Rows, pools: Sequence[Sequence[int]]) -> Floats:
    """Return the maximum-likelihood vector, with a mean of zero in each pool."""
    gauge = _gauge(rows.bots, pools)
    fitted = np.zeros(rows.bots + 1)
    likelihood = rows.likelihood(fitted)
    for _ in range(STEPS_MAX):
        step = np.linalg.solve(rows.information(rows.spread(fitted)) + gauge, rows.slope(fitted))
        # A full step from far away may overshoot; the likelihood is concave, so some part is right.
        while np.abs(step).max() > STEP_MIN:
            reached = rows.likelihood(fitted + step)
            if reached >= likelihood:
                break
            step = step / 2
        fitted = fitted + step
        if np.abs(step).max() <= STEP_MIN:
            break
        likelihood = reached
    return fitted


def _gauge(bots: int, pools: Sequence[Sequence[int]]) -> Floats:
    """Return the term that makes the information matrix invertible.

    It fixes the pools' means, which results leave open and neither slope nor variance involves.
    """
    gauge = np.zeros((bots + 1, bots + 1))
    for pool in pools:
        gauge[np.ix_(pool, pool)] = 1 / len(pool)
    return gauge


def _anchored(
    fitted: Floats,
    covariance: Floats,
    draw_rate: float,
    pools: tuple[tuple[int, ...], ...],
    anchor: Anchor,
) -> Ratings:
    held, at = anchor
    bots = len(fitted) - 1
    shift = np.eye(bots)
    for pool in pools:
        if held in pool:
            shift[pool, held] -= 1
    elo = ELO_PER_LOGIT * (shift @ fitted[:-1])
    among = ELO_PER_LOGIT**2 * (shift @ covariance[:-1, :-1] @ shift.T)
    error = BAR * np.sqrt(np.maximum(0, np.diag(among)))
    for pool in pools:
        if len(pool) == 1 and pool[0] != held:
            error[pool[0]] = np.inf
    return Ratings(
        elo=elo + at,
        error=error,
        covariance=among,
        advantage=ELO_PER_LOGIT * float(fitted[-1]),
        advantage_error=BAR * ELO_PER_LOGIT * math.sqrt(max(0.0, float(covariance[-1, -1]))),
        draw_rate=draw_rate,
        pools=pools,
    )
