"""The API's description of itself, by OpenAPI 3.1.

Source: OpenAPI Specification 3.1.1, OpenAPI Initiative, 2024.
"""

from functools import cache
from importlib.metadata import version
from typing import Any

from league.interchange.documents.challenges import TeamChallenge
from league.interchange.documents.document import Document
from league.interchange.documents.schemas import DIALECT, schemas_of
from league.interchange.documents.submissions import TeamSubmission
from league.web.api_resources import RESOURCES, Resource
from league.web.challenge_paths import challenge_paths
from league.web.json_response import Error
from league.web.openapi_parts import failures
from league.web.query import Parameter
from league.web.submission_paths import submission_paths
from league.web.void_paths import DOCUMENTS, void_paths

_ABOUT = """\
The documents that commands of botleague print with `--json`. It reads, and writes nothing but the
submissions and challenges of a hosted league.

Matches, tournaments and versions of bots keep their numbers, and bots their names. A list that has
more rows says in a `Link` header where the next ones are. Every answer has an `ETag`: with
`If-None-Match` it is status 304 while nothing has changed.

An error is an object with the text `error`: 404 for a name or number that is not there, 422 for a
parameter that is unknown or out of bounds, 405 for another method than GET and HEAD, 401 where the
token is missing (send `Authorization: Bearer TOKEN`), 421 for another host's name, 500 for what is
stored but can't be read here.
"""

_FAILURES = {
    "404": "There is no such name or number",
    "422": "A parameter is unknown or out of bounds",
    "500": "What is stored can't be read here",
}


_SCHEMAS = "#/components/schemas/"


@cache
def description(is_hosted: bool = False) -> dict[str, Any]:
    """Return the whole document; that of a league that `is_hosted` has more."""
    paths = (submission_paths, challenge_paths, void_paths) if is_hosted else ()
    hosted = {path: what for each in paths for path, what in each(_SCHEMAS).items()}
    documents: list[type[Document]] = (
        [TeamSubmission, TeamChallenge, *DOCUMENTS] if is_hosted else []
    )
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "botleague",
            "version": version("botleague"),
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "jsonSchemaDialect": DIALECT,
        "paths": {each.path: {"get": _operation(each)} for each in RESOURCES} | hosted,
        "components": {
            "schemas": schemas_of(
                [*(each.document for each in RESOURCES), Error, *documents], _SCHEMAS
            ),
            "responses": failures(_FAILURES, {"$ref": _SCHEMAS + Error.__name__}),
            "headers": _HEADERS,
        },
    }


_HEADERS = {
    "ETag": {"description": "the digest of the document", "schema": {"type": "string"}},
    "Link": {
        "description": 'where the next rows are: <...>; rel="next"; none after the last',
        "schema": {"type": "string"},
    },
}


def _operation(resource: Resource) -> dict[str, Any]:
    shape: dict[str, Any] = {"$ref": _SCHEMAS + resource.document.__name__}
    if resource.is_list or resource.is_paged:
        shape = {"type": "array", "items": shape}
    names = ["ETag", "Link"] if resource.is_paged else ["ETag"]
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return {
        "operationId": _operation_id(resource),
        "summary": resource.summary,
        "parameters": [
            *(_parameter(each, "path") for each in resource.within),
            *(_parameter(each, "query") for each in resource.parameters),
        ],
        "responses": {
            "200": {
                "description": resource.summary,
                "headers": headers,
                "content": {"application/json": {"schema": shape}},
            },
            "304": {"description": "It is as the client has it", "headers": headers},
            **{status: {"$ref": f"#/components/responses/{status}"} for status in _FAILURES},
        },
    }


def _operation_id(resource: Resource) -> str:
    """Return the path in one word: `tournaments_tournament_matches`."""
    parts = resource.path.split("/")[2:]
    return "_".join(part.strip("{}") for part in parts)


def _parameter(parameter: Parameter, place: str) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "in": place,
        "description": parameter.help,
        "required": parameter.is_required,
        "schema": parameter.schema,
    }
