"""Challenges: the API by which teams ask for unrated matches, and the replays of these."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from league.analysis.match_selection import limits_text
from league.analysis.replay import Replay
from league.hosting.api.host import Host
from league.hosting.documents import TeamChallenge, challenge_document
from league.hosting.model.errors import RefusedChallengeError
from league.hosting.model.people import Person
from league.hosting.model.season import Challenge
from league.hosting.season.practice import check_may_ask, replay_of, rivals_of
from league.hosting.store.host_store import HostStore
from league.hosting.web.host_of import hosted_page, season_of
from league.hosting.web.hosted import hosted_of
from league.hosting.web.team_answers import (
    UNSTORED,
    listing_or_taking,
    missing,
    not_signed_in,
    person_of,
    row_of_team,
    rows_of_team,
)
from league.hosting.web.viewer import hosted_viewer, viewer_of
from league.interchange.export_matches import configured
from league.model.clock import now_ms
from league.model.errors import UnknownRowError
from league.model.names import natural_order
from league.render.replay_page import replay_values
from league.web.api_resources import LIMIT, OFFSET, Values
from league.web.downloads import OFFERED, offered
from league.web.forms import fields
from league.web.json_response import ROOT, JsonResponse, failure
from league.web.matches import as_asked
from league.web.page_route import Audience, PageRoute
from league.web.query import NUMBER, Parameter, number_in, number_of

PATH = f"{ROOT}/challenges"

RIVAL = Parameter(
    "bot", "the bot to challenge", {"type": "string", "minLength": 1, "maxLength": 80}, True
)

PARAMETERS = (LIMIT, OFFSET)
"""The parameters of the list."""

CheckForm = Callable[[Request, str], None]


def routes(store: HostStore, check_form: CheckForm) -> list[PageRoute]:
    """Return the addresses, over a store that can write.

    `check_form` raises `HTTPException` for a request of a browser without the token of its forms.
    """
    api = _Api(store, check_form)
    match = f"/challenges/{NUMBER}/{number_in('match')}"
    return [
        PageRoute(
            PATH,
            listing_or_taking(api.challenges, api.ask),
            Audience.PEOPLE,
            methods=["GET", "POST"],
        ),
        PageRoute(f"{PATH}/{NUMBER}", api.challenge, Audience.PEOPLE, methods=["GET"]),
        PageRoute(match, _match, Audience.PEOPLE, methods=["GET"]),
        *(
            PageRoute(f"{match}/{name}", _file, Audience.PEOPLE, methods=["GET"])
            for name in OFFERED
        ),
    ]


def rivals_for(request: Request) -> list[str]:
    """List by name the bots that whoever asks may challenge now, apart from the day's limit."""
    viewer, season, at_ms = viewer_of(request), season_of(request), now_ms()
    if viewer is None or viewer.team is None or season is None:
        return []
    store = hosted_of(request).store
    try:
        team = check_may_ask(store, season, viewer.person, at_ms)
    except RefusedChallengeError:
        return []
    known = rivals_of(store, season, at_ms)
    own = store.submissions.bot_name_of(team.id)
    return sorted((each for each in known if each != own), key=natural_order)


class _Api:
    """The endpoints; `request.state.person` is who asks."""

    def __init__(self, store: HostStore, check_form: CheckForm) -> None:
        self._store = store
        self._check_form = check_form

    async def ask(self, request: Request) -> Response:
        """Keep a challenge; the answer comes when it is on the disk."""
        person = person_of(request)
        if person is None:
            return not_signed_in()
        given = await fields(request)
        self._check_form(request, given.get("token", ""))
        rival = RIVAL.read(given.get("bot", "").strip())
        try:
            found = await run_in_threadpool(self._asked, request, person, rival)
        except RefusedChallengeError as error:
            return failure(str(error), 429 if error.is_used_up else 403)
        place = f"{request.scope.get('root_path', '')}{PATH}/{found.id}"
        return JsonResponse(challenge_document(found, ()), 201, {**UNSTORED, "Location": place})

    def _asked(self, request: Request, person: Person, rival: str) -> Challenge:
        address = getattr(getattr(request.state, "caller", None), "address", "")
        return Host(self._store, person, address).challenge(person.login, rival)

    def challenges(self, request: Request) -> Response:
        """List the challenges of the person's team, all for an organiser; the newest first."""

        def documents(team: int | None, asked: Values) -> list[TeamChallenge]:
            found = self._store.challenges.page(team, asked["limit"], asked["offset"])
            matches = self._store.challenges.matches([each.id for each in found])
            return [challenge_document(each, matches[each.id]) for each in found]

        return rows_of_team(request, PARAMETERS, documents)

    def challenge(self, request: Request) -> Response:
        """Show a challenge with its matches."""

        def shown(found: Challenge) -> Response:
            matches = self._store.challenges.matches([found.id])[found.id]
            return JsonResponse(challenge_document(found, matches), headers=UNSTORED)

        return row_of_team(request, "challenge", self._store.challenges.get, shown)


def _match(request: Request) -> Response:
    """Show a match of a challenge to its team and to organisers."""
    challenge, replay = _replay(request)
    replay = as_asked(request, replay)
    return HTMLResponse(
        hosted_page(
            request,
            "challenge_match.html",
            challenge=challenge,
            links=True,
            ratings={},
            limits=limits_text(replay.limits),
            downloads=offered(replay),
            **replay_values(replay),
        )
    )


def _file(request: Request) -> Response:
    """Answer with a match of a challenge as a file."""
    challenge, replay = _replay(request)
    name = request.url.path.rpartition("/")[2]
    if name not in dict(offered(replay)):
        raise HTTPException(404)
    has_ply = name == "svg" and "ply" in request.query_params
    options: dict[str, Any] = {"ply": number_of(request, "ply", 0)} if has_ply else {}
    export = configured(name, options)
    place = f"challenge-{challenge.id}-{replay.row.id}{export.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{place}"', **UNSTORED}
    return Response(export.text(replay), media_type=export.media_type, headers=headers)


def _replay(request: Request) -> tuple[Challenge, Replay]:
    store = hosted_of(request).store
    number: int = request.path_params["number"]
    found = store.challenges.get(number)
    if not hosted_viewer(request).owns(found.team):
        # As if there were none: not even its number is anybody else's business.
        raise missing("challenge", number)
    wanted: int = request.path_params["match"]
    for each in store.challenges.matches([number])[number]:
        if each.number == wanted:
            return found, replay_of(store, found, each)
    raise UnknownRowError(f"no match {wanted} of challenge {number}", "match", wanted)
