"""The dashboard's application."""

from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message

from games.support.errors import GameError, InputError, MoveError, UnknownNameError
from league.model.errors import DatabaseError, UnknownRowError
from league.render.template import prepare, render
from league.store.cache import Cache
from league.store.store import Store
from league.web import (
    api,
    board_pictures,
    bots,
    downloads,
    feed,
    games,
    home,
    lists,
    live,
    pages,
    search_page,
    versus,
)
from league.web.access import LOCAL, Access
from league.web.json_response import failure, is_api, path_below
from league.web.security import Guard
from league.web.streams import STREAMS_MAX, StreamLimit

PACKED = 4
"""How hard answers are packed: a page of 100 kB takes a millisecond."""


def make_app(
    store: Store, name: str, access: Access = LOCAL, streams_max: int = STREAMS_MAX
) -> Starlette:
    """Return the application over a store that is open for reading alone.

    `name` is the league's, for the pages. At most `streams_max` pages are kept up to date at once.
    """
    app = Starlette(
        routes=[
            *home.ROUTES,
            *lists.ROUTES,
            *pages.ROUTES,
            *bots.ROUTES,
            *versus.ROUTES,
            *games.ROUTES,
            *search_page.routes(),
            *downloads.ROUTES,
            *board_pictures.ROUTES,
            *live.ROUTES,
            *feed.ROUTES,
            *api.ROUTES,
            Mount("/static", StaticFiles(packages=[("league.render", "static")])),
        ],
        middleware=[
            Middleware(Guard, access=access),
            Middleware(StreamLimit, most=streams_max),
            Middleware(GZipMiddleware, compresslevel=PACKED),
        ],
        exception_handlers={InputError: _refused, HTTPException: _missing, Exception: _failed},
    )
    app.state.store, app.state.name = store, name
    app.state.boards = Cache()
    app.state.watch = live.TournamentWatch(store)
    return app


async def warm(app: Starlette) -> None:
    """Draw the first page for nobody, so that nobody waits for what is slow only once."""
    prepare()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "query_string": b""}
    # Past the guard: nobody asked.
    await app.router({**scope, "headers": [], "app": app}, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    return _error(request, _status_of(error, is_api(path_below(request.scope))), str(error))


async def _missing(request: Request, error: Exception) -> Response:
    status, headers = 500, None
    if isinstance(error, HTTPException):
        status, headers = error.status_code, error.headers
    text = _TEXTS.get(status, "This can't be answered.")
    return _error(request, status, text, headers)


async def _failed(request: Request, error: Exception) -> Response:
    return _error(request, 500, "The league failed at this; its terminal says how.")


_TEXTS = {404: "There is no such page.", 405: "Pages are to be read: use GET or HEAD."}


def _status_of(error: Exception, is_of_api: bool) -> int:
    if isinstance(error, UnknownRowError | UnknownNameError):
        return 404
    # What is stored, not what was asked for, is what these are about.
    if isinstance(error, DatabaseError | GameError | MoveError):
        return 500
    return 422 if is_of_api else 400


def _error(
    request: Request, status: int, text: str, headers: Mapping[str, str] | None = None
) -> Response:
    if is_api(path_below(request.scope)):
        return failure(text, status, headers)
    values = {"league": request.app.state.name, "status": status, "text": text}
    return HTMLResponse(render("error.html", **values), status, headers)
