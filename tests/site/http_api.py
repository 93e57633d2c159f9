"""The reference of the HTTP API, from its OpenAPI document."""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from league.hosting.web.hosted_pages import API
from league.web.openapi import description

Schema = Mapping[str, Any]


def http_api() -> str:
    """Return Markdown with each address and each document of the API of a hosted league."""
    document = description([API])
    parts = ["## Addresses"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts += _operation(f"{method.upper()} {path}", operation)
    parts.append("## Documents")
    for name, schema in document["components"]["schemas"].items():
        parts += _document(name, schema)
    return "\n\n".join(parts)


def _operation(address: str, operation: Schema) -> Iterator[str]:
    yield f"### `{address}`"
    yield f"{operation['summary']}."
    if parameters := operation.get("parameters"):
        rows = [
            f"| `{each['name']}` | {each['in']} | {_type(each['schema'])} | {_cell(each)} |"
            for each in parameters
        ]
        yield "\n".join(["| parameter | in | type | meaning |", "| --- | --- | --- | --- |", *rows])
    for status, response in operation["responses"].items():
        for content in response.get("content", {}).values():
            if status.startswith("2"):
                yield f"Answer: {_type(content['schema'])}."


def _document(name: str, schema: Schema) -> Iterator[str]:
    yield f"### `{name}` {{ #{_anchor(name)} }}"
    if "description" in schema:
        yield inspect.cleandoc(schema["description"])
    if "properties" not in schema:
        yield f"{_type(schema)}."
        return
    rows = [
        f"| `{key}` | {_type(each)} | {_cell(each)} |" for key, each in schema["properties"].items()
    ]
    yield "\n".join(["| key | type | meaning |", "| --- | --- | --- |", *rows])


def _cell(of: Schema) -> str:
    return " ".join(of.get("description", "").split()).replace("|", "\\|")


def _anchor(name: str) -> str:
    return f"document-{name.lower()}"


def _type(schema: Schema) -> str:
    """Return the type of a value in words, with links to other documents."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{_anchor(name)})"
    if "anyOf" in schema:
        return " or ".join(_type(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema.get("type", "any value")
    if "prefixItems" in schema:
        return f"list of {', '.join(_type(each) for each in schema['prefixItems'])}"
    if kind == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(values := schema.get("additionalProperties"), Mapping):
        return f"object of {_type(values)}"
    return f"{kind}{_bounds(schema)}"


def _bounds(schema: Schema) -> str:
    told = [f" from {schema['minimum']}"] if "minimum" in schema else []
    told += [f" to {schema['maximum']}"] if "maximum" in schema else []
    told += [f", at most {schema['maxLength']} characters"] if "maxLength" in schema else []
    told += [f", by default {schema['default']}"] if "default" in schema else []
    return "".join(told)
