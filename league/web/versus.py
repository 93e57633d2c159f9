"""The page of two bots against each other."""

from urllib.parse import unquote

from starlette.requests import Request
from starlette.routing import Route

from league.analysis.versus import Versus, versus
from league.model.errors import UnknownRowError
from league.ratings.head_to_head import KINDS, HeadToHead
from league.render import charts
from league.render.template import markup
from league.store.store import Store
from league.web.html_response import drawn, page

OPENINGS = 10
LATEST = 20


def _versus(store: Store, request: Request) -> str:
    one, other = _names(request)
    is_all = request.query_params.get("versions", "all") != "newest"
    games = store.games_played()
    asked = request.query_params.get("game", "")
    tables = [
        versus(store, game, one, other, is_all_versions=is_all)
        for game in games
        if asked in (game, "")
    ]
    met = [each for each in tables if each.newest]
    return drawn(
        request,
        "versus.html",
        one=one,
        other=other,
        is_all=is_all,
        game=asked if asked in games else "",
        tables=[_values(each) for each in met],
        openings_max=OPENINGS,
    )


def _names(request: Request) -> tuple[str, str]:
    """Return the two names of the address, in which the slashes of a name are quoted."""
    path = request.scope["raw_path"].decode("ascii").partition("?")[0]
    parts = path.removeprefix(f"{request.scope['root_path']}/versus/").split("/")
    if len(parts) != 2:
        raise UnknownRowError("name two bots: /versus/ONE/OTHER", "bot", None)
    return unquote(parts[0]), unquote(parts[1])


def _values(found: Versus) -> dict[str, object]:
    return {
        "found": found,
        "kinds": [(kind, found.whole.kinds[kind]) for kind in KINDS],
        "bar": markup(_bar(found.whole)),
        "matches": [
            {
                "id": row.id,
                "versions": [found.labels[version] for version in row.versions],
                "scores": row.scores,
                "plies": row.plies,
                "termination": row.termination,
                "fault_seat": row.fault_seat,
            }
            for row in found.newest[:LATEST]
        ],
    }


def _bar(whole: HeadToHead) -> str:
    """Draw the encounters by kind, or the single matches where none is whole."""
    if whole.kinds:
        return charts.shares("Encounters by kind", [whole.kinds[kind] for kind in KINDS])
    counts = [whole.losses, 0, whole.draws, 0, 0, whole.wins]
    return charts.shares("Matches lost, drawn and won", counts)


ROUTES = [Route("/versus/{names:path}", page(_versus))]
