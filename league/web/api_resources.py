"""The resources of the API: the path, the parameters and the function of each."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, TypeAlias, TypeVar

from games.support.errors import UnknownNameError
from games.support.specs import GAMES, find_game
from league.analysis.loss_report import LossReport
from league.analysis.rating_history import HistoryPoint
from league.api.league import League
from league.interchange.documents import bots, games, matches, statistics, tournaments
from league.interchange.documents.document import Schema
from league.model.records import Result, Termination
from league.ratings.system_specs import DEFAULT_SYSTEM, SYSTEMS
from league.store.rows import BotRow
from league.store.store import StoreReader
from league.web.page_route import Audience
from league.web.query import Parameter

ID_MAX = 2**53 - 1
"""The greatest integer that all JSON parsers read exactly."""

LIST_MAX = 500
"""The most rows of a page."""

OFFSET_MAX = 10**9

TIME_MAX = 10**11

Values: TypeAlias = Mapping[str, Any]
"""The parameters of a request by name; None for one that was not given and has no default."""

Answering = TypeVar("Answering", bound=Callable[[League, Values], Any])


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a list; `following` are the parameters of the next page, None for the last."""

    rows: Sequence[object]
    following: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Resource:
    """An address of the API.

    `path` is written as in OpenAPI, and `parameters` are those of the query. `document` is the
    class of the answer, or of each row if it `is_list` or `is_paged`; a paged answer is a `Page`.
    An answer that `is_kept` is computed again only after the league has changed, and less often if
    that takes long. `audience` are those of a hosted league who may see it.
    """

    path: str
    summary: str
    answer: Callable[[League, Values], Any]
    document: type
    parameters: tuple[Parameter, ...] = ()
    _: KW_ONLY
    is_list: bool = False
    is_paged: bool = False
    is_kept: bool = False
    audience: Audience = Audience.RESULTS

    @property
    def within(self) -> list[Parameter]:
        """The parameters that stand in the path, in its order."""
        return [_WITHIN[name] for name in re.findall(r"{(\w+)}", self.path)]


def _number(low: int, high: int = ID_MAX, default: int | None = None) -> Schema:
    found: Schema = {"type": "integer", "minimum": low, "maximum": high}
    return found if default is None else {**found, "default": default}


def _word(words: tuple[str, ...], default: str | None = None) -> Schema:
    found: Schema = {"type": "string", "enum": list(words)}
    return found if default is None else {**found, "default": default}


RESOURCES: list[Resource] = []
"""All resources. If two match an address, the first one answers."""


def _resource(
    path: str,
    document: type,
    *parameters: Parameter,
    audience: Audience = Audience.RESULTS,
    **kind: bool,
) -> Callable[[Answering], Answering]:
    """Add an address that a function answers; its docstring is the summary."""

    def added(answer: Answering) -> Answering:
        summary = (answer.__doc__ or "").removesuffix(".")
        made = Resource(path, summary, answer, document, parameters, audience=audience, **kind)
        RESOURCES.append(made)
        return answer

    return added


_TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": 500}
_FLAG: Schema = {"type": "boolean", "default": False}

_BOT = Parameter("bot", "a bot's name", _TEXT, is_required=True)
_OF_BOT = Parameter("bot", "of this bot only", _TEXT)
_AGAINST = Parameter("against", "another bot's name", _TEXT, is_required=True)
_GAME = Parameter("game", "a game of the catalogue, or one that was played with options", _TEXT)
_GAME_REQUIRED = Parameter(_GAME.name, _GAME.help, _TEXT, is_required=True)
_MATCH = Parameter("match", "a match's number", _number(1), is_required=True)
_TOURNAMENT = Parameter("tournament", "a tournament's number", _number(1), is_required=True)
_OF_TOURNAMENT = Parameter("tournament", "of this tournament only", _number(1))
LIMIT = Parameter("limit", "at most so many rows", _number(1, LIST_MAX, 50))
OFFSET = Parameter("offset", "leave out so many rows", _number(0, OFFSET_MAX, 0))
_BEFORE = Parameter("before", "below this number only: where a page ended", _number(1))
_SYSTEM = Parameter("system", "the rating system", _word(SYSTEMS.names(), DEFAULT_SYSTEM))
_MATRIX = Parameter("matrix", "with who is likely stronger than whom", _FLAG)
_RETIRED = Parameter("retired", "retired bots too", _FLAG)
_TERMINATION = Parameter("termination", "ended so", _word(tuple(map(str, Termination))))
_SEARCH = Parameter("search", "a part of a bot's name, or a match's number", _TEXT)
_OPPONENT = Parameter("opponent", "with this other bot", _TEXT)
_RESULT = Parameter("result", "what `bot` did, or any bot", _word(tuple(map(str, Result))))
_SINCE = Parameter("since", "ended since then, in seconds since 1970", _number(0, TIME_MAX))
_UNTIL = Parameter("until", "ended before then, in seconds since 1970", _number(0, TIME_MAX))
_FAULTS = Parameter("faults", "ended by a bot's fault", _FLAG)
_VERSIONS = Parameter("versions", "which versions count", _word(("newest", "all"), "newest"))
_NEWEST_TEXT = "of each bot, its newest so many; 0 counts all matches, and looks at no moves"
_NEWEST = Parameter("matches", _NEWEST_TEXT, _number(0, 1000, 200))
# Whole matches are read and replayed, and there may be a hundred bots.
_ALL_COUNTED = Parameter(_NEWEST.name, _NEWEST.help, _number(0, 1000, 0))

