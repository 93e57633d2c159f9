"""The page of a game: its rules, its standings, and what its matches were like."""

from starlette.requests import Request
from starlette.routing import Route

from games.support.errors import InputError
from games.support.game import Game
from games.support.specs import GAMES, find_game
from league.analysis.calibration_report import calibration
from league.analysis.encounters import most_frequent
from league.analysis.pool_statistics import pool
from league.analysis.standings import newest_standings
from league.model.errors import UnknownRowError
from league.render.calibration_plot import draw_calibration
from league.render.data_uri import picture
from league.store.store import Store
from league.web.html_response import drawn, page

OPENINGS = 10
BEST = 10

COUNTED_MAX = 20_000
"""Of more matches than that, lengths, openings and rings take seconds to count."""


def _game(store: Store, request: Request) -> str:
    name = request.path_params["name"]
    # Only these: a spec may name a file, and to look at it would be to run it.
    if name not in (*GAMES.names(), *store.games_played()):
        raise UnknownRowError(f"no game {name!r} here", "game", name)
    game, why_not = _rules(name)
    found = newest_standings(store, name)
    count = sum(total.count for total in store.totals(game=name))
    return drawn(
        request,
        "game.html",
        name=name,
        game=game,
        why_not=why_not,
        first=picture(game.initial().svg()) if game else "",
        standings=found.rows[:BEST],
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
    has_bins = bool(calibrated.found.bins)
    return {
        "pool": store.recall(("pool", name), lambda: pool(store, name))
        if count <= COUNTED_MAX
        else None,
        "counted_max": COUNTED_MAX,
        "openings_max": OPENINGS,
        "most_frequent": most_frequent,
        "calibration": calibrated if has_bins else None,
        "plot": picture(draw_calibration(calibrated.found, name)) if has_bins else "",
    }


ROUTES = [Route("/games/{name:path}", page(_game))]
