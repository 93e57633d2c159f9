"""Render templates."""

import math
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any
from urllib.parse import quote

import jinja2
from markupsafe import Markup, escape

from games.support.counts import counted, noun_for
from games.support.printable import printable
from league.analysis.places import (
    counts_named,
    record_head,
    record_told,
    sides_of_match,
)
from league.analysis.sentences import elo_told, interval_of, nelo_told
from league.analysis.standing_columns import columns_of
from league.formats.specs import format_title
from league.match.scores import places_to_show, results_of_scores
from league.model.number_format import (
    age,
    clock_time,
    exact_number,
    half_points,
    measured,
    ordinal,
    short_bytes,
    short_count,
    true_minus,
)
from league.ratings.head_to_head import HeadToHead
from league.render import rating_bars
from league.render.game_look import colours_in, title_of
from league.render.page_parts import script_data
from league.store.rows import HIDDEN

ROOT: ContextVar[str] = ContextVar("root", default="")
"""The path below which the dashboard is served, as in '/league'; '' at the top of its host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReader:
    """What a page shows to whoever reads it; the defaults show everything.

    If the reader `sees_results`, pages lead to matches and bots. If the league `is_played`, they
    lead to the pages on which people play in the browser.
    `menu` are the entries behind those of the league, with title and path, and `account` the one in
    the corner. `first_steps` is the template of the first page before the first match.
    `frozen_at` is when the standings that are shown stopped changing, None if they follow.
    `form_token()` returns the token that a form of this page sends, to show that the page was ours.
    `why_failed` says where the league logs its errors; '' hides their text from the reader.
    """

    sees_results: bool = True
    is_played: bool = False
    menu: Sequence[tuple[str, str]] = ()
    account: tuple[str, str] | None = None
    first_steps: str = "_first_steps.html"
    frozen_at: int | None = None
    form_token: Callable[[], str] = lambda: ""
    why_failed: str = "The league failed to answer; its terminal shows the error."


EVERYBODY = PageReader()

READER: ContextVar[PageReader] = ContextVar("reader", default=EVERYBODY)
"""The reader of the page, for its templates."""

NEAR = 2
"""Number of pages on each side of the current one that a list links to."""


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


def breakable(text: str) -> Markup:
    """Return `text` as markup whose lines may break behind each underscore."""
    return escape(text).replace("_", Markup("_<wbr>"))


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


FOLDERS: dict[str, jinja2.BaseLoader] = {"league.render": jinja2.PackageLoader("league.render")}
"""The loaders of templates, by package."""


def add_templates(package: str) -> None:
    """Look for templates in the folder `templates` of a package, too; the league's own go first."""
    if package not in FOLDERS:
        FOLDERS[package] = jinja2.PackageLoader(package)
        _environment.cache_clear()


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader(list(FOLDERS.values())),
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
    environment.filters["counted"] = counted
    environment.filters["noun"] = noun_for
    environment.filters["visible"] = partial(printable, keep_lines=True)
    environment.filters["breakable"] = breakable
    environment.filters["bytes"] = short_bytes
    environment.filters["count"] = lambda count: short_count(round(count))
    environment.filters["interval"] = interval_of
    environment.filters["elo"] = _elo
    environment.filters["record"] = record_told
    environment.filters["record_head"] = record_head
    environment.filters["counts"] = counts_named
    environment.filters["ordinal"] = ordinal
    environment.filters["results"] = results_of_scores
    environment.filters["places"] = lambda match: places_to_show(
        match.scores, sides_of_match(match)
    )
    environment.filters["nelo"] = lambda found: nelo_told(found, digits=0)
    environment.filters["share"] = lambda share: f"{share:.0%}"
    environment.filters["likelihood"] = _likelihood
    environment.filters["script"] = lambda data: markup(script_data(data))
    environment.filters["minus"] = true_minus
    environment.filters["points"] = half_points
    environment.filters["exact"] = exact_number
    environment.filters["clock"] = _clock
    environment.filters["format_title"] = format_title
    environment.filters["clock_time"] = clock_time
    environment.filters["age"] = age
    environment.filters["measured"] = measured
    environment.tests["hidden_spec"] = lambda spec: spec == HIDDEN
    environment.globals["bars"] = _bars
    environment.globals["bar_ends"] = _bar_ends
    environment.globals["standing_columns"] = columns_of
    environment.globals["root"] = ROOT.get
    environment.globals["reader"] = READER.get
    environment.globals["form_token"] = lambda: READER.get().form_token()
    environment.globals["title_of"] = title_of
    environment.globals["colours_in"] = colours_in
    environment.globals["shown_pages"] = shown_pages
    return environment


def _bars(standings: Sequence[Any]) -> list[Markup]:
    drawn = rating_bars.intervals([(row.rating, row.error) for row in standings])
    return [markup(each) for each in drawn]


def _bar_ends(standings: Sequence[Any]) -> tuple[str, str] | None:
    return rating_bars.interval_ends([(row.rating, row.error) for row in standings])


def _elo(found: HeadToHead) -> str:
    """Write an Elo difference without decimals where its interval is wide."""
    strength = found.difference
    if strength is None or not 10 <= found.elo_error < math.inf:
        return elo_told(found)
    return true_minus(f"{strength.elo:+z.0f} ± {found.elo_error:.0f}")


def _likelihood(share: float) -> str:
    """Write a likelihood, never as certain.

    >>> _likelihood(0.9999), _likelihood(0.5), _likelihood(0.0)
    ('over 99.9%', '50.0%', 'under 0.1%')
    """
    if share > 0.999:
        return "over 99.9%"
    return "under 0.1%" if share < 0.001 else f"{share:.1%}"


def _when(seconds: int) -> str:
    return f"{_utc(seconds):%Y-%m-%d %H:%M} UTC"


def _clock(seconds: int) -> str:
    return f"{_utc(seconds):%H:%M:%S} UTC"


def _utc(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
