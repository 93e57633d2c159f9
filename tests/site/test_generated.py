"""The reference that the site makes from the source, and the pages that ask for it."""

import re

import pytest

from league import League
from league.cli.main import cli
from league.hosting.web.hosted_pages import API
from league.store.tables import METADATA
from league.tournament.settings import SETTINGS
from league.web.openapi import description
from tests.league.command_tree import COMMANDS
from tests.paths import DOCS, ROOT, with_source
from tests.site.commands import commands
from tests.site.database import database
from tests.site.generated import MARK, on_page_markdown
from tests.site.generated import SECTIONS as GENERATED
from tests.site.http_api import http_api
from tests.site.settings import tournament_settings

VARIABLE = re.compile(r"\"((?:BOT)?LEAGUE_[A-Z]+|XDG_[A-Z]+_HOME)\"")
"""An environment variable, as the source asks for it."""


def headings(text: str, level: int) -> list[str]:
    """Return the headings of a level, without code signs and anchors."""
    found = re.findall(rf"^{'#' * level} (.+?)(?: {{ #.* }})?$", text, re.MULTILINE)
    return [heading.strip("`") for heading in found]


def test_the_pages_about_python_have_every_method_of_a_league_once() -> None:
    pages = (DOCS / "reference" / "python").glob("*.md")
    marks = [mark[1] for page in pages for mark in MARK.finditer(page.read_text("utf-8"))]
    found = [name for mark in marks if (name := mark.removeprefix("python:league.League.")) != mark]
    assert sorted(found) == sorted(each for each in dir(League) if not each.startswith("_"))


def test_the_reference_has_every_command_with_every_option() -> None:
    text = commands()
    assert headings(text, 2) == list(cli.sections())
    described = dict(
        zip(headings(text, 3), re.split(r"^### .*$", text, flags=re.M)[1:], strict=True)
    )
    assert set(described) == {f"league {name}" for name in COMMANDS}
    for name, command in COMMANDS.items():
        for param in command.params:
            for option in (each for each in param.opts if each.startswith("--")):
                assert option in described[f"league {name}"], name


def test_an_example_is_a_command_that_a_shell_reads() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", commands(), re.DOTALL)
    assert len(blocks) >= len(cli.sections())
    lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]
    assert [line for line in lines if line.startswith(" ")] == []


def test_the_reference_has_every_address_and_document_of_the_api() -> None:
    text, document = http_api(), description([API])
    addresses = {
        f"{method.upper()} {path}"
        for path, operations in document["paths"].items()
        for method in operations
    }
    assert set(headings(text, 3)) == addresses | set(document["components"]["schemas"])
    anchors = set(re.findall(r"\{ #(\S+) \}", text))
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_the_reference_has_every_table_with_its_meaning() -> None:
    text = database()
    assert set(headings(text, 3)) == set(METADATA.tables)
    for part in re.split(r"^### .*$", text, flags=re.M)[1:]:
        assert re.match(r"\n\n[A-Z]", part), part[:80]
        assert "CREATE TABLE" in part


def test_the_reference_has_every_setting() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \|", tournament_settings(), re.M) == [
        each.word for each in SETTINGS
    ]


def test_pages_ask_for_every_section_once() -> None:
    pages = [page.read_text("utf-8") for page in DOCS.rglob("*.md")]
    asked = [mark[1] for text in pages for mark in MARK.finditer(text)]
    assert sorted(name for name in asked if ":" not in name) == sorted(GENERATED)
    assert "::: league.League\n" in on_page_markdown("<!-- generated: python:league.League -->\n")


def test_an_unknown_section_is_an_error() -> None:
    with pytest.raises(KeyError):
        on_page_markdown("<!-- generated: nothing -->")


@with_source
def test_the_settings_page_has_the_environment_variables() -> None:
    found = {
        name
        for folder in ("bots", "games", "league")
        for path in (ROOT / folder).rglob("*.py")
        for name in VARIABLE.findall(path.read_text("utf-8"))
    }
    page = (DOCS / "reference" / "settings.md").read_text("utf-8")
    assert found == set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.M))
