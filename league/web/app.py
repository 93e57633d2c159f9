"""The dashboard's application."""

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Message

from games.errors import InputError
from league.errors import UnknownRowError
from league.pages.rendering import prepare, render
from league.store import Store
from league.web import api, live, views
from league.web.security import LOOPBACK, Guard

PACKED = 4
"""How hard answers are packed: a page of 100 kB takes a millisecond."""


def make_app(
    store: Store, name: str, hosts: Sequence[str] = LOOPBACK, token: str = ""
) -> Starlette:
    """Return the application over a store that is open for reading alone.

    `name` is the league's, for the pages; `hosts` are the names that it answers to, and `token`
    what a browser must bring once, '' for nothing.
    """
    app = Starlette(
        routes=[
            *views.routes(),
            *live.routes(),
            *api.routes(),
            Mount("/static", StaticFiles(packages=[("league.pages", "static")])),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, token=token),
            Middleware(GZipMiddleware, compresslevel=PACKED),
        ],
        exception_handlers={InputError: _refused, HTTPException: _missing},
    )
    app.state.store, app.state.name = store, name
    app.state.watch = live.Watch(store)
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
    return _error(request, 404 if isinstance(error, UnknownRowError) else 400, str(error))


async def _missing(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _error(request, status, "There is no such page.")


def _error(request: Request, status: int, text: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": text}, status)
    values = {"league": request.app.state.name, "status": status, "text": text}
    return HTMLResponse(render("error.html", **values), status)
