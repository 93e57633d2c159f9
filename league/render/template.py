"""Render templates."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from league.analysis.sentences import elo_told, interval_of
from league.model.number_format import short_count, short_time
from league.render import match_plots


def render(template: str, **values: Any) -> str:
    """Return a page; values are escaped as text unless a template says otherwise.

    Half a surrogate pair, which a bot may report and UTF-8 can't encode, becomes its escape.
    """
    text = _environment().get_template(template).render(**values)
    return text.encode("utf-8", "backslashreplace").decode()


def prepare() -> None:
    """Compile all templates, so that first pages are as fast as later ones."""
    environment = _environment()
    for name in environment.list_templates():
        environment.get_template(name)


def markup(drawing: str) -> Markup:
    """Mark a drawing as safe markup; the code that drew it has escaped its texts."""
    return Markup(drawing)  # noqa: S704 (that is what it is for)


def visible(text: str) -> str:
    """Return `text` with all invisible characters escaped, except line breaks."""
    return "".join(
        each
        if each.isprintable() or each == "\n"
        else each.encode("unicode_escape", "backslashreplace").decode()
        for each in text
    )


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("league.render"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["when"] = _when
    environment.filters["path"] = lambda text: quote(text, safe="")
    environment.filters["percent"] = lambda share: f"{share:.1%}"
    environment.filters["visible"] = visible
    environment.filters["span"] = _span
    environment.filters["count"] = lambda count: short_count(round(count))
    environment.filters["interval"] = interval_of
    environment.filters["elo"] = elo_told
    environment.globals["bars"] = _bars
    return environment


def _bars(standings: Sequence[Any]) -> list[Markup]:
    drawn = match_plots.intervals([(row.rating, row.error) for row in standings])
    return [markup(each) for each in drawn]


def _span(seconds: float | None) -> str:
    """Write a duration in few characters; a dash if unknown."""
    if seconds is None:
        return "–"
    return f"{'−' if seconds < 0 else ''}{short_time(round(abs(seconds) * 1e9))}"


def _when(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
