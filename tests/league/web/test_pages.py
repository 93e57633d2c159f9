"""Every page there is, in a real browser: nothing missing, too wide, too pale or out of reach."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import pytest
from starlette.routing import Match, Route

from league.model.records import (
    BotVersion,
    MatchKey,
    MatchRecord,
    MoveRecord,
    ReportRecord,
    Termination,
)
from league.store.store import Store, open_store
from league.web import board_pictures, downloads, feed
from league.web.app import make_app
from tests.browser import NARROW, WIDE, axe_faults, reach_all_by_keys, resize
from tests.league.command import league
from tests.league.matches import add_tournament, won_match
from tests.league.web.serving import served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = "<img src=x onerror=alert(1)>"
MARKUP = "[red]x[/red]"
LONG = "a" * 70 + ".very.long"
FAULTS = (Path(__file__).parent / "page_faults.js").read_text(encoding="utf-8")

LIVE = "/tournaments/{number:row}/live"
"""Nothing leads there unless a match is in play; `test_live` looks at the page."""

PARTS = ["/featured", *(route.path for route in board_pictures.ROUTES)]
"""Addresses of parts of pages, which no link leads to."""

FILES = [*PARTS, *(route.path for route in (*downloads.ROUTES, *feed.ROUTES))]
ROUTES = [
    route
    for route in make_app(cast(Store, None), "league").routes
    if isinstance(route, Route)
    and not route.path.startswith("/api")
    and route.path != "/events"
    and not route.path.startswith(LIVE)
    and route.path not in FILES
]
OF_A_KIND = 2
"""So many pages of each kind are looked at."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a league that has all there is to show, names that mean harm among it."""
    found = tmp_path_factory.mktemp("league")
    for name, spec in {"ab": "iterative:depth=3", "rnd": "random"}.items():
        league(found, "register", name, spec, "--no-check")
    run = ("run", "--bots", "ab,rnd", "--depth", "3", "--seed", "1", "--quiet")
    league(found, *run, "--game", "connectfour")
    league(found, *run, "--game", "pacman?rounds=3&ghosts=1")
    with open_store(str(found / "league.db")) as store:
        names = (HOSTILE, MARKUP, LONG, "ok")
        versions = [
            store.bots.register(BotVersion(name, "random", digest=name)).id for name in names
        ]
        tournament = add_tournament(store, *versions)
        pairs = [(one, other) for one in versions for other in versions if one != other]
        batch = [won_match(*pair, scores) for pair in pairs for scores in ((1.0, 0.0), (0.5, 0.5))]
        # What a bot tells and writes may mean harm too.
        report = ReportRecord(depth=3, nodes=17, score=-2.0, pv=(2, 3), text=HOSTILE)
        batch.append(
            MatchRecord(
                game="connectfour",
                versions=(versions[0], versions[1]),
                seed=1,
                opening=(3,),
                moves=(MoveRecord(3, wall_ns=5_000_000, report=report),),
                scores=(1.0, 0.0),
                termination=Termination.CRASH,
                fault_seat=1,
                detail=f"{HOSTILE} \x1b[31m",
                log=f"\x1b[2J{HOSTILE}\n{'log ' * 60}",
            )
        )
        store.matches.save(
            tournament, [(MatchKey(number, 0), record) for number, record in enumerate(batch)]
        )
        store.bots.retire("ok")
        store.bots.register(BotVersion("rnd", "random", options={"seed": "1"}, digest="second"))
    return found


@pytest.fixture(scope="module")
def link(folder: Path) -> Iterator[str]:
    """Serve that league."""
    with served(folder) as found:
        yield found.rstrip("/")


@pytest.fixture(scope="module")
def addresses(browser: "Browser", link: str) -> dict[str, list[str]]:
    """Follow all links from the first page; return where they lead, by route."""
    found: dict[str, list[str]] = {route.path: [] for route in ROUTES}
    ahead = ["/"]
    with browser.new_context() as context:
        for address in ahead:
            route = _route(address)
            if route is None or address in found[route] or len(found[route]) >= OF_A_KIND:
                continue
            answer = context.request.get(link + address)
            assert answer.ok, (address, answer.status)
            if "text/html" in answer.headers["content-type"]:
                found[route].append(address)
                ahead += re.findall(r'href="(/[^"#]*)', answer.text())
    return found


def _route(address: str) -> str | None:
    """Return the pattern of the route that answers an address, None for what is no page."""
    scope = {"type": "http", "path": address.partition("?")[0], "method": "GET"}
    return next((each.path for each in ROUTES if each.matches(scope)[0] is Match.FULL), None)


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_a_page_is_sound_at_any_size_in_light_and_dark(
    quiet: "Page", link: str, addresses: dict[str, list[str]], path: str
) -> None:
    assert addresses[path], "no link leads there"
    faults = []
    for address in addresses[path]:
        quiet.goto(link + address)
        for size in (WIDE, NARROW):
            resize(quiet, size)
            for scheme in ("light", "dark"):
                quiet.emulate_media(color_scheme=scheme)
                found = quiet.evaluate(FAULTS)
                faults += [f"{address}, {scheme}, {size[0]} px: {each}" for each in found]
        assert quiet.evaluate("document.querySelectorAll('img[src=x], red').length") == 0
    assert not faults, "\n".join(dict.fromkeys(faults))


SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
OPEN_ALL = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.mark.slow
@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_axe_finds_nothing_at_any_size_in_light_and_dark(
    quiet: "Page", link: str, addresses: dict[str, list[str]], path: str
) -> None:
    faults = []
    for address in addresses[path]:
        quiet.emulate_media(color_scheme="light")
        resize(quiet, WIDE)
        quiet.goto(link + address)
        faults += [f"{address}, closed: {each}" for each in axe_faults(quiet)]
        quiet.evaluate(OPEN_ALL)
        for size, scheme in product((WIDE, NARROW), SCHEMES):
            resize(quiet, size)
            quiet.emulate_media(color_scheme=scheme)
            faults += [f"{address}, {scheme}, {size[0]} px: {each}" for each in axe_faults(quiet)]
    assert not faults, "\n".join(faults)


def test_axe_finds_nothing_on_the_pages_with_most_on_them(
    quiet: "Page", link: str, addresses: dict[str, list[str]]
) -> None:
    for path in ("/", "/tournaments/{number:row}", "/matches/{number:row}"):
        quiet.goto(link + addresses[path][0])
        assert axe_faults(quiet) == []


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_all_of_a_page_is_reached_by_keys(
    quiet: "Page", link: str, addresses: dict[str, list[str]], path: str
) -> None:
    for address in addresses[path][:1]:
        quiet.goto(link + address)
        reach_all_by_keys(quiet)


def test_a_phone_opens_the_links_by_a_menu_that_needs_no_script(
    browser: "Browser", link: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        resize(page, NARROW)
        page.goto(f"{link}/matches/1")
        to_bots = page.locator(".site nav >> text=Bots")
        assert not to_bots.is_visible()
        page.click(".to-menu")
        to_bots.click()
        assert page.url.endswith("/bots")
        resize(page, WIDE)
        assert to_bots.is_visible()
        assert not page.locator(".to-menu").is_visible()
