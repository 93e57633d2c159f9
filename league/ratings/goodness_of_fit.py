"""Goodness of fit: whether one rating for each bot explains the results.

Two chi-square tests (K. Pearson, 1900) sum squared point surpluses over their variance:

- by difference: the matches in bins by the difference of the ratings, the first seat's advantage
  included, as D. Hosmer and S. Lemeshow (1980) do for logistic regression. It has one degree of
  freedom less than bins: they subtract two, but then simulated pools of twenty bots fail too often.
  It detects a curve that is too steep or too flat.
- by pairs: detects bots whose scores against some opponents contradict their ratings, such as
  cycles. Each pair's degree of freedom is reduced by its leverage, the share that its own results
  have in its rating difference (D. Pregibon, 1981).

A bin or pair counts only if the weaker side is expected to score `POINTS_MIN` points, the usual
rule for the approximation (W. Cochran, 1954). A draw halves its points without chance, so the
variance of a score E is E (1 - E) (1 - draws between equals), as in `league.ratings.fit`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from league.model.document import OR_NULL, Count, Digits2, Share, about, document
from league.ratings.elo_difference import BAR, ELO_PER_LOGIT, Counts, expected_score, score_interval
from league.ratings.fit import Ratings
from league.ratings.result_table import PairTotal

WIDTHS = (25.0, 50.0, 100.0, 200.0)
"""Candidate bin widths, in Elo."""

BINS_MAX = 10
"""The last bin holds everything beyond."""

POINTS_MIN = 5.0
"""The minimum expected score of each side for a bin or pair to be tested."""

LEVEL = 0.025
"""The false-alarm rate of each of the two tests: one in twenty for both together."""


class CalibrationVerdict(StrEnum):
    """Whether one rating for each bot describes the pool."""

    HOLDS = "holds"
    FAILS = "fails"
    UNKNOWN = "unknown"


@document("FitTest", "chi_square freedom chance is_failed")
@dataclass(frozen=True, slots=True)
class CalibrationTest:
    """A chi-square test."""

    chi_square: Annotated[Digits2, OR_NULL]
    freedom: Count

    @property
    def chance(self) -> Share:
        """The p-value, 0 to 1: how likely chance alone produces so large a chi-square."""
        return chi_square_tail(self.chi_square, self.freedom)

    @property
    def is_failed(self) -> bool:
        """Whether the p-value is below the level."""
        return self.chance < LEVEL


@document("Bin", "low high elo matches expected actual actual_low actual_high is_tested")
@dataclass(frozen=True, slots=True)
class Bin:
    """Matches between ratings so far apart.

    Scores are the stronger side's: `expected` is the mean by the ratings, and `actual` has a 95%
    interval. `elo` is the mean difference. The open last bin has an infinite `high`.
    """

    low: float
    high: Annotated[Digits2, OR_NULL, about("null if it is open-ended")]
    elo: Digits2
    matches: Digits2
    expected: Share
    actual: Share
    actual_low: Share
    actual_high: Share
    is_tested: Annotated[bool, about("whether there are enough matches")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Misfit:
    """The score of `one` against `other`, both positions, and what their ratings predict.

    `sigmas` is the surplus in standard deviations, `leverage` the share, 0 to 1, of these matches
    in the rating difference; `is_tested` as for `Bin`.
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
    """Bins by increasing difference, pairs from the worst fit down, and the two tests.

    Bins are `width` Elo wide. A test is None if too few bins or pairs have enough matches.
    """

    width: float

    bins: tuple[Bin, ...]
    pairs: tuple[Misfit, ...]
    by_difference: CalibrationTest | None
    by_pairs: CalibrationTest | None

    @property
    def verdict(self) -> CalibrationVerdict:
        """The combined result of the tests."""
        tests = [test for test in (self.by_difference, self.by_pairs) if test is not None]
        if not tests:
            return CalibrationVerdict.UNKNOWN
        return (
            CalibrationVerdict.FAILS
            if any(test.is_failed for test in tests)
            else CalibrationVerdict.HOLDS
        )


def calibrate(totals: Sequence[PairTotal], ratings: Ratings) -> Calibration:
    """Test how well `ratings`, fitted to `totals`, explain them."""
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
    """Return the probability of a chi-square at least this large, with `freedom` of 1 or more.

    By the recurrence of the incomplete gamma function over integers and half-integers (M.
    Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, 26.4.8).
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
    """Matches of two bots from one side's view: the difference in Elo and the scores."""

    elo: float
    wins: float
    draws: float
    losses: float

    @classmethod
    def of(cls, total: PairTotal, ratings: Ratings) -> "_Row":
        elo = float(ratings.elo[total.first] - ratings.elo[total.second]) + ratings.advantage
        return cls(elo=elo, wins=total.wins, draws=total.draws, losses=total.losses)

    def turned(self) -> "_Row":
        return _Row(elo=-self.elo, wins=self.losses, draws=self.draws, losses=self.wins)


@dataclass(slots=True, kw_only=True)
class _Sum:
    """Summed matches, differences and expected points; `spread` is the variance of the points."""

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
    """Return the non-empty bins, each with its surplus in standard deviations."""
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
