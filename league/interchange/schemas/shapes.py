"""The few shapes that schemas are made of; all are of JSON Schema 2020-12."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeAlias, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Schema: TypeAlias = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
NUMBER: Schema = {"type": "number"}
INTEGER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
ID: Schema = {"type": "integer", "minimum": 1}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
SCALAR: Schema = {"type": ["string", "number", "boolean", "null"]}
"""What an option may be set to."""


def told(schema: Schema, text: str) -> Schema:
    """Say what a value is: its unit, or what it counts."""
    return {**schema, "description": text}


def or_null(schema: Schema) -> Schema:
    """Let a value be null too."""
    return {"anyOf": [schema, {"type": "null"}]}


def list_of(items: Schema) -> Schema:
    """Return a list of any length."""
    return {"type": "array", "items": items}


def object_of(*, optional: Iterable[str] = (), **properties: Schema) -> Schema:
    """Return an object with these keys and no others; those that are not `optional` are there."""
    left_out = set(optional)
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in left_out],
        "additionalProperties": False,
    }


def rows_of(**properties: Schema) -> Schema:
    """Return a list of objects with these keys each."""
    return list_of(object_of(**properties))


def map_of(values: Schema, keys: Schema | None = None) -> Schema:
    """Return an object with any keys, or any of some."""
    found: Schema = {"type": "object", "additionalProperties": values}
    return found if keys is None else {**found, "propertyNames": keys}


def one_of(words: Iterable[str]) -> Schema:
    """Return a text out of a closed set."""
    return {"type": "string", "enum": [str(word) for word in words]}


def of_dataclass(kind: "type[DataclassInstance]") -> Schema:
    """Return the shape of what `dataclasses.asdict` makes of a value of that class.

    Raises `TypeError` for a field of a type that JSON knows nothing of. A tuple holds values of
    one type.
    """
    hints = get_type_hints(kind)
    return object_of(**{field.name: _of_type(hints[field.name]) for field in fields(kind)})


def _of_type(hint: Any) -> Schema:
    simple = {bool: FLAG, int: INTEGER, float: NUMBER, str: TEXT, NoneType: {"type": "null"}}
    if hint in simple:
        return simple[hint]
    if isinstance(hint, type) and is_dataclass(hint):
        return of_dataclass(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return one_of(hint)
    parts = get_args(hint)
    if isinstance(hint, UnionType):
        return {"anyOf": [_of_type(part) for part in parts]}
    if get_origin(hint) is tuple:
        if parts[-1] is Ellipsis:
            return list_of(_of_type(parts[0]))
        (kind,) = set(parts)
        return {**list_of(_of_type(kind)), "minItems": len(parts), "maxItems": len(parts)}
    raise TypeError(f"no shape for {hint!r}")
