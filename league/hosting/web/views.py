"""A hosted league: each request is answered with what its viewer may see."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from league.hosting.model.people import Person
from league.hosting.model.season import Season, Visibility
from league.hosting.season.freeze import freeze, freezes_at, is_frozen
from league.hosting.store.seen import SeenStore
from league.hosting.web import season_page
from league.hosting.web.callers import Caller
from league.hosting.web.hosted import Hosted
from league.hosting.web.play_forward import may_play
from league.hosting.web.viewer import Viewer
from league.model.errors import LeagueError
from league.render.template import READER, ROOT, PageReader
from league.store.store import Store, StoreReader, open_store
from league.web.error_page import error_answer
from league.web.json_response import failure, is_api, path_below
from league.web.page_route import Audience, FileMount, PageRoute, route_of
from league.web.page_source import PageSource
from league.web.pages import MenuEntry

IN_LOG = "The league failed to answer; web.log, or play.log for /play, shows the error."
"""Where organisers find an error: the processes of a hosted league have a log each."""

VIEWS_MAX = 100
"""The views of so many teams are kept, with what they remember."""

Clock = Callable[[], float]


class Views:
    """A league as each viewer sees it: of one store, or of a copy of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._own: OrderedDict[frozenset[int], StoreReader] = OrderedDict()
        self.everything = PageSource(store)
        self.public = PageSource(SeenStore(store))

    def own(self, bots: frozenset[int]) -> StoreReader:
        """Return what the authors of these bots see."""
        if not bots:
            return self.public.store
        with self._lock:
            found = self._own.pop(bots, None) or SeenStore(self._store, bots)
            self._own[bots] = found
            while len(self._own) > VIEWS_MAX:
                self._own.popitem(last=False)
            return found


class HostedViews:
    """The views of a hosted league: of today, and of the freeze while the standings are frozen."""

    def __init__(self, store: Store, hosted: Hosted, clock: Clock = time.time) -> None:
        self._hosted = hosted
        self._clock = clock
        self._lock = threading.Lock()
        self._frozen: tuple[Path, Views] | None = None
        self.now = Views(store)

    def viewer(self, person: Person | None) -> tuple[Viewer, Season | None]:
        """Return what a person may see now, and the season."""
        store = self._hosted.store
        season = store.seasons.get()
        team = None if person is None or person.team is None else store.people.team(person.team)
        is_organiser = person is not None and person.is_organiser
        viewer = Viewer(
            person=person,
            team=team,
            visibility=season.settings.visibility if season else Visibility.NOTHING,
            is_frozen=not is_organiser and is_frozen(season, self._clock()),
        )
        return viewer, season

    def may_play(self, viewer: Viewer, season: Season | None) -> bool:
        """Whether a viewer may play in the browser now."""
        return may_play(self._hosted, viewer, season)

    def of(self, viewer: Viewer, season: Season | None) -> tuple[PageSource, StoreReader]:
        """Return what a viewer's request is answered from; may raise `LeagueError`."""
        if viewer.is_organiser:
            return self.now.everything, self.now.everything.store
        views = self.now
        if viewer.is_frozen and season is not None:
            views = self._frozen_views(season)
        return views.public, views.own(viewer.bots)

    def _frozen_views(self, season: Season) -> Views:
        with self._lock:
            path = freeze(self._hosted.store, season, self._clock())
            assert path is not None, "the standings are frozen"  # noqa: S101
            if self._frozen is None or self._frozen[0] != path:
                copy = open_store(str(path), read_only=True, remembers=True)
                self._frozen = path, Views(copy)
            return self._frozen[1]