_NUMBERS: Schema = {"type": "string", "pattern": "^[0-9]{1,9}(,[0-9]{1,9}){0,99}$"}
_PERIOD = r"[1-9][0-9]{0,3}(ms|s|m)?([+d][0-9]{1,4}(\.[0-9]{1,3})?)?"
_MOVES = "[1-9][0-9]{0,3}/"
_CONTROL: Schema = {
    "type": "string",
    "pattern": f"^(({_MOVES}{_PERIOD}:){{0,8}}({_MOVES})?{_PERIOD}|"
    r"[1-9][0-9]?:[0-5][0-9]([+d][0-9]{1,4})?|hg[1-9][0-9]{0,3}(ms|s|m)?)$",
}
_SELECTION = (
    Parameter("tournaments", "of these tournaments only: 3,4", _NUMBERS),
    Parameter("since", "of matches since then, in seconds since 1970", _number(0, TIME_MAX)),
    Parameter("time", "of matches with this time control or time for each move", _CONTROL),
    _VERSIONS,
    _RETIRED,
)

_ALIKE = ("search", "opponent", "result", "termination", "since", "until", "before")
"""The filters that the method of `League` has under the same name."""

_WITHIN = {each.name: each for each in (_BOT, _GAME_REQUIRED, _MATCH, _TOURNAMENT)}
"""The parameters of paths, by their names there."""

_OF_POOL = (_GAME, _OF_TOURNAMENT)
_FILTERS = (
    _SEARCH,
    _OPPONENT,
    _RESULT,
    _TERMINATION,
    _FAULTS,
    _SINCE,
    _UNTIL,
    LIMIT,
    _BEFORE,
)


def _game(store: StoreReader, name: str) -> str:
    """Return a game that was played, or one of the catalogue without options.

    No other is looked for: a request must not have the server read a file or run one.
    """
    known = {*store.totals.games_played(), *GAMES.names()}
    if name not in known:
        raise UnknownNameError("game", name, known)
    return name


def _pool(league: League, asked: Values) -> dict[str, Any]:
    """Return the game and the tournament that were asked for, as methods of `League` take them."""
    game = _game(league.store, asked["game"]) if asked.get("game") else None
    return {"game": game, "tournament": asked.get("tournament")}


@_resource("/api/tournaments", tournaments.TournamentSummary, LIMIT, _BEFORE, is_paged=True)
def _tournaments(league: League, asked: Values) -> Page:
    """List the tournaments, newest first."""
    found = league.store.tournaments.newest(asked["limit"] + 1, asked["before"])
    rows = found[: asked["limit"]]
    more = {"before": rows[-1].id} if len(found) > len(rows) else None
    return Page([tournaments.TournamentSummary.of(row) for row in rows], more)


@_resource("/api/tournaments/{tournament}", tournaments.Tournament)
def _tournament(league: League, asked: Values) -> Any:
    """Show a tournament with its settings, and how it stands."""
    return league.tournament(asked["tournament"])


@_resource(
    "/api/tournaments/{tournament}/standings",
    tournaments.Standings,
    _SYSTEM,
    _MATRIX,
    is_list=True,
    audience=Audience.STANDINGS,
)
def _standings(league: League, asked: Values) -> Any:
    """Show its format's table, with ratings by its results alone."""
    how = {"system": asked["system"], "matrix": asked["matrix"]}
    return league.tournament(asked["tournament"]).standings(**how)


@_resource(
    "/api/tournaments/{tournament}/crosstable",
    tournaments.Crosstable,
    audience=Audience.STANDINGS,
)
def _crosstable(league: League, asked: Values) -> Any:
    """Show what each of its bots scored against each other."""
    if asked.get("tournament") is not None:
        return league.tournament(asked["tournament"]).crosstable()
    return league.crosstable(_pool(league, asked)["game"])


@_resource(
    "/api/tournaments/{tournament}/matches", matches.MatchSummary, _OF_BOT, *_FILTERS, is_paged=True
)
def _matches_of_tournament(league: League, asked: Values) -> Page:
    """List its matches, newest first."""
    return _matches(
        league, {**asked, "tournament": league.store.tournaments.get(asked["tournament"]).id}
    )


@_resource("/api/matches", matches.MatchSummary, _OF_BOT, *_OF_POOL, *_FILTERS, is_paged=True)
def _matches(league: League, asked: Values) -> Page:
    """List the matches, newest first."""
    limit = asked["limit"]
    found = league.matches(
        **_pool(league, asked),
        bot=asked.get("bot"),
        faults_only=asked["faults"],
        **{name: asked[name] for name in _ALIKE},
        limit=limit + 1,
    )
    more = {"before": found.numbers[limit - 1]} if len(found) > limit else None
    return Page(found[:limit].to_dict(), more)


