"""The hosted league of a request: its front door, its season, and notices to its viewer."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from games.support.errors import InputError
from league.api.host import Host
from league.model.clock import now
from league.model.season import Notice, Season
from league.render.template import ROOT
from league.web.forms import posted
from league.web.html_response import drawn
from league.web.viewer import hosted_viewer, viewer_of

NOTICES = 5

Found = TypeVar("Found")


def host_of(request: Request) -> Host:
    """Return the league with whoever asks as the one who acts."""
    viewer, caller = hosted_viewer(request), request.state.caller
    return Host(request.app.state.hosted.store, viewer.person, caller.address)


def season_of(request: Request) -> Season | None:
    """Return the season, None without one and where nobody hosts the league."""
    found: Season | None = getattr(request.state, "season", None)
    return found


def parts_of(request: Request) -> Mapping[int, str]:
    """Return the names of the tournaments that are parts of seasons, by number."""
    if viewer_of(request) is None:
        return {}
    seasons: Sequence[Season] = request.app.state.hosted.store.seasons()
    return {each: season.name_of(each) for season in seasons for each in season.tournaments}


def notices_of(request: Request, most: int = NOTICES) -> Sequence[Notice]:
    """Return the newest notices to everybody and to the viewer's team; none without a host."""
    viewer = viewer_of(request)
    if viewer is None:
        return ()
    teams = () if viewer.team is None else (viewer.team.id,)
    store = request.app.state.hosted.store
    found: Sequence[Notice] = store.notices(teams, limit=most, at=now())
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
