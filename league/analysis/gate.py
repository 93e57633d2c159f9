"""The result of a gate: whether a change is weaker than each of its opponents."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain, islice
from typing import Annotated

from games.support.counts import counted
from league.formats.format import SprtProgress
from league.formats.schedule import EXHAUSTED
from league.model.document import OR_NULL, BotLabel, Count, Digits1, Digits2, Id, about, document
from league.model.errors import LeagueError
from league.model.records import Result, Termination
from league.ratings.sprt import Sprt, SprtState
from league.ratings.sprt_estimate import Interval, SprtEstimate
from league.store.bots import VERSION_SIGN
from league.store.rows import BotRef, TournamentRow
from league.store.store import StoreReader
from league.tournament.planner import Planner

LOST_SHOWN = 10
"""The most lost matches that are listed of each test."""

NOTHING = Interval(math.nan, -math.inf, math.inf)
"""The estimate without results."""


class GateVerdict(StrEnum):
    """What a gate finds of a change, against one opponent or against all of them."""

    NOT_WEAKER = "not weaker"
    WEAKER = "weaker"
    UNDECIDED = "undecided"
    UNFIT = "unfit"
    """It does not pass its check, and no match is played."""


_BY_STATE = {
    SprtState.ACCEPTED: GateVerdict.NOT_WEAKER,
    SprtState.REJECTED: GateVerdict.WEAKER,
    SprtState.UNDECIDED: GateVerdict.UNDECIDED,
}


@document("LostMatch", "match termination is_forfeit detail plies")
@dataclass(frozen=True, slots=True, kw_only=True)
class LostMatch:
    """A match that the change lost."""

    match: Id
    termination: Termination
    is_forfeit: Annotated[bool, about("whether its own fault lost it")]
    detail: Annotated[str, about("the reason in words, empty if the match ended by the rules")]
    plies: Count


@document(
    "GateLine",
    "opponent game verdict reason tournament elo0=test.elo0 elo1=test.elo1 model=test.model "
    "alpha=test.alpha beta=test.beta llr lower upper elo elo_low elo_high "
    "won drawn lost forfeits failed_moves play_s lost_matches",
)
@dataclass(frozen=True, kw_only=True)
class GateLine:
    """The test of a change against one opponent.

    `reason` says why there is no verdict, or why it took no match; '' otherwise. `trial` is None
    before the first result.
    """

    opponent: BotLabel
    game: str
    test: Sprt
    verdict: GateVerdict = GateVerdict.UNDECIDED
    reason: str = ""
    tournament: Id | None = None
    trial: SprtProgress | None = None
    forfeits: Annotated[Mapping[Termination, Count], about("lost by its own fault, by kind")] = (
        field(default_factory=dict)
    )
    failed_moves: Annotated[Count, about("moves that the game made for the change")] = 0
    play_s: Annotated[Digits1, about("how long this run played, in seconds")] = 0.0
    lost_matches: Annotated[
        tuple[LostMatch, ...], about("some of them: forfeits first, then the newest")
    ] = ()

    @property
    def llr(self) -> Annotated[Digits2, about("the log-likelihood ratio")]:
        """The ratio so far."""
        return self.trial.path[-1][1] if self.trial else 0.0

    @property
    def lower(self) -> Annotated[Digits2, about("at this ratio or below, it is weaker")]:
        """The bound of `elo0`."""
        return self.test.bounds[0]

    @property
    def upper(self) -> Annotated[Digits2, about("at this ratio or above, it is not weaker")]:
        """The bound of `elo1`."""
        return self.test.bounds[1]

    @cached_property
    def difference(self) -> Interval:
        """The difference in logistic Elo, corrected for the stopping of the test."""
        return SprtEstimate.of(self.test, self.trial.counts).elo if self.trial else NOTHING

    @property
    def elo(self) -> Annotated[Digits1, OR_NULL, about("logistic, corrected for the stopping")]:
        """The estimate of the difference."""
        return self.difference.value

    @property
    def elo_low(self) -> Annotated[Digits1, OR_NULL, about("end of the 95% interval")]:
        """The lower end of the estimate's interval."""
        return self.difference.low

    @property
    def elo_high(self) -> Annotated[Digits1, OR_NULL]:
        """The upper end of the estimate's interval."""
        return self.difference.high

    @property
    def won(self) -> Annotated[Count, about("of the matches that the test counts")]:
        """The number of matches that the change won."""
        return self.trial.record[0] if self.trial else 0

    @property
    def drawn(self) -> Count:
        """The number of drawn matches."""
        return self.trial.record[1] if self.trial else 0

    @property
    def lost(self) -> Count:
        """The number of matches that the change lost."""
        return self.trial.record[2] if self.trial else 0


