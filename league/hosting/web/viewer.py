"""The viewers of a hosted league, and their rights."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from league.hosting.model.people import Person, Team
from league.hosting.model.season import Visibility
from league.web.page_route import Audience


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

    def may_see(self, audience: Audience) -> bool:
        """Whether a page for that audience is for this viewer."""
        if self.is_organiser or audience is Audience.EVERYBODY:
            return True
        if audience is Audience.ORGANISERS:
            return False
        if audience is Audience.AUTHORS:
            return self.team is not None
        if self.person is not None:
            return True
        if audience is Audience.STANDINGS:
            return self.visibility in (Visibility.EVERYTHING, Visibility.STANDINGS)
        return audience is Audience.RESULTS and self.visibility is Visibility.EVERYTHING


def viewer_of(request: Request) -> Viewer | None:
    """Return who asks; None where the league is not hosted, and everybody sees everything."""
    found: Any = getattr(request.state, "viewer", None)
    return found if isinstance(found, Viewer) else None


def hosted_viewer(request: Request) -> Viewer:
    """Return who asks for a page that only a hosted league has."""
    return viewer_of(request) or Viewer()
