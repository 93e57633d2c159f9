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

from league.model.errors import LeagueError
from league.model.people import Person
from league.model.season import Season, Visibility
from league.render.template import IS_PLAYED, ROOT, VISITS, Visit
from league.season.freeze import freeze, freezes_at, is_frozen
from league.store.seen import SeenStore
from league.store.store import Store, open_store
from league.web.error_page import error_answer
from league.web.hosted import Hosted
from league.web.json_response import failure, is_api, path_below
from league.web.play_forward import may_play
from league.web.shown import Shown
from league.web.viewer import AUDIENCES, PLAIN, Viewer, pattern_of

VIEWS_MAX = 100
"""The views of so many teams are kept, with what they remember."""

Clock = Callable[[], float]


class Views:
    """A league as each viewer sees it: of one store, or of a copy of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._own: OrderedDict[frozenset[int], Store] = OrderedDict()
        self.everything = Shown(store)
        self.public = Shown(SeenStore(store))

    def own(self, bots: frozenset[int]) -> Store:
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
        season = store.season()
        team = None if person is None or person.team is None else store.team(person.team)
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

    def of(self, viewer: Viewer, season: Season | None) -> tuple[Shown, Store]:
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
        pattern = pattern_of(scope) if scope["type"] == "http" else None
        if scope["type"] != "http" or pattern in PLAIN:
            await self._app(scope, receive, send)
            return

        async def send_private(message: Message) -> None:
            if message["type"] == "http.response.start":
                _keep_private(MutableHeaders(scope=message))
            await send(message)

        answer = await self._admitted(scope, pattern)
        await (answer or self._app)(scope, receive, send_private)

    async def _admitted(self, scope: Scope, pattern: str | None) -> Response | None:
        """Give a request its view; return why it is refused, None if it is not."""
        state: dict[str, Any] = scope.setdefault("state", {})
        viewer, season = await run_in_threadpool(self._views.viewer, state.get("person"))
        state["viewer"], state["season"] = viewer, season
        if season is not None:
            # It begins, and is renamed, while this process runs.
            scope["app"].state.name = season.settings.name
        VISITS.set(_visit(viewer, season))
        IS_PLAYED.set(self._views.may_play(viewer, season))
        audience = AUDIENCES.get(pattern) if pattern else None
        if pattern is not None and not viewer.may_see(audience):
            return _refused(scope, viewer)
        try:
            shown, store = await run_in_threadpool(self._views.of, viewer, season)
        except LeagueError:
            text = "The standings are frozen, and their copy can't be read: tell the organiser."
            return _told(scope, text, 503)
        state["shown"], state["store"] = shown, store
        return None


def _visit(viewer: Viewer, season: Season | None) -> Visit:
    person = viewer.person
    return Visit(
        login=person.login if person else "",
        is_organiser=viewer.is_organiser,
        has_team=viewer.team is not None,
        frozen_at=freezes_at(season) if season and viewer.is_frozen else None,
        sees_results=viewer.may_see_results,
    )


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
