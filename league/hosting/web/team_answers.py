"""Answers of the API about rows of a team: its team reads them, and organisers read all."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from league.hosting.model.people import Person
from league.model.errors import UnknownRowError
from league.web.api_resources import Values
from league.web.json_response import JsonResponse, failure
from league.web.query import Parameter, read_query

UNSTORED = {"Cache-Control": "no-store"}


class _OfTeam(Protocol):
    @property
    def team(self) -> int: ...


Row = TypeVar("Row", bound=_OfTeam)


def person_of(request: Request) -> Person | None:
    """Return who asks, None for nobody that is known."""
    found: Any = getattr(request.state, "person", None)
    return found if isinstance(found, Person) else None


def not_signed_in() -> Response:
    """Refuse a request of nobody that is known."""
    text = "sign in, or send a personal token as 'Authorization: Bearer TOKEN'"
    return failure(text, 401, {"WWW-Authenticate": "Bearer"})


def listing_or_taking(
    listed: Callable[[Request], Response], taken: Callable[[Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    """Make the endpoint of GET and POST: an address with one route names all its methods."""

    async def at_list(request: Request) -> Response:
        if request.method == "POST":
            return await taken(request)
        return await run_in_threadpool(listed, request)

    return at_list


def rows_of_team(
    request: Request,
    parameters: Sequence[Parameter],
    documents: Callable[[int | None, Values], Sequence[object]],
) -> Response:
    """List the rows of the person's team, all for an organiser.

    `documents` gets the team, None for all, and the values of the query's `parameters`.
    """
    person = person_of(request)
    if person is None:
        return not_signed_in()
    asked = read_query(parameters, request.query_params)
    if person.team is None and not person.is_organiser:
        return JsonResponse([], headers=UNSTORED)
    team = None if person.is_organiser else person.team
    return JsonResponse(documents(team, asked), headers=UNSTORED)


def row_of_team(
    request: Request, kind: str, find: Callable[[int], Row], answer: Callable[[Row], Response]
) -> Response:
    """Answer about the row of the path's `number`.

    Others than its team and organisers do not learn of it. Raises `UnknownRowError`.
    """
    person = person_of(request)
    if person is None:
        return not_signed_in()
    number: int = request.path_params["number"]
    found = find(number)
    if not person.is_organiser and found.team != person.team:
        raise missing(kind, number)
    return answer(found)


def missing(kind: str, number: int) -> UnknownRowError:
    """Return the error that there is no such number."""
    return UnknownRowError(f"no {kind} {number}", kind, number)
