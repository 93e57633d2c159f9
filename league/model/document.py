"""The marks of values that are documents: their keys, and what the schema says of each.

They need no msgspec, which tables do without; `league.interchange.documents.document` reads them.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple, TypeAlias, TypeVar

Value = TypeVar("Value")

DOCUMENTS: dict[type, tuple[str, Mapping[str, str]]] = {}
"""The published classes: the name of each in schemas, and the source of each key, in order."""


def document(name: str, keys: str) -> Callable[[type[Value]], type[Value]]:
    """Publish a class as the document `name`; `keys` are its fields and properties, in order.

    `bot=version.name` takes a key from elsewhere. Nothing without a key is published. The schema
    quotes the first paragraph of the class's docstring, and the notes of its fields.
    """

    def publish(kind: type[Value]) -> type[Value]:
        pairs = (key.partition("=") for key in keys.split())
        DOCUMENTS[kind] = name, {key: source or key for key, _, source in pairs}
        return kind

    return publish


class Note(NamedTuple):
    """A field's note for the schema: its meaning, bounds, and digits after the point.

    A number that `may_be_null` is so where it is infinite.
    """

    description: str | None = None
    ge: int | None = None
    le: int | None = None
    digits: int | None = None
    may_be_null: bool = False


def about(text: str) -> Note:
    """Return what the schema says of a field: its unit, or what it counts."""
    return Note(text)


OR_NULL = Note(may_be_null=True)

Count: TypeAlias = Annotated[int, Note(ge=0)]
Id: TypeAlias = Annotated[int, Note(ge=1)]
SeatNumber: TypeAlias = Annotated[int, Note("from 0, which moves first", ge=0)]
Points: TypeAlias = Annotated[float, Note(ge=0, le=1)]
Share: TypeAlias = Annotated[float, Note(ge=0, le=1, digits=4)]
Likelihood: TypeAlias = Annotated[float, Note(ge=0, le=1, digits=6)]
Digits1: TypeAlias = Annotated[float, Note(digits=1)]
Digits2: TypeAlias = Annotated[float, Note(digits=2)]
Digits4: TypeAlias = Annotated[float, Note(digits=4)]
Digits6: TypeAlias = Annotated[float, Note(digits=6)]
Digits9: TypeAlias = Annotated[float, Note(digits=9)]
BotLabel: TypeAlias = Annotated[str, Note("a bot's name, with ` v2` and so on for a later version")]
Digest: TypeAlias = Annotated[str, Note("SHA-256 of its sources, or of its program")]
SecondsSince: TypeAlias = Annotated[int, Note("UTC, seconds since 1970", ge=0)]
