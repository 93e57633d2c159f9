"""Whether fitted ratings say what bots score: one number for each, held against the results.

Two tests by chi-square (K. Pearson, 1900), of squared surpluses of points over their variance:

- by difference: the matches in bins by the difference of the ratings, the first seat's advantage
  included, as D. Hosmer and S. Lemeshow (1980) do for a logistic regression. It has as many degrees
  of freedom as bins less one: they take two off, but simulated pools of twenty bots fail too often
  then. It finds a curve that is too steep or too flat.
- by pairs: it finds bots that score against some opponents what their rating does not say, such as
  rings of who beats whom. Of each pair's degree of freedom the ratings take its leverage, the share
  that its own results have in their difference (D. Pregibon, 1981).

Only bins and pairs count in which `POINTS_MIN` points are expected for the weaker side, the usual
rule for the approximation (W. Cochran, 1954). A draw halves its points without chance, so that the
variance of a score E is E (1 - E) (1 - draws between equals), as in `league.ratings.fit`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.ratings.elo_difference import BAR, ELO_PER_LOGIT, Counts, expected_score, score_interval
from league.ratings.fit import Ratings
from league.ratings.result_table import PairTotal

WIDTHS = (25.0, 50.0, 100.0, 200.0)
"""How wide bins may be, in Elo."""

BINS_MAX = 10
"""The last bin holds whatever is beyond."""

POINTS_MIN = 5.0
"""What a side must be expected to score for a bin or a pair to be tested."""

LEVEL = 0.025
"""Each of the two tests may fail so often where the ratings hold: one in twenty for both."""


class CalibrationVerdict(StrEnum):
    """Whether one number for each bot describes the pool."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class CalibrationTest:
    """A chi-square with its degrees of freedom, and how likely chance alone makes it so large."""

    chi_square: float
    freedom: int

    @property
    def chance(self) -> float:
        """The likelihood, 0 to 1."""
        return chi_square_tail(self.chi_square, self.freedom)

    @property
    def is_failed(self) -> bool:
        """Whether chance alone hardly makes it so large."""
        return self.chance < LEVEL


@dataclass(frozen=True, slots=True)
class Bin:
    """The matches between ratings `low` to `high` Elo apart, from the stronger side's view.

    `elo` is their mean difference, `expected` the mean of what the ratings say, `actual` what the
    side scored, with its 95% interval from `actual_low` to `actual_high`. `high` is infinite where
    whatever is beyond is in it. `is_tested` where there are matches enough.
    """

    low: float
    high: float
    elo: float
    matches: float
    expected: float
    actual: float
    actual_low: float
    actual_high: float
    is_tested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """What `one` scored against `other`, both positions, beside what their ratings say.

    `sigmas` is the surplus in standard deviations, `leverage` the share, 0 to 1, of these matches
    in the difference between the two ratings; `is_tested` as for `Bin`.
    """

    one: int
    other: int
    matches: float
    expected: float
    actual: float
    sigmas: float
    leverage: float
    is_tested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Bins from the smallest difference up, pairs from the worst fit down, and the two tests.

    Bins are `width` Elo wide. A test is None where too few bins or pairs have matches enough for
    it.
    """

    width: float

    bins: tuple[Bin, ...]
    pairs: tuple[Misfit, ...]
    by_difference: CalibrationTest | None
    by_pairs: CalibrationTest | None

    @property
    def verdict(self) -> CalibrationVerdict:
        """What the tests say together."""
        tests = [test for test in (self.by_difference, self.by_pairs) if test is not None]
        if not tests:
            return CalibrationVerdict.UNKNOWN
        return (
            CalibrationVerdict.FAILS
            if any(test.is_failed for test in tests)
            else CalibrationVerdict.HOLDS
        )


def calibrate(totals: Sequence[PairTotal], ratings: Ratings) -> Calibration:
    """Hold `ratings`, fitted to `totals`, against these."""
    played = [each for each in totals if each.matches and each.first != each.second]
    rows = [_Row.of(each, ratings) for each in played]
    stronger = [row if row.elo >= 0 else row.turned() for row in rows]
    reach = max((row.elo for row in stronger), default=0.0)
    width = next((each for each in WIDTHS if reach < each * BINS_MAX), WIDTHS[-1])
    bins = _bins(stronger, width, ratings.draw_rate)
    sums: dict[tuple[int, int], _Sum] = {}
    for each, row in zip(played, rows, strict=True):
        one, other = sorted((each.first, each.second))
        turned = row if each.first == one else row.turned()
        sums.setdefault((one, other), _Sum()).add(turned)
    pairs = [_misfit(*pair, total, ratings) for pair, total in sums.items()]
    tested = [each for each in pairs if each.is_tested]
    return Calibration(
        width=width,
        bins=tuple(each for each, _ in bins),
        pairs=tuple(sorted(pairs, key=lambda pair: (-abs(pair.sigmas), pair.one, pair.other))),
        by_difference=_test([sigmas for each, sigmas in bins if each.is_tested], 1),
        by_pairs=_test([each.sigmas for each in tested], sum(each.leverage for each in tested)),
    )


def chi_square_tail(chi_square: float, freedom: int) -> float:
    """Return how likely a chi-square of so many degrees of freedom (1 or more) is that or larger.

    By the recurrence of the incomplete gamma function over whole and half numbers (M. Abramowitz,
    I. Stegun, Handbook of Mathematical Functions, 1964, 26.4.8).
    """
    half = chi_square / 2
    if half <= 0:
        return 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    for degrees in range(2 - freedom % 2, freedom, 2):
        power = degrees / 2
        tail += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
    return min(1.0, tail)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """Matches between two, from one side's view: the difference in Elo, and what they gave."""

    elo: float
    wins: float
    draws: float
    losses: float

    @classmethod
    def of(cls, total: PairTotal, ratings: Ratings) -> "_Row":
        elo = float(ratings.elo[total.first] - ratings.elo[total.second]) + ratings.advantage
        return cls(elo=elo, wins=total.wins, draws=total.draws, losses=total.losses)

    def turned(self) -> "_Row":
        """Return the same from the other side's view."""
        return _Row(elo=-self.elo, wins=self.losses, draws=self.draws, losses=self.wins)


