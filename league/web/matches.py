"""The page of a match."""

from starlette.requests import Request

from league.analysis.match_selection import limits_text
from league.analysis.replay import Replay, load_replay
from league.analysis.standings import standings
from league.render.replay_page import replay_values
from league.store.store import StoreReader
from league.web.downloads import offered
from league.web.html_response import drawn, page
from league.web.page_route import Audience, PageRoute
from league.web.query import NUMBER, number_of


def as_asked(request: Request, replay: Replay) -> Replay:
    """Return a match as the seat saw it that an address asks for; else the whole truth."""
    seats = len(replay.names)
    seat = number_of(request, "seat", seats)
    return replay if replay.shows_all or seat >= seats else replay.seen_by(str(seat))


def _match(store: StoreReader, request: Request) -> str:
    replay = as_asked(request, load_replay(store, request.path_params["number"]))
    row = replay.row
    rated = {each.version: each for each in standings(store, row.game, row.tournament_id).rows}
    found = [(seat, rated.get(each.version)) for seat, each in enumerate(row.versions)]
    limits = [limits_text(each) for each in replay.seat_limits]
    return drawn(
        request,
        "match.html",
        links=True,
        around=store.matches.neighbours(row),
        ratings={seat: f"{each.rating:.0f}" for seat, each in found if each and each.matches},
        limits=" – ".join(limits if len(set(limits)) > 1 else limits[:1]),
        downloads=offered(replay),
        **replay_values(replay),
    )


ROUTES = [PageRoute(f"/matches/{NUMBER}", page(_match), Audience.RESULTS)]
