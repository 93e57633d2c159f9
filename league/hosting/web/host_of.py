"""The hosted league of a request: its front door, its season, and notices to its viewer."""

from collections.abc import Callable
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from games.support.errors import InputError
from league.hosting.api.host import Host
from league.hosting.model.season import Season
from league.hosting.web.forms import posted
from league.hosting.web.hosted import hosted_of
from league.hosting.web.viewer import hosted_viewer
from league.render.template import ROOT
from league.web.html_response import drawn

Found = TypeVar("Found")


def host_of(request: Request) -> Host:
    """Return the league with whoever asks as the one who acts."""
    viewer, caller = hosted_viewer(request), request.state.caller
    return Host(hosted_of(request).store, viewer.person, caller.address)


def season_of(request: Request) -> Season | None:
    """Return the season, None without one and where nobody hosts the league."""
    found: Season | None = getattr(request.state, "season", None)
    return found


async def acted(
    request: Request,
    act: Callable[[dict[str, str]], str],
    draw: Callable[[str], str],
    after: str,
) -> Response:
    """Do what a form of ours asks for, and lead to the page `after`.

    `act` gets the fields and returns the word for what was done, '' to stay silent. If it
    raises `InputError`, `draw` gets the text and makes the page that shows it.
    """
    given = await posted(request)
    try:
        done = await run_in_threadpool(act, given)
    except InputError as error:
        text = await run_in_threadpool(draw, str(error))
        return HTMLResponse(text, 422, {"Cache-Control": "no-store"})
    return led(after, done)


def led(path: str, done: str = "") -> Response:
    """Lead to a page of this league, which tells what was done."""
    return RedirectResponse(f"{ROOT.get()}{path}{'?done=' if done else ''}{done}", 303)


def hosted_page(request: Request, template: str, **values: object) -> str:
    """Fill a template in, with the viewer and the season."""
    return drawn(
        request, template, viewer=hosted_viewer(request), season=season_of(request), **values
    )
