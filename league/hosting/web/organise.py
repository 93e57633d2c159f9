"""The organiser's pages: how the host does, the season, the teams, the people and the marks."""

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from games.support.errors import InputError
from league.hosting.api.host import Host
from league.hosting.api.host_settings import OWN_SETTINGS
from league.hosting.api.people import Invited, local_links
from league.hosting.model.people import TeamStanding
from league.hosting.model.season import Season, SubmissionState
from league.hosting.season.gauntlets import left_to_play
from league.hosting.season.settings import SETTINGS
from league.hosting.season.team_list import FILTERS, alike_teams, listed_teams
from league.hosting.store.host_store import HostStore
from league.hosting.web.forms import posted
from league.hosting.web.host_of import acted, host_of, hosted_page, led, season_of
from league.model.errors import SetupError
from league.web.forms import BODY_MAX
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.pages import notices_of

AUDITED = 200

WAITING = tuple(each for each in SubmissionState if not each.is_decided)

ROSTER_MAX = 1 << 20
"""A roster comes in at most so many bytes."""

DONE = {
    "paused": "The season is paused: no match begins.",
    "resumed": "The season goes on.",
    "opened": "The season is open again.",
    "closed": "Submissions are closed. The final follows when the queue is empty.",
    "published": "The results are published.",
    "announced": "The announcement is on the home page and in the feed; mail follows if it is set.",
    "changed": "The team's standing is changed, and the team is told.",
    "saved": "The settings are saved.",
    "disabled": "This person can't sign in any more.",
    "enabled": "This person can sign in again.",
    "removed": "All that was stored about this person is deleted.",
}


def _done(request: Request) -> str:
    return DONE.get(request.query_params.get("done", ""), "")


def _overview(request: Request, wrong: str = "") -> str:
    host, results = host_of(request), store_of(request)
    store = host.store
    teams = listed_teams(store, results, season_of(request))
    newest = tuple((each.team.name, each.version) for each in teams)
    show = request.query_params.get("show", "")
    filters = [(word, title, sum(map(fits, teams))) for word, (title, fits) in FILTERS.items()]
    _, is_shown = FILTERS.get(show, FILTERS[""])
    return hosted_page(
        request,
        "organise.html",
        status=host.status().value,
        teams=[each for each in teams if is_shown(each)],
        everybody=teams,
        filters=filters,
        show=show if show in FILTERS else "",
        alike=results.recall(("alike", newest), lambda: alike_teams(store, teams)),
        standings=list(TeamStanding),
        left=_left(store, season_of(request)),
        waiting=store.submissions.page(states=WAITING, limit=20),
        notices=notices_of(request),
        now=int(datetime.now(UTC).timestamp()),
        is_file=store.is_file,
        wrong=wrong,
        done=_done(request),
    )


def _left(store: HostStore, season: Season | None) -> int:
    """Count the encounters that marks ask for and that are left; 0 before submissions close."""
    if season is None or season.takes_submissions:
        return 0
    try:
        return left_to_play(store, season)
    except InputError:
        return 0


def _people(request: Request, wrong: str = "", links: Sequence[Invited] = ()) -> str:
    store = host_of(request).store
    return hosted_page(
        request,
        "organise_people.html",
        people=store.people.all(),
        teams={each.id: each.name for each in store.people.teams()},
        links=links,
        local=local_links(store) if links else "",
        wrong=wrong,
        done=_done(request),
    )


def _settings(request: Request, wrong: str = "", given: Mapping[str, str] | None = None) -> str:
    host = host_of(request)
    words = {**host.settings().value, **(given or {})}
    return hosted_page(
        request,
        "organise_settings.html",
        fields=[(each, words.get(each.key, "")) for each in SETTINGS.values()],
        own=[(key, told, words.get(key, "")) for key, told in OWN_SETTINGS.items()],
        wrong=wrong,
        done=_done(request),
    )


def _marks(request: Request) -> str:
    wrong, found = "", None
    number = _season_number(request)
    try:
        found = host_of(request).marks(number)
    except InputError as error:
        wrong = str(error)
    return hosted_page(
        request,
        "organise_marks.html",
        marks=found.value if found else (),
        proviso=found.proviso if found else "",
        wrong=wrong,
        seasons=host_of(request).store.seasons.all(),
        number=number,
    )


def _season_number(request: Request) -> int | None:
    """Return the season that an address names by `season=1`; None for the newest."""
    word = request.query_params.get("season", "")
    return int(word) if re.fullmatch("[0-9]{1,9}", word) else None


def _audit(request: Request) -> str:
    store = host_of(request).store
    return hosted_page(request, "organise_audit.html", entries=store.sign_ins.audit(AUDITED))


Draw = Callable[[Request], str]


def _shown(draw: Draw) -> Callable[[Request], Response]:
    def endpoint(request: Request) -> Response:
        return HTMLResponse(draw(request), headers={"Cache-Control": "no-store"})

    return endpoint


