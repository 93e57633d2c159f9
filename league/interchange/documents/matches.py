"""Matches: in a list, ply by ply, why they ended, and what holds of them."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from league.analysis.verify import VerifyFinding
from league.interchange.documents.document import Document, Schema, schema_of, taken
from league.model.document import (
    BotLabel,
    Count,
    Digest,
    Digits4,
    Id,
    Points,
    SeatNumber,
    SecondsSince,
    about,
)
from league.model.records import Termination

if TYPE_CHECKING:
    from league.analysis.replay import Replay
    from league.match.replay import Frame
    from league.model.model_calls import ModelCall
from operator import itemgetter

from league.interchange.documents.bots import BotHealth
from league.interchange.documents.tournaments import (
    Settings,
    Standings,
    TournamentSummary,
    settings_document,
    standings_document,
)
from league.interchange.report.notable import Notable

Scores = Annotated[list[Points], about("points by seat")]
MachineName = Annotated[str, about("of the pull worker, empty for the runner's own pool")]
TimeFactor = Annotated[Digits4, about("what its times were multiplied by")]
FaultSeat = Annotated[SeatNumber | None, about("the seat that lost by a fault or resigned")]


class MatchPlace(Document):
    """A match's place in the league, and its bots."""

    match: Annotated[Id, taken("id")]
    tournament: Annotated[Id, taken("tournament_id")]
    encounter: Annotated[Count, taken("key.encounter", "from 0, in the order of the plan")]
    rotation: Annotated[Count, taken("key.rotation", "how far the seats are rotated in it")]
    game: Annotated[str, about("its name with its options")]
    bots: Annotated[list[BotLabel], taken("versions", "by seat")]
    versions: Annotated[
        list[Id], taken(lambda row: [each.version for each in row.versions], "by seat")
    ]


class MatchSummary(MatchPlace):
    """A match in the list."""

    scores: Scores
    termination: Termination
    fault_seat: FaultSeat
    plies: Count
    wall_ms: Annotated[Count, about("how long it took")]
    finished_at: SecondsSince
    machine: MachineName
    time_factor: TimeFactor


class ExportedPly(Document):
    """A ply of an exported match."""

    ply: Annotated[Count, about("0 is the first position")]
    seat: Annotated[int | None, about("the seat that moved, -1 for a chance event")]
    move: Annotated[str, about("in the game's notation")]
    is_opening: Annotated[bool, about("whether no bot was asked for it")]
    wall_ns: Annotated[Count | None, about("time between question and answer")]
    cpu_ns: Annotated[Count | None, about("processor time of the bot, null if unknown")]
    over_ns: Annotated[Count | None, about("how late the answer came, 0 if on time")]
    left_s: Annotated[
        float | None, about("time left on its clock afterwards, null without a clock")
    ]
    depth: Count | None
    nodes: Count | None
    score: Annotated[float | None, about("from its own point of view, in its own unit")]
    mate: Annotated[int | None, about("in its own moves, below 0 if it is mated")]
    seldepth: Count | None
    nps: Annotated[Count | None, about("nodes a second")]
    tbhits: Count | None
    hashfull: Annotated[Count | None, about("how full its hash is, in permille")]
    time_ms: Annotated[Count | None, about("time of the search by its own clock")]
    pv: Annotated[list[str], taken("line", "the line the bot expected, its own move first")]
    text: Annotated[str, about("other values that the bot reported")]
    fault: Annotated[
        str | None, about("why the game made the move for the bot, null if the bot made it")
    ]


class Call(Document):
    """A call of a language model."""

    attempt: Annotated[Count, about("from 0: the tries for one move")]
    fault: Annotated[str | None, about("why it is no move")]
    prompt: str
    answer: str
    model: Annotated[str, about("as the answer names it")]
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost: float | None
    latency_ms: Count
    parameters: Annotated[str, about("an object of JSON")]


class Ply(ExportedPly):
    """A ply of a match with the position after it."""

    board: Annotated[str, taken(lambda frame: frame.state.render(), "the position after it")]
    calls: Annotated[list[Call], about("calls of a language model for it, with the last ply's")]


