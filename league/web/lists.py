"""The lists of bots, tournaments, matches and games: searched, filtered, ordered, page by page."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from games.support.errors import GameError
from games.support.specs import GAMES, find_game
from league.analysis.overview import BotSummary, Tally, summarize_bots, summarize_games
from league.analysis.standings import Standing, newest_standings
from league.model.errors import UnknownRowError
from league.model.records import Termination
from league.render.game_look import has_pictures, title_of
from league.render.template import ROOT
from league.store.match_filter import MatchFilter, MatchOrder, Result
from league.store.rows import MatchRow, TournamentRow
from league.store.store import Store
from league.web.html_response import drawn
from league.web.listing import Column, Field, Listing, ListKind, plain_address, read_listing

OFFERED_MAX = 300
"""How many names a field of a bot offers; any other can be typed."""

IN_PLAY = "in play"
ANY_FAULT = "any fault"

Answer = str | Response


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTournament:
    """A tournament in the list; `state` is how it stands in a word."""

    row: TournamentRow
    title: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGame:
    """A game in the list: of the catalogue, or played here, or both."""

    spec: str
    title: str
    bots: int = 0
    tally: Tally = Tally()  # noqa: RUF009 (frozen)
    leader: Standing | None = None

    @property
    def has_picture(self) -> bool:
        """Whether its first position is shown."""
        return has_pictures(self.spec)


def listed(path: str, answer: Callable[[Store, Request], Answer]) -> Route:
    """Make the route of a list; an address with blank filters leads to the same without them."""

    def endpoint(request: Request) -> Response:
        if plain := plain_address(request.query_params, path):
            return RedirectResponse(plain, 303)
        found = answer(request.app.state.store, request)
        return HTMLResponse(found) if isinstance(found, str) else found

    return Route(path, endpoint)


def tournaments_of(store: Store) -> list[ListedTournament]:
    """Return all tournaments, newest first."""
    rows = store.recall(("tournaments",), store.tournaments)
    return [
        ListedTournament(row=row, title=title_of(row.config.game), state=_state_of(store, row))
        for row in reversed(rows)
    ]


def _state_of(store: Store, row: TournamentRow) -> str:
    is_open = row.state == "open"
    return IN_PLAY if is_open and store.is_in_play(row.id) else row.status


_SEARCH = Field("q", "Search", "search")
_BOT = Field("bot", "Bot")
_FROM = Field("from", "From", "date", is_more=True)
_TO = Field("to", "To", "date", is_more=True)


def _game_field(store: Store) -> Field:
    games = [(each.spec, title_of(each.spec)) for each in summarize_games(store)]
    return Field("game", "Game", "choice", choices=games)


def _words(words: Sequence[str]) -> list[tuple[str, str]]:
    return [(word, word) for word in words]


def _contains(text: str | None, *places: str) -> bool:
    return not text or any(text.casefold() in place.casefold() for place in places)


def _directed(rows: list[Any], listing: Listing, keys: dict[str, Callable[[Any], Any]]) -> None:
    """Put rows in the order of a list; equal ones stay as they are."""
    rows.sort(key=keys[listing.sort.removeprefix("-")], reverse=listing.sort.startswith("-"))


_BOTS = ListKind(
    "/bots",
    "bots",
    (
        Column("Bot", "name"),
        Column("Spec"),
        Column("Versions", "versions", is_number=True, is_descending=True),
        Column("Games"),
        Column("Best rating", "rating", is_number=True, is_descending=True),
        Column("Matches", "matches", is_number=True, is_descending=True),
        Column("Last match (UTC)", "last", is_number=True, is_descending=True),
    ),
    "name",
)


def _bots(store: Store, request: Request) -> Answer:
    states = _words(("active", "retired"))
    fields = (
        replace(_SEARCH, label="Name or spec"),
        _game_field(store),
        Field("state", "State", "choice", choices=states),
    )
    asked = request.query_params
    listing = read_listing(asked, _BOTS, fields)
    search, state = listing.value("q"), listing.value("state")
    rows = [
        each
        for each in summarize_bots(store, listing.value("game"))
        if _contains(search, each.bot.name, f"{each.bot.versions[-1].spec} {each.options}")
        and state in (None, "retired" if each.bot.is_retired else "active")
    ]
    if search and set(asked) == {"q"} and len(rows) == 1:
        name = rows[0].bot.name
        if name.casefold() == search.casefold():
            return RedirectResponse(f"{ROOT.get()}/bots/{quote(name, safe='')}", 303)
    _directed(rows, listing, _BOT_KEYS)
    return drawn(request, "bots.html", listing=listing.cut(rows), section="Bots")


def _rating_of(each: BotSummary) -> float:
    return each.best[1].rating if each.best else float("-inf")


_BOT_KEYS: dict[str, Callable[[Any], Any]] = {
    "name": lambda each: each.bot.name.casefold(),
    "versions": lambda each: len(each.bot.versions),
    "rating": _rating_of,
    "matches": lambda each: each.tally.matches,
    "last": lambda each: each.tally.finished_at,
}


_TOURNAMENTS = ListKind(
    "/tournaments",
    "tournaments",
    (
        Column("Tournament", "number", is_number=True, is_descending=True),
        Column("Game", "game"),
        Column("Format", "format"),
        Column("Bots", "bots", is_number=True, is_descending=True),
        Column("Matches", "matches", is_number=True, is_descending=True),
        Column("State"),
        Column("Begun (UTC)", "begun", is_number=True, is_descending=True),
        Column("Last match (UTC)", "last", is_number=True, is_descending=True),
    ),
    "-number",
)


def _tournaments(store: Store, request: Request) -> Answer:
    found = tournaments_of(store)
    formats = sorted({_format_of(each.row) for each in found})
    states = (IN_PLAY, "unfinished", "stopped", "finished", "cancelled")
    fields = (
        replace(_SEARCH, label="Number, game or format"),
        _game_field(store),
        Field("format", "Format", "choice", choices=_words(formats)),
        Field("state", "State", "choice", choices=_words(states)),
        replace(_BOT, label="With the bot", offers=_names(store), is_more=True),
        replace(_FROM, label="Begun from"),
        replace(_TO, label="Begun to"),
    )
    listing = read_listing(request.query_params, _TOURNAMENTS, fields)
    listing, versions = _with_versions(store, listing)
    begin, end = listing.begin_s("from"), listing.end_s("to")
    rows = [
        each
        for each in found
        if _contains(
            listing.value("q"),
            str(each.row.id),
            each.title,
            each.row.config.game,
            each.row.config.format,
        )
        and listing.value("game") in (None, each.row.config.game)
        and listing.value("format") in (None, _format_of(each.row))
        and listing.value("state") in (None, each.state)
        and (versions is None or versions.intersection(each.row.config.entrants))
        and (begin is None or each.row.created_at >= begin)
        and (end is None or each.row.created_at < end)
    ]
    _directed(rows, listing, _TOURNAMENT_KEYS)
    return drawn(request, "tournaments.html", listing=listing.cut(rows), section="Tournaments")


def _format_of(row: TournamentRow) -> str:
    """Return the format without its options."""
    return row.config.format.partition(":")[0]


_TOURNAMENT_KEYS: dict[str, Callable[[Any], Any]] = {
    "number": lambda each: each.row.id,
    "game": lambda each: each.title,
    "format": lambda each: each.row.config.format,
    "bots": lambda each: len(each.row.config.entrants),
    "matches": lambda each: each.row.played,
    "begun": lambda each: each.row.created_at,
    "last": lambda each: each.row.finished_at or 0,
}


def _names(store: Store) -> list[str]:
    return [bot.name for bot in store.bots(include_retired=True)[:OFFERED_MAX]]


def _with_versions(store: Store, listing: Listing) -> tuple[Listing, set[int] | None]:
    """Return the versions of the bot of a filter; None for all, with why for an unknown one."""
    name = listing.value("bot")
    if name is None:
        return listing, None
    try:
        return listing, {version.id for version in store.bot(name).versions}
    except UnknownRowError as error:
        return replace(listing, faults=(*listing.faults, f"{error}.")), set()


_MATCHES = ListKind(
    "/matches",
    "matches",
    (
        Column("Match", "match", is_number=True, is_descending=True),
        Column("Game"),
        Column("Bots"),
        Column("Score", is_number=True),
        Column("End"),
        Column("Plies", "plies", is_number=True, is_descending=True),
        Column("Time", "time", is_number=True, is_descending=True),
        Column("Ended (UTC)", is_number=True),
    ),
    "-match",
)


def _matches(store: Store, request: Request) -> Answer:
    offers = _names(store)
    ends = [(ANY_FAULT, ANY_FAULT), *_words([str(each) for each in Termination])]
    fields = (
        replace(_SEARCH, label="Name or number"),
        _game_field(store),
        replace(_BOT, offers=offers),
        Field("opponent", "Opponent", offers=offers, is_more=True),
        Field(
            "result",
            "Result",
            "choice",
            choices=_words([str(each) for each in Result]),
            is_more=True,
        ),
        Field("end", "End", "choice", choices=ends, is_more=True),
        Field("tournament", "Tournament", "number", is_more=True),
        _FROM,
        _TO,
    )
    listing = read_listing(request.query_params, _MATCHES, fields)
    faults = [*listing.faults]
    for name in (listing.value("bot"), listing.value("opponent")):
        try:
            if name is not None:
                store.bot(name)
        except UnknownRowError as error:
            faults.append(f"{error}.")
    wanted = _wanted(listing)
    key = ("match list", tuple(offers), tuple(wanted.items()))
    total = store.recall((*key, "count"), lambda: store.count_matching(**wanted))
    listing = replace(listing.counted(total), faults=faults)
    order, offset = MatchOrder(listing.sort), listing.offset
    rows = store.recall(
        (*key, order, offset),
        lambda: store.matches(limit=listing.size, offset=offset, order=order, **wanted),
    )
    results = [_result_of(row, listing.value("bot")) for row in rows]
    return drawn(
        request,
        "matches.html",
        listing=replace(listing, rows=list(zip(rows, results, strict=True))),
        section="Matches",
    )


def _wanted(listing: Listing) -> MatchFilter:
    end, result = listing.value("end"), listing.value("result")
    wanted: dict[str, Any] = {
        "search": listing.value("q"),
        "game": listing.value("game"),
        "bot": listing.value("bot"),
        "opponent": listing.value("opponent"),
        "result": Result(result) if result else None,
        "termination": Termination(end) if end and end != ANY_FAULT else None,
        "faults_only": end == ANY_FAULT,
        "tournament": listing.number("tournament"),
        "ended_from": listing.begin_s("from"),
        "ended_before": listing.end_s("to"),
    }
    return cast(MatchFilter, wanted)


def _result_of(row: MatchRow, bot: str | None) -> str:
    """Return what a bot did in a match in a word; '' without one, or if it played itself."""
    scores = [
        score
        for each, score in zip(row.versions, row.scores, strict=True)
        if bot in (each.bot, str(each), f"{each.bot}@{each.number}")
    ]
    if len(scores) != 1:
        return ""
    return str({1.0: Result.WON, 0.0: Result.LOST}.get(scores[0], Result.DRAWN))


_GAMES = ListKind(
    "/games",
    "games",
    (
        Column("Matches", "matches", is_descending=True),
        Column("Bots", "bots", is_descending=True),
        Column("Title", "title"),
        Column("Last match", "last", is_descending=True),
    ),
    "-matches",
    60,
)


def games_of(store: Store) -> list[ListedGame]:
    """Return the games that were played, most matches first, and then the others by title."""
    found = []
    for each in summarize_games(store):
        rows = newest_standings(store, each.spec).rows
        found.append(
            ListedGame(
                spec=each.spec,
                title=title_of(each.spec),
                bots=each.bots,
                tally=each.tally,
                leader=rows[0] if rows and rows[0].rank else None,
            )
        )
    known = {each.spec for each in found}
    others = []
    for name in GAMES.names():
        # One that lacks a package is not offered.
        with suppress(GameError):
            game = find_game(name)
            if name not in known:
                others.append(ListedGame(spec=name, title=game.title))
    return [*found, *sorted(others, key=lambda each: each.title)]


def _games(store: Store, request: Request) -> Answer:
    fields = (
        replace(_SEARCH, label="Title or name"),
        Field("state", "Played", "choice", choices=_words(("played here", "not yet"))),
    )
    listing = read_listing(request.query_params, _GAMES, fields)
    state = listing.value("state")
    rows = [
        each
        for each in games_of(store)
        if _contains(listing.value("q"), each.title, each.spec)
        and state in (None, "played here" if each.tally.matches else "not yet")
    ]
    _directed(rows, listing, _GAME_KEYS)
    return drawn(request, "games.html", listing=listing.cut(rows), section="Games")


_GAME_KEYS: dict[str, Callable[[Any], Any]] = {
    "matches": lambda each: each.tally.matches,
    "bots": lambda each: each.bots,
    "title": lambda each: each.title.casefold(),
    "last": lambda each: each.tally.finished_at,
}


ROUTES = [
    listed("/bots", _bots),
    listed("/tournaments", _tournaments),
    listed("/matches", _matches),
    listed("/games", _games),
]
