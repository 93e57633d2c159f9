"""The JSON API: the documents that commands print with `--json`."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from league.api.league import League
from league.interchange.documents import catalogue  # noqa: F401 (else the first answer imports it)
from league.web.api_resources import RESOURCES, Page, Resource
from league.web.json_response import ROOT, JsonResponse, written
from league.web.openapi import description
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.query import read_query


def _pattern(resource: Resource) -> str:
    """Return the path as Starlette reads it; names of games and bots may hold a slash."""
    found = resource.path
    for each in resource.within:
        if each.schema["type"] == "string":
            found = found.replace(f"{{{each.name}}}", f"{{{each.name}:path}}")
    return found


def _endpoint(resource: Resource) -> Callable[[Request], Response]:
    """Make an endpoint that Starlette runs in a thread, so that a slow query delays no other."""

    def endpoint(request: Request) -> Response:
        within = {each.name: each.read(request.path_params[each.name]) for each in resource.within}
        asked = {**read_query(resource.parameters, request.query_params), **within}
        store = store_of(request)

        def answer() -> Any:
            found = resource.answer(League.of(store), asked)
            return found.to_dict() if hasattr(found, "to_dict") else found

        if resource.is_kept:
            key = ("document", resource.path, tuple(sorted(asked.items())))
            return _answered(request, store.recall_recent(key, lambda: written(answer())), {})
        found, headers = answer(), {}
        if isinstance(found, Page):
            if found.following is not None:
                headers["Link"] = f'<{_address(request, found)}>; rel="next"'
            found = found.rows
        return _answered(request, found, headers)

    return endpoint


def _described(request: Request) -> Response:
    found = description(request.app.state.added)
    if root := request.scope["root_path"]:
        found = {**found, "servers": [{"url": root}]}
    return _answered(request, found, {})


def _answered(request: Request, found: object, headers: dict[str, str]) -> Response:
    """Answer with a document, or with 304 if the client has it already."""
    answer: Response = JsonResponse(found, headers=headers)
    tag = f'"{sha256(answer.body).hexdigest()[:32]}"'
    known = [each.strip() for each in request.headers.get("if-none-match", "").split(",")]
    if tag in known or f"W/{tag}" in known:
        answer = Response(status_code=304, headers=headers)
    answer.headers["ETag"] = tag
    # Clients may cache it but must revalidate: the next match changes it.
    answer.headers["Cache-Control"] = "no-cache"
    return answer


def _address(request: Request, page: Page) -> str:
    """Return the address of the next page."""
    asked = {**request.query_params, **(page.following or {})}
    # Not `request.url`, which ends a path at the first question mark of a name.
    return f"{quote(request.scope['path'])}?{urlencode(asked)}"


ROUTES = [
    PageRoute(f"{ROOT}/openapi.json", _described, Audience.EVERYBODY),
    *(PageRoute(_pattern(each), _endpoint(each), each.audience) for each in RESOURCES),
]
