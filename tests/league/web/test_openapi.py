"""The API's description of itself, and the API held against it by schemathesis."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from league.web.openapi import description
from tests.league.web.test_dashboard import got

SCHEMAS = description()["components"]["schemas"]

SETTINGS = """\
seed = 1
warnings = false
request-timeout = 30

[generation]
max-examples = 8
deterministic = true

[phases]
examples.enabled = false
stateful.enabled = false

# A bot against itself is refused, which no schema can say.
[[operations]]
include-path = "/api/versus"
[operations.checks]
positive_data_acceptance.enabled = false
"""


@pytest.mark.skipif(find_spec("schemathesis") is None, reason="needs the extra 'dev'")
def test_the_api_keeps_to_its_description(odd_link: str, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(SETTINGS)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings)]
    found = subprocess.run(
        [*command, "run", f"{odd_link}/api/openapi.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "No issues found" in found.stdout


def test_the_description_is_whole(odd_link: str) -> None:
    text = got(f"{odd_link}/api/openapi.json")[1]
    found = json.loads(text)
    operations = [path["get"] for path in found["paths"].values()]
    names = [operation["operationId"] for operation in operations]
    assert found["openapi"].startswith("3.1.")
    assert len(set(names)) == len(names) > 20
    for name in SCHEMAS:
        assert f'"#/components/schemas/{name}"' in text
    for path, item in found["paths"].items():
        within = [each["name"] for each in item["get"]["parameters"] if each["in"] == "path"]
        assert within == [part[1:-1] for part in path.split("/") if part.startswith("{")]
        assert set(item["get"]["responses"]) >= {"200", "304", "404", "422"}


def objects(schema: Any) -> list[dict[str, Any]]:
    """List all shapes of objects in a schema."""
    parts = schema.values() if isinstance(schema, dict) else schema
    inner = [each for part in parts if isinstance(part, dict | list) for each in objects(part)]
    is_object = isinstance(schema, dict) and schema.get("type") == "object"
    return [schema, *inner] if is_object else inner


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_say_of_every_object_what_may_be_in_it(name: str) -> None:
    for each in objects(SCHEMAS[name]):
        closed = each["additionalProperties"]
        assert isinstance(closed, dict) or (closed is False and set(each["required"]))
