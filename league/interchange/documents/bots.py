"""Bots: registered, tried out, built in, and how they fare."""

from collections.abc import Iterable
from typing import Annotated

from league.analysis import bot_health
from league.interchange.documents.document import Document, Scalar, taken
from league.model.document import BotLabel, Count, Digits1, Digits4, Digits9, Id, about
from league.model.records import Termination
from league.registration.finding import CheckFinding

Forfeits = Annotated[
    dict[Termination, Count],
    taken(lambda each: dict(sorted(each.forfeits.items())), "lost matches by fault"),
]


class CheckedGame(Document):
    """The findings of a bot's check in a game."""

    game: str
    is_fit: Annotated[bool, about("whether no point failed")]
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
    by_ply: Annotated[list[bot_health.Depths], taken(lambda found: found.depths())]
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
