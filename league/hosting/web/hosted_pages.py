"""The pages of a hosted league, as they plug into the dashboard."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from starlette.middleware import Middleware
from starlette.requests import Request

from league.hosting.documents import TeamChallenge, TeamSubmission
from league.hosting.model.season import Season
from league.hosting.web import (
    challenges,
    health,
    organise,
    play_forward,
    season_page,
    sign_in,
    submissions,
    submitting,
    team,
    voids,
)
from league.hosting.web.callers import Callers
from league.hosting.web.challenge_paths import challenge_paths
from league.hosting.web.forms import check_form
from league.hosting.web.hosted import Hosted
from league.hosting.web.inbox import Inbox
from league.hosting.web.submission_paths import submission_paths
from league.hosting.web.viewer import viewer_of
from league.hosting.web.views import HostedViews, Viewing
from league.hosting.web.void_paths import DOCUMENTS, void_paths
from league.model.clock import now
from league.render.template import PageReader
from league.store.rows import BotRow
from league.store.store import Store
from league.web.openapi import SCHEMAS
from league.web.page_route import Audience
from league.web.pages import MenuEntry, News, PageHooks, Pages

MENU = (
    MenuEntry("Season", season_page.PATH, Audience.EVERYBODY),
    MenuEntry("Submit", "/submit", Audience.AUTHORS),
    MenuEntry("My team", "/team", Audience.AUTHORS),
    MenuEntry("Organise", "/organise", Audience.ORGANISERS),
)

STRANGER = PageReader(sees_results=False, account=("Sign in", "/sign-in"), why_failed="")
"""Who reads a page of a hosted league before it is known who asks."""


API = Pages(
    paths={
        path: what
        for paths in (submission_paths, challenge_paths, void_paths)
        for path, what in paths(SCHEMAS).items()
    },
    documents=[TeamSubmission, TeamChallenge, *DOCUMENTS],
)
"""What OpenAPI says of a hosted league."""


def hosted_pages(store: Store, hosted: Hosted) -> Pages:
    """Return the pages over a store that is open read-only."""
    views, inbox = HostedViews(store, hosted), Inbox(hosted.store, check_form)
    return replace(
        API,
        routes=[
            *sign_in.routes(hosted),
            *health.routes(),
            *season_page.ROUTES,
            *submitting.ROUTES,
            *team.ROUTES,
            *organise.ROUTES,
            *voids.ROUTES,
            *submissions.routes(inbox),
            *(play_forward.routes(hosted) if hosted.play else ()),
            *challenges.routes(hosted.store, check_form),
        ],
        menu=MENU,
        templates="league.hosting",
        hooks=_Hooks(hosted),
        middleware=[Middleware(Callers, hosted=hosted), Middleware(Viewing, views=views)],
        lifespan=health.beating(hosted.beat),
        state={"hosted": hosted, "inbox": inbox},
        reader=STRANGER,
        shown=views.now.public,
    )


class _Hooks(PageHooks):
    """What a season adds to the pages of the league."""

    def __init__(self, hosted: Hosted) -> None:
        self._store = hosted.store

    def notices(self, request: Request, most: int) -> Sequence[News]:
        """Return the newest notices to everybody and to the viewer's team."""
        viewer = viewer_of(request)
        if viewer is None:
            return ()
        teams = () if viewer.team is None else (viewer.team.id,)
        return self._store.notices.page(teams, limit=most, at=now())

    def tournament_names(self, request: Request) -> Mapping[int, str]:
        """Return the names of the tournaments that are parts of seasons."""
        seasons: Sequence[Season] = self._store.seasons.all()
        return {each: season.name_of(each) for season in seasons for each in season.tournaments}

    def bot_buttons(self, request: Request, bot: BotRow) -> Sequence[str]:
        """Return the button that challenges a bot, for those who may."""
        is_rival = bot.name in challenges.rivals_for(request)
        return ["_challenge_button.html"] if is_rival else ()
