"""The dashboard's application."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message

from games.support.errors import GameError, InputError, MoveError, UnknownNameError
from league.model.errors import DatabaseError, UnknownRowError
from league.render.template import prepare
from league.store.store import Store
from league.web import (
    api,
    board_pictures,
    bot_list,
    bots,
    challenges,
    downloads,
    feed,
    game_list,
    games,
    health,
    home,
    live,
    match_list,
    matches,
    play,
    play_forward,
    search_page,
    sign_in,
    stream,
    submissions,
    tournament_list,
    versus,
)
from league.web.access import LOCAL, Access
from league.web.callers import Callers
from league.web.error_page import TITLE, error_answer, no_bot
from league.web.failure_log import log_failure
from league.web.forms import check_form
from league.web.hosted import Hosted
from league.web.hosted_routes import hosted_routes
from league.web.inbox import Inbox
from league.web.json_response import is_api, path_below
from league.web.play_host import PlayHost
from league.web.security import Guard
from league.web.shown import Shown
from league.web.stream_limit import STREAMS_MAX, StreamLimit
from league.web.viewer import viewer_of
from league.web.views import HostedViews, Viewing

PACKED = 4
"""The gzip level of answers: a page of 100 kB takes a millisecond."""


def make_app(
    store: Store,
    name: str,
    access: Access = LOCAL,
    streams_max: int = STREAMS_MAX,
    host: PlayHost | None = None,
    hosted: Hosted | None = None,
) -> Starlette:
    """Return the application over a store that is open read-only.

    Pages show `name` as the name of the league. At most `streams_max` pages are live at once.
    People can play only with a `host`; without one, no request starts a process. With a `hosted`
    league they can sign in, submit bots and see what is theirs; without one, everybody sees
    everything.
    """
    views = HostedViews(store, hosted) if hosted else None
    inbox = Inbox(hosted.store, check_form) if hosted else None
    app = Starlette(
        routes=[
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
            *(sign_in.routes(hosted) if hosted else ()),
            *(health.routes() if hosted else ()),
            *(hosted_routes() if hosted else ()),
            *(submissions.routes(inbox) if inbox else ()),
            *(play_forward.routes(hosted) if hosted and hosted.play else ()),
            *(challenges.routes(hosted.store, check_form) if hosted else ()),
            *api.ROUTES,
            Mount("/static", StaticFiles(packages=[("league.render", "static")])),
        ],
        middleware=[
            Middleware(Guard, access=access),
            Middleware(StreamLimit, most=streams_max),
            Middleware(GZipMiddleware, compresslevel=PACKED),
            *([Middleware(play.Announced)] if host else ()),
            *([Middleware(Callers, hosted=hosted)] if hosted else ()),
            *([Middleware(Viewing, views=views)] if views else ()),
        ],
        exception_handlers=HANDLERS,
        lifespan=health.beating(hosted.beat) if hosted else None,
    )
    app.state.hosted, app.state.is_hosted = hosted, hosted is not None
    app.state.inbox = inbox
    app.state.name = name
    # A request without a view of its own gets what visitors may see.
    app.state.shown = views.now.public if views else Shown(store)
    return app


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
    return _error(request, 500, str(error) if _may_see_why(request) else INTERNAL)


async def _missing(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return _error(request, error.status_code, headers=error.headers)
    return _error(request, 500)


async def _failed(request: Request, error: Exception) -> Response:
    log_failure(request, error)
    if not _may_see_why(request):
        return _error(request, 500, INTERNAL)
    return _error(request, 500, IN_LOG if request.app.state.is_hosted else "")


async def _left(request: Request, error: Exception) -> Response:
    """Answer nobody: whoever asked has gone while sending, which is no failure."""
    return Response(status_code=400)


def _may_see_why(request: Request) -> bool:
    """Whether an error may name files and folders of the machine."""
    viewer = viewer_of(request)
    return viewer.is_organiser if viewer else not request.app.state.is_hosted


HANDLERS = {
    InputError: _refused,
    HTTPException: _missing,
    ClientDisconnect: _left,
    Exception: _failed,
}
"""The handlers that turn errors into pages, or documents of the API."""

INTERNAL = "The league can't show this; its organiser sees why."
"""For those to whom an error may not name files and folders of the machine."""

IN_LOG = "The league failed to answer; web.log, or play.log for /play, shows the error."
"""For organisers of a hosted league, whose processes have a log each."""


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
        "The league failed to answer; its terminal shows the error.",
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
