"""The dashboard's application."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from games.support.errors import GameError, InputError, MoveError, UnknownNameError
from league.model.errors import DatabaseError, UnknownRowError
from league.render.template import EVERYBODY, READER, PageReader, add_templates, prepare
from league.store.store import Store
from league.web import (
    api,
    board_pictures,
    bot_list,
    bots,
    downloads,
    feed,
    game_list,
    games,
    home,
    live,
    match_list,
    matches,
    play,
    search_page,
    stream,
    tournament_list,
    versus,
)
from league.web.access import LOCAL, Access
from league.web.error_page import TITLE, error_answer, no_bot
from league.web.failure_log import log_failure
from league.web.json_response import is_api, path_below
from league.web.page_route import FileMount, check_audiences
from league.web.page_source import PageSource
from league.web.pages import Dashboard, Lifespan, pages_of, reader_of
from league.web.play_host import PlayHost
from league.web.security import Guard
from league.web.stream_limit import STREAMS_MAX, StreamLimit

PACKED = 4
"""The gzip level of answers: a page of 100 kB takes a millisecond."""


def make_app(
    store: Store,
    name: str,
    access: Access = LOCAL,
    streams_max: int = STREAMS_MAX,
    host: PlayHost | None = None,
    given: Mapping[str, object] = MappingProxyType({}),
) -> Starlette:
    """Return the application over a store that is open read-only.

    Pages show `name` as the name of the league. At most `streams_max` pages are live at once.
    People can play only with a `host`; without one, no request starts a process. Installed packages
    add pages; `given` has what a program hands over to them, by the names of their entry points.
    Raises `TypeError` for an address that does not say who may see it.
    """
    added = pages_of(Dashboard(store, given))
    routes = [
        *home.ROUTES,
        *bot_list.ROUTES,
        *tournament_list.ROUTES,
        *match_list.ROUTES,
        *game_list.ROUTES,
        *matches.ROUTES,
        *bots.ROUTES,
        *versus.ROUTES,
        *games.ROUTES,
        *search_page.routes(),
        *downloads.ROUTES,
        *board_pictures.ROUTES,
        *live.ROUTES,
        *feed.ROUTES,
        *stream.ROUTES,
        *(play.routes(host) if host else ()),
        *(each for pages in added for each in pages.routes),
        *api.ROUTES,
        FileMount("/static", StaticFiles(packages=[("league.render", "static")])),
    ]
    check_audiences(routes)
    for pages in added:
        if pages.templates:
            add_templates(pages.templates)
    menu = tuple((each.title, each.path) for pages in added for each in pages.menu)
    everybody = replace(EVERYBODY, menu=menu, is_played=host is not None)
    reader = next((pages.reader for pages in added if pages.reader), everybody)
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Guard, access=access),
            Middleware(StreamLimit, most=streams_max),
            Middleware(GZipMiddleware, compresslevel=PACKED),
            Middleware(_Reading, reader=reader),
            *(each for pages in added for each in pages.middleware),
        ],
        exception_handlers=HANDLERS,
        lifespan=_lifespan([pages.lifespan for pages in added if pages.lifespan]),
    )
    for pages in added:
        for key, value in pages.state.items():
            setattr(app.state, key, value)
    app.state.name, app.state.added, app.state.reader = name, added, reader
    app.state.hooks = [pages.hooks for pages in added]
    # A request without a view of its own gets what everybody may see.
    app.state.shown = next((pages.shown for pages in added if pages.shown), None) or PageSource(
        store
    )
    return app


class _Reading:
    """Middleware that says who reads the pages, until one of a package finds out who asks."""

    def __init__(self, app: ASGIApp, reader: PageReader) -> None:
        self._app = app
        self._reader = reader

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        READER.set(self._reader)
        await self._app(scope, receive, send)


def _lifespan(each: Sequence[Lifespan]) -> Lifespan | None:
    """Return one that enters all of them; None if there are none."""
    if not each:
        return None

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as entered:
            for one in each:
                await entered.enter_async_context(one(app))
            yield

    return lifespan


async def warm(app: Starlette) -> None:
    """Draw the first page once and discard it, so that the first visitor gets it fast.

    A page that fails is no reason not to serve the others: its visitor is told.
    """
    prepare()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        pass

    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "query_string": b""}
    # This bypasses the guard, which would refuse a request without a Host header.
    with suppress(Exception):
        await app.router({**scope, "headers": [], "app": app}, receive, send)


async def _refused(request: Request, error: Exception) -> Response:
    is_of_api = is_api(path_below(request.scope))
    if isinstance(error, UnknownRowError) and error.kind == "bot" and not is_of_api:
        return _error(request, 404, no_bot(error))
    status = _status_of(error, is_of_api)
    if status != 500:
        return _error(request, status, str(error))
    log_failure(request, error)
    return _error(request, 500, str(error) if reader_of(request).why_failed else INTERNAL)


async def _missing(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _error(request, error.status_code, headers=error.headers)
    return _error(request, 500)


async def _failed(request: Request, error: Exception) -> Response:
    log_failure(request, error)
    return _error(request, 500, reader_of(request).why_failed or INTERNAL)


async def _left(request: Request, error: Exception) -> Response:
    """Answer nobody: whoever asked has gone while sending, which is no failure."""
    return Response(status_code=400)


HANDLERS = {
    InputError: _refused,
    HTTPException: _missing,
    ClientDisconnect: _left,
    Exception: _failed,
}
"""The handlers that turn errors into pages, or documents of the API."""

INTERNAL = "The league can't show this; its organiser sees why."
"""For those to whom an error may not name files and folders of the machine."""


@dataclass(frozen=True, slots=True)
class ErrorText:
    """The texts of a status: its title and advice for pages, and why, where no error says it."""

    title: str = TITLE
    why: str = "This request can't be answered."
    advice: str = ""


_ERRORS = {
    400: ErrorText(
        TITLE,
        "The form has a value that is not known here.",
        "Change the address as told above, or start from one of these pages.",
    ),
    403: ErrorText(
        why="Only a page of this league may send this form: open the page again and retry."
    ),
    404: ErrorText(
        "Page not found",
        "There is no such page.",
        "It may have a new name, or the address may be mistyped. Look for a bot in the field "
        "above, or start from one of these pages.",
    ),
    405: ErrorText("Pages are only read", "Pages can only be read: use GET or HEAD."),
    408: ErrorText(why="The form or file came too slowly: send it again."),
    413: ErrorText(why="The form is too large."),
    500: ErrorText(
        "The league could not make this page",
        EVERYBODY.why_failed,
        "Nothing is lost: pages only read the league. Try again. If the error stays, "
        "'league db verify' checks the database.",
    ),
}


def _status_of(error: Exception, is_of_api: bool) -> int:
    if isinstance(error, UnknownRowError | UnknownNameError):
        return 404
    # These are about stored data, not about the request.
    if isinstance(error, DatabaseError | GameError | MoveError):
        return 500
    return 422 if is_of_api else 400


def _error(
    request: Request, status: int, text: str = "", headers: Mapping[str, str] | None = None
) -> Response:
    found = _ERRORS.get(status, ErrorText())
    return error_answer(
        request.scope,
        status,
        text or found.why,
        title=found.title,
        advice=found.advice,
        headers=headers,
    )
