"""What the results say beside the standings."""

from collections.abc import Iterable
from typing import Annotated, TypeVar

import msgspec

from league.analysis import calibration_report, pool_statistics, versus
from league.analysis.encounters import most_frequent
from league.interchange.documents.document import (
    BotLabel,
    Count,
    Digits2,
    Document,
    Id,
    Share,
    about,
)
from league.model.records import Termination
from league.ratings import head_to_head
from league.ratings.goodness_of_fit import CalibrationTest, CalibrationVerdict
from league.ratings.head_to_head import KINDS

Encounters = Annotated[
    dict[str, Count],
    about(f"encounters of two matches, by won, drawn and lost: {', '.join(KINDS)}"),
]
Elo = Annotated[Digits2 | None, about("null where it is infinite")]
EloError = Annotated[Digits2 | None, about("half the 95% interval, null where it is infinite")]
ScoreLow = Annotated[Share, about("the 95% interval of the score")]


class FirstSeat(Document):
    """What the first of two seats scored."""

    matches: Count
    wins: Count
    draws: Count
    losses: Count
    points: float
    score: Share
    score_low: ScoreLow
    score_high: Share
    elo: Elo
    elo_error: EloError
    encounters: Encounters


class _ScoreShare(Document):
    """What one side scored in some of its matches; subclasses say of which those are."""

    name: str
    matches: Count
    wins: Count
    draws: Count
    losses: Count
    points: float
    score: Share
    score_low: ScoreLow
    score_high: Share


class SeatShare(_ScoreShare):
    """What one side scored in a seat."""

    name: str = msgspec.field(name="seat")


class TerminationShare(_ScoreShare):
    """What one side scored in matches that ended so."""

    name: str = msgspec.field(name="termination")


class OpeningShare(_ScoreShare):
    """What one side scored from an opening."""

    name: str = msgspec.field(name="opening")


class VersionsShare(_ScoreShare):
    """What one side scored with a version against one of the other's."""

    name: str = msgspec.field(name="versions")


class Versus(Document):
    """What a bot scored against another in a game."""

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
    score_high: Share
    elo: Elo
    elo_error: EloError
    nelo: Digits2 | None
    nelo_error: Digits2 | None
    los: Annotated[Share | None, about("how likely the first is stronger")]
    encounters: Encounters
    left_out: Annotated[Count, about("matches whose encounter lacks the other")]
    draw_rate: Share
    seats: list[SeatShare]
    terminations: list[TerminationShare]
    openings: Annotated[list[OpeningShare], about("the least even first")]
    versions: list[VersionsShare]
    newest: Annotated[list[Id], about("the matches, newest first")]


def versus_document(found: versus.Versus) -> Versus:
    """Return what a bot scored against another."""
    whole = found.whole
    low, high = whole.interval
    names = ("elo", "elo_error", "nelo", "nelo_error", "los")
    return Versus.of(
        whole,
        game=found.game,
        bot=found.one,
        against=found.other,
        score_low=low,
        score_high=high,
        **{name: getattr(whole.difference, name, None) for name in names},
        encounters={kind: whole.kinds[kind] for kind in KINDS},
        seats=_shares(SeatShare, found.seats),
        terminations=_shares(TerminationShare, found.ends),
        openings=_shares(OpeningShare, found.openings),
        versions=_shares(VersionsShare, found.versions),
        newest=[row.id for row in found.newest],
    )


Part = TypeVar("Part", bound=_ScoreShare)


def _shares(kind: type[Part], parts: Iterable[head_to_head.ScoreShare]) -> list[Part]:
    found = []
    for each in parts:
        low, high = each.head_to_head.interval
        found.append(kind.of(each.head_to_head, name=each.name, score_low=low, score_high=high))
    return found


class Cycle(Document):
    """A ring in which each bot beats the next, with its encounters against that one."""

    bots: list[BotLabel]
    won: list[Count]
    lost: list[Count]


class Stats(Document):
    """How the matches of a game, or of one tournament, went."""

    game: str
    bots: Count
    matches: Count
    encounters: Count
    draw_rate: Share
    seats: Annotated[list[Share], about("mean scores by seat")]
    first_seat: Annotated[
        FirstSeat | None,
        about("what the first of two seats scored, null in games for more"),
    ]
    plies_median: float
    plies_longest: Count
    longest: Annotated[Id | None, about("the first match of that length")]
    terminations: dict[Termination, Count]
    openings: Annotated[list[OpeningShare], about("for the first seat, the least even first")]
    cycles: list[Cycle]


def stats_document(found: pool_statistics.PoolStatistics) -> Stats:
    """Return how the matches of a game, or of one tournament, went."""
    return Stats.of(
        found,
        bots=len(found.bots),
        seats=[round(score, 4) for score in found.seats],
        first_seat=_first_seat(found.first),
        plies_median=found.median_plies,
        longest=found.longest or None,
        terminations=dict(most_frequent(found.ends)),
        openings=_shares(OpeningShare, found.openings),
        cycles=[Cycle.of(each) for each in found.cycles],
    )


def _first_seat(first: head_to_head.HeadToHead) -> FirstSeat | None:
    difference = first.difference
    if difference is None:
        return None
    low, high = first.interval
    return FirstSeat.of(
        first,
        score_low=low,
        score_high=high,
        elo=difference.elo,
        elo_error=difference.elo_error,
        encounters={kind: first.kinds[kind] for kind in KINDS},
    )


class FitTest(Document):
    """A chi-square test."""

    chi_square: Digits2 | None
    freedom: Count
    chance: Share
    is_failed: bool


class Bin(Document):
    """Matches between ratings so far apart."""

    low: float
    high: Annotated[Digits2 | None, about("null where whatever is beyond is in it")]
    elo: Digits2
    matches: Digits2
    expected: Share
    actual: Share
    actual_low: Share
    actual_high: Share
    is_tested: Annotated[bool, about("whether there are matches enough")]


class Misfit(Document):
    """How a bot scored against another, and what their ratings predict."""

    bot: BotLabel
    against: BotLabel
    matches: Digits2
    expected: Share
    actual: Share
    sigmas: Digits2
    is_tested: bool


class Calibration(Document):
    """Whether one number describes each bot."""

    game: str
    bots: Count
    verdict: Annotated[CalibrationVerdict, about("whether one number describes each bot")]
    by_difference: FitTest | None
    by_pairs: FitTest | None
    bins: Annotated[list[Bin], about("by difference in Elo, the smallest first")]
    pairs: Annotated[list[Misfit], about("the worst fit first")]


def calibration_document(pool: calibration_report.PoolCalibration) -> Calibration:
    """Return whether one number describes each bot of a pool."""
    found, bots = pool.found, pool.bots
    return Calibration(
        game=pool.game,
        bots=len(bots),
        verdict=found.verdict,
        by_difference=_fit_test(found.by_difference),
        by_pairs=_fit_test(found.by_pairs),
        bins=[Bin.of(each) for each in found.bins],
        pairs=[
            Misfit.of(each, bot=bots[each.one], against=bots[each.other]) for each in found.pairs
        ],
    )


def _fit_test(found: CalibrationTest | None) -> FitTest | None:
    return None if found is None else FitTest.of(found)
