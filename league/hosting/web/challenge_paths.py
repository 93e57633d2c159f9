"""The addresses of challenges in the API's description of itself."""

from typing import Any

from league.hosting.documents import TeamChallenge
from league.hosting.web.challenges import PARAMETERS, PATH, RIVAL
from league.web.json_response import Error
from league.web.openapi_parts import (
    NOT_SIGNED_IN,
    failures,
    in_query,
    json_answer,
    number_in_path,
)

_REFUSALS = {
    **NOT_SIGNED_IN,
    "403": "Challenges are closed or turned off, or the team may not challenge",
    "404": "No such bot plays in the season",
    "413": "The form is too large",
    "422": "The name of the bot is missing, too long, or that of the own bot",
    "429": "The team has made as many challenges as it may today",
}


def challenge_paths(schemas: str) -> dict[str, Any]:
    """Return what OpenAPI says of each address; `schemas` is where the documents are."""
    one = {"$ref": schemas + TeamChallenge.__name__}
    failure = {"$ref": schemas + Error.__name__}
    wrong_query = {**NOT_SIGNED_IN, "422": "A parameter is unknown or out of bounds"}
    missing = {**NOT_SIGNED_IN, "404": "There is no such challenge of your team"}
    return {
        PATH: {
            "get": {
                "operationId": "challenges",
                "summary": "List the challenges of your team, of all for an organiser",
                "parameters": [in_query(each) for each in PARAMETERS],
                "responses": {
                    "200": json_answer("The newest first", {"type": "array", "items": one}),
                    **failures(wrong_query, failure),
                },
            },
            "post": {
                "operationId": "challenge",
                "summary": "Let your bot play unrated matches against another",
                "requestBody": _BODY,
                "responses": {
                    "201": json_answer("It is kept, and played later", one),
                    **failures(_REFUSALS, failure),
                },
            },
        },
        f"{PATH}/{{number}}": {
            "get": {
                "operationId": "challenges_number",
                "summary": "Show a challenge with its matches so far",
                "parameters": [_NUMBER],
                "responses": {
                    "200": json_answer("The challenge", one),
                    **failures(missing, failure),
                },
            }
        },
    }


_NUMBER = number_in_path("a challenge's number")

_BODY = {
    "required": True,
    "content": {
        "application/x-www-form-urlencoded": {
            "schema": {
                "type": "object",
                "required": [RIVAL.name],
                "properties": {RIVAL.name: {**RIVAL.schema, "description": RIVAL.help}},
            }
        }
    },
}
