"""Reports of tournaments, and what an import did."""

from typing import TYPE_CHECKING, Annotated

from league.interchange.documents.bots import BotHealth, Digest, bot_health_document
from league.interchange.documents.document import BotLabel, Count, Document, Id, SecondsSince, about
from league.interchange.documents.matches import Scores
from league.interchange.documents.tournaments import (
    Settings,
    Standings,
    TournamentSummary,
    settings_document,
    standings_document,
    tournament_summary,
)
from league.model.records import Termination

if TYPE_CHECKING:
    from league.interchange.import_pgn import Imported
    from league.interchange.report import contents, notable


class NotableMatch(Document):
    """A match that a reader wants to look at."""

    title: Annotated[str, about("what it is notable for")]
    told: Annotated[str, about("why, in words")]
    match: Id
    bots: Annotated[list[BotLabel], about("by seat")]
    scores: Scores
    plies: Count
    command: Annotated[str, about("what shows it again")]


class Entrant(Document):
    """A version that played."""

    bot: BotLabel
    version: Id
    spec: str
    options: dict[str, str]
    digest: Digest


class Report(Document):
    """What `league report` tells of a tournament."""

    title: str
    tournament: TournamentSummary
    settings: Settings
    standings: Standings
    sentences: list[str]
    terminations: Annotated[dict[Termination, Count], about("the most frequent first")]
    health: list[BotHealth]
    notable: list[NotableMatch]
    versions: list[Entrant]
    made_at: SecondsSince
    botleague: Annotated[str, about("its version")]


def report_document(found: "contents.Contents") -> Report:
    """Return what a report says."""
    return Report.of(
        found,
        tournament=tournament_summary(found.row),
        settings=settings_document(found.settings),
        standings=standings_document(found.standings),
        sentences=found.standings.sentences(),
        terminations=dict(found.ends),
        health=[bot_health_document(each) for each in found.fares],
        notable=[notable_document(each) for each in found.notable],
        versions=[
            Entrant.of(each, bot=str(ref), version=each.id, options=dict(each.options))
            for ref, each in found.entrants
        ],
    )


def notable_document(found: "notable.Notable") -> NotableMatch:
    """Return a notable match."""
    return NotableMatch.of(
        found,
        match=found.replay.row.id,
        bots=list(found.replay.names),
        scores=list(found.replay.record.scores),
        plies=found.replay.row.plies,
    )


class ImportedFile(Document):
    """What became of a file of matches."""

    file: str
    tournament: int
    is_known: Annotated[bool, about("whether all of it had been imported before")]
    added: Annotated[Count, about("matches that are new")]
    matches: Annotated[Count, about("that count")]
    left_out: Annotated[dict[str, Count], about("games that do not count, by kind")]
    reasons: Annotated[list[str], about("why the first of those do not")]
    new: Annotated[list[str], about("bots that the league did not know")]
    known: Annotated[list[str], about("versions that the league can play")]


def imported_document(file: str, found: "Imported") -> ImportedFile:
    """Return what became of a file."""
    return ImportedFile.of(found, file=file, matches=found.read, left_out=dict(found.left_out))
