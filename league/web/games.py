"""The page of a game: its rules, its standings, and what its matches were like."""

import re
from collections import Counter
from itertools import groupby
from statistics import median

from starlette.requests import Request

from games.support.errors import InputError
from games.support.game import Game
from games.support.specs import GAMES, find_game
from league.analysis.calibration_report import calibration
from league.analysis.encounters import most_frequent
from league.analysis.pool_statistics import PoolStatistics, pool
from league.analysis.sentences import is_even_possible
from league.analysis.standings import newest_standings
from league.model.errors import UnknownRowError
from league.model.records import Termination
from league.ratings.head_to_head import ScoreShare
from league.render.data_uri import picture
from league.render.game_charts import calibration_chart, lengths_chart
from league.render.game_look import seat_names_in
from league.render.match_endings import SAMPLE, endings_told
from league.store.store import StoreReader
from league.web.html_response import drawn, page
from league.web.page_route import Audience, PageRoute

OPENINGS = 10
OPENING_LEAST = 10
"""With fewer matches an opening is not compared."""

BEST = 10
"""Number of bots of a pool that are visible at first."""

LENGTHS_LEAST = 10
"""With fewer matches there is no chart of their lengths."""

COUNTED_MAX = 5_000
"""Lengths, openings and rings cover so many of the newest matches: all would take seconds."""


_OPTIONS = re.compile(r"[:;] (?:see )?--.*")
"""The end of a sentence that names options of a command, which a page does not have."""


def _game(store: StoreReader, request: Request) -> str:
    name = request.path_params["name"]
    # No other game: a spec may name a file, and loading it would run it.
    if name not in (*GAMES.names(), *store.totals.games_played()):
        raise UnknownRowError(f"no game {name!r} here", "game", name)
    game, why_not = _rules(name)
    found = newest_standings(store, name)
    ranked = [row for row in found.rows if row.rank]
    close_ranks = found.close_ranks()
    count = sum(total.count for total in store.totals.all(game=name))
    return drawn(
        request,
        "game.html",
        name=name,
        game=game,
        why_not=why_not,
        first=picture(game.initial().svg()) if game else "",
        pools=[(number, list(pool)) for number, pool in groupby(ranked, lambda each: each.pool)],
        best=BEST,
        close_ranks=close_ranks,
        sentences=[_OPTIONS.sub("", each) for each in found.sentences() if each not in close_ranks],
        matches=count,
        **(_statistics(store, name, count) if count else {}),
    )


def _rules(name: str) -> tuple[Game | None, str]:
    """Return the game, or why it can't be loaded: its file may be missing."""
    try:
        return find_game(name), ""
    except InputError as error:
        return None, str(error)


def _statistics(store: StoreReader, name: str, count: int) -> dict[str, object]:
    calibrated = store.recall_recent(
        ("calibration", name), lambda: calibration(store, name), game=name
    )
    found, why_not = store.recall_recent(("pool", name), lambda: _pool(store, name), game=name)
    # Imported matches may have no moves.
    lengths = {plies: count for plies, count in found.plies.items() if plies} if found else {}
    played = Counter(lengths)
    return {
        "pool": found,
        "why_no_pool": why_not,
        "seat_names": seat_names_in(name, len(found.seats)) if found else (),
        "lengths": lengths_chart(played) if played.total() >= LENGTHS_LEAST else None,
        "median_plies": median(played.elements()) if played else None,
        "openings": [each for each in found.openings if _is_lopsided(each)] if found else [],
        "openings_max": OPENINGS,
        "most_frequent": most_frequent,
        "by_rules": _by_rules(store, name, found) if found else "",
        "calibration": calibrated if calibrated.found.bins else None,
        "calibrated": calibration_chart(calibrated.found),
    }


def _is_lopsided(opening: ScoreShare) -> bool:
    """Whether an opening that was played often favours a seat beyond chance."""
    found = opening.head_to_head
    return found.matches >= OPENING_LEAST and not is_even_possible(found)


def _by_rules(store: StoreReader, name: str, found: PoolStatistics) -> str:
    newest = store.recall_recent(
        ("newest by the rules", name),
        lambda: store.matches.page(game=name, termination=Termination.RULES, limit=SAMPLE),
        game=name,
    )
    return endings_told(store, newest, found.ends[Termination.RULES])


def _pool(store: StoreReader, name: str) -> tuple[PoolStatistics | None, str]:
    """Return statistics of the newest matches, or why there are none."""
    try:
        return pool(store, name, newest=COUNTED_MAX), ""
    except InputError as error:
        return None, str(error)


ROUTES = [PageRoute("/games/{name:path}", page(_game), Audience.RESULTS)]
