"""The application of the process `play` of a hosted league: matches of people against bots.

It trusts what the web process says about who asks, and listens where only that one reaches it.
"""

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from league.hosting.season.practice import rivals_of
from league.hosting.store.host_store import HostStore
from league.hosting.web import health
from league.hosting.web.host_of import season_of
from league.hosting.web.hosted import Hosted
from league.hosting.web.hosted_pages import MENU, STRANGER
from league.hosting.web.play_forward import PERSON
from league.hosting.web.viewer import hosted_viewer
from league.hosting.web.views import HostedViews, Viewing
from league.model.clock import now_ms
from league.model.errors import SetupError
from league.render.template import ROOT
from league.web import play
from league.web.access import Access
from league.web.app import HANDLERS
from league.web.page_source import PageSource
from league.web.pages import Pages
from league.web.play_host import PlayHost


def make_play_app(
    store: HostStore,
    name: str,
    hosted: Hosted,
    host: PlayHost,
    access: Access,
    isolation: str,
) -> Starlette:
    """Return the application over a store that is open read-only.

    Bots play at the level `isolation`, each person in one match at a time.
    """
    views = HostedViews(store, hosted)

    def terms_of(request: Request) -> play.PlayTerms:
        return _terms(request, hosted.store, isolation)

    app = Starlette(
        routes=play.routes(host, terms_of),
        middleware=[
            Middleware(_Told, store=hosted.store, access=access),
            Middleware(Viewing, views=views),
        ],
        exception_handlers=HANDLERS,
        lifespan=health.beating(hosted.beat),
    )
    app.state.hosted, app.state.name, app.state.reader = hosted, name, STRANGER
    app.state.added, app.state.hooks = [Pages(menu=MENU)], ()
    app.state.shown = PageSource(store)
    return app


class _Told:
    """Middleware that takes from the web process who asks, and where the league is."""

    def __init__(self, app: ASGIApp, store: HostStore, access: Access) -> None:
        self._app = app
        self._store = store
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its person."""
        if scope["type"] == "http":
            number = int(Headers(scope=scope)[PERSON])
            person = await run_in_threadpool(self._store.people.get, number)
            scope.setdefault("state", {})["person"] = person
            scope["root_path"] = self._access.root
            ROOT.set(self._access.root)
        await self._app(scope, receive, send)


def _terms(request: Request, store: HostStore, isolation: str) -> play.PlayTerms:
    """Return what a person may play: the season's game, against the bots in play."""
    viewer, season = hosted_viewer(request), season_of(request)
    if viewer.person is None or season is None:
        raise SetupError("no season yet")
    own = store.submissions.bot_name_of(viewer.team.id) if viewer.team else ""
    return play.PlayTerms(
        owner=f"person {viewer.person.id}",
        game=season.settings.game,
        rivals=frozenset(rivals_of(store, season, now_ms())),
        own=None if viewer.is_organiser else own,
        bots=store,
        isolation=isolation,
        memory_mb=season.settings.memory_mb,
        most=season.settings.play_sessions,
    )
