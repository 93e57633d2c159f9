"""The address of void matches in the API's description of itself."""

from typing import Any

from league.hosting.web.voids import FIELDS, PATH
from league.store.rows import VoidRow
from league.tournament.void import Voided
from league.web.json_response import Error
from league.web.openapi_parts import NOT_SIGNED_IN, failures, json_answer

DOCUMENTS: list[type] = [VoidRow, Voided]

_FAILURES = {
    **NOT_SIGNED_IN,
    "403": "You are no organiser",
    "404": "There is no such match, bot or tournament",
    "422": "A field does not fit, or a tournament is in play",
}


def void_paths(schemas: str) -> dict[str, Any]:
    """Return what OpenAPI says of the address; `schemas` is where the documents are."""
    fields = {name: {"type": "string", "description": text} for name, text in FIELDS.items()}
    form = {"type": "object", "required": ["reason"], "properties": fields}
    rows = {"type": "array", "items": {"$ref": schemas + "Void"}}
    failure = {"$ref": schemas + Error.__name__}
    refused = failures(_FAILURES, failure)
    closed = {status: refused[status] for status in ("401", "403")}
    return {
        PATH: {
            "get": {
                "operationId": "voids",
                "summary": "List the voids, newest first",
                "responses": {"200": json_answer("The newest 50", rows), **closed},
            },
            "post": {
                "operationId": "void",
                "summary": "Void matches that a bug spoiled; they are played again",
                "requestBody": {
                    "required": True,
                    "content": {"application/x-www-form-urlencoded": {"schema": form}},
                },
                "responses": {
                    "201": json_answer("They are void", {"$ref": schemas + "VoidedMatches"}),
                    **refused,
                },
            },
        }
    }
