"""Answers that refuse a request: a page for browsers, a document for the API."""

from collections.abc import Mapping

from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from league.render.template import render
from league.web.json_response import failure, is_api, path_below

TITLE = "This page can't be shown"


def error_answer(
    scope: Scope,
    status: int,
    text: str,
    *,
    title: str = TITLE,
    advice: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the error document of an address of the API, or else the error page.

    A page begins the text with a capital.
    """
    if is_api(path_below(scope)):
        return failure(text, status, headers)
    values = {"status": status, "title": title, "text": f"{text[:1].upper()}{text[1:]}"}
    name = scope["app"].state.name
    return HTMLResponse(render("error.html", league=name, advice=advice, **values), status, headers)
