"""Tournaments, their standings, and ratings."""

import math
from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import UNSET, UnsetType

from league.analysis import crosstable, standing_rows, standings
from league.analysis.outlook import outlook
from league.analysis.places import of_two_sides
from league.analysis.pool_statistics import Cycle
from league.formats.format import TableOrder
from league.interchange.documents.bots import Forfeits
from league.interchange.documents.document import Document, Scalar, taken
from league.model.document import (
    BotLabel,
    Count,
    Digits4,
    Id,
    Likelihood,
    SecondsSince,
    Share,
    about,
)
from league.model.records import TournamentConfig
from league.model.tiebreak import Tiebreak
from league.ratings.system_specs import settings_of as settings_of_system
from league.store.rows import TournamentRow, TournamentState
from league.store.store import StoreReader
from league.tournament.settings import SETTINGS, settings_of


class TournamentSummary(Document):
    """A tournament in the list."""

    tournament: Annotated[Id, taken("id")]
    config: Annotated[TournamentConfig, about("its settings; times in seconds")]
    total: Annotated[Count | None, about("total number of matches, null if it depends on results")]
    played: Annotated[Count, about("matches")]
    is_finished: bool
    state: TournamentState
    stop_reason: str | None
    created_at: SecondsSince


NEEDED = ("game", "bots", "format")
"""The settings that every tournament has, an imported one too."""


def _fields(namespace: dict[str, Any]) -> None:
    """Make a field of each setting, whose key is its word."""
    hints = namespace["__annotations__"] = {}
    for setting in SETTINGS:
        kind, name = setting.kind, setting.word.replace("-", "_")
        hint: Any = Literal[kind.choices] if kind.choices else kind.written
        hint = Annotated[hint, about(setting.help)]
        hints[name] = hint if name in NEEDED else hint | UnsetType
        if name not in NEEDED:
            namespace[name] = UNSET
    namespace["__doc__"] = "The options of `league run` that make the same tournament."


if TYPE_CHECKING:

    class Settings(Document):
        """The options of `league run` that make the same tournament."""

else:
    Settings = new_class("Settings", (Document,), {"rename": "kebab"}, _fields)


class Tournament(TournamentSummary):
    """A tournament with its settings, and how it stands."""

    settings: Settings
    is_in_play: Annotated[bool, about("whether a process is running it")]
    expected: Annotated[
        Count | None, about("estimate of the total number of matches, null if there is none")
    ]
    says: Annotated[str, about("the conclusion so far of its format or stopping rule")]


def settings_document(settings: Mapping[str, Any]) -> Settings:
    """Return the options of `league run`, by their names."""
    return Settings(**{name.replace("-", "_"): value for name, value in settings.items()})


def tournament_document(store: StoreReader, row: TournamentRow) -> Tournament:
    """Return a tournament with its settings, and how it stands."""
    expected, says = None, f"from a file whose text has the SHA-256 {row.config.source}"
    if not row.config.is_imported:
        found = outlook(store, row)
        says, expected = found.says, found.expected
    return Tournament.of(
        row,
        settings=settings_document(settings_of(store, row)),
        is_in_play=row.state == "open" and store.tournaments.is_in_play(row.id),
        expected=expected,
        says=says,
    )


class Overlap(Document):
    """Ranks of which no two are separated."""

    pool: Annotated[Id, taken(itemgetter(0))]
    ranks: Annotated[list[Id], taken(itemgetter(1))]


_BY_PLACE = "null with more than two sides: see places"


class Standing(Document):
    """The row of a version."""

    rank: Annotated[
        Id | None,
        taken(
            lambda row: row.rank or None,
            "in its pool or its tournament's table, null without a match",
        ),
    ]
    pool: Annotated[Id | None, taken(lambda row: row.pool or None)]
    bot: BotLabel
    version: Id
    rating: Digits4 | None
    error: Annotated[Digits4 | None, about("half the 95% interval")]
    share: Annotated[Share | None, about("its part of the mix, if the system has one")]
    los_next: Annotated[Likelihood | None, taken("los", "how likely it is stronger than the next")]
    payoff: Annotated[
        float | None,
        taken(lambda row: row.payoff and row.payoff.mean, "its mean of a match, if the game pays"),
    ]
    payoff_error: Annotated[
        float | None,
        taken(lambda row: row.payoff and row.payoff.error, "half of that mean's 95% interval"),
    ]
    payoff_unit: Annotated[
        str | None, taken(lambda row: row.payoff and row.payoff.unit, "what payoffs count")
    ]
    exploitability: Annotated[
        float | None, about("what a best response gains, where 'league exploit' has found it")
    ]
    match_cost: Annotated[
        float | None,
        taken(lambda row: row.calls and row.calls.match_cost, "of a language model, by its prices"),
    ]
    move_tokens: Annotated[
        float | None,
        taken(lambda row: row.calls and row.calls.move_tokens, "of a language model, for a move"),
    ]
    calls_uncounted: Annotated[
        Count | None,
        taken(
            lambda row: row.calls and row.calls.uncounted,
            "calls of a language model of unknown cost: the two before are the least if there are "
            "any",
        ),
    ]
    score: Share
    points: float
    wins: Annotated[Count | None, taken(of_two_sides("wins"), _BY_PLACE)]
    draws: Annotated[Count | None, taken(of_two_sides("draws"), _BY_PLACE)]
    losses: Annotated[Count | None, taken(of_two_sides("losses"), _BY_PLACE)]
    places: Annotated[
        list[Count], about("matches in which it came first, second, …; empty with two sides")
    ]
    matches: Count
    forfeits: Forfeits
    stand_ins: Annotated[Count, about("moves that the game made because the bot failed")]
    total: Annotated[
        float | None,
        about(
            "points in the tournament's table, with those for stages not played; "
            "null without a table"
        ),
    ]
    tiebreaks: Annotated[list[Digits4 | None], about("in the order of the table")]