@dataclass(slots=True, kw_only=True)
class _Sum:
    """Matches added up: their differences and expected points too, whose variance is `spread`."""

    wins: float = 0.0
    draws: float = 0.0
    losses: float = 0.0
    elo: float = 0.0
    expected: float = 0.0
    spread: float = 0.0

    def add(self, row: _Row) -> None:
        self.wins += row.wins
        self.draws += row.draws
        self.losses += row.losses
        matches, score = row.wins + row.draws + row.losses, expected_score(row.elo)
        self.elo += matches * row.elo
        self.expected += matches * score
        self.spread += matches * score * (1 - score)

    @property
    def matches(self) -> float:
        return self.wins + self.draws + self.losses

    @property
    def is_enough(self) -> bool:
        return min(self.expected, self.matches - self.expected) >= POINTS_MIN

    def sigmas(self, draw_rate: float) -> float:
        """Return the surplus over the expected points, in standard deviations."""
        variance = self.spread * (1 - draw_rate)
        surplus = self.wins + self.draws / 2 - self.expected
        return surplus / math.sqrt(variance) if variance else 0.0


def _bins(rows: Iterable[_Row], width: float, draw_rate: float) -> list[tuple[Bin, float]]:
    """Return the bins that have matches, each with its surplus in standard deviations."""
    sums: dict[int, _Sum] = {}
    for row in rows:
        sums.setdefault(min(int(row.elo / width), BINS_MAX - 1), _Sum()).add(row)
    return [
        (_bin(number * width, width, total), total.sigmas(draw_rate))
        for number, total in sorted(sums.items())
    ]


def _bin(low: float, width: float, total: _Sum) -> Bin:
    actual_low, actual_high = score_interval(
        Counts.of_matches(total.wins, total.losses, total.draws)
    )
    return Bin(
        low=low,
        high=math.inf if low >= WIDTHS[-1] * (BINS_MAX - 1) else low + width,
        elo=total.elo / total.matches,
        matches=total.matches,
        expected=total.expected / total.matches,
        actual=(total.wins + total.draws / 2) / total.matches,
        actual_low=actual_low,
        actual_high=actual_high,
        is_tested=total.is_enough,
    )


def _misfit(one: int, other: int, total: _Sum, ratings: Ratings) -> Misfit:
    error = ratings.difference(one, other)[1] / BAR / ELO_PER_LOGIT
    variance = total.spread * (1 - ratings.draw_rate)
    return Misfit(
        one=one,
        other=other,
        matches=total.matches,
        expected=total.expected / total.matches,
        actual=(total.wins + total.draws / 2) / total.matches,
        sigmas=total.sigmas(ratings.draw_rate),
        leverage=min(1.0, (total.spread * error) ** 2 / variance) if variance else 1.0,
        is_tested=total.is_enough,
    )


def _test(sigmas: Sequence[float], fitted: float) -> CalibrationTest | None:
    freedom = round(len(sigmas) - fitted)
    return CalibrationTest(sum(each * each for each in sigmas), freedom) if freedom > 0 else None
