"""Downloads of a match."""

from itertools import chain
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from games.support.errors import GameError
from games.support.specs import find_game
from league.analysis.replay import Replay
from league.api.league import League
from league.interchange.export import usual_export
from league.interchange.export_matches import configured
from league.web.page_route import Audience, PageRoute
from league.web.page_source import store_of
from league.web.query import NUMBER, number_of

OFFERED = {
    "html": "page",
    "svg": "picture",
    "animated": "animated picture",
    "pgn": "PGN",
    "json": "JSON",
}
"""The formats that a match's page offers, with their labels.

GIF is left out: it takes seconds to render, and a visitor must not keep the server busy.
"""


def offered(replay: Replay) -> list[tuple[str, str]]:
    """Return the formats that this match supports, with their labels."""
    try:
        game = find_game(replay.row.game)
    except GameError:
        return []
    return [
        (name, text) for name, text in OFFERED.items() if not configured(name, {}).refusal(game)
    ]


def _file(request: Request) -> Response:
    number: int = request.path_params["number"]
    name = request.url.path.rpartition("/")[2]
    has_ply = name == "svg" and "ply" in request.query_params
    options: dict[str, Any] = {"ply": number_of(request, "ply", 0)} if has_ply else {}
    export = configured(name, options)
    body = League.of(store_of(request)).export([number], format=name, **options)
    return Response(
        body,
        media_type=export.media_type,
        headers=_attached(f"match-{number}{export.suffix}"),
    )


def _tournament(request: Request) -> Response:
    """Send all matches of a tournament one by one: they may not fit in memory."""
    league = League.of(store_of(request))
    found = league.tournament(request.path_params["number"])
    export = usual_export(find_game(found.game))
    parts = league.export_parts(found.matches, format=export.name)
    return StreamingResponse(
        # Nothing has been sent yet if the first of them can't be written.
        chain([next(parts, "")], parts),
        media_type=export.media_type,
        headers=_attached(f"tournament-{found.number}{export.suffix}"),
    )


def _attached(name: str) -> dict[str, str]:
    """Return the header of a file to save."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES = [
    *(
        PageRoute(f"/matches/{NUMBER}/{name}", _file, Audience.RESULTS, name=name)
        for name in OFFERED
    ),
    PageRoute(f"/tournaments/{NUMBER}/matches", _tournament, Audience.RESULTS),
]
