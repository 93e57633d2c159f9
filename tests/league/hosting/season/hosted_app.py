"""The dashboard of a hosted league, served in a thread; tokens are the logins of people."""

import asyncio
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from league.hosting.model.people import Person
from league.hosting.store.host_store import HostStore
from league.hosting.web import challenges, submissions
from league.hosting.web.hosted_pages import API
from league.hosting.web.inbox import Inbox
from league.web.app import make_app
from tests.waiting import wait_until


class People:
    """Puts the person whose login is the token into `request.state.person`."""

    def __init__(self, app: ASGIApp, people: Mapping[str, Person]) -> None:
        self._app = app
        self._people = people

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http":
            given = Request(scope).headers.get("authorization", "").removeprefix("Bearer ")
            scope.setdefault("state", {})["person"] = self._people.get(given)
        await self._app(scope, receive, send)


def app_of(store: HostStore, *people: Person) -> ASGIApp:
    """Return the application over a store that can write."""
    app = make_app(store, "league")
    app.state.added = [API]
    own = [Route("/api/me", _me), Route("/moved/api/me", _moved)]
    of_teams = [
        *submissions.routes(Inbox(store, lambda request, token: None)),
        *challenges.routes(store, lambda request, token: None),
    ]
    app.router.routes[:0] = [*of_teams, *own]
    return People(app, {each.login: each for each in people})


def _me(request: Request) -> Response:
    person: Person | None = request.state.person
    if person is None:
        return JSONResponse({"error": "this personal token is unknown"}, 401)
    return JSONResponse({"login": person.login, "team": person.login})


def _moved(request: Request) -> Response:
    return RedirectResponse("http://localhost:1/api/me")


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve an application, and yield its address."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", ws="none"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve()))
    thread.start()
    try:
        wait_until(lambda: server.started)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
