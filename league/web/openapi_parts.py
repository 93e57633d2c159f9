"""Parts that several addresses share in the API's description of itself."""

from collections.abc import Mapping
from typing import Any

from league.web.query import Parameter

NOT_SIGNED_IN = {"401": "Nobody has signed in, and there is no token"}
"""The refusal of each address that needs a person."""


def in_query(parameter: Parameter) -> dict[str, Any]:
    """Describe a parameter of a query."""
    return {
        "name": parameter.name,
        "in": "query",
        "description": parameter.help,
        "schema": parameter.schema,
    }


def number_in_path(text: str) -> dict[str, Any]:
    """Describe the parameter `number` of a path; `text` says what it numbers."""
    return {
        "name": "number",
        "in": "path",
        "description": text,
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
    }


def json_answer(text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Describe an answer that is a document."""
    return {"description": text, "content": {"application/json": {"schema": schema}}}


def failures(texts: Mapping[str, str], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Describe refusals, by status; `schema` is that of an error."""
    return {status: json_answer(text, schema) for status, text in texts.items()}
