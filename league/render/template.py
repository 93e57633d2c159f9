"""Render templates."""

import math
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup

from league.analysis.sentences import elo_told, interval_of
from league.model.number_format import short_count, short_time
from league.ratings.head_to_head import HeadToHead
from league.render import match_plots
from league.render.game_look import colours_in, title_of
from league.render.page_parts import script_data

ROOT: ContextVar[str] = ContextVar("root", default="")
"""The path below which the dashboard is served, as in '/league'; '' at the top of its host."""

IS_PLAYED: ContextVar[bool] = ContextVar("is_played", default=False)
"""Whether people can play in the browser here, so that pages lead there."""

NEAR = 2
"""How many pages around the current one a list links to."""


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


def shown_pages(page: int, pages: int) -> list[int | None]:
    """Return the numbers that a list of pages shows, None for a gap.

    >>> shown_pages(5, 20)
    [1, None, 3, 4, 5, 6, 7, None, 20]
    """
    near = range(page - NEAR, page + NEAR + 1)
    shown: list[int | None] = []
    for number in sorted({1, pages, *near} & set(range(1, pages + 1))):
        before = shown[-1] if shown else 0
        if before is not None and number > before + 1:
            shown.append(None)
        shown.append(number)
    return shown


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
    environment.filters["minute"] = lambda seconds: f"{_utc(seconds):%Y-%m-%d %H:%M}"
    environment.filters["iso"] = lambda seconds: f"{_utc(seconds):%Y-%m-%dT%H:%M:%SZ}"
    environment.filters["path"] = lambda text: quote(text, safe="")
    environment.filters["percent"] = lambda share: f"{share:.1%}"
    environment.filters["visible"] = visible
    environment.filters["span"] = _span
    environment.filters["took"] = _took
    environment.filters["count"] = lambda count: short_count(round(count))
    environment.filters["interval"] = interval_of
    environment.filters["elo"] = _elo
    environment.filters["share"] = lambda share: f"{share:.0%}"
    environment.filters["likelihood"] = _likelihood
    environment.filters["script"] = lambda data: markup(script_data(data))
    environment.filters["points"] = _points
    environment.filters["clock"] = _clock
    environment.filters["duration"] = short_time
    environment.globals["bars"] = _bars
    environment.globals["root"] = ROOT.get
    environment.globals["is_played"] = IS_PLAYED.get
    environment.globals["title_of"] = title_of
    environment.globals["colours_in"] = colours_in
    environment.globals["shown_pages"] = shown_pages
    return environment


def _bars(standings: Sequence[Any]) -> list[Markup]:
    drawn = match_plots.intervals([(row.rating, row.error) for row in standings])
    return [markup(each) for each in drawn]


def _points(points: float) -> str:
    """Write points with a half sign, as in '1½'.

    >>> _points(0.5), _points(3.0)
    ('½', '3')
    """
    whole, rest = divmod(points, 1)
    if rest == 0.5:
        return f"{whole:.0f}½" if whole else "½"
    return f"{points:g}"


def _elo(found: HeadToHead) -> str:
    """Write an Elo difference without decimals where its interval is wide."""
    strength = found.difference
    if strength is None or not 10 <= strength.elo_error < math.inf:
        return elo_told(found).replace("-", "−")
    return f"{strength.elo:+.0f} ± {strength.elo_error:.0f}".replace("-", "−")


def _likelihood(share: float) -> str:
    """Write a likelihood, never as certain.

    >>> _likelihood(0.9999), _likelihood(0.5), _likelihood(0.0)
    ('over 99.9%', '50.0%', 'under 0.1%')
    """
    if share > 0.999:
        return "over 99.9%"
    return "under 0.1%" if share < 0.001 else f"{share:.1%}"


def _span(seconds: float | None) -> str:
    """Write a duration in few characters; a dash if unknown."""
    if seconds is None:
        return "–"
    return f"{'−' if seconds < 0 else ''}{short_time(round(abs(seconds) * 1e9))}"


def _took(seconds: float) -> str:
    """Write how long a match took, no finer than matters.

    >>> _took(0.119), _took(28.8), _took(5400)
    ('0.1 s', '29 s', '90 min')
    """
    if seconds >= 600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"


def _when(seconds: int) -> str:
    return f"{_utc(seconds):%Y-%m-%d %H:%M} UTC"


def _clock(seconds: int) -> str:
    return f"{_utc(seconds):%H:%M:%S} UTC"


def _utc(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
