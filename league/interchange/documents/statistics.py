"""Statistics of matches, and tests of strength."""

from typing import Annotated, Any, Self

import msgspec

from league.analysis import versus
from league.analysis.calibration_report import PoolCalibration
from league.analysis.encounters import most_frequent
from league.analysis.pool_statistics import Cycle
from league.interchange.documents.document import Document, taken
from league.model.document import BotLabel, Count, Digits2, Id, Share, about
from league.model.records import Termination
from league.ratings.goodness_of_fit import Bin, CalibrationTest, CalibrationVerdict
from league.ratings.head_to_head import KINDS, HeadToHead


class Encounters(Document):
    """Encounters of two matches, by won, drawn and lost."""

    LL: Count
    LD: Count
    WL: Count
    DD: Count
    WD: Count
    WW: Count


def _encounters(found: HeadToHead) -> Encounters:
    return Encounters(**{kind: found.kinds[kind] for kind in KINDS})


Elo = Annotated[Digits2 | None, taken("difference.elo", "null if it is infinite")]
EloError = Annotated[Digits2 | None, about("half the 95% interval, null where infinite")]
NeloLow = Annotated[Digits2 | None, about("the 95% interval, null where there is no bound yet")]
NeloHigh = Annotated[Digits2 | None, about("its other end, null where there is no bound yet")]
ScoreLow = Annotated[Share, taken(lambda found: found.interval[0], "the 95% interval of the score")]
ScoreHigh = Annotated[Share, taken(lambda found: found.interval[1])]


class FirstSeat(Document):
    """The score of the first of two seats."""

    matches: Count
    wins: Count
    draws: Count
    losses: Count
    points: float
    score: Share
    score_low: ScoreLow
    score_high: ScoreHigh
    elo: Elo
    elo_error: EloError
    encounters: Annotated[Encounters, taken(_encounters)]


class _ScoreShare(Document):
    """The score of one side in some of its matches; subclasses select them."""

    name: str
    matches: Count
    wins: Count
    draws: Count
    losses: Count
    points: float
    score: Share
    score_low: ScoreLow
    score_high: ScoreHigh

    @classmethod
    def of(cls, value: Any, /, **given: Any) -> Self:
        """Make the document of a `ScoreShare`."""
        return super().of(value.head_to_head, name=value.name, **given)


class SeatShare(_ScoreShare):
    """The score of one side in a seat."""

    name: str = msgspec.field(name="seat")


class TerminationShare(_ScoreShare):
    """The score of one side in matches with a termination."""

    name: str = msgspec.field(name="termination")


class OpeningShare(_ScoreShare):
    """The score of one side from an opening."""

    name: str = msgspec.field(name="opening")


class VersionsShare(_ScoreShare):
    """The score of one side's version against one of the other's."""

    name: str = msgspec.field(name="versions")


class Versus(Document):
    """The score of a bot against another in a game."""

    game: str
    bot: BotLabel
    against: BotLabel
    matches: Count
    wins: Count
    draws: Count
    losses: Count
    points: float
    score: Share
    score_low: ScoreLow
    score_high: ScoreHigh
    elo: Elo
    elo_error: EloError
    nelo: Digits2 | None
    nelo_error: Digits2 | None
    nelo_low: NeloLow
    nelo_high: NeloHigh
    los: Annotated[Share | None, about("likelihood that the first is stronger")]
    encounters: Annotated[Encounters, taken(_encounters)]
    left_out: Annotated[Count, about("matches whose encounter is incomplete")]
    draw_rate: Share
    seats: list[SeatShare]
    terminations: list[TerminationShare]
    openings: Annotated[list[OpeningShare], about("the most uneven first")]
    versions: list[VersionsShare]
    newest: Annotated[list[Id], about("the matches, newest first")]


def versus_document(found: versus.Versus) -> Versus:
    """Return what a bot scored against another."""
    whole = found.whole
    difference = whole.difference
    return Versus.of(
        whole,
        game=found.game,
        bot=found.one,
        against=found.other,
        **{name: getattr(difference, name, None) for name in _OF_DIFFERENCE},
        seats=found.seats,
        terminations=found.ends,
        openings=found.openings,
        versions=found.versions,
        newest=[row.id for row in found.newest],
    )


