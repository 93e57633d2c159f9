"""The page of two bots against each other."""

from functools import partial
from urllib.parse import unquote

from starlette.requests import Request

from league.analysis.sentences import is_even_possible, superiority_told
from league.analysis.versus import Versus, versus
from league.model.errors import UnknownRowError
from league.model.records import Termination
from league.ratings.head_to_head import KINDS
from league.render.game_look import has_pictures, seat_names_in
from league.render.match_endings import SAMPLE, endings_told, remembered_endings
from league.store.store import StoreReader
from league.web.html_response import drawn, page
from league.web.page_route import Audience, PageRoute

OPENINGS = 10
LATEST = 12
BOARDS = 6
"""Number of the newest matches to show with their last position."""


def _versus(store: StoreReader, request: Request) -> str:
    one, other = _names(request)
    is_all = request.query_params.get("versions", "all") != "newest"
    games = store.totals.games_played()
    asked = request.query_params.get("game", "")
    compared = games if asked in ("", *games) else []
    tables = [
        store.recall_recent(
            ("versus", game, one, other, is_all, *_newest(store, one, other)),
            partial(versus, store, game, one, other, is_all_versions=is_all),
            game=game,
        )
        for game in compared
    ]
    met = sorted((each for each in tables if each.newest), key=lambda each: -each.whole.matches)
    chosen = next((each for each in met if asked in (each.game, "")), None)
    return drawn(
        request,
        "versus.html",
        one=one,
        other=other,
        is_all=is_all,
        game=asked if asked in games else "",
        tables=met,
        chosen=_values(store, chosen) if chosen else None,
        openings_max=OPENINGS,
    )


def _newest(store: StoreReader, *names: str) -> tuple[int, ...]:
    return tuple(len(store.bots.get(name).versions) for name in names)


def _names(request: Request) -> tuple[str, str]:
    """Return the two names of the address, in which the slashes of a name are quoted."""
    path = request.scope["raw_path"].decode("ascii").partition("?")[0]
    parts = path.removeprefix(f"{request.scope['root_path']}/versus/").split("/")
    if len(parts) != 2:
        raise UnknownRowError("name two bots: /versus/ONE/OTHER", "page", None)
    return unquote(parts[0]), unquote(parts[1])


def _values(store: StoreReader, found: Versus) -> dict[str, object]:
    latest = list(store.matches.rows([row.id for row in found.newest[:LATEST]]))
    by_rules = [row.id for row in found.newest if row.termination is Termination.RULES]
    seats = len(found.newest[0].versions)
    return {
        "found": found,
        "kinds": [(kind, found.whole.kinds[kind]) for kind in KINDS],
        "says": superiority_told(found.one, found.other, found.whole),
        "is_even_possible": is_even_possible(found.whole),
        "seat_names": seat_names_in(found.game, seats),
        "seats": seats,
        "boards": latest[:BOARDS] if has_pictures(found.game) else [],
        "matches": latest,
        "endings": remembered_endings(store, latest),
        "by_rules": endings_told(store, list(store.matches.rows(by_rules[:SAMPLE])), len(by_rules)),
    }


ROUTES = [PageRoute("/versus/{names:path}", page(_versus), Audience.RESULTS)]
