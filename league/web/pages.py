"""The page of a match."""

from starlette.requests import Request
from starlette.routing import Route

from league.analysis.replay import load_replay
from league.render.replay_page import replay_values
from league.store.store import Store
from league.web.downloads import offered
from league.web.html_response import drawn, page


def _match(store: Store, request: Request) -> str:
    replay = load_replay(store, request.path_params["number"])
    return drawn(request, "match.html", downloads=offered(replay), **replay_values(replay))


ROUTES = [Route("/matches/{number:int}", page(_match))]
