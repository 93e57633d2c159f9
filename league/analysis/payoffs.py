"""The mean payoff of bots in games whose utilities count something, with honest intervals.

The matches of an encounter may share their luck, and in a round robin nobody draws whom a bot
meets. So an encounter is one observation, and encounters with the same opponents are a stratum: the
variance of the mean is that of a ratio estimator within strata (W. G. Cochran, Sampling Techniques,
1977, chapters 5 and 6).
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from games.support.errors import InputError
from games.support.game import Game
from games.support.specs import find_game
from league.model.records import Repeat
from league.store.rows import PayoffRow
from league.store.store import StoreReader

_Z = NormalDist().inv_cdf(0.975)
_T = {1: 12.706, 2: 4.303}
"""The 97.5th percentiles of Student's distribution with so few degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """A bot's mean payoff of a match, in `unit`s; `error` is the half-width of its 95% interval.

    The error is None if its matches are too few to tell.
    """

    mean: float
    error: float | None
    matches: int
    unit: str

    def may_equal(self, other: "Payoff") -> bool:
        """Whether luck may explain the difference of two means, however they depend on each other.

        The standard error of a difference is at most the sum of both.
        """
        if self.error is None or other.error is None:
            return True
        return abs(self.mean - other.mean) <= self.error + other.error

    def __str__(self) -> str:
        if self.error is None:
            return f"{self.mean:+.4g}"
        size = math.floor(math.log10(self.error)) if self.error else 0
        digits = min(max(0, 1 - size), 4)
        return f"{self.mean:+.{digits}f} ±{self.error:.{digits}f}"


@dataclass(slots=True)
class _Sums:
    """The payoffs of a bot in the encounters with the same opponents: sums, and matches of each."""

    encounters: list[tuple[float, int]] = field(default_factory=list)

    @property
    def total(self) -> float:
        return math.fsum(total for total, _ in self.encounters)

    @property
    def matches(self) -> int:
        return sum(matches for _, matches in self.encounters)

    @property
    def variance(self) -> float:
        """The variance of the total; two encounters are needed."""
        count, mean = len(self.encounters), self.total / self.matches
        squares = math.fsum((total - mean * matches) ** 2 for total, matches in self.encounters)
        return squares * count / (count - 1)


def payoffs_of(
    store: StoreReader,
    game: str,
    tournaments: tuple[int, ...] | None = None,
    since: int = 0,
    repeated: Repeat = Repeat.OF_LEAGUE,
) -> dict[int, Payoff]:
    """Return the mean payoff of each version in a game, or in tournaments of it.

    Nothing of a game whose utilities only say who won, or that is gone.
    """
    try:
        rules = find_game(game)
    except InputError:
        return {}
    if not rules.payoff_unit:
        return {}
    return store.recall(
        ("payoffs", game, tournaments, since, repeated),
        lambda: mean_payoffs(store.results.payoffs(game, tournaments, since, repeated), rules),
        game=game,
    )


def mean_payoffs(rows: Iterable[PayoffRow], game: Game) -> dict[int, Payoff]:
    """Return the mean payoff of each version.

    A bot whose fault ended a match gets the least utility of the game there, so that nobody gains
    by failing; the others get nothing from it. A match that was adjudicated counts for nobody.
    """
    unit, least = game.payoff_unit, game.utility_bounds[0]
    sums: defaultdict[int, defaultdict[tuple[int, ...], dict[object, list[float]]]]
    sums = defaultdict(lambda: defaultdict(dict))
    for row in rows:
        opponents = tuple(sorted(row.versions))
        for seat, version in enumerate(row.versions):
            if row.utilities is not None:
                payoff = row.utilities[seat]
            elif row.fault_seat == seat:
                payoff = least
            else:
                continue
            encounters = sums[version][opponents]
            encounters.setdefault((row.tournament, row.encounter), []).append(payoff)
    return {
        version: _payoff([_sums(encounters.values()) for encounters in strata.values()], unit)
        for version, strata in sums.items()
    }


def _sums(encounters: Iterable[Sequence[float]]) -> _Sums:
    return _Sums([(math.fsum(payoffs), len(payoffs)) for payoffs in encounters])


def _payoff(strata: Sequence[_Sums], unit: str) -> Payoff:
    matches = sum(each.matches for each in strata)
    mean = math.fsum(each.total for each in strata) / matches
    if any(len(each.encounters) < 2 for each in strata):
        # Not every opponent was met twice: the differences between opponents count as luck, too.
        strata = [_Sums([met for each in strata for met in each.encounters])]
    freedom = sum(len(each.encounters) - 1 for each in strata)
    if not freedom:
        return Payoff(mean, None, matches, unit)
    variance = math.fsum(each.variance for each in strata)
    return Payoff(mean, student(freedom) * math.sqrt(variance) / matches, matches, unit)


def student(freedom: int) -> float:
    """Return the 97.5th percentile of Student's distribution with so many degrees of freedom.

    Source: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5.
    """
    if freedom in _T:
        return _T[freedom]
    terms = (
        (_Z**3 + _Z) / 4,
        (5 * _Z**5 + 16 * _Z**3 + 3 * _Z) / 96,
        (3 * _Z**7 + 19 * _Z**5 + 17 * _Z**3 - 15 * _Z) / 384,
        (79 * _Z**9 + 776 * _Z**7 + 1482 * _Z**5 - 1920 * _Z**3 - 945 * _Z) / 92160,
    )
    return _Z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))
