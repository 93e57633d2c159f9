"""The page of a game: its rules, its standings, and what its matches were like."""

from starlette.requests import Request
from starlette.routing import Route

from games.support.errors import InputError
from games.support.game import Game
from games.support.specs import GAMES, find_game
from league.analysis.calibration_report import calibration
from league.analysis.encounters import most_frequent
from league.analysis.pool_statistics import PoolStatistics, pool
from league.analysis.standings import newest_standings
from league.model.errors import UnknownRowError
from league.render import match_plots
from league.render.data_uri import picture
from league.render.game_charts import calibration_chart, lengths_chart
from league.render.game_look import seat_names_in
from league.render.template import markup
from league.store.store import Store
from league.web.html_response import drawn, page

OPENINGS = 10
BEST = 10

LENGTHS_LEAST = 10
"""The lengths of fewer matches are no chart."""

COUNTED_MAX = 5_000
"""So many of the newest matches tell lengths, openings and rings: all would take seconds."""


def _game(store: Store, request: Request) -> str:
    name = request.path_params["name"]
    # Only these: a spec may name a file, and to look at it would be to run it.
    if name not in (*GAMES.names(), *store.games_played()):
        raise UnknownRowError(f"no game {name!r} here", "game", name)
    game, why_not = _rules(name)
    found = newest_standings(store, name)
    ranked = [row for row in found.rows if row.rank]
    bars = match_plots.intervals([(row.rating, row.error) for row in ranked])
    count = sum(total.count for total in store.totals(game=name))
    return drawn(
        request,
        "game.html",
        name=name,
        game=game,
        why_not=why_not,
        first=picture(game.initial().svg()) if game else "",
        standings=list(zip(ranked, map(markup, bars), strict=True)),
        best=BEST,
        sentences=found.sentences(),
        matches=count,
        **(_statistics(store, name, count) if count else {}),
    )


def _rules(name: str) -> tuple[Game | None, str]:
    """Return the game, or why it can't be had: its file may have gone."""
    try:
        return find_game(name), ""
    except InputError as error:
        return None, str(error)


def _statistics(store: Store, name: str, count: int) -> dict[str, object]:
    calibrated = store.recall(("calibration", name), lambda: calibration(store, name))
    found, why_not = store.recall(("pool", name), lambda: _pool(store, name))
    return {
        "pool": found,
        "why_no_pool": why_not,
        "seat_names": seat_names_in(name, len(found.seats)) if found else (),
        "lengths": lengths_chart(found.plies) if found and found.matches >= LENGTHS_LEAST else None,
        "openings_max": OPENINGS,
        "most_frequent": most_frequent,
        "calibration": calibrated if calibrated.found.bins else None,
        "calibrated": calibration_chart(calibrated.found),
    }


def _pool(store: Store, name: str) -> tuple[PoolStatistics | None, str]:
    """Return how the newest matches went, or why that is not known."""
    try:
        return pool(store, name, newest=COUNTED_MAX), ""
    except InputError as error:
        return None, str(error)


ROUTES = [Route("/games/{name:path}", page(_game))]
