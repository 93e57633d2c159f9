"""The pages that change while they are open: tournaments, and matches in play."""

from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from league.formats.specs import make_format
from league.model.errors import UnknownRowError
from league.model.records import MatchKey
from league.render.template import ROOT, render
from league.store.store import Store
from league.tournament.settings import settings_of
from league.web.match_watch import Address, MatchWatch, WatchedMatches, now_ms
from league.web.stream import topic_of
from league.web.tournament_watch import DatabaseChanges, TournamentWatch
from league.web.watching import Watches

PAGE_S = 0.2
"""How long a look may read what is new for a page somebody waits for."""

FACTS = ("rounds", "time", "move-time", "depth", "nodes")
"""The settings that stand below the title; the others are at the end of the page."""


def add_watches(app: Starlette, store: Store) -> None:
    """Give an application what its live pages share."""
    changes, watched = DatabaseChanges(store), WatchedMatches(store)
    tournaments: Watches[int, TournamentWatch] = Watches(
        lambda number: TournamentWatch(store, changes, number)
    )
    matches: Watches[Address, MatchWatch] = Watches(
        lambda address: MatchWatch(store, watched, address)
    )
    app.state.tournaments, app.state.matches = tournaments, matches


async def _tournament(request: Request) -> Response:
    store: Store = request.app.state.store
    number = request.path_params["number"]
    watch: TournamentWatch = request.app.state.tournaments.of(number)
    look = await watch.look(PAGE_S)
    row = watch.newest.row
    settings: dict[str, Any] = await run_in_threadpool(settings_of, store, row)
    is_imported = row.config.is_imported
    text = render(
        "tournament.html",
        league=request.app.state.name,
        row=row,
        format="imported matches" if is_imported else make_format(row.config.format).title,
        facts=[f"{word} {settings[word]}" for word in FACTS if word in settings],
        settings=settings,
        parts=look.drawing.texts,
        version=look.drawing.version,
        is_over=look.is_over,
        now_ms=now_ms(),
    )
    return HTMLResponse(text)


async def _live_match(request: Request) -> Response:
    store: Store = request.app.state.store
    number, encounter, rotation = (
        request.path_params[name] for name in ("number", "encounter", "rotation")
    )
    key = MatchKey(encounter, rotation)
    found = await run_in_threadpool(store.match_at, number, key)
    if found is not None:
        return RedirectResponse(f"{ROOT.get()}/matches/{found}", 303)
    watch: MatchWatch = request.app.state.matches.of((number, key))
    look = await watch.look(PAGE_S)
    if not watch.names:
        raise UnknownRowError("this match is not in play", "match", str(key))
    text = render(
        "live_match.html",
        league=request.app.state.name,
        tournament=number,
        key=key,
        game=watch.game,
        names=watch.names,
        topic=topic_of(number, key),
        parts=look.drawing.texts,
        version=look.drawing.version,
        is_over=look.is_over,
        now_ms=now_ms(),
    )
    return HTMLResponse(text)


ROUTES = [
    Route("/tournaments/{number:int}", _tournament),
    Route("/tournaments/{number:int}/live/{encounter:int}/{rotation:int}", _live_match),
]
