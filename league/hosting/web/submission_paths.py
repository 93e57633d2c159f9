"""The addresses of submissions in the API's description of itself."""

from typing import Any

from league.hosting.documents import TeamSubmission
from league.hosting.season.uploads import OPTION
from league.hosting.web.submissions import PARAMETERS, PATH
from league.web.json_response import Error
from league.web.openapi_parts import (
    NOT_SIGNED_IN,
    failures,
    in_query,
    json_answer,
    number_in_path,
)

_NUMBER = number_in_path("a submission's number")

_REFUSALS = {
    **NOT_SIGNED_IN,
    "403": "Submissions are closed, or the team may not submit",
    "408": "The upload takes too long",
    "413": "The upload has too many bytes",
    "422": "The file or a setting does not fit",
    "429": "The team has submitted as often as it may today",
}

_SETTINGS = {
    "class": "the class or function that is the bot",
    "file": "the bot's own Python file in a zip",
    "source": "what the bot is called at home",
}


def submission_paths(schemas: str) -> dict[str, Any]:
    """Return what OpenAPI says of each address; `schemas` is where the documents are."""
    one = {"$ref": schemas + TeamSubmission.__name__}
    failure = {"$ref": schemas + Error.__name__}
    missing = {**NOT_SIGNED_IN, "404": "There is no such submission of your team"}
    return {
        PATH: {
            "get": {
                "operationId": "submissions",
                "summary": "List the submissions of your team, of all for an organiser",
                "parameters": [in_query(each) for each in PARAMETERS],
                "responses": {
                    "200": json_answer("The newest first", {"type": "array", "items": one}),
                    **failures({name: _REFUSALS[name] for name in ("401", "422")}, failure),
                },
            },
            "post": {
                "operationId": "submit",
                "summary": "Submit a bot; the answer comes when it is on the disk",
                "parameters": [*map(_setting, _SETTINGS), _FILE_NAME],
                "requestBody": _BODY,
                "responses": {
                    "201": json_answer("It was received", one),
                    **failures(_REFUSALS, failure),
                },
            },
        },
        f"{PATH}/{{number}}": {
            "get": {
                "operationId": "submissions_number",
                "summary": "Show a submission",
                "parameters": [_NUMBER],
                "responses": {
                    "200": json_answer("The submission", one),
                    **failures(missing, failure),
                },
            }
        },
        f"{PATH}/{{number}}/log": {
            "get": {
                "operationId": "submissions_number_log",
                "summary": "Show all that the check of a submission found",
                "parameters": [_NUMBER],
                "responses": {
                    "200": {
                        "description": "Text, empty before the check ends",
                        "content": {"text/plain": {"schema": {"type": "string"}}},
                    },
                    **failures(missing, failure),
                },
            }
        },
    }


_FILE_NAME = {
    "name": "X-File-Name",
    "in": "header",
    "description": "the file's name, percent-encoded; for a body that is the file alone",
    "schema": {"type": "string"},
}

_BODY = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "contentMediaType": "application/octet-stream"},
                    **{
                        name: {"type": "string", "description": text}
                        for name, text in _SETTINGS.items()
                    },
                },
                "patternProperties": {
                    f"^{OPTION}": {"type": "string", "description": "an option of the bot"}
                },
            }
        },
        "application/octet-stream": {"schema": {}},
    },
}


def _setting(name: str) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "description": f"{_SETTINGS[name]}; for a body that is the file alone",
        "schema": {"type": "string", "maxLength": 200},
    }
