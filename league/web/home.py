"""The first page: matches in play, leaders and new results."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from games.support.errors import InputError
from league.analysis.overview import GameSummary, summarize_games
from league.analysis.standing_rows import Standing
from league.analysis.standings import newest_standings
from league.model.records import MatchKey
from league.render.data_uri import picture
from league.render.game_look import has_pictures, title_of
from league.store.rows import BotRef, LiveMatchRow, MatchRow
from league.store.store import StoreReader
from league.web.board_pictures import draw_live
from league.web.html_response import drawn, page
from league.web.page_route import Audience, PageRoute
from league.web.page_source import page_source_of, store_of
from league.web.pages import notices_of, tournament_names
from league.web.tournament_list import IN_PLAY, ListedTournament, tournaments_of, with_outcomes

LEADERS = 5
LEADERS_OF_ONE = 10
"""Number of leaders in a league of one game, which has the room of several."""

GAMES_MAX = 12
IN_PLAY_MAX = 6
NEWEST, NEWEST_MIN = 7, 3
RESULTS = 6
OF_TOURNAMENT = 3
"""The most results of one tournament, while there are others."""

CHOSEN_S = 10
"""Time that a match stays featured while none is in play."""

LOOKED_AT = 40
"""The featured match is one of so many of the newest matches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCard:
    """A game and its best bots; `count` is the number of ranked bots."""

    game: GameSummary
    title: str
    leaders: Sequence[Standing]
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Featured:
    """The featured match.

    `picture` is an address. In play, `match` is None, `key` identifies the match, and `plies` is
    the number of plies so far.
    """

    tournament: int
    game: str
    versions: tuple[BotRef, ...]
    picture: str
    plies: int
    match: MatchRow | None = None
    key: MatchKey | None = None


def _home(store: StoreReader, request: Request) -> str:
    tournaments = tournaments_of(store, tournament_names(request))
    running = [each for each in tournaments if each.state == IN_PLAY]
    games = summarize_games(store)
    # Both lists share one column; the head of the other has the height of a row.
    shown = max(NEWEST_MIN, NEWEST - len(running) - bool(running))
    leaders = LEADERS if len(games) > 1 else LEADERS_OF_ONE
    return drawn(
        request,
        "home.html",
        counts=_counts(store, games, tournaments),
        notices=notices_of(request),
        cards=[_card(store, each, leaders) for each in games[:GAMES_MAX]],
        games=len(games),
        featured=_live(store, running) or _chosen(request, store),
        running=with_outcomes(store, running[:IN_PLAY_MAX]),
        running_count=len(running),
        newest=with_outcomes(
            store, [each for each in tournaments if each.state != IN_PLAY][:shown]
        ),
        matches=[(each, has_pictures(each.game)) for each in _latest(store, tournaments)],
    )


def _latest(store: StoreReader, tournaments: Sequence[ListedTournament]) -> list[MatchRow]:
    """Return the newest matches, few of a tournament as long as there are others."""
    played = [(each.row.finished_at, each.row.id) for each in tournaments if each.row.finished_at]
    first, rest = list[MatchRow](), list[MatchRow]()
    for _, number in sorted(played, reverse=True)[:RESULTS]:
        found = store.recall(
            ("latest results", number),
            partial(store.matches.page, tournament=number, limit=RESULTS),
            tournament=number,
        )
        first += found[:OF_TOURNAMENT]
        rest += found[OF_TOURNAMENT:]
    newest = attrgetter("id")
    return [*sorted(first, key=newest, reverse=True), *rest][:RESULTS]


def _counts(
    store: StoreReader, games: Sequence[GameSummary], tournaments: Sequence[ListedTournament]
) -> dict[str, int]:
    """Return the number of rows of each list, by the last part of its address."""
    return {
        "bots": len(store.bots.all()),
        "tournaments": len(tournaments),
        "matches": sum(each.tally.matches for each in games),
        "games": len(games),
    }


def _card(store: StoreReader, game: GameSummary, most: int) -> GameCard:
    rows = [row for row in newest_standings(store, game.spec).rows if row.pool == 1]
    return GameCard(game=game, title=title_of(game.spec), leaders=rows[:most], count=len(rows))


def _live(store: StoreReader, running: Sequence[ListedTournament]) -> Featured | None:
    """Return the first match in play of the newest tournament that shows one."""
    for each in running:
        for row in sorted(store.live.shown(each.row.id), key=_place):
            if store.matches.at(each.row.id, row.key) is not None:
                # It is stored, and its runner shows the next one in a moment.
                continue
            # The rows that a killed runner left may be invalid.
            with suppress(InputError, KeyError):
                labels = store.bots.labels(row.versions)
                return Featured(
                    tournament=each.row.id,
                    game=row.game,
                    versions=tuple(labels[version] for version in row.versions),
                    picture=picture(draw_live(row)),
                    plies=len(row.moves),
                    key=row.key,
                )
    return None


def _place(row: LiveMatchRow) -> tuple[int, int]:
    return row.key.encounter, row.key.rotation


def _newest(store: StoreReader) -> tuple[MatchRow, ...]:
    return store.recall(("newest matches",), lambda: store.matches.page(limit=LOOKED_AT))


def _chosen(request: Request, store: StoreReader) -> Featured | None:
    """Return `_recent`, recomputed every few seconds: ranks are slow while matches end."""
    boards = page_source_of(request).boards
    moment = int(time.monotonic() // CHOSEN_S)
    return boards.recall(None, ("featured", moment), lambda: _recent(store, _newest(store)))


def _recent(store: StoreReader, newest: Sequence[MatchRow]) -> Featured | None:
    """Return the newest decided match between the best-placed bots that no fault ended."""
    # A bot that is tuned plays itself.
    shown = [row for row in newest if has_pictures(row.game) and len(set(row.versions)) > 1]
    if not shown:
        return None
    ranks: dict[tuple[str, int], int] = {}
    for game in {row.game for row in shown}:
        ranks |= {(game, row.version): row.rank for row in newest_standings(store, game).rows}

    def dullness(row: MatchRow) -> tuple[bool, bool, int]:
        worst = max(ranks.get((row.game, each.version)) or LOOKED_AT for each in row.versions)
        return row.termination.is_fault, 1.0 not in row.scores, worst

    # The newest of equally good matches.
    row = min(shown, key=dullness)
    return Featured(
        tournament=row.tournament_id,
        game=row.game,
        versions=row.versions,
        picture="",
        plies=row.plies,
        match=row,
    )


def _featured(request: Request) -> Response:
    """Answer with the featured match only; a script of the first page requests it."""
    store = store_of(request)
    with store.one_state():
        running = [each for each in tournaments_of(store) if each.state == IN_PLAY]
        found = _live(store, running) or _chosen(request, store)
    return HTMLResponse(
        drawn(request, "_featured.html", featured=found), headers={"Cache-Control": "no-store"}
    )


ROUTES = [
    PageRoute("/", page(_home), Audience.STANDINGS),
    PageRoute("/featured", _featured, Audience.RESULTS),
]