@_resource("/api/matches/{match}", matches.Match)
def _match(league: League, asked: Values) -> Any:
    """Replay a match, ply by ply."""
    return league.match(asked["match"]).replay(show=False)


@_resource("/api/matches/{match}/reason", LossReport)
def _reason(league: League, asked: Values) -> Any:
    """Say why it ended as it did."""
    return league.match(asked["match"]).why()


@_resource("/api/bots", BotRow, _RETIRED, LIMIT, OFFSET, is_paged=True)
def _bots(league: League, asked: Values) -> Page:
    """List the bots by name."""
    limit, offset = asked["limit"], asked["offset"]
    found = league.store.bots.page(limit + 1, offset, include_retired=asked["retired"])
    more = {"offset": offset + limit} if len(found) > limit else None
    return Page(found[:limit], more)


@_resource(
    "/api/bots/{bot}/health",
    bots.Health,
    *_OF_POOL,
    _VERSIONS,
    _NEWEST,
    is_list=True,
    is_kept=True,
)
def _health(league: League, asked: Values) -> Any:
    """Show how it fares as a program."""
    how = {"all_versions": asked["versions"] == "all", "matches": asked["matches"]}
    return league.health(asked.get("bot"), **_pool(league, asked), **how)


@_resource("/api/bots/{bot}/ratings", HistoryPoint, _GAME, _SYSTEM, is_list=True)
def _ratings(league: League, asked: Values) -> Any:
    """List the ratings that it had, as they were kept."""
    return league.ratings(asked["bot"], _pool(league, asked)["game"], system=asked["system"])


@_resource("/api/bots/{bot}/matches", matches.MatchSummary, *_OF_POOL, *_FILTERS, is_paged=True)
def _matches_of_bot(league: League, asked: Values) -> Page:
    """List its matches, newest first."""
    return _matches(league, asked)


@_resource("/api/bots/{bot}", BotRow)
def _bot(league: League, asked: Values) -> Any:
    """Show a bot with its versions."""
    return league.bot(asked["bot"])


@_resource(
    "/api/standings",
    tournaments.Standings,
    _GAME,
    *_SELECTION,
    _SYSTEM,
    _MATRIX,
    is_list=True,
    audience=Audience.STANDINGS,
)
def _standings_of_games(league: League, asked: Values) -> Any:
    """Rank the bots, game by game."""
    return league.standings(
        _pool(league, asked)["game"],
        tournaments=asked["tournaments"] or "",
        since=asked["since"],
        time=asked["time"],
        versions=asked["versions"],
        include_retired=asked["retired"],
        system=asked["system"],
        matrix=asked["matrix"],
    )


@_resource(
    "/api/crosstable",
    tournaments.Crosstable,
    _GAME_REQUIRED,
    audience=Audience.STANDINGS,
)
def _crosstable_of_game(league: League, asked: Values) -> Any:
    """Show what every bot of a game scored against every other."""
    return _crosstable(league, asked)


@_resource("/api/games", games.ListedGame, is_list=True, audience=Audience.EVERYBODY)
def _known_games(league: League, asked: Values) -> Any:
    """List the games."""
    return games.game_documents(GAMES.names())


@_resource("/api/games/{game}", games.Game, audience=Audience.EVERYBODY)
def _known_game(league: League, asked: Values) -> Any:
    """Show a game with its options and evaluations."""
    return games.Game.of(find_game(_game(league.store, asked["game"])))


@_resource(
    "/api/versus",
    statistics.Versus,
    _BOT,
    _AGAINST,
    *_OF_POOL,
    _VERSIONS,
    is_list=True,
    is_kept=True,
)
def _versus(league: League, asked: Values) -> Any:
    """Show what a bot scored against another, in the games in which they met."""
    one, other = asked["bot"], asked["against"]
    is_all = asked["versions"] == "all"
    return league.versus(one, other, **_pool(league, asked), all_versions=is_all)


@_resource("/api/stats", statistics.Stats, *_OF_POOL, is_list=True, is_kept=True)
def _stats(league: League, asked: Values) -> Any:
    """Show how matches went, game by game."""
    return league.stats(**_pool(league, asked))


@_resource(
    "/api/health",
    bots.Health,
    *_OF_POOL,
    _VERSIONS,
    _ALL_COUNTED,
    is_list=True,
    is_kept=True,
)
def _health_of_bots(league: League, asked: Values) -> Any:
    """Show how bots fare as programs, game by game."""
    return _health(league, asked)


@_resource("/api/calibration", statistics.Calibration, *_OF_POOL, is_list=True, is_kept=True)
def _calibration(league: League, asked: Values) -> Any:
    """Show whether one number describes each bot, game by game."""
    return league.calibration(**_pool(league, asked))
