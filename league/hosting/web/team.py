"""The page of an author's own team: its bot, its versions, its faults, its source."""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from games.support.errors import InputError
from league.analysis.loss_report import loss_report
from league.analysis.replay import load_replay
from league.analysis.standing_rows import Standing
from league.api.repro_package import repro_package
from league.hosting.model.people import Team
from league.hosting.model.season import Challenge, Season, SubmissionState
from league.hosting.season.marks import HouseStep, steps_of
from league.hosting.season.practice import points_of
from league.hosting.season.standings import season_standings
from league.hosting.store.daily_limit import DAY_MS
from league.hosting.store.host_store import HostStore
from league.hosting.web.challenges import rivals_for
from league.hosting.web.host_of import acted, host_of, hosted_page, season_of
from league.hosting.web.hosted import hosted_of
from league.hosting.web.viewer import hosted_viewer
from league.model.clock import now_ms
from league.model.errors import SetupError, UnknownRowError
from league.model.records import BotVersion
from league.store.rows import BotRow, MatchRow, VersionRow
from league.store.store import StoreReader
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.pages import notices_of
from league.web.query import NUMBER

FAULTS = 5
LATEST = 10
VERSIONS = 20

DONE = {
    "challenged": "The challenge is kept. It is played when no submission waits.",
    "chosen": "The version for the final is chosen.",
    "withdrawn": "Your team is withdrawn. Only the organiser can bring it back.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnVersion:
    """A version of the team's bot; `row` is its row in the season's standings, None without one."""

    version: VersionRow
    is_playing: bool
    is_chosen: bool
    row: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnChallenge:
    """A challenge of the team, and the points of its bot in each finished match, in order."""

    challenge: Challenge
    points: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFault:
    """A match that the team's bot lost by its own fault, and why."""

    match: MatchRow
    sentences: Sequence[str]
    log: str


def _team(request: Request, wrong: str = "") -> str:
    team = hosted_viewer(request).team
    if team is None:
        raise UnknownRowError("you belong to no team", "team", None)
    store = store_of(request)
    live = hosted_of(request).store
    submissions = live.submissions.page(team=team.id, limit=LATEST)
    values: dict[str, object] = dict.fromkeys(("versions", "steps", "faults", "matches"), ())
    values["bot"] = None
    if team.bot is not None:
        values |= _of_bot(request, store, team)
    challenges = _challenges(live, team)
    return hosted_page(
        request,
        "team.html",
        team=team,
        now=season_of(request),
        submissions=submissions,
        challenges=challenges,
        is_playing=any(not each.challenge.state.is_decided for each in challenges),
        challenged=live.challenges.count_since(team.id, now_ms() - DAY_MS),
        rivals=rivals_for(request),
        notices=notices_of(request),
        wrong=wrong,
        done=DONE.get(request.query_params.get("done", ""), ""),
        **values,
    )


def _of_bot(request: Request, store: StoreReader, team: Team) -> dict[str, object]:
    live = hosted_of(request).store
    bot = next(each for each in live.bots.all(include_retired=True) if each.id == team.bot)
    playing = {
        each.version
        for each in live.submissions.page(team=team.id, states=[SubmissionState.PLAYING])
    }
    season = season_of(request)
    found = season_standings(store, season, has_all_versions=True) if season else ()
    rows = {row.version: row for row in found}
    versions = [
        OwnVersion(
            version=each,
            is_playing=each.id in playing,
            is_chosen=each.id == team.chosen_version,
            row=rows.get(each.id),
        )
        for each in reversed(bot.versions[-VERSIONS:])
    ]
    return {
        "bot": bot,
        "versions": versions,
        "steps": _steps(store, season, bot),
        "faults": [
            _fault(store, row) for row in store.matches.page(fault_of=bot.name, limit=FAULTS)
        ],
        "matches": store.matches.page(bot=bot.name, limit=LATEST),
    }


def _steps(store: StoreReader, season: Season | None, bot: BotRow) -> Sequence[HouseStep]:
    """Return the house bots as steps, as the newest version has passed them."""
    if season is None or not season.settings.house_bots:
        return ()
    version, names = bot.versions[-1].id, season.settings.house_bots
    key = ("steps", version, names, season.legs, season.final)
    return store.recall_recent(
        key, lambda: steps_of(store, season, version), game=season.settings.game
    )


def _challenges(live: HostStore, team: Team) -> list[OwnChallenge]:
    found = live.challenges.page(team.id, LATEST)
    matches = live.challenges.matches([each.id for each in found])
    return [
        OwnChallenge(challenge=each, points=[points_of(each, match) for match in matches[each.id]])
        for each in found
    ]


def _fault(store: StoreReader, row: MatchRow) -> OwnFault:
    try:
        found = loss_report(load_replay(store, row.id))
    except InputError as error:
        return OwnFault(match=row, sentences=(str(error),), log="")
    return OwnFault(match=row, sentences=found.sentences, log=found.log)


async def _page(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_team, request))


