"""The JSON Schemas of documents, as their classes say."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from msgspec.json import schema_components

from league.interchange.documents.document import Document
from league.interchange.documents.matches import ExportedMatch

DIALECT = "https://json-schema.org/draft/2020-12/schema"

Schema: TypeAlias = dict[str, Any]


def schemas_of(kinds: Iterable[type[Document]], place: str) -> dict[str, Schema]:
    """Return schemas by name: those of the documents, and of all that is in them.

    They refer to one another as `place` and the name: `#/$defs/`.
    """
    found = schema_components(kinds, ref_template=f"{place}{{name}}")[1]
    return {name: _closed(schema) for name, schema in found.items()}


def schema_of(kind: type[Document], title: str) -> Schema:
    """Return the schema of one document, to stand alone."""
    place = "#/$defs/"
    parts = schemas_of([kind], place)
    return {"$schema": DIALECT, "title": title, "$ref": place + kind.__name__, "$defs": parts}


def export_schema() -> Schema:
    """Return the schema of the matches that `league export --as json` writes, one a line."""
    return schema_of(ExportedMatch, "a match of a botleague")


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
