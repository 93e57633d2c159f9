"""The API of submissions: teams submit bots, and see what becomes of them."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from league.hosting.documents import TeamSubmission, submission_document
from league.hosting.model.errors import RefusedUploadError
from league.hosting.model.season import Submission, SubmissionState
from league.hosting.web.inbox import STATUSES, Inbox
from league.hosting.web.team_answers import (
    UNSTORED,
    listing_or_taking,
    not_signed_in,
    person_of,
    row_of_team,
    rows_of_team,
)
from league.web.api_resources import LIMIT, OFFSET, Values
from league.web.json_response import ROOT, JsonResponse, failure
from league.web.page_route import Audience, PageRoute
from league.web.query import NUMBER, Parameter

PATH = f"{ROOT}/submissions"

PARAMETERS = (
    Parameter(
        "state", "of this state only", {"type": "string", "enum": list(map(str, SubmissionState))}
    ),
    LIMIT,
    OFFSET,
)
"""The parameters of the list."""


def routes(inbox: Inbox) -> list[PageRoute]:
    """Return the addresses, over a store that can write."""
    api = _Api(inbox)
    one = f"{PATH}/{NUMBER}"
    return [
        PageRoute(
            PATH,
            listing_or_taking(api.submissions, api.submit),
            Audience.PEOPLE,
            methods=["GET", "POST"],
        ),
        PageRoute(one, api.submission, Audience.PEOPLE, methods=["GET"]),
        PageRoute(f"{one}/log", api.log, Audience.PEOPLE, methods=["GET"]),
    ]


class _Api:
    """The endpoints; `request.state.person` is who asks."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox
        self._store = inbox.store

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

        def documents(team: int | None, asked: Values) -> list[TeamSubmission]:
            states = [SubmissionState(asked["state"])] if asked["state"] else None
            found = self._store.submissions.page(team, asked["limit"], asked["offset"], states)
            return list(map(submission_document, found))

        return rows_of_team(request, PARAMETERS, documents)

    def submission(self, request: Request) -> Response:
        """Show a submission."""
        return self._shown(
            request, lambda found: JsonResponse(submission_document(found), headers=UNSTORED)
        )

    def log(self, request: Request) -> Response:
        """Show all that the check of a submission found."""

        def shown(found: Submission) -> Response:
            text = self._store.submissions.log(found.id)
            return PlainTextResponse(text and f"{text}\n", headers=UNSTORED)

        return self._shown(request, shown)

    def _shown(self, request: Request, answer: Callable[[Submission], Response]) -> Response:
        """Answer about a submission; others than its team and organisers do not learn of it."""
        return row_of_team(request, "submission", self._store.submissions.get, answer)