class Viewing:
    """Finds who asks, refuses what is not for them, and has the rest answered from their view.

    Who asks was found before: `request.state.person`, None for a visitor.
    """

    def __init__(self, app: ASGIApp, views: HostedViews) -> None:
        self._app = app
        self._views = views

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on with its view."""
        route = route_of(scope) if scope["type"] == "http" else None
        if scope["type"] != "http" or (route is not None and route.checks_itself):
            await self._app(scope, receive, send)
            return

        async def send_private(message: Message) -> None:
            if message["type"] == "http.response.start":
                _keep_private(MutableHeaders(scope=message))
            await send(message)

        answer = await self._admitted(scope, route)
        await (answer or self._app)(scope, receive, send_private)

    async def _admitted(self, scope: Scope, route: PageRoute | FileMount | None) -> Response | None:
        """Give a request its view; return why it is refused, None if it is not."""
        state: dict[str, Any] = scope.setdefault("state", {})
        viewer, season = await run_in_threadpool(self._views.viewer, state.get("person"))
        state["viewer"], state["season"] = viewer, season
        if season is not None:
            # It begins, and is renamed, while this process runs.
            scope["app"].state.name = season.settings.name
        is_played = self._views.may_play(viewer, season)
        state["reader"] = _reader(scope, viewer, season, is_played=is_played)
        READER.set(state["reader"])
        if route is not None and not viewer.may_see(route.audience):
            return _refused(scope, viewer)
        if path_below(scope) == "/" and not viewer.may_see_results:
            # The first page of a league is about its results; that of its season is not.
            scope["path"] = f"{scope.get('root_path', '')}{season_page.PATH}"
        try:
            shown, store = await run_in_threadpool(self._views.of, viewer, season)
        except LeagueError:
            text = "The standings are frozen, and their copy can't be read: tell the organiser."
            return _told(scope, text, 503)
        state["shown"], state["store"] = shown, store
        return None


def _reader(scope: Scope, viewer: Viewer, season: Season | None, *, is_played: bool) -> PageReader:
    person = viewer.person
    caller: Caller | None = scope["state"].get("caller")
    entries = [each for pages in scope["app"].state.added for each in pages.menu]
    return PageReader(
        sees_results=viewer.may_see_results,
        is_played=is_played,
        menu=[(each.title, each.path) for each in entries if _is_shown(each, viewer)],
        first_steps="_season_begins.html",
        account=(person.login, "/me") if person else ("Sign in", "/sign-in"),
        frozen_at=freezes_at(season) if season and viewer.is_frozen else None,
        form_token=caller.form_token if caller else lambda: "",
        why_failed=IN_LOG if viewer.is_organiser else "",
    )


def _is_shown(entry: MenuEntry, viewer: Viewer) -> bool:
    """Whether an entry of the menu leads somewhere: an organiser without a team submits nothing."""
    if entry.audience is Audience.AUTHORS:
        return viewer.team is not None
    return viewer.may_see(entry.audience)


def _refused(scope: Scope, viewer: Viewer) -> Response:
    """Refuse a page: visitors are asked to sign in, others are told that it is not for them."""
    if viewer.person is not None:
        return _told(scope, "This page is not for you.", 403)
    path = path_below(scope)
    if is_api(path) or path == "/feed.atom":
        text = "sign in first: send a personal token as 'Authorization: Bearer TOKEN'"
        return failure(text, 401, {"WWW-Authenticate": "Bearer"})
    if scope["method"] not in ("GET", "HEAD"):
        return _told(scope, "Sign in first.", 403)
    return RedirectResponse(f"{ROOT.get()}/sign-in?next={quote(path, safe='/')}", 303)


def _told(scope: Scope, text: str, status: int) -> Response:
    return error_answer(scope, status, text, headers={"Cache-Control": "no-store"})


def _keep_private(headers: MutableHeaders) -> None:
    """Keep an answer out of caches that others share."""
    kept = headers.get("cache-control", "no-cache").replace("public", "private")
    is_private = "private" in kept or "no-store" in kept
    headers["Cache-Control"] = kept if is_private else f"private, {kept}"
    headers.add_vary_header("Cookie")
    headers.add_vary_header("Authorization")
