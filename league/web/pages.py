"""The pages of the dashboard: each one asks the same services as a command, and draws."""

from starlette.requests import Request
from starlette.routing import Route

from league.analysis.match_selection import limits_text
from league.analysis.replay import load_replay
from league.analysis.standings import newest_standings, standings
from league.render.replay_page import replay_values
from league.store.store import Store
from league.web.downloads import offered
from league.web.html_response import drawn, page
from league.web.query import number_of

PAGE = 50
"""How many rows a list has on a page."""

BEST = 15
"""How many rows of standings the first page shows of each game."""


def _home(store: Store, request: Request) -> str:
    rows = store.tournaments()[::-1]
    return drawn(
        request,
        "home.html",
        tables=[(game, newest_standings(store, game).rows[:BEST]) for game in store.games_played()],
        running=[row for row in rows if row.state == "open" and store.is_in_play(row.id)],
        newest=rows[:5],
        matches=store.matches(limit=8),
    )


def _tournaments(store: Store, request: Request) -> str:
    return drawn(request, "tournaments.html", rows=store.tournaments()[::-1])


def _matches(store: Store, request: Request) -> str:
    first = number_of(request, "from", 0)
    found = store.matches(limit=PAGE + 1, offset=first)
    return drawn(
        request,
        "matches.html",
        matches=found[:PAGE],
        newer=max(0, first - PAGE) if first else None,
        older=first + PAGE if len(found) > PAGE else None,
    )


def _match(store: Store, request: Request) -> str:
    replay = load_replay(store, request.path_params["number"])
    row = replay.row
    rated = {each.version: each for each in standings(store, row.game, row.tournament_id).rows}
    found = [(seat, rated.get(each.version)) for seat, each in enumerate(row.versions)]
    limits = [limits_text(each) for each in replay.seat_limits]
    return drawn(
        request,
        "match.html",
        links=True,
        around=store.neighbours(row),
        ratings={seat: f"{each.rating:.0f}" for seat, each in found if each and each.matches},
        limits=" – ".join(limits if len(set(limits)) > 1 else limits[:1]),
        downloads=offered(replay),
        **replay_values(replay),
    )


ROUTES = [
    Route("/", page(_home)),
    Route("/tournaments", page(_tournaments)),
    Route("/matches", page(_matches)),
    Route("/matches/{number:int}", page(_match)),
]
