"""The page of the season: its standings, its deadline and its notices."""

from starlette.requests import Request
from starlette.routing import Route

from league.analysis.standings import newest_standings
from league.model.season import SeasonState
from league.store.store import Store
from league.web.host_of import hosted_page, notices_of, season_of
from league.web.html_response import page
from league.web.viewer import hosted_viewer


def draw_season(store: Store, request: Request) -> str:
    """Draw the page, from what its viewer may see."""
    viewer, season = hosted_viewer(request), season_of(request)
    game = season.settings.game if season else ""
    rows = [row for row in newest_standings(store, game).rows if row.rank] if game else []
    shows_final = season is not None and (
        season.state is SeasonState.PUBLISHED or viewer.is_organiser
    )
    return hosted_page(
        request,
        "season.html",
        rows=rows,
        matches=sum(total.count for total in store.totals(game=game)) if rows else 0,
        own=viewer.team.name if viewer.team else "",
        notices=notices_of(request),
        final=season.final if season and shows_final else None,
        leg=season.legs[-1] if season and season.legs and not viewer.is_frozen else None,
    )


ROUTES = [Route("/season", page(draw_season))]
