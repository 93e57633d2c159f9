"""The API's description of itself, by OpenAPI 3.1.

Source: OpenAPI Specification 3.1.1, OpenAPI Initiative, 2024.
"""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from league.interchange.documents.document import DIALECT, document_type, schemas_of
from league.web.api_resources import RESOURCES, Resource
from league.web.json_response import Error
from league.web.openapi_parts import failures
from league.web.pages import Pages
from league.web.query import Parameter

_ABOUT = """\
The same documents that commands of botleague print with `--json`. The API only reads, except for
the submissions, challenges and void matches of a hosted league.

The numbers of matches, tournaments and versions never change, nor do the names of bots. If a list
continues, the header `Link` has the address of the next part. Every answer has an `ETag`; with
`If-None-Match`, the answer is an empty 304 while nothing has changed.

An error is an object with the text `error`:

- 401: the token is missing or wrong; send `Authorization: Bearer TOKEN`
- 404: no such name or number
- 405: another method than those of the address
- 421: the request names another host
- 422: a parameter is unknown or out of bounds
- 500: stored data can't be read
"""

_FAILURES = {
    "404": "There is no such name or number",
    "422": "A parameter is unknown or out of bounds",
    "500": "Stored data can't be read",
}


SCHEMAS = "#/components/schemas/"
"""The place of the schemas in the document."""


def description(added: Sequence[Pages] = ()) -> dict[str, Any]:
    """Return the whole document, with the addresses that packages add."""
    paths = {path: what for pages in added for path, what in pages.paths.items()}
    documents = [document for pages in added for document in pages.documents]
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "botleague",
            "version": version("botleague"),
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "jsonSchemaDialect": DIALECT,
        "paths": {each.path: {"get": _operation(each)} for each in RESOURCES} | paths,
        "components": {
            "schemas": schemas_of(
                [*(each.document for each in RESOURCES), Error, *documents], SCHEMAS
            ),
            "responses": failures(_FAILURES, {"$ref": SCHEMAS + Error.__name__}),
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
    shape: dict[str, Any] = {"$ref": SCHEMAS + document_type(resource.document).__name__}
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
