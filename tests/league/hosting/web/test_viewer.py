"""Who sees what of a hosted league: a crawler for each kind of viewer."""

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.routing import Route

from league.hosting.model.season import Visibility
from league.hosting.store import seen
from league.hosting.store.notices import NoticeTable
from league.hosting.store.seen import SeenStore
from league.hosting.web import organise, views
from league.hosting.web.viewer import Viewer
from league.store.database import Queries
from league.store.store import Store
from league.web.api_resources import RESOURCES
from league.web.page_route import Audience, FileMount, PageRoute, check_audiences
from league.web.stream_limit import StreamLimit
from tests.examples import slow
from tests.league.hosting.web.secret_league import (
    TEAMS,
    SecretLeague,
    make_secret_league,
    mark,
    marks_of,
)
from tests.league.hosting.web.visiting import Visitor

OF_A_PATH = 1
"""A path is asked with so many of its queries."""

MATCHES = (1, 2, 4, 5)
"""Faults of each team, also one against a third bot, and a match without a fault."""


CHALLENGES = (1, 2)
"""One of each team."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the league."""
    found = tmp_path_factory.mktemp("secret") / "league.db"
    make_secret_league(found)
    return found


@pytest.fixture(scope="module")
def league(path: Path) -> Iterator[SecretLeague]:
    """Open the league with its application."""
    found = SecretLeague(path)
    yield found
    found.close()


_OTHER = re.compile(r"/static/|/matches/\d+/explain/")
"""Files of every league, and searches of further positions, which take long."""


_CRAWLED: dict[str | None, dict[str, str]] = {}


def crawled(league: SecretLeague, who: str | None) -> dict[str, str]:
    """Return what an author, the organiser ('') or a visitor (None) sees, by address."""
    if who not in _CRAWLED:
        _CRAWLED[who] = _crawl(league.visitor(who))
    return _CRAWLED[who]


def _crawl(visitor: Visitor) -> dict[str, str]:
    """Follow every link, and ask for all that no link leads to; return the answers by address."""
    ahead = ["/", *_further(visitor.app)]
    found: dict[str, str] = {}
    asked: Counter[str] = Counter()
    for address in ahead:
        path = address.partition("?")[0]
        is_stream = path == "/events"
        if address in found or is_stream or asked[path] == OF_A_PATH:
            continue
        asked[path] += 1
        answer = visitor.ask(address)
        text = _all_of(answer.content) + str(answer.headers)
        found[address] = text
        if "text/html" in answer.headers.get("content-type", ""):
            for link in re.findall(r'(?:href|src|data-refresh)="([^"#]+)', answer.text):
                to = urlsplit(unescape(link))
                is_here = not to.netloc or to.netloc == "localhost"
                if is_here and to.path.startswith("/") and not _OTHER.match(to.path):
                    ahead.append(to.path + (f"?{to.query}" if to.query else ""))
    return found


def _all_of(body: bytes) -> str:
    """Return a body as text, with the files of a zip in it."""
    text = body.decode("latin-1")
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            text += "".join(
                f"{name}{packed.read(name).decode('latin-1')}" for name in packed.namelist()
            )
    return text


def _further(app: Starlette) -> list[str]:
    """Return addresses that links may not lead to: the API, downloads, parts, others' pages."""
    found = ["/featured", "/feed.atom", "/submissions", "/team", "/me", "/me/data.json", "/submit"]
    for number in MATCHES:
        kinds = ("html", "svg", "animated", "pgn", "json", "repro")
        found += [f"/matches/{number}/{kind}" for kind in kinds]
        found += [f"/submissions/{number}", f"/team/source/{number}"]
        found += [f"/api/submissions/{number}", f"/api/submissions/{number}/log"]
    for number in CHALLENGES:
        found.append(f"/api/challenges/{number}")
        for match in (1, 2):
            kinds = ("", "/html", "/svg", "/animated", "/pgn", "/json")
            found += [f"/challenges/{number}/{match}{kind}" for kind in kinds]
    found += ["/api/challenges", "/api/submissions"]
    found += [f"/tournaments/{number}/matches" for number in (1, 2)]
    found += ["/matches/5/explain/1", "/matches/5/explain/1/steps"]
    paths = [route.path for route in app.routes if isinstance(route, PageRoute)]
    found += [path for path in paths if path.startswith("/organise") and "{" not in path]
    for each in RESOURCES:
        query = "&".join(
            f"{one.name}={_value(one.name)}" for one in each.parameters if one.is_required
        )
        for name in (*TEAMS, "house"):
            for number in MATCHES:
                path = each.path.replace("{bot}", name).replace("{game}", "connectfour")
                path = path.replace("{match}", str(number)).replace("{tournament}", "1")
                found.append(f"{path}?{query}" if query else path)
    return list(dict.fromkeys(found))


