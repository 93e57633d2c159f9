"""One side's score against another, match by match and encounter by encounter."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from league.ratings.elo_difference import Counts, Difference, difference, elo_of, score_interval

KINDS = ("LL", "LD", "WL", "DD", "WD", "WW")
"""The outcomes of an encounter of two matches for a side, from worst to best."""

EXACT_MAX = 1000
"""The sign test is exact up to this many decided encounters."""

_LETTERS = {1: "W", 0: "D", -1: "L"}
_ORDERS = {kind[::-1]: kind for kind in KINDS} | {kind: kind for kind in KINDS}


@dataclass(slots=True, kw_only=True)
class HeadToHead:
    """Matches won, drawn and lost, and encounters by kind.

    `ahead` counts the encounters, complete or not, with more wins than losses for the side,
    `behind` those with fewer.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    ahead: int = 0
    behind: int = 0

    def add(self, results: Sequence[int], is_pair: bool = False, count: int = 1) -> None:
        """Add the matches of `count` like encounters: 1 for a win, 0 for a draw, -1 for a loss.

        `is_pair` means that they are a complete encounter of two matches with the seats swapped.
        """
        self.wins += count * results.count(1)
        self.draws += count * results.count(0)
        self.losses += count * results.count(-1)
        if is_pair:
            self.kinds[_ORDERS["".join(_LETTERS[each] for each in results)]] += count
        balance = sum(results)
        self.ahead += count * (balance > 0)
        self.behind += count * (balance < 0)

    def merge(self, other: "HeadToHead") -> None:
        """Add the results of another one."""
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses
        self.kinds.update(other.kinds)
        self.ahead += other.ahead
        self.behind += other.behind

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """One for each win, a half for each draw."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1; a half before the first match."""
        return self.points / self.matches if self.matches else 0.5

    @property
    def draw_rate(self) -> float:
        """The share of drawn matches, 0 to 1."""
        return self.draws / self.matches if self.matches else 0.0

    @property
    def counts(self) -> Counts:
        """Complete encounters, which balance seats and openings, or else single matches."""
        if self.kinds:
            return Counts.of_encounters(*(self.kinds[kind] for kind in KINDS))
        return Counts.of_matches(self.wins, self.losses, self.draws)

    @property
    def left_out(self) -> int:
        """Number of matches that are not in `counts` because their encounter is incomplete."""
        return self.matches - 2 * self.kinds.total() if self.kinds else 0

    @property
    def difference(self) -> Difference | None:
        """The estimated difference in strength, None without matches."""
        return difference(self.counts) if self.matches else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the score from `counts`; 0 to 1 without matches."""
        return score_interval(self.counts) if self.matches else (0.0, 1.0)

    @property
    def elo_error(self) -> float:
        """Half the 95% interval of the Elo difference, from that of the score; may be infinite.

        The error of `difference` agrees with that only for many encounters.
        """
        found = self.difference
        if found is None or math.isinf(found.elo_error):
            return math.inf
        low, high = self.interval
        return (elo_of(high) - elo_of(low)) / 2

    @property
    def chance(self) -> float:
        """The two-sided p-value of `sign_test` for two equal sides."""
        return sign_test(self.ahead, self.behind)

    @property
    def lean(self) -> float:
        """Return how far the score is from even for its number of matches: a sort key."""
        return abs(self.score - 0.5) * math.sqrt(self.matches)


@dataclass(frozen=True, slots=True)
class ScoreShare:
    """One side's score in a subset of its matches."""

    name: str
    head_to_head: HeadToHead


def sign_test(ahead: int, behind: int) -> float:
    """Return the two-sided probability that a fair coin falls so unevenly.

    Exact up to `EXACT_MAX` tosses, by the normal distribution beyond. Source: W. Dixon, A. Mood,
    The Statistical Sign Test (1946), which leaves ties out.
    """
    falls, fewer = ahead + behind, min(ahead, behind)
    if falls > EXACT_MAX:
        return math.erfc((falls - 2 * fewer - 1) / math.sqrt(2 * falls)) if ahead != behind else 1.0
    tail = sum(math.comb(falls, count) for count in range(fewer + 1))
    return min(1.0, 2 * tail / (1 << falls))


def binomial_tail(least: int, trials: int, chance: float) -> float:
    """Return the probability of at least `least` successes in so many trials, 0 < chance < 1."""
    return math.fsum(
        math.exp(_log_choose(trials, count) + count * math.log(chance) + rest * math.log1p(-chance))
        for count in range(least, trials + 1)
        for rest in [trials - count]
    )


def _log_choose(trials: int, count: int) -> float:
    return math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
