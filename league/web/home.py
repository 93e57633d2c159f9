"""The first page: what is in play, who leads, and what is new."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from games.support.errors import InputError
from league.analysis.overview import GameSummary, summarize_games
from league.analysis.standings import Standing, newest_standings
from league.model.records import MatchKey
from league.render.data_uri import picture
from league.render.game_look import has_pictures, title_of
from league.store.cache import Cache
from league.store.rows import BotRef, LiveMatchRow, MatchRow
from league.store.store import Store
from league.web.board_pictures import draw_live
from league.web.html_response import drawn, page
from league.web.lists import IN_PLAY, ListedTournament, tournaments_of

LEADERS = 5
GAMES_MAX = 12
IN_PLAY_MAX = 6
NEWEST, NEWEST_MIN = 7, 3
RESULTS = 8

CHOSEN_S = 10
"""For so long the same match is shown large if none is in play."""

LOOKED_AT = 40
"""Among so many of the newest matches one is chosen to be shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A game and its best bots; `count` are all that have a rank."""

    game: GameSummary
    title: str
    leaders: Sequence[Standing]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Featured:
    """The match that the page shows large.

    `picture` is an address. `match` is None in play; then `key` is the match's, and `plies` were
    played so far.
    """

    tournament: int
    game: str
    versions: tuple[BotRef, ...]
    picture: str
    plies: int
    match: MatchRow | None = None
    key: MatchKey | None = None


def _home(store: Store, request: Request) -> str:
    tournaments = tournaments_of(store)
    running = [each for each in tournaments if each.state == IN_PLAY]
    newest = _newest(store)
    games = summarize_games(store)
    # Both lists stand in one column.
    shown = max(NEWEST_MIN, NEWEST - len(running))
    return drawn(
        request,
        "home.html",
        counts=_counts(store, games, tournaments),
        cards=[_card(store, each) for each in games[:GAMES_MAX]],
        games=len(games),
        featured=_live(store, running) or _chosen(request, store),
        running=running[:IN_PLAY_MAX],
        running_count=len(running),
        newest=[each for each in tournaments if each.state != IN_PLAY][:shown],
        matches=[(each, has_pictures(each.game)) for each in newest[:RESULTS]],
    )


def _counts(
    store: Store, games: Sequence[GameSummary], tournaments: Sequence[ListedTournament]
) -> dict[str, int]:
    """Return how many there are of each list, by the last part of its address."""
    return {
        "bots": len(store.bots()),
        "tournaments": len(tournaments),
        "matches": sum(each.tally.matches for each in games),
        "games": len(games),
    }


def _card(store: Store, game: GameSummary) -> GameCard:
    rows = [row for row in newest_standings(store, game.spec).rows if row.rank]
    return GameCard(game=game, title=title_of(game.spec), leaders=rows[:LEADERS], count=len(rows))


def _live(store: Store, running: Sequence[ListedTournament]) -> Featured | None:
    """Return the match that is in play for longest, of the newest tournament that shows one."""
    for each in running:
        for row in sorted(store.shown(each.row.id), key=_place):
            # A killed runner may have left anything.
            with suppress(InputError, KeyError):
                labels = store.labels(row.versions)
                return Featured(
                    tournament=each.row.id,
                    game=row.game,
                    versions=tuple(labels[version] for version in row.versions),
                    picture=picture(draw_live(row)),
                    plies=len(row.moves),
                    key=row.key,
                )
    return None


def _place(row: LiveMatchRow) -> tuple[int, int]:
    return row.key.encounter, row.key.rotation


def _newest(store: Store) -> tuple[MatchRow, ...]:
    return store.recall(("newest matches",), lambda: store.matches(limit=LOOKED_AT))


def _chosen(request: Request, store: Store) -> Featured | None:
    """Return `_recent`, chosen anew every few seconds: while matches end, ranks take long."""
    boards: Cache = request.app.state.boards
    moment = int(time.monotonic() // CHOSEN_S)
    return boards.recall(None, ("featured", moment), lambda: _recent(store, _newest(store)))


def _recent(store: Store, newest: Sequence[MatchRow]) -> Featured | None:
    """Return the newest decided match between the best-placed bots that no fault ended."""
    shown = [row for row in newest if has_pictures(row.game)]
    if not shown:
        return None
    ranks: dict[tuple[str, int], int] = {}
    for game in {row.game for row in shown}:
        ranks |= {(game, row.version): row.rank for row in newest_standings(store, game).rows}

    def dullness(row: MatchRow) -> tuple[bool, bool, int]:
        worst = max(ranks.get((row.game, each.version)) or LOOKED_AT for each in row.versions)
        return row.termination.is_fault, 1.0 not in row.scores, worst

    # Of several that are as good, the newest.
    row = min(shown, key=dullness)
    return Featured(
        tournament=row.tournament_id,
        game=row.game,
        versions=row.versions,
        picture="",
        plies=row.plies,
        match=row,
    )


def _featured(request: Request) -> Response:
    """Answer with the featured match alone, which a script of the first page asks for."""
    store: Store = request.app.state.store
    running = [each for each in tournaments_of(store) if each.state == IN_PLAY]
    found = _live(store, running) or _chosen(request, store)
    return HTMLResponse(
        drawn(request, "_featured.html", featured=found), headers={"Cache-Control": "no-store"}
    )


ROUTES = [Route("/", page(_home)), Route("/featured", _featured)]
