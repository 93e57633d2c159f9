"""The pages that only a hosted league has."""

from starlette.routing import BaseRoute

from league.web import organise, season_page, submitting, team, voids


def hosted_routes() -> list[BaseRoute]:
    """Return their addresses."""
    return [*season_page.ROUTES, *submitting.ROUTES, *team.ROUTES, *organise.ROUTES, *voids.ROUTES]
