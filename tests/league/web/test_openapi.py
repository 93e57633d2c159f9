"""The API's description of itself, and the API held against it by schemathesis."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from league.hosting.accounts.tokens import new_token
from league.hosting.store.host_store import open_host_store
from league.web.openapi import description
from tests.examples import soak
from tests.league.hosting.web.hosting import hosted
from tests.league.hosting.web.secret_league import make_secret_league
from tests.league.web.test_dashboard import got
from tests.waiting import PATIENCE_S

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


# A file needs a name that ends in .py or .zip, and matches must be there: no schema can say that.
OF_HOSTED = """
[[operations]]
include-path-regex = "^/api/(submissions|voids)$"
include-method = "POST"
[operations.checks]
positive_data_acceptance.enabled = false
"""

# A forbidden address does not reveal its methods.
OF_AUTHORS = """
[[operations]]
include-path-regex = "^/api/voids"
[operations.checks]
unsupported_method.enabled = false
"""

OF_VISITORS = """
[[operations]]
include-path-regex = "^/api/(submissions|challenges|voids)"
[operations.checks]
positive_data_acceptance.enabled = false
unsupported_method.enabled = false
"""


def check_api(link: str, folder: Path, settings: str, token: str = "") -> None:
    """Hold the API at a link against its description, as whoever has the token."""
    (folder / "settings.toml").write_text(settings)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", "settings.toml"]
    as_person = ["--header", f"Authorization: Bearer {token}"] if token else []
    found = subprocess.run(
        [*command, "run", f"{link}/api/openapi.json", *as_person],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert "No issues found" in found.stdout


needs_schemathesis = pytest.mark.skipif(
    find_spec("schemathesis") is None, reason="needs the extra 'dev'"
)


@pytest.mark.extra
@needs_schemathesis
def test_the_api_keeps_to_its_description(odd_link: str, tmp_path: Path) -> None:
    check_api(odd_link, tmp_path, SETTINGS)


@pytest.mark.slow
@pytest.mark.extra
@needs_schemathesis
@pytest.mark.parametrize("who", [None, "", *soak("Ants")])
def test_the_api_of_a_hosted_league_keeps_to_its_description(
    tmp_path: Path, who: str | None
) -> None:
    """For a visitor, an author and an organiser."""
    path = tmp_path / "league.db"
    people = make_secret_league(path, submissions_per_day=10_000)
    token = ""
    if who is not None:
        with open_host_store(str(path)) as store:
            token = new_token(store, people[who], "test")
    settings = SETTINGS + (OF_VISITORS if who is None else OF_HOSTED)
    if who == "Ants":
        settings += OF_AUTHORS
    with hosted(path) as link:
        check_api(link, tmp_path, settings.replace("= 8", "= 3"), token)


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