_OF_DIFFERENCE = ("elo", "nelo", "nelo_error", "nelo_low", "nelo_high", "los")


class Stats(Document):
    """Statistics of the matches of a game, or of one tournament."""

    game: str
    bots: Annotated[Count, taken(lambda found: len(found.bots))]
    matches: Count
    encounters: Count
    mixed: Annotated[Count, about("encounters whose matches are between different bots")]
    draw_rate: Share
    seats: Annotated[list[Share], about("mean scores by seat")]
    first_seat: Annotated[
        FirstSeat | None,
        taken(
            lambda found: found.first if found.first.matches else None,
            "what the first of two seats scored, null in games for more",
        ),
    ]
    plies_median: Annotated[float, taken("median_plies")]
    plies_longest: Count
    longest: Annotated[
        Id | None, taken(lambda found: found.longest or None, "the first match of that length")
    ]
    terminations: Annotated[
        dict[Termination, Count], taken(lambda found: dict(most_frequent(found.ends)))
    ]
    openings: Annotated[list[OpeningShare], about("for the first seat, the least even first")]
    cycles: list[Cycle]


class Misfit(Document):
    """The score of a bot against another, and the score that their ratings predict."""

    bot: BotLabel
    against: BotLabel
    matches: Digits2
    expected: Share
    actual: Share
    sigmas: Digits2
    is_tested: bool


def _misfits(pool: PoolCalibration) -> list[Misfit]:
    bots = pool.bots
    return [
        Misfit.of(each, bot=bots[each.one], against=bots[each.other]) for each in pool.found.pairs
    ]


class Calibration(Document):
    """Whether one number describes each bot."""

    game: str
    bots: Annotated[Count, taken(lambda pool: len(pool.bots))]
    verdict: Annotated[
        CalibrationVerdict, taken("found.verdict", "whether one number describes each bot")
    ]
    by_difference: Annotated[CalibrationTest | None, taken("found.by_difference")]
    by_pairs: Annotated[CalibrationTest | None, taken("found.by_pairs")]
    bins: Annotated[list[Bin], taken("found.bins", "by difference in Elo, the smallest first")]
    pairs: Annotated[list[Misfit], taken(_misfits, "the worst fit first")]


class SprtResult(Document):
    """The state of a sequential probability ratio test after counted results.

    The estimates are median-unbiased and corrected for the stopping of the test; their 95%
    intervals are null where no results bound them.
    """

    llr: Annotated[float, about("logarithm of the likelihood ratio")]
    lower: Annotated[float, about("at this LLR or below, elo0 is favoured over elo1")]
    upper: Annotated[float, about("at this LLR or above, elo1 is favoured over elo0")]
    state: str
    conclusion: Annotated[str, about("the state in words")]
    model: Annotated[str, taken("test.model", "the unit of elo0 and elo1")]
    elo0: Annotated[float, taken("test.elo0")]
    elo1: Annotated[float, taken("test.elo1")]
    matches: Annotated[float, about("in all")]
    score: Annotated[float, about("the observed share of the points, 0 to 1")]
    elo: Annotated[float | None, taken("estimate.elo.value", "logistic")]
    elo_low: Annotated[float | None, taken("estimate.elo.low")]
    elo_high: Annotated[float | None, taken("estimate.elo.high")]
    nelo: Annotated[float | None, taken("estimate.nelo.value", "normalized")]
    nelo_low: Annotated[float | None, taken("estimate.nelo.low")]
    nelo_high: Annotated[float | None, taken("estimate.nelo.high")]
    los: Annotated[float, taken("estimate.los", "how likely the first is stronger, 0 to 1")]


class Power(Document):
    """The number of matches it takes to detect a difference."""

    elo: float
    model: Annotated[str, about("the unit of elo")]
    draws: Annotated[float, about("the share of draws, 0 to 1")]
    batch: Annotated[Count, about("encounters between two looks at the sequential test")]
    fixed: Annotated[Count, about("matches of a test whose length is fixed beforehand")]
    sequential: Annotated[
        dict[str, Count],
        taken(
            lambda found: {f"true difference {true:g}": n for true, n in found.sequential.items()},
            "matches on average, by the true difference",
        ),
    ]
