"""Void matches: the organiser's page, which asks before it voids any, and the API."""

import re
from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from games.support.errors import InputError
from league.api.answer import Answer
from league.api.voids import VoidSelection
from league.hosting.web.forms import posted
from league.hosting.web.host_of import host_of, hosted_page, led
from league.interchange.documents.catalogue import plain_document
from league.model.errors import SetupError
from league.tournament.void import Voided
from league.web.api_resources import ID_MAX
from league.web.json_response import ROOT, JsonResponse
from league.web.page_route import Audience, PageRoute

PATH = f"{ROOT}/voids"

FIELDS = {
    "numbers": "numbers of matches, as in 12 15; or one or more of the next five",
    "bot": "all matches of this bot, or of one version: rooks@2",
    "tournament": "all matches of this tournament",
    "since": "all matches since this date or time of UTC, or as long ago: 2h",
    "until": "all matches until then",
    "faults": "'yes' for only those that ended by a bot's fault",
    "reason": "why; everybody can read it",
    "count": "the number of matches that is expected; another one is refused",
}
"""The fields of the form."""

DONE = {"void": "The matches are void. Their encounters are played again."}

MOST = 1 << 16
"""The most bytes of a form, which may have thousands of numbers."""

_UNSTORED = {"Cache-Control": "no-store"}


def _selection(given: Mapping[str, str]) -> VoidSelection:
    """Return the matches that a form chooses; raise `SetupError` for what is no number."""
    return VoidSelection(
        numbers=[_number(each) for each in re.split(r"[\s,]+", given.get("numbers", "")) if each],
        bot=given.get("bot", "").strip(),
        tournament=_number(text) if (text := given.get("tournament", "").strip()) else None,
        since=given.get("since", "").strip(),
        until=given.get("until", "").strip(),
        faults_only=given.get("faults") == "yes",
    )


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,16}", text) or int(text) > ID_MAX:
        raise SetupError(f"{text[:80]!r}: expected a number")
    return int(text)


def _voided(request: Request, given: Mapping[str, str]) -> Answer[Voided]:
    """Void what a form chooses; raise `SetupError` where it is not as many as it expects."""
    voids, selection = host_of(request).voids, _selection(given)
    if count := given.get("count", ""):
        choice = voids.choose(selection)
        if len(choice.matches) != _number(count):
            raise SetupError(f"there are {len(choice.matches)} matches by now, not {count}")
        selection = VoidSelection(numbers=choice.matches)
    return voids.void(selection, given.get("reason", ""))


def _page(request: Request, wrong: str = "", given: Mapping[str, str] | None = None) -> str:
    """Draw the page; with the fields of a form, it asks whether to void what they choose."""
    choice = None
    if given is not None and not wrong:
        try:
            choice = host_of(request).voids.choose(_selection(given))
        except InputError as error:
            wrong = str(error)
    return hosted_page(
        request,
        "organise_voids.html",
        voids=host_of(request).voids.newest(),
        given={name: (given or {}).get(name, "") for name in FIELDS if name != "count"},
        choice=choice,
        wrong=wrong,
        done=DONE.get(request.query_params.get("done", ""), ""),
    )


def _shown(request: Request) -> Response:
    return HTMLResponse(_page(request), headers=_UNSTORED)


async def _act(request: Request) -> Response:
    """Ask whether to void the chosen matches; a form with their count has been asked."""
    given = await posted(request, most=MOST)
    if not given.get("count"):
        text = await run_in_threadpool(_page, request, "", given)
        return HTMLResponse(text, headers=_UNSTORED)
    try:
        await run_in_threadpool(_voided, request, given)
    except InputError as error:
        text = await run_in_threadpool(_page, request, str(error), given)
        return HTMLResponse(text, 422, _UNSTORED)
    return led("/organise/voids", "void")


async def _at_list(request: Request) -> Response:
    """List the voids, or void matches: an address with one route names all its methods."""
    if request.method != "POST":
        found = await run_in_threadpool(host_of(request).voids.newest)
        return JsonResponse(plain_document(found), headers=_UNSTORED)
    given = await posted(request, most=MOST)
    for name in given:
        if name not in FIELDS and name != "token":
            raise SetupError(f"unknown field {name[:80]!r}: expected {', '.join(FIELDS)}")
    made = await run_in_threadpool(_voided, request, given)
    return JsonResponse(made.to_dict(), 201, _UNSTORED)


ROUTES = [
    PageRoute("/organise/voids", _shown, Audience.ORGANISERS, methods=["GET"]),
    PageRoute("/organise/voids", _act, Audience.ORGANISERS, methods=["POST"]),
    PageRoute(PATH, _at_list, Audience.ORGANISERS, methods=["GET", "POST"]),
]
