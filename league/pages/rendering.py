"""Filling templates in."""

from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

import jinja2


def render(template: str, **values: Any) -> str:
    """Return a page; every value is text, and never markup, unless a template says otherwise."""
    return _environment().get_template(template).render(**values)


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
    return environment


def _when(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
