"""Bots: registered, tried out, built in, and how they fare."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

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
)
from league.model.records import BotVersion, Termination
from league.registration.check import CheckFinding

if TYPE_CHECKING:
    from games.support.options import Option
    from league.analysis import bot_health
    from league.store.rows import BotRow

Digest = Annotated[str, about("SHA-256 of its sources, or of its program")]


class Version(Document):
    """A version of a bot."""

    id: Id
    version: Annotated[Id, about("of this bot, from 1")]
    spec: str
    options: dict[str, str]
    digest: Digest
    created_at: SecondsSince


class Bot(Document):
    """A bot with its versions."""

    bot: Annotated[str, about("its name")]
    is_retired: bool
    games: Annotated[list[str], about("those that it plays, empty for any")]
    versions: Annotated[list[Version], about("the newest last")]


def bot_document(row: "BotRow") -> Bot:
    """Return a bot with its versions."""
    versions = [
        Version.of(each, version=each.number, options=dict(each.options)) for each in row.versions
    ]
    return Bot.of(row, bot=row.name, games=list(row.games), versions=versions)


class Registered(Document):
    """The version that `league register` made, or found."""

    bot: str
    version: Id
    spec: str
    options: dict[str, str]
    digest: Digest
    is_new: bool


def registered_document(version: BotVersion, is_new: bool) -> Registered:
    """Return the version that a registration made or found."""
    return Registered.of(
        version,
        bot=version.name,
        version=version.number,
        options=dict(version.options),
        is_new=is_new,
    )


class CheckedGame(Document):
    """What a check of a bot found in a game."""

    game: str
    is_fit: bool
    findings: list[CheckFinding]


def checked_document(game: str, findings: list[CheckFinding]) -> CheckedGame:
    """Return what a check found in a game."""
    is_fit = all(each.is_passed is not False for each in findings)
    return CheckedGame(game=game, is_fit=is_fit, findings=findings)


class BotOption(Document):
    """An option of a built-in bot."""

    name: str
    default: Scalar
    help: str
    values: Annotated[str, about("those that it may have, in words")]


class BuiltInBot(Document):
    """A bot of the catalogue."""

    help: str
    options: list[BotOption]


class MissingBot(Document):
    """A bot of the catalogue that can't be loaded here."""

    why_not: str


def built_in_document(summary: str, options: "Iterable[Option]") -> BuiltInBot:
    """Return a bot of the catalogue: the first line about it, and its options."""
    return BuiltInBot(
        help=summary, options=[BotOption.of(each, values=each.range()) for each in options]
    )


class PlySpan(Document):
    """A bot's moves at some plies."""

    first: Id
    last: Id
    moves: Count
    wall_s: Annotated[Digits9 | None, about("the median time of a move")]
    depth: Annotated[float | None, about("the median")]


class BotHealth(Document):
    """How a version fares in its newest matches."""

    bot: BotLabel
    version: Id
    matches: Count
    forfeits: Annotated[dict[Termination, Count], about("lost matches by fault")]
    moves: Count
    wall_s: Annotated[Digits9 | None, about("the median time of a move, in seconds")]
    wall_p99_s: Annotated[Digits9 | None, about("99 of 100 moves keep within it")]
    slack_s: Annotated[Digits9 | None, about("the median of what was left, null if unlimited")]
    slack_least_s: Annotated[Digits9 | None, about("below 0 where a move was late")]
    late: Annotated[Count, about("moves late within the grace")]
    starved: Annotated[Count, about("late moves that had little of the processor")]
    cpu_share: Annotated[Digits4 | None, about("processor time by time")]
    nodes_a_second: Digits1 | None
    depth: Annotated[float | None, about("the median")]
    without_report: Count
    by_ply: list[PlySpan]


def bot_health_document(found: "bot_health.Health") -> BotHealth:
    """Return how a version fares."""
    return BotHealth.of(
        found,
        bot=str(found.bot),
        version=found.bot.version,
        forfeits=dict(sorted(found.forfeits.items())),
        moves=len(found.moves),
        without_report=found.silent,
        by_ply=[PlySpan.of(each) for each in found.depths()],
    )


class Health(Document):
    """How bots fare as programs, in a game or in one tournament."""

    game: str
    tournament: Id | None
    newest: Annotated[Id, about("at most so many matches of each bot were looked at")]
    bots: list[BotHealth]


def health_document(
    game: str, rows: "Iterable[bot_health.Health]", *, tournament: int | None, matches: int
) -> Health:
    """Return how bots fare in a game, or in one tournament, each by its newest `matches`."""
    bots = [bot_health_document(row) for row in rows]
    return Health(game=game, tournament=tournament, newest=matches, bots=bots)
