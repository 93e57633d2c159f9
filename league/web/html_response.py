"""Answering a request with a page."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from league.render.template import render
from league.store.store import StoreReader
from league.web.listing import plain_address
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of

Answer = str | Response
"""A page, or another answer in its place."""


def page(draw: Callable[[StoreReader, Request], str]) -> Callable[[Request], Response]:
    """Make an endpoint that Starlette runs in a thread, so that a slow query delays no other.

    All parts of a page tell of the same state of the league.
    """

    def endpoint(request: Request) -> Response:
        store = store_of(request)
        with store.one_state():
            return HTMLResponse(draw(store, request))

    return endpoint


def drawn(request: Request, template: str, **values: object) -> str:
    """Render a template with the values that every page needs."""
    return render(template, league=request.app.state.name, **values)


def listed(path: str, answer: Callable[[StoreReader, Request], Answer]) -> PageRoute:
    """Make the route of a list; an address with blank filters leads to the same without them."""

    def endpoint(request: Request) -> Response:
        if plain := plain_address(request.query_params, path):
            return RedirectResponse(plain, 303)
        store = store_of(request)
        with store.one_state():
            found = answer(store, request)
        return HTMLResponse(found) if isinstance(found, str) else found

    return PageRoute(path, endpoint, Audience.RESULTS)