async def _change(request: Request) -> Response:
    """Choose the version for the final, challenge a bot, or withdraw."""

    def act(given: dict[str, str]) -> str:
        viewer = hosted_viewer(request)
        team, person = viewer.team, viewer.person
        if team is None or person is None:
            raise SetupError("you belong to no team")
        host = host_of(request)
        if given.get("do") == "choose":
            host.choose_version(team.name, given.get("version", ""))
            return "chosen"
        if given.get("do") == "challenge":
            host.challenge(person.login, given.get("bot", ""))
            return "challenged"
        if given.get("do") == "withdraw":
            if given.get("sure") != "yes":
                raise SetupError("tick the box to withdraw your team")
            if host.season.is_over:
                raise SetupError("the season is over: ask an organiser to withdraw your team")
            host.withdraw(team.name, given.get("reason", "").strip() or "its own wish")
            return "withdrawn"
        raise SetupError("unknown form action: reload the page and try again")

    return await acted(request, act, lambda wrong: _team(request, wrong), "/team")


def _source(request: Request) -> Response:
    """Answer with a version's files as a zip, for its own team and organisers."""
    number: int = request.path_params["number"]
    version = _own_version(request, number)
    return _zip(f"{version.name}-{version.number}.zip", dict(version.files))


def _own_version(request: Request, number: int) -> BotVersion:
    viewer, store = hosted_viewer(request), hosted_of(request).store
    found = store.bots.version(number)
    team = next((each for each in store.people.teams() if _has(store, each, number)), None)
    if not viewer.is_organiser and (team is None or not viewer.owns(team.id)):
        raise UnknownRowError(f"no bot version {number}", "version", number)
    return found


def _has(store: HostStore, team: Team, version: int) -> bool:
    bots = store.bots.all(include_retired=True)
    return any(each.id == version for bot in bots if bot.id == team.bot for each in bot.versions)


def _repro(request: Request) -> Response:
    """Answer with what repeats the viewer's own moves of a match at home."""
    viewer = hosted_viewer(request)
    number: int = request.path_params["number"]
    store = store_of(request)
    replay = load_replay(store, number)
    live = hosted_of(request).store
    own = [
        each.version
        for each in replay.row.versions
        if viewer.is_organiser or live.bots.get(each.bot).id in viewer.bots
    ]
    if not own:
        raise UnknownRowError(f"no match {number} of your bot", "match", number)
    with tempfile.TemporaryDirectory(prefix="league-repro-") as folder:
        files = repro_package(store, replay, own, Path(folder))
    return _zip(f"match-{number}-repro.zip", files)


def _zip(name: str, files: dict[str, bytes]) -> Response:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as made:
        for path, data in files.items():
            made.writestr(path, data)
    shown = re.sub(r"[^A-Za-z0-9._-]", "_", name)
    headers = {
        "Content-Disposition": f'attachment; filename="{shown}"',
        "Cache-Control": "no-store",
    }
    return Response(packed.getvalue(), media_type="application/zip", headers=headers)


ROUTES = [
    PageRoute("/team", _page, Audience.AUTHORS, methods=["GET"]),
    PageRoute("/team", _change, Audience.AUTHORS, methods=["POST"]),
    PageRoute(f"/team/source/{NUMBER}", _source, Audience.AUTHORS),
    PageRoute(f"/matches/{NUMBER}/repro", _repro, Audience.PEOPLE),
]
