"""Answers that refuse a request: a page for browsers, a document for the API."""

from collections.abc import Mapping

from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from league.model.errors import UnknownRowError
from league.render.template import markup, render
from league.web.json_response import failure, is_api, path_below

TITLE = "This page can't be shown"


def no_bot(error: UnknownRowError) -> Markup:
    """Say on a page that a bot is unknown, with links to the one that may be meant and to all."""
    return markup(render("_no_bot.html", name=error.wanted, near=error.near).strip())


def error_answer(
    scope: Scope,
    status: int,
    text: str,
    *,
    title: str = TITLE,
    advice: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the error document of an address of the API, or else the error page."""
    if is_api(path_below(scope)):
        return failure(text, status, headers)
    values = {"status": status, "title": title, "text": text}
    name = scope["app"].state.name
    return HTMLResponse(render("error.html", league=name, advice=advice, **values), status, headers)
