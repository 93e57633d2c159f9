"""Pictures of positions: each is drawn once and cached by browsers."""

import re

from starlette.requests import Request
from starlette.responses import Response

from games.support.move_marks import mark_last
from league.analysis.replay import load_replay
from league.model.errors import UnknownRowError
from league.render.game_look import built_in, has_pictures
from league.render.match_pictures import still
from league.render.page_parts import policy_of
from league.store.rows import LiveMatchRow
from league.tournament.live_board import newest_position
from league.web.page_route import Audience, PageRoute
from league.web.page_source import page_source_of, store_of
from league.web.query import NUMBER

_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)

_KEPT = "private, max-age=604800, immutable"
"""The address of a picture has the time of its match, so it never shows another match."""


def draw_live(row: LiveMatchRow) -> str:
    """Draw a match in play, the last move marked; raise `InputError` for a game that changed."""
    game = built_in(row.game)
    if game is None:
        raise UnknownRowError(f"no pictures of game {row.game!r}", "game", row.game)
    state, marks = newest_position(game, row.moves)
    return mark_last(state.svg(), marks)


def _match(request: Request) -> Response:
    """Answer with the last position of a match."""
    store = store_of(request)
    boards = page_source_of(request).boards
    (row,) = store.matches.rows([request.path_params["number"]])
    if not has_pictures(row.game):
        raise UnknownRowError(f"no pictures of game {row.game!r}", "game", row.game)
    key = row.id, row.finished_at
    return _picture(boards.recall(None, key, lambda: still(load_replay(store, row.id).frames[-1])))


def _start(request: Request) -> Response:
    """Answer with the first position of a game."""
    name: str = request.path_params["name"]
    game = built_in(name)
    if game is None or game.needs:
        raise UnknownRowError(f"no pictures of game {name!r}", "game", name)
    return _picture(game.initial().svg())


def _picture(drawing: str) -> Response:
    style = _STYLE.search(drawing)
    headers = {"Cache-Control": _KEPT}
    # The page's own policy would refuse the style inside the picture.
    headers["Content-Security-Policy"] = policy_of(style[1] if style else "")
    return Response(drawing, media_type="image/svg+xml", headers=headers)


ROUTES = [
    PageRoute(f"/boards/matches/{NUMBER}", _match, Audience.RESULTS),
    PageRoute("/boards/games/{name:path}", _start, Audience.EVERYBODY),
]
