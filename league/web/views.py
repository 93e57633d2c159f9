"""The pages of the dashboard: each one asks the same services as a command, and draws."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from games import catalogue
from games.errors import GameError
from league.pages.rendering import render
from league.pages.replay import replay_values
from league.planner import outlook
from league.replays import load_replay
from league.settings import settings_of
from league.standings import crosstable, standings
from league.store import Store, TournamentRow
from league.web.parameters import number_of

PAGE = 50
"""How many rows a list has on a page."""

BEST = 15
"""How many rows of standings the first page shows of each game."""

CROSSED = 30
"""How many bots a crosstable shows: one of sixty is wider than any screen."""


def routes() -> list[Route]:
    """Return the addresses of the pages."""
    return [
        Route("/", _page(_home)),
        Route("/tournaments", _page(_tournaments)),
        Route("/tournaments/{number:int}", _page(_tournament)),
        Route("/bots", _page(_bots)),
        Route("/bots/{name:path}", _page(_bot)),
        Route("/matches", _page(_matches)),
        Route("/matches/{number:int}", _page(_match)),
        Route("/games", _page(_games)),
    ]


def _page(draw: Callable[[Store, Request], str]) -> Callable[[Request], Response]:
    """Make an endpoint that Starlette runs in a thread, so that a slow query stops no other."""

    def endpoint(request: Request) -> Response:
        return HTMLResponse(draw(request.app.state.store, request))

    return endpoint


def _render(request: Request, template: str, **values: object) -> str:
    return render(template, league=request.app.state.name, **values)


def _home(store: Store, request: Request) -> str:
    rows = store.tournaments()[::-1]
    return _render(
        request,
        "home.html",
        tables=[(game, standings(store, game).rows[:BEST]) for game in store.games_played()],
        running=[row for row in rows if row.state == "open" and store.is_in_play(row.id)],
        newest=rows[:5],
        matches=store.matches(limit=8),
    )


def _tournaments(store: Store, request: Request) -> str:
    rows = store.tournaments()[::-1]
    return _render(request, "tournaments.html", rows=rows)


def _tournament(store: Store, request: Request) -> str:
    row = store.tournament(request.path_params["number"])
    settings = settings_of(store, row)
    return _render(request, "tournament.html", settings=settings, **live_values(store, row))


def live_values(store: Store, row: TournamentRow) -> dict[str, object]:
    """Return what of a tournament's page changes while it runs."""
    says, expected = outlook(store, row)
    rows, cells = crosstable(store, row.config.game, row.id)
    return {
        "row": row,
        "says": says,
        "expected": expected,
        "is_in_play": row.state == "open" and store.is_in_play(row.id),
        "standings": rows,
        "crossed": rows[:CROSSED],
        "cells": cells,
        "matches": store.recall(
            ("newest", row.id), lambda: store.matches(tournament=row.id, limit=8)
        ),
    }


def _bots(store: Store, request: Request) -> str:
    return _render(request, "bots.html", bots=store.bots(include_retired=True))


def _bot(store: Store, request: Request) -> str:
    bot = store.bot(request.path_params["name"])
    places = []
    for game in store.games_played():
        rows = standings(store, game).rows
        own = {version.id for version in bot.versions}
        for row in rows:
            if row.version in own:
                # Ranks are among those who met.
                pool = [each for each in rows if each.pool == row.pool]
                places.append((game, row, len(pool)))
    matches = store.matches(bot=bot.name, limit=20)
    return _render(request, "bot.html", bot=bot, places=places, matches=matches)


def _matches(store: Store, request: Request) -> str:
    first = number_of(request, "from", 0)
    found = store.matches(limit=PAGE + 1, offset=first)
    return _render(
        request,
        "matches.html",
        matches=found[:PAGE],
        newer=max(0, first - PAGE) if first else None,
        older=first + PAGE if len(found) > PAGE else None,
    )


def _match(store: Store, request: Request) -> str:
    replay = load_replay(store, request.path_params["number"])
    return _render(request, "match.html", **replay_values(replay))


def _games(store: Store, request: Request) -> str:
    found = []
    for name in catalogue.names():
        try:
            found.append(catalogue.find(name))
        except GameError:
            continue
    return _render(request, "games.html", games=found)
