"""Parameters in paths and queries of addresses."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import QueryParams
from starlette.requests import Request

from games.support.errors import InputError, suggestion
from league.interchange.documents.document import Schema

MOST = 10**9

DIGITS_MAX = 15
"""The most digits of a number in a path: any such number fits into a column of a database."""


class _RowNumber(IntegerConvertor):
    """A whole number in a path; Starlette's own takes any length, which Python can't convert."""

    regex = f"[0-9]{{1,{DIGITS_MAX}}}"


register_url_convertor("row", _RowNumber())


def number_in(name: str) -> str:
    """Return the part of a route's path for a number.

    >>> number_in("match")
    '{match:row}'
    """
    return f"{{{name}:row}}"


NUMBER = number_in("number")
"""The part of a route's path for the number of what it shows."""

KEY = f"{number_in('encounter')}/{number_in('rotation')}"
"""The part of a route's path for the key of a match."""


def number_of(request: Request, name: str, default: int, most: int = MOST) -> int:
    """Return a number of the query from 0 to `most`; `default` if there is none."""
    text = request.query_params.get(name, "")
    is_number = text.isascii() and text.isdigit()
    return min(most, int(text[:20])) if is_number else default


class ParameterError(InputError):
    """A parameter of the API that is unknown, or whose value is invalid."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the API.

    `schema` both describes and validates it: a `boolean`, an `integer` with bounds, or a `string`
    with an `enum`, a `pattern`, or bounds on its length.
    """

    name: str
    help: str
    schema: Schema
    is_required: bool = False

    def read(self, text: str) -> Any:
        """Return its value; raise `ParameterError`."""
        value = _value(self.schema, text)
        if value is None:
            shown = text if len(text) <= 80 else f"{text[:79]}…"
            raise ParameterError(f"{self.name}={shown!r}: expected {_expected(self.schema)}")
        return value


def read_query(parameters: Sequence[Parameter], given: QueryParams) -> dict[str, Any]:
    """Return the values by name; the default or None for a parameter that is not given.

    Raises `ParameterError` for an unknown or repeated name, an invalid value, or a missing required
    parameter.
    """
    known = {each.name: each for each in parameters}
    found: dict[str, Any] = {each.name: each.schema.get("default") for each in parameters}
    texts: dict[str, str] = {}
    for name, text in given.multi_items():
        if name not in known:
            raise ParameterError(f"unknown parameter {name[:80]!r}{suggestion(name, known)}")
        if name in texts:
            raise ParameterError(f"parameter {name!r} comes twice")
        texts[name] = text
        found[name] = known[name].read(text)
    for each in parameters:
        if each.is_required and each.name not in texts:
            raise ParameterError(f"parameter {each.name!r} is missing: expected {each.help}")
    return found


def _value(schema: Mapping[str, Any], text: str) -> Any:
    if schema["type"] == "boolean":
        return {"true": True, "false": False}.get(text)
    if schema["type"] == "integer":
        # Python's own reading takes more for a number: spaces, signs, underlines, other digits.
        is_number = re.fullmatch(r"[0-9]{1,19}", text) is not None
        is_within = is_number and schema["minimum"] <= int(text) <= schema["maximum"]
        return int(text) if is_within else None
    if "enum" in schema:
        return text if text in schema["enum"] else None
    if "pattern" in schema:
        return text if re.fullmatch(schema["pattern"], text) else None
    return text if schema["minLength"] <= len(text) <= schema["maxLength"] else None


def _expected(schema: Mapping[str, Any]) -> str:
    if schema["type"] == "boolean":
        return "true or false"
    if schema["type"] == "integer":
        return f"a whole number from {schema['minimum']} to {schema['maximum']}"
    if "enum" in schema:
        return f"one of {', '.join(schema['enum'])}"
    if "pattern" in schema:
        return f"text like {schema['pattern']}"
    return f"{schema['minLength']} to {schema['maxLength']} characters"
