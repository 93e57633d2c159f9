"""Reports of tournaments, and what an import did."""

from operator import itemgetter
from typing import Annotated

from league.interchange.documents.bots import BotHealth, Digest
from league.interchange.documents.document import (
    BotLabel,
    Count,
    Document,
    Id,
    Points,
    SecondsSince,
    about,
    taken,
)
from league.interchange.documents.tournaments import (
    Settings,
    Standings,
    TournamentSummary,
    settings_document,
    standings_document,
)
from league.model.records import Termination


class NotableMatch(Document):
    """A match that a reader wants to look at."""

    title: Annotated[str, about("the reason that it is notable")]
    told: Annotated[str, about("the reason, in words")]
    match: Annotated[Id, taken("replay.row.id")]
    bots: Annotated[list[BotLabel], taken("replay.names", "by seat")]
    scores: Annotated[list[Points], taken("replay.record.scores", "points by seat")]
    plies: Annotated[Count, taken("replay.row.plies")]
    command: Annotated[str, about("a command that shows it again")]


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
    notable: list[NotableMatch]
    versions: Annotated[list[Entrant], taken("entrants")]
    made_at: SecondsSince
    botleague: Annotated[str, about("its version")]


class ImportedFile(Document):
    """The outcome of the import of a file."""

    file: str
    tournament: int
    is_known: Annotated[bool, about("whether the whole file had been imported before")]
    added: Annotated[Count, about("new matches")]
    matches: Annotated[Count, taken("read", "that count")]
    left_out: Annotated[dict[str, Count], about("games that were skipped, by reason")]
    reasons: Annotated[list[str], about("the reason for the first of those")]
    conflicts: Annotated[list[str], about("games whose tag and moves have different results")]
    new: Annotated[list[str], about("bots that were created")]
    known: Annotated[list[str], about("versions that the league can play")]
