"""The pages of submissions: a form to upload a bot, and what became of each upload."""

from collections.abc import Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from games.support.errors import InputError, brief
from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.season import Season, Submission, SubmissionState, UploadRefusal
from league.hosting.season.intake import check_upload
from league.hosting.season.uploads import OPTION, UploadSettings, check_command
from league.hosting.store.host_store import HostStore
from league.hosting.web.host_of import host_of, hosted_page, led, season_of
from league.hosting.web.hosted import hosted_of
from league.hosting.web.inbox import STATUSES
from league.hosting.web.viewer import hosted_viewer
from league.model.clock import now_ms
from league.model.errors import UnknownRowError
from league.web.page_route import Audience, PageRoute
from league.web.query import NUMBER, number_of

PAGE = 50

OWN = "own"
"""The field with the name of the bot's file in a folder: `file` has the upload itself."""

LINES = "options"
"""The field with the options of the bot, one a line."""


def _form(request: Request, wrong: str = "", given: Mapping[str, str] | None = None) -> str:
    viewer, season = hosted_viewer(request), season_of(request)
    store = hosted_of(request).store
    why_not = ""
    try:
        check_upload(store, season, viewer.person, now_ms())
    except RefusedUploadError as error:
        why_not = str(error)
    team = viewer.team
    newest = store.submissions.page(team=team.id, limit=3) if team else []
    at_home = UploadSettings.read({"class": "", "file": ""})
    made = store.submissions.count_since(team.id, now_ms() - 24 * 3_600_000) if team else 0
    return hosted_page(
        request,
        "submit.html",
        why_not=why_not,
        wrong=wrong,
        given=given or {},
        made=made,
        newest=newest,
        why_refused=newest[0].fault if newest else "",
        at_home=check_command(season.settings, at_home, "mine.py") if season else "",
        address=host_of(request).url or str(request.base_url).rstrip("/"),
    )


async def _ask(request: Request) -> Response:
    return HTMLResponse(await run_in_threadpool(_form, request))


async def _submit(request: Request) -> Response:
    """Receive an upload; the answer leads to its page, where its author follows it."""
    person = hosted_viewer(request).person
    given: dict[str, str] = {}

    def settings_of(fields: Mapping[str, str]) -> Mapping[str, str]:
        given.update(_settings(fields))
        return given

    try:
        if person is None:
            raise RefusedUploadError("sign in to submit a bot", UploadRefusal.NOT_ALLOWED)
        found = await request.app.state.inbox.receive(request, person, settings_of)
    except RefusedUploadError as error:
        text = await run_in_threadpool(_form, request, str(error), given)
        return HTMLResponse(text, STATUSES[error.reason], {"Cache-Control": "no-store"})
    return led(f"/submissions/{found.id}")


def _settings(fields: Mapping[str, str]) -> dict[str, str]:
    """Return what a form says about how the bot is started."""
    found = {name: value.strip() for name, value in fields.items() if name != LINES}
    if own := found.pop(OWN, ""):
        found["file"] = own
    for line in fields.get(LINES, "").splitlines():
        name, sign, value = line.partition("=")
        if line.strip() and not sign:
            text = f"option {brief(line)}: expected NAME=VALUE, one a line"
            raise RefusedUploadError(text, UploadRefusal.UNSUITABLE)
        if sign:
            found[f"{OPTION}{name.strip()}"] = value.strip()
    return {name: value for name, value in found.items() if value}


def _list(request: Request) -> Response:
    viewer, store = hosted_viewer(request), hosted_of(request).store
    page = max(1, number_of(request, "page", 1, 10**6))
    team = None if viewer.is_organiser else viewer.team
    rows = []
    if viewer.is_organiser or team is not None:
        number = team.id if team else None
        rows = store.submissions.page(team=number, limit=PAGE + 1, offset=(page - 1) * PAGE)
    return HTMLResponse(
        hosted_page(request, "submissions.html", rows=rows[:PAGE], page=page, more=len(rows) > PAGE)
    )


def _one(request: Request) -> Response:
    viewer, store = hosted_viewer(request), hosted_of(request).store
    number: int = request.path_params["number"]
    found = store.submissions.get(number)
    if not viewer.owns(found.team):
        # As if there were none: not even its number is anybody else's business.
        raise UnknownRowError(f"no submission {number}", "submission", number)
    return HTMLResponse(
        hosted_page(
            request,
            "submission.html",
            each=found,
            steps=_steps(found),
            command=_command(_season_at(store, found.received_ms), found),
            log=store.submissions.log(number),
        )
    )


def _season_at(store: HostStore, at_ms: int) -> Season | None:
    """Return the season in which a submission came; None for none."""
    return next((each for each in store.seasons.all() if 1000 * each.created_at <= at_ms), None)


def _steps(found: Submission) -> list[tuple[str, str]]:
    """Return the states that a submission goes through, each with 'done', 'now' or ''."""
    order = [
        SubmissionState.RECEIVED,
        SubmissionState.BUILDING,
        SubmissionState.CHECKING,
        found.state if found.state.is_decided else SubmissionState.PLAYING,
    ]
    at = order.index(found.state)
    is_over = found.state.is_decided
    return [
        (str(state), "done" if place < at or is_over else "now" if place == at else "")
        for place, state in enumerate(order)
    ]


def _command(season: Season | None, found: Submission) -> str:
    """Return the command that shows at home what the check showed; '' if it is not known."""
    if season is None:
        return ""
    try:
        return check_command(season.settings, UploadSettings.read(found.settings), found.file_name)
    except InputError:
        return ""


ROUTES = [
    PageRoute("/submit", _ask, Audience.AUTHORS, methods=["GET"]),
    PageRoute("/submit", _submit, Audience.AUTHORS, methods=["POST"]),
    PageRoute("/submissions", _list, Audience.PEOPLE),
    PageRoute(f"/submissions/{NUMBER}", _one, Audience.PEOPLE),
]
