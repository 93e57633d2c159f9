"""The page of a season: its podium, its final, its standings, its parts and its notices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from starlette.requests import Request

from games.support.errors import InputError
from games.support.specs import find_game
from league.analysis.crosstable import Cell, crosstable
from league.analysis.standing_rows import Standing
from league.hosting.model.season import Season, SeasonState
from league.hosting.season.standings import final_standings, season_standings
from league.hosting.web.host_of import hosted_page, season_of
from league.hosting.web.hosted import hosted_of
from league.hosting.web.viewer import hosted_viewer
from league.render.tournament_page import CROSS_SHARE, LINKED_MAX, TINTS, podium_of, tint
from league.store.rows import TournamentRow
from league.store.store import StoreReader
from league.web.html_response import page
from league.web.page_route import Audience, PageRoute
from league.web.pages import notices_of
from league.web.query import NUMBER
from league.web.tournament_list import tournaments_of

CROSS_LEAST = 3
"""The result of two bots needs no crosstable."""


PATH = "/season"


@dataclass(frozen=True, slots=True)
class SeasonCross:
    """The crosstable of the final, or of the leg in play; `row` is None where none is shown."""

    row: TournamentRow | None = None
    rows: Sequence[Standing] = ()
    cells: Mapping[tuple[int, int], Cell] = field(default_factory=dict)
    seats: int = 2

    @property
    def has_counts(self) -> bool:
        """Whether pairs have met in different numbers of matches."""
        return len({each.matches for each in self.cells.values()}) > 1


def draw_season(store: StoreReader, request: Request) -> str:
    """Draw the page of the newest season or of another, from what its viewer may see."""
    viewer, newest = hosted_viewer(request), season_of(request)
    live = hosted_of(request).store
    number: int | None = request.path_params.get("number")
    season = newest if number is None else live.seasons.get(number)
    is_newest = season is None or newest is None or season.id == newest.id
    rows = season_standings(store, season) if season else ()
    shows_final = season is not None and (
        season.state is SeasonState.PUBLISHED or viewer.is_organiser
    )
    placed = final_standings(store, season) if season and shows_final else ()
    parts = _parts(store, season, shows_final=shows_final) if season and rows else []
    may_cross = season is not None and viewer.may_see_results
    return hosted_page(
        request,
        "season.html",
        shown=season,
        others=[each for each in live.seasons.all() if season is None or each.id != season.id],
        newest=newest,
        rows=rows,
        pools=len({row.pool for row in rows}),
        matches=sum(each.played for _, each in parts),
        own=viewer.team.name if viewer.team else "",
        notices=notices_of(request) if is_newest else (),
        final=season.final if season and shows_final else None,
        placed=placed,
        podium=podium_of(placed or _of_teams(rows, season)),
        parts=parts,
        cross=_cross(store, season, placed, rows) if season and may_cross else SeasonCross(),
        tint=tint,
        tints=TINTS,
        linked_max=LINKED_MAX,
    )


def _of_teams(rows: Sequence[Standing], season: Season | None) -> list[Standing]:
    """Return the rows of teams' bots in the first pool that has one, ranked without house bots."""
    house = season.settings.house_bots if season else ()
    teams = [row for row in rows if row.name not in house]
    own = [row for row in teams if row.pool == teams[0].pool]
    places = [row.shown_rank for row in own]
    return [
        replace(row, rank=1 + sum(place < row.shown_rank for place in places), ties=0)
        for row in own
    ]


def _parts(
    store: StoreReader, season: Season, *, shows_final: bool
) -> list[tuple[str, TournamentRow]]:
    """Return the tournaments of a season that the store has, each with its name."""
    rows = {each.row.id: each.row for each in tournaments_of(store)}
    hidden = () if shows_final else (season.final, *season.gauntlets)
    return [
        (season.name_of(each), rows[each])
        for each in season.tournaments
        if each in rows and each not in hidden
    ]


def _cross(
    store: StoreReader, season: Season, placed: Sequence[Standing], rows: Sequence[Standing]
) -> SeasonCross:
    """Return the crosstable of the final, of the leg in play before it, if it tells enough."""
    number = season.final if placed else season.legs[-1] if season.legs else None
    shown = placed or rows
    if number is None or len(shown) < CROSS_LEAST:
        return SeasonCross()
    try:
        row = store.tournaments.get(number)
        _, cells = crosstable(store, season.settings.game, number)
    except InputError:
        # A frozen copy may be older than the leg.
        return SeasonCross()
    shown = [each for each in shown if each.version in row.config.entrants]
    met = sum((one.version, other.version) in cells for one in shown for other in shown)
    if len(shown) < CROSS_LEAST or met < CROSS_SHARE * len(shown) * (len(shown) - 1):
        return SeasonCross()
    return SeasonCross(row, shown, cells, find_game(season.settings.game).seats)


ROUTES = [
    PageRoute(PATH, page(draw_season), Audience.STANDINGS),
    PageRoute(f"/seasons/{NUMBER}", page(draw_season), Audience.STANDINGS),
]