class TunedParameter(Document):
    """A parameter of a tuning."""

    name: Annotated[str, taken("parameter.name")]
    start: Annotated[float, taken("parameter.start")]
    low: Annotated[float, taken("parameter.low", "least value")]
    high: Annotated[float, taken("parameter.high", "greatest value")]
    step: Annotated[float, taken("parameter.step")]
    value: Annotated[float, about("the best known")]
    text: Annotated[str, taken(lambda found: found.parameter.text(found.value), "as an option")]
    error: Annotated[
        float | None,
        taken(
            lambda found: found.error if math.isfinite(found.error) else None,
            "half the 95% interval of the value, null if unknown",
        ),
    ]
    slope: Annotated[float, about("Elo that one step up was worth on average")]
    slope_error: Annotated[
        float | None,
        taken(
            lambda found: found.slope_error if math.isfinite(found.slope_error) else None,
            "half its 95% interval",
        ),
    ]
    path: Annotated[
        list[tuple[Count, float]], about("values after so many comparisons, some of many")
    ]


class Tuning(Document):
    """How far a bot's parameters are tuned."""

    played: Annotated[Count, about("comparisons so far")]
    planned: Count
    parameters: Annotated[list[TunedParameter], taken("paths")]
    verdict: Annotated[str, about("what the test against the start has shown, or nothing")]
    is_gain: bool


class Standings(Document):
    """The standings of a game, or of one tournament."""

    game: str
    tournament: Id | None
    system: Annotated[str, taken("system.name", "the rating system")]
    settings: Annotated[
        dict[str, Scalar], taken(lambda found: settings_of_system(found.system), "its options")
    ]
    anchor: standings.Anchor | None
    pools: Annotated[Count, about("number of groups of bots that never met one another")]
    overlaps: Annotated[list[Overlap], taken("overlaps")]
    order: Annotated[TableOrder, taken("outlook.order", "what the rows are ordered by")]
    tiebreaks: Annotated[list[Tiebreak], taken("outlook.tiebreaks")]
    says: Annotated[str, about("the conclusion of the tournament's format, or nothing")]
    tuning: Annotated[
        Tuning | None, taken("outlook.tuning", "of a tournament that tunes parameters")
    ]
    cycles: Annotated[
        list[Cycle], about("a cycle: each bot beats the next; with matches won and lost")
    ]
    standings: Annotated[list[Standing], taken("rows")]
    los: (
        Annotated[
            list[list[Likelihood | None]],
            about("likelihood that the bot of a row is stronger than the bot of a column, by rank"),
        ]
        | UnsetType
    ) = UNSET


def standings_document(found: standings.Standings, has_matrix: bool = False) -> Standings:
    """Return standings, with who is likely stronger than whom if that `has_matrix`."""
    return Standings.of(found, los=found.los.tolist() if has_matrix else UNSET)


class Cell(Document):
    """The score of a bot against another."""

    bot: BotLabel
    against: BotLabel
    wins: Count
    draws: Count
    losses: Count
    points: float


class Crosstable(Document):
    """The score of every bot of a game, or of one tournament, against every other."""

    game: str
    tournament: Id | None
    bots: Annotated[list[BotLabel], about("by rank")]
    cells: list[Cell]


def crosstable_document(
    game: str,
    tournament: int | None,
    rows: Sequence[standing_rows.Standing],
    cells: Mapping[tuple[int, int], crosstable.Cell],
) -> Crosstable:
    """Return what every bot of a game, or of one tournament, scored against every other."""
    return Crosstable(
        game=game,
        tournament=tournament,
        bots=[row.bot for row in rows],
        cells=[
            Cell.of(cell, bot=row.bot, against=other.bot)
            for row in rows
            for other in rows
            if (cell := cells.get((row.version, other.version)))
        ],
    )


class Recomputed(Document):
    """The number of a system's ratings that were stored again for a game."""

    game: str
    system: str
    snapshots: Count
