"""What every document is made of: its base class, and the types that many fields have."""

import math
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Self, TypeAlias, Union, dataclass_transform, get_args, get_origin

import msgspec
from msgspec import Meta


def about(text: str) -> Meta:
    """Return what the schema says of a field: its unit, or what it counts."""
    return Meta(description=text)


Count: TypeAlias = Annotated[int, Meta(ge=0)]
Id: TypeAlias = Annotated[int, Meta(ge=1)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, description="from 0, which moves first")]
Points: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Share: TypeAlias = Annotated[float, Meta(ge=0, le=1, extra={"digits": 4})]
Likelihood: TypeAlias = Annotated[float, Meta(ge=0, le=1, extra={"digits": 6})]
Digits1: TypeAlias = Annotated[float, Meta(extra={"digits": 1})]
Digits2: TypeAlias = Annotated[float, Meta(extra={"digits": 2})]
Digits4: TypeAlias = Annotated[float, Meta(extra={"digits": 4})]
Digits6: TypeAlias = Annotated[float, Meta(extra={"digits": 6})]
Digits9: TypeAlias = Annotated[float, Meta(extra={"digits": 9})]
BotLabel: TypeAlias = Annotated[
    str, Meta(description="a bot's name, with ` v2` and so on for a later version")
]
SecondsSince: TypeAlias = Annotated[int, Meta(ge=0, description="UTC, seconds since 1970")]
Scalar: TypeAlias = str | int | float | bool | None
"""What an option may be set to."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class _DocumentMeta(msgspec.StructMeta):
    """Make every document frozen, keyword-only and closed: msgspec asks each class for that."""

    def __new__(
        mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> "_DocumentMeta":
        options |= {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}
        return super().__new__(mcls, name, bases, namespace, **options)


class Document(msgspec.Struct, metaclass=_DocumentMeta):
    """A JSON object: its keys in order, their types, and what they mean.

    A field whose default is `UNSET` is a key that may be left out. `digits` beside a field's type
    is how many of them are written after the point.
    """

    @classmethod
    def of(cls, value: object, /, **given: Any) -> Self:
        """Make the document of a value: what is not given is its attribute of the same name.

        Numbers are rounded as their fields say; infinite ones are null.
        """
        names = (name for name in cls.__struct_fields__ if name not in given)
        found = {name: getattr(value, name) for name in names} | given
        rounded = {name: finite(found[name], digits) for name, digits in _digits(cls).items()}
        return cls(**{**found, **rounded})


def to_dict(document: Document) -> dict[str, Any]:
    """Return a document as plain values of JSON, its keys in order."""
    found: dict[str, Any] = msgspec.to_builtins(document)
    return found


def finite(number: float | None, digits: int = 2) -> float | None:
    """Return a rounded number; None, null in JSON, for an infinite or missing one."""
    return None if number is None or not math.isfinite(number) else round(number, digits)


@cache
def _digits(kind: type[Document]) -> dict[str, int]:
    """Return the fields that are rounded, each with its digits after the point."""
    return {
        field.name: digits
        for field in msgspec.structs.fields(kind)
        for digits in _digits_in(field.type)
    }


def _digits_in(hint: Any) -> Iterator[int]:
    """Yield the digits of a number's type, or of one that may be null; none of a list's."""
    for each in getattr(hint, "__metadata__", ()):
        yield from (each.extra or {}).values()
    if get_origin(hint) in (Annotated, Union):
        for part in get_args(hint):
            yield from _digits_in(part)
