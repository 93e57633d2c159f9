"""The API of submissions: teams submit bots, and see what becomes of them."""

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from league.interchange.documents.submissions import submission_document
from league.model.errors import RefusedUploadError, UnknownRowError
from league.model.people import Person
from league.model.season import Submission, SubmissionState
from league.web.api_resources import ID_MAX, LIST_MAX, OFFSET_MAX
from league.web.inbox import STATUSES, Inbox
from league.web.json_response import ROOT, JsonResponse, failure
from league.web.query import Parameter, read_query

PATH = f"{ROOT}/submissions"

PARAMETERS = (
    Parameter(
        "state", "of this state only", {"type": "string", "enum": list(map(str, SubmissionState))}
    ),
    Parameter(
        "limit",
        "at most so many rows",
        {"type": "integer", "minimum": 1, "maximum": LIST_MAX, "default": 50},
    ),
    Parameter(
        "offset",
        "leave out so many rows",
        {"type": "integer", "minimum": 0, "maximum": OFFSET_MAX, "default": 0},
    ),
)
"""The parameters of the list."""

UNSTORED = {"Cache-Control": "no-store"}


def routes(inbox: Inbox) -> list[Route]:
    """Return the addresses, over a store that can write."""
    api = _Api(inbox)
    one = f"{PATH}/{{number:int}}"
    return [
        Route(PATH, api.at_list, methods=["GET", "POST"]),
        Route(one, api.submission, methods=["GET"]),
        Route(f"{one}/log", api.log, methods=["GET"]),
    ]


class _Api:
    """The endpoints; `request.state.person` is who asks."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._store = inbox.store

    async def at_list(self, request: Request) -> Response:
        """List submissions, or receive one: an address with one route names all its methods."""
        if request.method == "POST":
            return await self.submit(request)
        return await run_in_threadpool(self.submissions, request)

    async def submit(self, request: Request) -> Response:
        """Keep an upload; the answer comes when it is on the disk."""
        person = person_of(request)
        if person is None:
            return not_signed_in()
        try:
            found = await self._inbox.receive(request, person)
        except RefusedUploadError as error:
            return failure(str(error), STATUSES[error.reason])
        place = f"{request.scope.get('root_path', '')}{PATH}/{found.id}"
        headers = {**UNSTORED, "Location": place}
        return JsonResponse(submission_document(found), 201, headers)

    def submissions(self, request: Request) -> Response:
        """List the submissions of the person's team, all for an organiser; the newest first."""
        person = person_of(request)
        if person is None:
            return not_signed_in()
        asked = read_query(PARAMETERS, request.query_params)
        states = [SubmissionState(asked["state"])] if asked["state"] else None
        if person.team is None and not person.is_organiser:
            return JsonResponse([], headers=UNSTORED)
        team = None if person.is_organiser else person.team
        found = self._store.submissions(team, asked["limit"], asked["offset"], states)
        return JsonResponse(list(map(submission_document, found)), headers=UNSTORED)

    def submission(self, request: Request) -> Response:
        """Show a submission."""
        return self._shown(
            request, lambda found: JsonResponse(submission_document(found), headers=UNSTORED)
        )

    def log(self, request: Request) -> Response:
        """Show all that the check of a submission found."""

        def shown(found: Submission) -> Response:
            text = self._store.submission_log(found.id)
            return PlainTextResponse(text and f"{text}\n", headers=UNSTORED)

        return self._shown(request, shown)

    def _shown(self, request: Request, answer: Callable[[Submission], Response]) -> Response:
        """Answer about a submission; others than its team and organisers do not learn of it."""
        person = person_of(request)
        if person is None:
            return not_signed_in()
        number: int = request.path_params["number"]
        error = UnknownRowError(f"no submission {number}", "submission", number)
        if number > ID_MAX:
            raise error
        found = self._store.submission(number)
        if not person.is_organiser and found.team != person.team:
            raise error
        return answer(found)


def person_of(request: Request) -> Person | None:
    """Return who asks, None for nobody that is known."""
    found: Any = getattr(request.state, "person", None)
    return found if isinstance(found, Person) else None


def not_signed_in() -> Response:
    """Refuse a request of nobody that is known."""
    text = "sign in, or send a personal token as 'Authorization: Bearer TOKEN'"
    return failure(text, 401, {"WWW-Authenticate": "Bearer"})
