"""The base class of documents, their schemas, and the types that many fields share."""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from inspect import isclass
from operator import attrgetter, or_
from types import GenericAlias, NoneType, UnionType, new_class
from typing import (
    Annotated,
    Any,
    Literal,
    Self,
    TypeAlias,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta, UnsetType
from msgspec.json import schema_components

from league.model.document import DOCUMENTS, OR_NULL, Count, Note


def taken(source: str | Callable[[Any], object], text: str | None = None) -> Meta:
    """Say where a field's value is: in another attribute (`key.encounter`), or made of the whole.

    `text` is what the schema says of it.
    """
    found = attrgetter(source) if isinstance(source, str) else source
    return Meta(description=text, extra={"source": found})


Scalar: TypeAlias = str | int | float | bool | None
"""The values that an option can take."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class _DocumentMeta(msgspec.StructMeta):
    """Make every document frozen, keyword-only and closed: msgspec asks each class for that."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> "_DocumentMeta":
        hints = namespace.get("__annotations__", {})
        namespace["__annotations__"] = {key: _as_msgspec(hint) for key, hint in hints.items()}
        options |= {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}
        return super().__new__(mcls, name, bases, namespace, **options)


class Document(msgspec.Struct, metaclass=_DocumentMeta):
    """A JSON object: its keys in order, their types, and what they mean.

    A field whose default is `UNSET` is a key that may be left out. `digits` beside a field's type
    is how many of them are written after the point.
    """

    @classmethod
    def of(cls, value: object, /, **given: Any) -> Self:
        """Make the document of a value, out of what is `given` and the value's attributes.

        Each field takes the attribute of its name, or what `taken` says. Values inside become
        documents too, numbers are rounded as their fields say, and infinite ones are null.
        """
        found = {
            name: shape(given[name] if name in given else source(value))
            for name, source, shape in _plan(cls)
        }
        return cls(**(given | found))


@cache
def document_type(kind: type) -> type[Document]:
    """Return the document of a published class; a document is its own."""
    if issubclass(kind, Document):
        return kind
    name, sources = DOCUMENTS[kind]
    hints = {key: Annotated[_hint(kind, path), taken(path)] for key, path in sources.items()}
    about, _, _ = (kind.__doc__ or "").partition("\n\n")
    namespace = {"__annotations__": hints, "__doc__": about}
    return new_class(name, (Document,), exec_body=lambda made: made.update(namespace))


def _hint(kind: type, path: str) -> Any:
    """Return the type of a field or property of a class, or of one inside (`version.name`)."""
    name, _, rest = path.partition(".")
    member = getattr(kind, name, None)
    if isinstance(member, property):
        hint = get_type_hints(member.fget, include_extras=True)["return"]
    else:
        hint = get_type_hints(kind, include_extras=True)[name]
    return _hint(hint, rest) if rest else hint


def _as_msgspec(hint: Any) -> Any:
    """Return a type as msgspec reads it: with its own notes, and documents for their values."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        part = _as_msgspec(parts[0])
        part = part | None if OR_NULL in parts else part
        return Annotated[(part, *map(_as_meta, parts[1:]))]
    if origin in (Union, UnionType):
        return reduce(or_, map(_as_msgspec, parts))
    if origin is None or origin is Literal:
        return document_type(hint) if hint in DOCUMENTS else hint
    if origin is tuple and parts[-1] is ...:
        origin, parts = list, parts[:1]
    if origin is Counter:
        origin, parts = dict, (*parts, Count)
    return GenericAlias(origin, tuple(map(_as_msgspec, parts)))


def _as_meta(note: object) -> object:
    if not isinstance(note, Note):
        return note
    description, ge, le, digits, _ = note
    extra = None if digits is None else {"digits": digits}
    return Meta(description=description, ge=ge, le=le, extra=extra)


def as_document(value: object) -> Document:
    """Return a document, or that of a published value; raise `TypeError` for another value."""
    kind: type = type(value)
    if kind in DOCUMENTS:
        return document_type(kind).of(value)
    if isinstance(value, Document):
        return value
    raise TypeError(f"no document of {value!r}")


def to_dict(value: object) -> dict[str, Any]:
    """Return a document, or that of a published value, as plain values of JSON."""
    found: dict[str, Any] = msgspec.to_builtins(as_document(value))
    return found


def json_text(value: object, indent: int | None = None) -> str:
    """Write documents, alone or in lists and objects, as JSON; what JSON lacks is null.

    That is infinity, and what is no number. Without `indent` no spaces are written.
    """

    def written(content: object) -> str:
        return json.dumps(
            content,
            indent=indent,
            separators=None if indent else (",", ":"),
            ensure_ascii=False,
            allow_nan=False,
            default=to_dict,
        )

    try:
        return written(value)
    except ValueError:
        return written(_without_infinities(json.loads(json.dumps(value, default=to_dict))))


def _without_infinities(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _without_infinities(each) for key, each in value.items()}
    return [_without_infinities(each) for each in value] if isinstance(value, list) else value


def finite(number: float | None, digits: int) -> float | None:
    """Return a rounded number; None, null in JSON, for an infinite or missing one."""
    return None if number is None or not math.isfinite(number) else round(number, digits)


Function: TypeAlias = Callable[[Any], Any]


@cache
def _plan(kind: type[Document]) -> list[tuple[str, Function, Function]]:
    """List each field with the function that takes it from a value, and the one that shapes it."""
    return [
        (field.name, _extra(field.type, "source") or attrgetter(field.name), _shape(field.type))
        for field in msgspec.structs.fields(kind)
    ]


def _extra(hint: Any, name: str) -> Any:
    extras = [each.extra or {} for each in getattr(hint, "__metadata__", ())]
    return next((each[name] for each in extras if name in each), None)


def _shape(hint: Any) -> Function:
    """Return the function that makes a field of this type out of a value of the league."""
    origin, parts = get_origin(hint), get_args(hint)
    digits = _extra(hint, "digits")
    if digits is not None:
        return lambda number: finite(number, digits)
    if origin is Annotated:
        return _shape(parts[0])
    if origin in (Union, UnionType):
        kinds = [part for part in parts if part not in (NoneType, UnsetType)]
        inner = _shape(kinds[0]) if len(kinds) == 1 else _as_it_is
        return lambda value: value if value is None or value is msgspec.UNSET else inner(value)
    if origin is list:
        part = _shape(parts[0])
        return lambda values: [part(each) for each in values]
    if isclass(hint) and issubclass(hint, Document):
        return lambda value: value if isinstance(value, Document) else hint.of(value)
    shapes: dict[Any, Function] = {dict: dict, Mapping: dict, str: str, float: _finite_or_none}
    return shapes.get(origin or hint, _as_it_is)


def _finite_or_none(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _as_it_is(value: Any) -> Any:
    return value


DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema: TypeAlias = dict[str, Any]


def schemas_of(kinds: Iterable[type], place: str) -> dict[str, Schema]:
    """Return schemas by name: those of the documents of classes, and of all that is in them.

    They refer to one another as `place` and the name: `#/$defs/`.
    """
    found = schema_components(map(document_type, kinds), ref_template=f"{place}{{name}}")[1]
    return {name: _closed(schema) for name, schema in found.items()}


def schema_of(kind: type, title: str) -> Schema:
    """Return the schema of one document, to stand alone."""
    place, name = "#/$defs/", document_type(kind).__name__
    parts = schemas_of([kind], place)
    return {"$schema": DIALECT, "title": title, "$ref": place + name, "$defs": parts}


def _closed(schema: Schema) -> Schema:
    """Say of a dataclass that all its fields are there, and no others."""
    if "properties" not in schema or "additionalProperties" in schema:
        return schema
    shapes = {
        name: {key: value for key, value in shape.items() if key != "default"}
        for name, shape in schema["properties"].items()
    }
    return {
        **schema,
        "properties": shapes,
        "required": list(shapes),
        "additionalProperties": False,
    }
