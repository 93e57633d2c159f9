"""The news of the league as an Atom feed.

Source: RFC 4287, The Atom Syndication Format, 2005.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from games.support.printable import cut
from league.analysis.news import FinishedTournament, NewLeader, finished_tournaments, new_leaders
from league.render.game_look import title_of
from league.render.template import render
from league.store.store import StoreReader
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.pages import News, notices_of

LOOKED_AT, ENTRIES_MAX = 40, 50
"""Number of the newest tournaments to look at, and the most entries of the feed."""

TITLE_MAX = 80


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One piece of news: `path` is its page, and `mark` is unique among those of a page."""

    at: int
    path: str
    mark: str
    title: str
    text: str

    @property
    def updated(self) -> str:
        """Its time as RFC 3339 writes it."""
        return _time(self.at)


def entries(store: StoreReader) -> list[FeedEntry]:
    """Return the news, newest first."""
    finished = finished_tournaments(store, LOOKED_AT)
    numbers = {each.row.id for each in finished}
    leaders = [
        leader
        for game in sorted({each.row.config.game for each in finished})
        for leader in new_leaders(store, game)
        if leader.tournament in numbers
    ]
    found = [*map(_of_tournament, finished), *map(_of_leader, leaders)]
    # The new leader stands above the tournament that made it one.
    found.sort(key=lambda each: (each.at, each.path, each.mark), reverse=True)
    return found[:ENTRIES_MAX]


def _of_tournament(found: FinishedTournament) -> FeedEntry:
    row = found.row
    places = ", ".join(
        f"{place}. {each.bot} ({each.points:g}/{each.matches})"
        for place, each in enumerate(found.places, 1)
    )
    told = f"{row.played} matches of {len(row.config.entrants)} bots. {places}."
    return FeedEntry(
        at=row.finished_at or row.created_at,
        path=f"/tournaments/{row.id}",
        mark="finished",
        title=f"{title_of(row.config.game)}: tournament {row.id} is finished",
        text=f"{found.says} {told}".strip(),
    )


def _of_leader(found: NewLeader) -> FeedEntry:
    error = "" if found.error is None else f" ± {found.error:.0f}"
    before = "" if found.before is None else f" It was {found.before} before."
    return FeedEntry(
        at=found.at,
        path=f"/tournaments/{found.tournament}",
        mark="leader",
        title=f"{title_of(found.game)}: {found.bot} leads",
        text=f"{found.bot} has the highest rating, {found.rating:.0f}{error} Elo.{before}",
    )


def _of_notice(found: News) -> FeedEntry:
    first, *_ = found.text.splitlines() or [""]
    title = cut(first, TITLE_MAX)
    return FeedEntry(
        at=found.at,
        path=found.path,
        mark=f"notice-{found.id}",
        title=f"{str(found.kind).capitalize()}: {title}",
        text=found.text,
    )


def _time(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _feed(request: Request) -> Response:
    """Answer with the feed. Starlette runs it in a thread, so that a slow query stops no page."""
    store = store_of(request)
    found = store.recall_recent("feed", lambda: entries(store))
    told = [_of_notice(each) for each in notices_of(request, ENTRIES_MAX)]
    found = sorted([*told, *found], key=lambda each: -each.at)[:ENTRIES_MAX]
    host = f"{request.url.scheme}://{request.headers['host']}"
    text = render(
        "feed.xml",
        host=host,
        league=request.app.state.name,
        entries=found,
        updated=found[0].updated if found else _time(0),
    )
    tag = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(text, headers=headers, media_type="application/atom+xml; charset=utf-8")


ROUTES = [PageRoute("/feed.atom", _feed, Audience.RESULTS)]