@document("Gate", "change verdict reason alpha beta is_interrupted lines")
@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The result of a gate; `reason` is why the change does not pass its check, '' if it does."""

    change: BotLabel
    alpha: Annotated[float, about("at most at this rate does a change weaker by elo0 pass")]
    beta: Annotated[float, about("at most at this rate does a change of elo1 or more fail")]
    lines: tuple[GateLine, ...] = ()
    reason: str = ""
    is_interrupted: bool = False

    @property
    def verdict(self) -> GateVerdict:
        """The verdict on the change."""
        if self.reason:
            return GateVerdict.UNFIT
        return family_verdict([line.verdict for line in self.lines])


def family_verdict(verdicts: Collection[GateVerdict]) -> GateVerdict:
    """Return the verdict of several tests: a change must pass all of them.

    A change that is weaker than some opponent passes that one test at the rate `alpha` at most, and
    so all of them (the intersection-union test of R. Berger, Technometrics 24, 1982).
    """
    if GateVerdict.WEAKER in verdicts:
        return GateVerdict.WEAKER
    is_passed = all(each is GateVerdict.NOT_WEAKER for each in verdicts)
    return GateVerdict.NOT_WEAKER if verdicts and is_passed else GateVerdict.UNDECIDED


def played_line(store: StoreReader, row: TournamentRow, line: GateLine, change: BotRef) -> GateLine:
    """Return a line with what the tournament of its test has found of the change."""
    schedule = Planner(store, row.id).schedule
    trial = schedule.trial()
    verdict = _BY_STATE[trial.state] if trial else GateVerdict.UNDECIDED
    reason = ""
    if verdict is GateVerdict.UNDECIDED:
        is_exhausted = schedule.says((change.bot, line.opponent)).endswith(EXHAUSTED)
        reason = EXHAUSTED if is_exhausted else _why_stopped(row)
    of_change = store.totals.counted(row.config.game, row.id).get(change.version)
    failed = store.results.stand_ins(row.config.game, [row.id])
    return replace(
        line,
        verdict=verdict,
        reason=reason,
        trial=trial,
        forfeits=dict(of_change.forfeits) if of_change else {},
        failed_moves=failed[change.version],
        lost_matches=_lost(store, row.id, change),
    )


def _why_stopped(row: TournamentRow) -> str:
    if row.is_finished:
        return f"all {counted(row.config.rounds, 'encounter')} are played"
    return row.stop_reason or "not played to its end"


def _lost(store: StoreReader, tournament: int, change: BotRef) -> tuple[LostMatch, ...]:
    """Return some lost matches of a tournament: forfeits first, then the newest."""
    name, most = f"{change.bot}{VERSION_SIGN}{change.number}", LOST_SHOWN
    forfeits = store.matches.page(limit=most, tournament=tournament, fault_of=name)
    others = store.matches.page(limit=most, tournament=tournament, bot=name, result=Result.LOST)
    numbers = dict.fromkeys(row.id for row in chain(forfeits, others))
    own = {row.id for row in forfeits}
    lost = []
    for found in store.matches.records([*islice(numbers, most)]):
        if isinstance(found, LeagueError):
            raise found
        row, record = found
        lost.append(
            LostMatch(
                match=row.id,
                termination=row.termination,
                is_forfeit=row.id in own,
                detail=record.detail,
                plies=row.plies,
            )
        )
    return tuple(lost)
