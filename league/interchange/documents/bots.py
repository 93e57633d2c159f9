"""Bots: registered, tried out, built in, and how they fare."""

from collections.abc import Iterable
from typing import Annotated

from league.analysis import bot_health
from league.interchange.documents.document import (
    BotLabel,
    Count,
    Digits1,
    Digits4,
    Digits9,
    Document,
    Id,
    Scalar,
    SecondsSince,
    about,
    taken,
)
from league.model.records import Termination
from league.registration.finding import CheckFinding

Digest = Annotated[str, about("SHA-256 of its sources, or of its program")]
Forfeits = Annotated[
    dict[Termination, Count],
    taken(lambda each: dict(sorted(each.forfeits.items())), "lost matches by fault"),
]


class Version(Document):
    """A version of a bot."""

    id: Id
    version: Annotated[Id, taken("number", "of this bot, from 1")]
    spec: str
    options: dict[str, str]
    digest: Digest
    created_at: SecondsSince


class Bot(Document):
    """A bot with its versions."""

    bot: Annotated[str, taken("name", "its name")]
    is_retired: bool
    games: Annotated[list[str], about("games that it plays, empty for any")]
    versions: Annotated[list[Version], about("oldest first")]


class Registered(Document):
    """The version that `league register` made, or found."""

    bot: Annotated[str, taken("version.name")]
    version: Annotated[Id, taken("version.number")]
    spec: Annotated[str, taken("version.spec")]
    options: Annotated[dict[str, str], taken("version.options")]
    digest: Annotated[str, taken("version.digest", "SHA-256 of its sources, or of its program")]
    is_new: bool
    warnings: Annotated[list[str], about("problems that may make it lose, although it plays")]


class Submission(Document):
    """The outcome of a submission of a class."""

    bot: str
    source: Annotated[str, about("the name of its file, or its spec")]
    status: Annotated[str, about("registered, unchanged or failed")]
    version: Annotated[Id | None, about("null if it failed")]
    reason: Annotated[str, about("reason for the failure, else empty")]
    warnings: Annotated[list[str], about("problems that may make it lose, although it plays")]


class CheckedGame(Document):
    """The findings of a bot's check in a game."""

    game: str
    is_fit: bool
    findings: list[CheckFinding]


class BotOption(Document):
    """An option of a built-in bot."""

    name: str
    default: Scalar
    help: str
    values: Annotated[str, taken(lambda each: each.range(), "those it may have, in words")]


class BuiltInBot(Document):
    """A bot of the catalogue."""

    help: str
    options: list[BotOption]


class MissingBot(Document):
    """A bot of the catalogue that can't be loaded here."""

    why_not: str


class PlySpan(Document):
    """A bot's moves at some plies."""

    first: Id
    last: Id
    moves: Count
    wall_s: Annotated[Digits9 | None, about("median time of a move, in seconds")]
    depth: Annotated[float | None, about("the median")]


class BotHealth(Document):
    """The health of a version in its newest matches, or counts of all its matches."""

    bot: BotLabel
    version: Annotated[Id, taken("bot.version")]
    matches: Count
    forfeits: Forfeits
    moves: Annotated[Count, taken(lambda found: len(found.moves), "those that were looked at")]
    wall_s: Annotated[Digits9 | None, about("median time of a move, in seconds")]
    wall_p99_s: Annotated[Digits9 | None, about("99th percentile")]
    slack_s: Annotated[Digits9 | None, about("median time left, null if unlimited")]
    slack_least_s: Annotated[Digits9 | None, about("below 0 if a move was late")]
    late: Annotated[Count, about("late moves within the grace period")]
    starved: Annotated[Count, about("late moves with little processor time")]
    cpu_share: Annotated[Digits4 | None, about("processor time by time")]
    nodes_a_second: Digits1 | None
    depth: Annotated[float | None, about("the median")]
    without_report: Annotated[Count, taken("silent")]
    lines: Annotated[
        Count, taken("lines.played"), about("principal variations that were played, the newest")
    ]
    illegal_lines: Annotated[Count, taken("lines.illegal"), about("those with an illegal move")]
    mated_lines: Annotated[
        Count, taken("lines.mated"), about("those that go on after a move that decides the match")
    ]
    by_ply: Annotated[list[PlySpan], taken(lambda found: found.depths())]
    replayed: Annotated[
        Count, taken("conduct.kills"), about("matches played again because its process was killed")
    ]
    failed_starts: Annotated[Count, taken("conduct.failed_starts")]
    hung_workers: Annotated[
        Count, taken("conduct.hangs"), about("workers that stopped answering during its moves")
    ]
    suspended: Annotated[
        str, taken("conduct.suspended"), about("reason that it may not play, '' if it may")
    ]


class Health(Document):
    """The health of bots as programs, in a game or in one tournament."""

    game: str
    tournament: Id | None
    newest: Annotated[Count, about("limit of matches read per bot; 0 means all were counted")]
    bots: list[BotHealth]


def health_document(
    game: str, rows: Iterable[bot_health.Health], *, tournament: int | None, matches: int
) -> Health:
    """Return how bots fare in a game, or in one tournament, each by its newest `matches`."""
    bots = [BotHealth.of(row) for row in rows]
    return Health(game=game, tournament=tournament, newest=matches, bots=bots)
