"""The rights of viewers: the pages of a hosted league, and their contents for each viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from starlette.requests import Request
from starlette.routing import Match
from starlette.types import Scope

from league.model.people import Person, Team
from league.model.season import Visibility
from league.web.query import KEY, NUMBER, number_in


class Audience(StrEnum):
    """The group of people who may see a page; organisers see all pages."""

    EVERYBODY = "everybody"
    RESULTS = "people who signed in, and visitors who may see everything"
    STANDINGS = "people who signed in, and visitors who may see standings"
    PEOPLE = "people who signed in"
    AUTHORS = "people with a team"
    ORGANISERS = "organisers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """Somebody who looks at a hosted league: an organiser, an author, or a visitor.

    `person` is None for a visitor. `team` is the person's, None without one. `is_frozen` tells that
    this viewer gets the league as it was when the standings were frozen.
    """

    person: Person | None = None
    team: Team | None = None
    visibility: Visibility = Visibility.NOTHING
    is_frozen: bool = False

    @property
    def is_organiser(self) -> bool:
        """Whether the viewer runs the league."""
        return self.person is not None and self.person.is_organiser

    @property
    def bots(self) -> frozenset[int]:
        """The viewer's own bots, by id."""
        bot = None if self.team is None else self.team.bot
        return frozenset() if bot is None else frozenset({bot})

    @property
    def may_see_results(self) -> bool:
        """Whether matches and bots are shown to this viewer, not standings alone."""
        return self.may_see(Audience.RESULTS)

    def owns(self, team: int) -> bool:
        """Whether the viewer may see what only that team and organisers see."""
        return self.is_organiser or (self.team is not None and self.team.id == team)

    def may_see(self, audience: Audience | None) -> bool:
        """Whether a page for that audience is for this viewer; one for None is for organisers."""
        if self.is_organiser or audience is Audience.EVERYBODY:
            return True
        if audience is None or audience is Audience.ORGANISERS:
            return False
        if audience is Audience.AUTHORS:
            return self.team is not None
        if self.person is not None:
            return True
        if audience is Audience.STANDINGS:
            return self.visibility in (Visibility.EVERYTHING, Visibility.STANDINGS)
        return audience is Audience.RESULTS and self.visibility is Visibility.EVERYTHING


PLAIN = ("/static", "/healthz", "/metrics")
"""Addresses that tell nothing of the league's people or bots, or check who asks themselves."""