def _value(name: str) -> str:
    return {"bot": "Ants", "against": "Bees", "game": "connectfour"}[name]


@pytest.mark.parametrize("who", [*slow("Ants", "Bees"), None])
def test_nobody_sees_a_secret_of_another_team(league: SecretLeague, who: str | None) -> None:
    answers = crawled(league, who)
    secrets = [each for team in TEAMS if team != who for each in marks_of(team)]
    seen = [
        f"{secret} at {address}"
        for address, text in answers.items()
        for secret in secrets
        if secret.casefold() in text.casefold()
    ]
    assert not seen, "\n".join(seen[:20])


def _leak_by_a_header(patch: pytest.MonkeyPatch) -> None:
    def marked(headers: MutableHeaders) -> None:
        headers["X-Served-For"] = mark("email", "Bees")

    patch.setattr(views, "_keep_private", marked)


def _leak_by_a_wrong_audience(patch: pytest.MonkeyPatch) -> None:
    for route in organise.ROUTES:
        patch.setattr(route, "audience", Audience.EVERYBODY)


def _leak_by_a_wrong_owner(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Viewer, "owns", lambda viewer, team: True)


def _leak_by_a_whole_record(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(seen, "with_own_texts", lambda record, own, movers=None: record)


def _leak_by_a_query_without_its_team(patch: pytest.MonkeyPatch) -> None:
    whole = NoticeTable.page
    patch.setattr(NoticeTable, "page", lambda table, teams, **how: whole(table, (1, 2, 3), **how))


def _leak_by_a_shared_memory(patch: pytest.MonkeyPatch) -> None:
    # Everybody sees what an organiser's page has remembered.
    for name in ("recall", "recall_recent"):
        patch.setattr(
            SeenStore,
            name,
            lambda view, *given, _name=name, **how: getattr(view._base, _name)(*given, **how),
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "leak",
    [
        _leak_by_a_header,
        _leak_by_a_wrong_audience,
        _leak_by_a_wrong_owner,
        _leak_by_a_whole_record,
        _leak_by_a_query_without_its_team,
        _leak_by_a_shared_memory,
    ],
)
def test_the_crawler_finds_leaks(
    path: Path, leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    league = SecretLeague(path)
    try:
        _crawl(league.visitor(""))
        answers = "".join(_crawl(league.visitor("Ants")).values()).casefold()
    finally:
        league.close()
    assert any(each.casefold() in answers for each in marks_of("Bees"))


@pytest.mark.parametrize("team", slow("Ants", "Bees"))
def test_authors_see_all_of_their_own(league: SecretLeague, team: str) -> None:
    answers = "".join(crawled(league, team).values()).casefold()
    # Nothing shows the folder of a machine, nor the first team of a match in play.
    own = [
        each for each in marks_of(team) if each not in (mark("folder", team), mark("live", team))
    ]
    assert [each for each in own if each.casefold() not in answers] == []


@pytest.mark.slow
def test_organisers_see_everything(league: SecretLeague) -> None:
    answers = "".join(crawled(league, "").values()).casefold()
    for team in TEAMS:
        for kind in ("source", "log", "output", "detail", "told", "email", "name", "check"):
            assert mark(kind, team).casefold() in answers, kind


def test_an_address_without_an_audience_is_never_served(league: SecretLeague) -> None:
    assert all(isinstance(each, PageRoute | FileMount) for each in league.app.routes)
    with pytest.raises(TypeError, match="has no audience"):
        check_audiences([*league.app.routes, Route("/leak", lambda request: None)])
    added = Route("/leak", lambda request: None)
    league.app.routes.append(added)
    try:
        with pytest.raises(TypeError, match="has no audience"):
            league.visitor("").ask("/leak")
    finally:
        league.app.routes.remove(added)


@pytest.mark.slow
@pytest.mark.parametrize("team", TEAMS)
def test_pages_of_organisers_are_refused(league: SecretLeague, team: str) -> None:
    author = league.visitor(team)
    for route in league.app.routes:
        if isinstance(route, PageRoute) and route.audience is Audience.ORGANISERS:
            path = route.path
            assert author.ask(path).status_code == 403, path
            refused = 401 if path.startswith("/api/") else 303
            assert league.visitor().ask(path).status_code == refused, path


@pytest.mark.parametrize(
    ("visibility", "seen"),
    [
        (Visibility.EVERYTHING, {"/": 200, "/season": 200, "/bots": 200, "/api/standings": 200}),
        (Visibility.STANDINGS, {"/": 200, "/season": 200, "/bots": 303, "/api/bots": 401}),
        (Visibility.NOTHING, {"/": 303, "/season": 303, "/bots": 303, "/api/standings": 401}),
    ],
)
def test_visitors_see_what_the_settings_say(
    league: SecretLeague, visibility: Visibility, seen: dict[str, int]
) -> None:
    league.set(visibility=visibility)
    try:
        visitor = league.visitor()
        assert {path: visitor.ask(path).status_code for path in seen} == seen
        assert "/matches/" not in visitor.ask("/").text or visibility is Visibility.EVERYTHING
    finally:
        league.set(visibility=Visibility.EVERYTHING)


@pytest.mark.parametrize("who", [*TEAMS, None])
def test_challenges_are_for_their_own_team(league: SecretLeague, who: str | None) -> None:
    visitor = league.visitor(who)
    elsewhere = 404 if who else 303
    for number, team in zip(CHALLENGES, TEAMS, strict=True):
        for path in (f"/challenges/{number}/1", f"/challenges/{number}/2/json"):
            expected = 200 if team == who else elsewhere
            assert visitor.ask(path).status_code == expected, path


def test_answers_stay_out_of_shared_caches(league: SecretLeague) -> None:
    author = league.visitor("Ants")
    for path in ("/", "/matches/1", "/boards/matches/1", "/api/bots", "/team"):
        headers = author.ask(path).headers
        kept = headers["cache-control"]
        assert "public" not in kept, path
        assert "private" in kept or "no-store" in kept, path
        assert "Cookie" in headers["vary"], path


def test_a_view_has_only_what_is_known_to_be_harmless(path: Path) -> None:
    with SecretLeague(path).shown as store:
        view = SeenStore(store)
        for name in ("people", "sign_ins", "submissions"):
            assert not hasattr(view, name), "no view has the tables of people"
        for table in vars(Store(store.engine, store.target, store.path)):
            if isinstance(queries := getattr(view, table, None), Queries):
                kinds = [kind.__name__ for kind in type(queries).__mro__]
                assert not [kind for kind in kinds if kind.endswith("Table")], "a reader alone"
        with pytest.raises(PermissionError):
            view.writing()


def test_a_live_page_counts_for_the_person_who_signed_in(
    league: SecretLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int | str] = []
    monkeypatch.setattr(StreamLimit, "_refusal", lambda self, visitor: counted.append(visitor))
    for team in TEAMS:
        assert league.visitor(team).ask("/events?topic=nothing").status_code == 200
    people = [league.store.people.by_login(league.logins[team]) for team in TEAMS]
    assert counted == [person.id for person in people if person]
