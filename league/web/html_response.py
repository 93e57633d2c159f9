"""Answering a request with a page."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from league.render.template import render
from league.store.store import Store


def page(draw: Callable[[Store, Request], str]) -> Callable[[Request], Response]:
    """Make an endpoint that Starlette runs in a thread, so that a slow query stops no other."""

    def endpoint(request: Request) -> Response:
        return HTMLResponse(draw(request.app.state.store, request))

    return endpoint


def drawn(request: Request, template: str, **values: object) -> str:
    """Fill a template in, with what every page shows."""
    return render(template, league=request.app.state.name, **values)
