"""The same as the pages show, in JSON: the documents that commands print with `--json`."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from league.replays import load_replay
from league.standings import standings
from league.store import Store
from league.web.parameters import number_of

MOST = 500
"""No answer lists more rows than that."""


def routes() -> list[Route]:
    """Return the addresses of the documents."""
    return [
        Route("/api/tournaments", _document(_tournaments)),
        Route("/api/tournaments/{number:int}", _document(_tournament)),
        Route("/api/bots", _document(_bots)),
        Route("/api/bots/{name:path}", _document(_bot)),
        Route("/api/matches", _document(_matches)),
        Route("/api/matches/{number:int}", _document(_match)),
        Route("/api/standings", _document(_standings)),
    ]


def _document(ask: Callable[[Store, Request], Any]) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        return JSONResponse(ask(request.app.state.store, request))

    return endpoint


def _tournaments(store: Store, request: Request) -> Any:
    return [row.as_json() for row in reversed(store.tournaments())]


def _tournament(store: Store, request: Request) -> Any:
    return store.tournament(request.path_params["number"]).as_json()


def _bots(store: Store, request: Request) -> Any:
    return [bot.as_json() for bot in store.bots(include_retired=True)]


def _bot(store: Store, request: Request) -> Any:
    return store.bot(request.path_params["name"]).as_json()


def _matches(store: Store, request: Request) -> Any:
    found = store.matches(
        limit=number_of(request, "limit", 50, MOST), offset=number_of(request, "offset", 0)
    )
    return [row.as_json() for row in found]


def _match(store: Store, request: Request) -> Any:
    return load_replay(store, request.path_params["number"]).as_json()


def _standings(store: Store, request: Request) -> Any:
    return [standings(store, game).as_json(has_matrix=False) for game in store.games_played()]