_OF_RECORD = ("wall_ns", "cpu_ns", "over_ns")
_OF_REPORT = ("depth", "nodes", "score", "mate", "seldepth", "nps", "tbhits", "hashfull", "time_ms")


def _told(frame: "Frame") -> dict[str, Any]:
    """Return what the record of a ply tells, None where there is none."""
    record = frame.record
    report = record.report if record else None
    return {
        "is_opening": frame.seat is not None and record is None,
        **{name: getattr(record, name, None) for name in _OF_RECORD},
        **{name: getattr(report, name, None) for name in _OF_REPORT},
        "text": report.text if report else "",
        "fault": str(record.fault) if record and record.fault else None,
    }


def ply_document(frame: "Frame", calls: "Iterable[ModelCall]" = ()) -> Ply:
    """Return a ply with the position after it, and the calls of a language model for it."""
    return Ply.of(frame, **_told(frame), calls=map(Call.of, calls))


class PlayedMatch(MatchPlace):
    """All of a match but its plies."""

    is_imported: Annotated[bool, about("whether it was imported from a file")]
    seed: int
    time: Annotated[list[str], about("time controls by seat, empty for none")]
    scores: Scores
    utilities: Annotated[list[float] | None, about("the game's own, null without a result")]
    termination: Termination
    fault_seat: FaultSeat
    detail: Annotated[str, about("its termination and result, in words")]
    machine: MachineName
    time_factor: TimeFactor


class Match(PlayedMatch):
    """A whole match, as `league replay --json` prints it."""

    plies: list[Ply]


class ExportedMatch(PlayedMatch):
    """A whole match, as `league export` writes it: without the boards."""

    plies: list[ExportedPly]


_OF_MATCH = ("game", "seed", "scores", "utilities", "termination", "fault_seat", "detail")


def _played(replay: "Replay") -> dict[str, Any]:
    return {
        **{name: getattr(replay.record, name) for name in _OF_MATCH},
        "is_imported": replay.is_imported,
        "time": [each.time for each in replay.seat_limits],
    }


def match_document(replay: "Replay") -> Match:
    """Return a whole match."""
    return Match.of(
        replay.row,
        **_played(replay),
        plies=[ply_document(frame, replay.calls.get(frame.ply, ())) for frame in replay.frames],
    )


def exported_match(replay: "Replay") -> ExportedMatch:
    """Return a whole match without the boards."""
    plies = [ExportedPly.of(frame, **_told(frame)) for frame in replay.frames]
    return ExportedMatch.of(replay.row, **_played(replay), plies=plies)


class Verified(Document):
    """The findings of a replay of all matches."""

    matches: Count
    imported: Annotated[Count, about("their number")]
    findings: list[VerifyFinding]


class Entrant(Document):
    """A version that played."""

    bot: Annotated[BotLabel, taken(itemgetter(0))]
    version: Annotated[Id, taken(lambda pair: pair[1].id)]
    spec: Annotated[str, taken(lambda pair: pair[1].spec)]
    options: Annotated[dict[str, str], taken(lambda pair: pair[1].options)]
    digest: Annotated[Digest, taken(lambda pair: pair[1].digest)]


class Report(Document):
    """The contents of `league report` about a tournament."""

    title: str
    tournament: Annotated[TournamentSummary, taken("row")]
    settings: Annotated[Settings, taken(lambda found: settings_document(found.settings))]
    standings: Annotated[Standings, taken(lambda found: standings_document(found.standings))]
    sentences: list[str]
    terminations: Annotated[dict[Termination, Count], taken("ends", "the most frequent first")]
    health: Annotated[list[BotHealth], taken("fares")]
    notable: list[Notable]
    versions: Annotated[list[Entrant], taken("entrants")]
    made_at: SecondsSince
    botleague: Annotated[str, about("its version")]


def export_schema() -> Schema:
    """Return the schema of the matches that `league export --as json` writes, one a line."""
    return schema_of(ExportedMatch, "a match of a botleague")