async def _act(request: Request) -> Response:
    """Do what a form of the overview asks for."""

    def act(given: dict[str, str]) -> str:
        host, word = host_of(request), given.get("do", "")
        reason, team = given.get("reason", ""), given.get("team", "")
        of_season: dict[str, Callable[[], object]] = {
            "paused": host.pause,
            "resumed": host.resume,
            "opened": host.open,
            "closed": host.close,
            "published": host.publish,
            "announced": lambda: host.announce(given.get("text", "")),
        }
        of_team: dict[str, Callable[[str, str], object]] = {
            "suspended": host.suspend,
            "withdrawn": host.withdraw,
            "disqualified": host.disqualify,
            "active": host.reinstate,
        }
        asks = word == "closed" or (word == "opened" and host.season.final is not None)
        if asks and given.get("sure") != "yes":
            raise SetupError("tick the box first: this undoes much")
        if word in of_season:
            of_season[word]()
            return word
        if word == "stand" and given.get("standing") in of_team:
            of_team[given["standing"]](team, reason)
            return "changed"
        raise SetupError("unknown form action: reload the page and try again")

    return await acted(request, act, lambda wrong: _overview(request, wrong), "/organise")


async def _act_on_people(request: Request) -> Response:
    """Add, import, invite, disable, enable or delete people; links are shown in the answer."""
    given = await posted(request, most=ROSTER_MAX)
    try:
        done, links = await run_in_threadpool(_changed_people, host_of(request), given)
    except InputError as error:
        text = await run_in_threadpool(_people, request, str(error))
        return HTMLResponse(text, 422, {"Cache-Control": "no-store"})
    if links:
        text = await run_in_threadpool(_people, request, "", links)
        return HTMLResponse(text, headers={"Cache-Control": "no-store"})
    return led("/organise/people", done)


def _changed_people(host: Host, given: Mapping[str, str]) -> tuple[str, Sequence[Invited]]:
    word, login = given.get("do", ""), given.get("login", "")
    people = host.people
    if word == "add":
        named = {key: given.get(key, "") for key in ("team", "name", "email")}
        return "", [people.add(login, role=given.get("role", "author"), **named)]
    if word == "import":
        return "saved", [
            each for each in people.import_roster(given.get("roster", "")) if each.link
        ]
    if word == "link":
        return "", [people.link(login)]
    actions: dict[str, Callable[[str], object]] = {
        "disabled": people.disable,
        "enabled": people.enable,
        "removed": people.remove,
    }
    if word not in actions:
        raise SetupError("unknown form action: reload the page and try again")
    if word == "removed" and given.get("sure") != "yes":
        raise SetupError(f"tick the box to delete {login!r}")
    actions[word](login)
    return word, ()


async def _act_on_settings(request: Request) -> Response:
    given = await posted(request, most=8 * BODY_MAX)
    host = host_of(request)

    def act() -> None:
        before = host.settings().value
        known = {*SETTINGS, *OWN_SETTINGS}
        changed = {
            key: text.replace("\r\n", "\n").strip()
            for key, text in given.items()
            if key in known and text.replace("\r\n", "\n").strip() != before.get(key, "").strip()
        }
        if (undone := host.game_change(changed)) and given.get("sure") != "yes":
            raise SetupError(f"{undone}: tick the box to change the game")
        if changed:
            host.change_settings(changed)

    try:
        await run_in_threadpool(act)
    except InputError as error:
        text = await run_in_threadpool(_settings, request, str(error), given)
        return HTMLResponse(text, 422, {"Cache-Control": "no-store"})
    return led("/organise/settings", "saved")


def _marks_file(request: Request) -> Response:
    found = host_of(request).marks(_season_number(request))
    name = "marks-provisional.csv" if found.proviso else "marks.csv"
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return Response(found.csv(), media_type="text/csv; charset=utf-8", headers=headers)


def _backup(request: Request) -> Response:
    """Answer with a copy of the whole database, which goes when it is sent."""
    host = host_of(request)
    folder = Path(tempfile.mkdtemp(prefix="league-backup-"))
    copy = folder / "league.db"

    def gone() -> None:
        copy.unlink(missing_ok=True)
        folder.rmdir()

    try:
        host.back_up(copy)
    except BaseException:
        gone()
        raise
    name = f"league-{datetime.now(UTC):%Y-%m-%d-%H%M}.db"
    headers = {"Cache-Control": "no-store"}
    return FileResponse(
        copy,
        filename=name,
        media_type="application/vnd.sqlite3",
        headers=headers,
        background=BackgroundTask(gone),
    )


ROUTES = [
    PageRoute("/organise", _shown(_overview), Audience.ORGANISERS, methods=["GET"]),
    PageRoute("/organise", _act, Audience.ORGANISERS, methods=["POST"]),
    PageRoute("/organise/people", _shown(_people), Audience.ORGANISERS, methods=["GET"]),
    PageRoute("/organise/people", _act_on_people, Audience.ORGANISERS, methods=["POST"]),
    PageRoute("/organise/settings", _shown(_settings), Audience.ORGANISERS, methods=["GET"]),
    PageRoute("/organise/settings", _act_on_settings, Audience.ORGANISERS, methods=["POST"]),
    PageRoute("/organise/marks", _shown(_marks), Audience.ORGANISERS),
    PageRoute("/organise/marks.csv", _marks_file, Audience.ORGANISERS),
    PageRoute("/organise/audit", _shown(_audit), Audience.ORGANISERS),
    PageRoute("/organise/backup", _backup, Audience.ORGANISERS),
]