AUDIENCES: Mapping[str, Audience] = {
    **dict.fromkeys(PLAIN, Audience.EVERYBODY),
    "/": Audience.STANDINGS,
    "/season": Audience.STANDINGS,
    f"/seasons/{NUMBER}": Audience.STANDINGS,
    "/featured": Audience.RESULTS,
    "/bots": Audience.RESULTS,
    "/bots/{name:path}": Audience.RESULTS,
    "/tournaments": Audience.RESULTS,
    f"/tournaments/{NUMBER}": Audience.RESULTS,
    f"/tournaments/{NUMBER}/matches": Audience.RESULTS,
    f"/tournaments/{NUMBER}/live": Audience.RESULTS,
    f"/tournaments/{NUMBER}/live/{KEY}": Audience.RESULTS,
    "/events": Audience.RESULTS,
    "/matches": Audience.RESULTS,
    f"/matches/{NUMBER}": Audience.RESULTS,
    f"/matches/{NUMBER}/html": Audience.RESULTS,
    f"/matches/{NUMBER}/svg": Audience.RESULTS,
    f"/matches/{NUMBER}/animated": Audience.RESULTS,
    f"/matches/{NUMBER}/pgn": Audience.RESULTS,
    f"/matches/{NUMBER}/json": Audience.RESULTS,
    f"/matches/{NUMBER}/explain/{{place}}": Audience.PEOPLE,
    f"/matches/{NUMBER}/explain/{{place}}/steps": Audience.PEOPLE,
    f"/matches/{NUMBER}/repro": Audience.PEOPLE,
    "/versus/{names:path}": Audience.RESULTS,
    "/games": Audience.RESULTS,
    "/games/{name:path}": Audience.RESULTS,
    f"/boards/matches/{NUMBER}": Audience.RESULTS,
    "/boards/games/{name:path}": Audience.EVERYBODY,
    "/feed.atom": Audience.RESULTS,
    "/submit": Audience.AUTHORS,
    "/submissions": Audience.PEOPLE,
    f"/submissions/{NUMBER}": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}/html": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}/svg": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}/animated": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}/pgn": Audience.PEOPLE,
    f"/challenges/{NUMBER}/{number_in('match')}/json": Audience.PEOPLE,
    "/play": Audience.PEOPLE,
    "/play/{key}": Audience.PEOPLE,
    "/play/{key}/{name}": Audience.PEOPLE,
    "/play/{key}/position": Audience.PEOPLE,
    "/play/{key}/pgn": Audience.PEOPLE,
    "/play/{key}/json": Audience.PEOPLE,
    "/team": Audience.AUTHORS,
    f"/team/source/{NUMBER}": Audience.AUTHORS,
    "/organise": Audience.ORGANISERS,
    "/organise/people": Audience.ORGANISERS,
    "/organise/settings": Audience.ORGANISERS,
    "/organise/marks": Audience.ORGANISERS,
    "/organise/marks.csv": Audience.ORGANISERS,
    "/organise/voids": Audience.ORGANISERS,
    "/organise/audit": Audience.ORGANISERS,
    "/organise/backup": Audience.ORGANISERS,
    "/api/openapi.json": Audience.EVERYBODY,
    "/api/games": Audience.EVERYBODY,
    "/api/games/{game:path}": Audience.EVERYBODY,
    "/api/standings": Audience.STANDINGS,
    "/api/crosstable": Audience.STANDINGS,
    "/api/tournaments": Audience.RESULTS,
    "/api/tournaments/{tournament}": Audience.RESULTS,
    "/api/tournaments/{tournament}/standings": Audience.STANDINGS,
    "/api/tournaments/{tournament}/crosstable": Audience.STANDINGS,
    "/api/tournaments/{tournament}/matches": Audience.RESULTS,
    "/api/matches": Audience.RESULTS,
    "/api/matches/{match}": Audience.RESULTS,
    "/api/matches/{match}/reason": Audience.RESULTS,
    "/api/bots": Audience.RESULTS,
    "/api/bots/{bot:path}": Audience.RESULTS,
    "/api/bots/{bot:path}/health": Audience.RESULTS,
    "/api/bots/{bot:path}/ratings": Audience.RESULTS,
    "/api/bots/{bot:path}/matches": Audience.RESULTS,
    "/api/versus": Audience.RESULTS,
    "/api/stats": Audience.RESULTS,
    "/api/health": Audience.RESULTS,
    "/api/calibration": Audience.RESULTS,
    "/api/submissions": Audience.PEOPLE,
    f"/api/submissions/{NUMBER}": Audience.PEOPLE,
    f"/api/submissions/{NUMBER}/log": Audience.PEOPLE,
    "/api/challenges": Audience.PEOPLE,
    f"/api/challenges/{NUMBER}": Audience.PEOPLE,
    "/api/voids": Audience.ORGANISERS,
    "/api/me": Audience.PEOPLE,
    "/sign-in": Audience.EVERYBODY,
    "/sign-out": Audience.EVERYBODY,
    "/invitation/{token}": Audience.EVERYBODY,
    "/sign-in/provider": Audience.EVERYBODY,
    "/sign-in/provider/back": Audience.EVERYBODY,
    "/me": Audience.PEOPLE,
    "/me/data.json": Audience.PEOPLE,
}
"""The audience of each address, by the path of its route; others are for organisers.

Pages for `PEOPLE` that are about one team check the team themselves (`Viewer.owns`).
"""


def pattern_of(scope: Scope) -> str | None:
    """Return the path of the route that answers a request; None if none does."""
    partly = None
    for route in scope["app"].routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            return str(route.path)
        if match is Match.PARTIAL and partly is None:
            partly = str(route.path)
    return partly


def viewer_of(request: Request) -> Viewer | None:
    """Return who asks; None where the league is not hosted, and everybody sees everything."""
    found: Any = getattr(request.state, "viewer", None)
    return found if isinstance(found, Viewer) else None


def hosted_viewer(request: Request) -> Viewer:
    """Return who asks for a page that only a hosted league has."""
    return viewer_of(request) or Viewer()
