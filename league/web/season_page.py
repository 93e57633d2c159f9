"""The page of a season: its standings, its final, its deadline and its notices."""

from starlette.requests import Request
from starlette.routing import Route

from league.model.season import SeasonState
from league.season.standings import final_standings, season_standings
from league.store.store import Store
from league.web.host_of import hosted_page, notices_of, season_of
from league.web.html_response import page
from league.web.query import NUMBER
from league.web.tournament_list import tournaments_of
from league.web.viewer import hosted_viewer


def draw_season(store: Store, request: Request) -> str:
    """Draw the page of the newest season or of another, from what its viewer may see."""
    viewer, newest = hosted_viewer(request), season_of(request)
    live: Store = request.app.state.hosted.store
    number: int | None = request.path_params.get("number")
    season = newest if number is None else live.season(number)
    is_newest = season is None or newest is None or season.id == newest.id
    rows = season_standings(store, season) if season else ()
    shows_final = season is not None and (
        season.state is SeasonState.PUBLISHED or viewer.is_organiser
    )
    played = {each.row.id: each.row.played for each in tournaments_of(store)} if rows else {}
    return hosted_page(
        request,
        "season.html",
        shown=season,
        others=[each for each in live.seasons() if season is None or each.id != season.id],
        newest=newest,
        rows=rows,
        matches=sum(played.get(each, 0) for each in season.tournaments) if season else 0,
        own=viewer.team.name if viewer.team else "",
        notices=notices_of(request) if is_newest else (),
        final=season.final if season and shows_final else None,
        placed=final_standings(store, season) if season and shows_final else (),
        leg=season.legs[-1] if season and season.legs and not viewer.is_frozen else None,
    )


ROUTES = [
    Route("/season", page(draw_season)),
    Route(f"/seasons/{NUMBER}", page(draw_season)),
]
