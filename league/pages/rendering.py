"""Filling templates in."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from league.pages import plots


def render(template: str, **values: Any) -> str:
    """Return a page; every value is text, and never markup, unless a template says otherwise.

    Half a surrogate pair, which a bot may tell and UTF-8 can't hold, is written as its escape.
    """
    text = _environment().get_template(template).render(**values)
    return text.encode("utf-8", "backslashreplace").decode()


def prepare() -> None:
    """Compile all templates: the first page of each kind is there as soon as the next."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)


def static(name: str) -> str:
    """Return the text of a file that pages need."""
    return (files("league.pages") / "static" / name).read_text("utf-8")


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("league.pages"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["when"] = _when
    environment.filters["path"] = lambda text: quote(text, safe="")
    environment.filters["percent"] = lambda share: f"{share:.1%}"
    environment.globals["bars"] = _bars
    return environment


def _bars(standings: Sequence[Any]) -> list[Markup]:
    drawn = plots.intervals([(row.rating, row.error) for row in standings])
    return [Markup(each) for each in drawn]  # noqa: S704 (numbers alone)


def _when(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
