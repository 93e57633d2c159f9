"""Pages that installed packages add to the dashboard."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request

from games.support.catalogue import Catalogue
from league.render.template import PageReader
from league.store.rows import BotRow
from league.store.store import Store
from league.web.page_route import Audience, PageRoute
from league.web.page_source import PageSource

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


class News(Protocol):
    """A notice on the first page and in the feed; `at` is in seconds since 1970 (UTC)."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def kind(self) -> str:
        """Its subject in one word."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def team(self) -> int | None:
        """The team that it is for, None for everybody."""

    @property
    def at(self) -> int:
        """When it was posted."""

    @property
    def path(self) -> str:
        """The page that shows it."""


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of the menu: its title, its path, and those to whom it is shown."""

    title: str
    path: str
    audience: Audience


class PageHooks:
    """What a package adds to the pages of the league itself; the base adds nothing."""

    def notices(self, request: Request, most: int) -> Sequence[News]:
        """Return the newest notices to whoever asks."""
        return ()

    def tournament_names(self, request: Request) -> Mapping[int, str]:
        """Return names of tournaments, by number: those that are part of a season, say."""
        return {}

    def bot_buttons(self, request: Request, bot: BotRow) -> Sequence[str]:
        """Return templates of buttons on the page of a bot."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """What a package adds to the dashboard.

    `templates` is the package whose folder `templates` has those of its pages. `paths` are what
    OpenAPI says of each address, by path, and `documents` the classes of their answers. `state` is
    put on the application. `reader` and `shown` serve requests to which no `middleware` gives
    others; None means those of the league. The first package that sets one wins.
    """

    routes: Sequence[PageRoute] = ()
    menu: Sequence[MenuEntry] = ()
    templates: str = ""
    hooks: PageHooks = field(default_factory=PageHooks)
    paths: Mapping[str, Any] = field(default_factory=dict)
    documents: Sequence[type] = ()
    middleware: Sequence[Middleware] = ()
    lifespan: Lifespan | None = None
    state: Mapping[str, object] = field(default_factory=dict)
    reader: PageReader | None = None
    shown: PageSource | None = None


@dataclass(frozen=True, slots=True)
class Dashboard:
    """The dashboard, for packages that add pages to it.

    `store` is open read-only. `given` has, by the name of a package's entry point, what its own
    program hands over.
    """

    store: Store
    given: Mapping[str, object]


PAGES: Catalogue[Callable[[Dashboard], Pages]] = Catalogue(
    kind="group of pages", group="botleague.pages", is_part=callable
)
"""Functions that return the pages of a package."""


def pages_of(dashboard: Dashboard) -> list[Pages]:
    """Return what all installed packages add; raise `InputError` for one that does not load."""
    return [PAGES.find(name)(dashboard) for name in PAGES.names()]


def reader_of(request: Request) -> PageReader:
    """Return who reads a page."""
    found: PageReader = getattr(request.state, "reader", request.app.state.reader)
    return found


def notices_of(request: Request, most: int = 5) -> list[News]:
    """Return the newest notices to whoever asks."""
    return [each for hooks in _hooks(request) for each in hooks.notices(request, most)]


def tournament_names(request: Request) -> dict[int, str]:
    """Return names of tournaments that packages know, by number."""
    found: dict[int, str] = {}
    for hooks in _hooks(request):
        found |= hooks.tournament_names(request)
    return found


def bot_buttons(request: Request, bot: BotRow) -> list[str]:
    """Return the templates of buttons on the page of a bot."""
    return [each for hooks in _hooks(request) for each in hooks.bot_buttons(request, bot)]


def _hooks(request: Request) -> Sequence[PageHooks]:
    found: Sequence[PageHooks] = request.app.state.hooks
    return found
