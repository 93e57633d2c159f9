"""The list of games."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from starlette.requests import Request

from games.support.errors import GameError
from games.support.specs import GAMES, find_game
from league.analysis.overview import Tally, summarize_games
from league.analysis.standing_rows import Standing
from league.analysis.standings import newest_standings
from league.render.game_look import has_pictures, title_of
from league.store.store import StoreReader
from league.web.filters import SEARCH, contains, words
from league.web.html_response import Answer, drawn, listed
from league.web.listing import Column, FilterField, ListKind, read_listing


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """A game in the list: of the catalogue, or played here, or both."""

    spec: str
    title: str
    bots: int = 0
    tally: Tally = Tally()  # noqa: RUF009 (frozen)
    leader: Standing | None = None
    seats: tuple[str, ...] = ()

    @property
    def has_picture(self) -> bool:
        """Whether its first position is shown."""
        return has_pictures(self.spec)


_KIND = ListKind(
    "/games",
    "game",
    (
        Column("Matches", "matches", is_descending=True),
        Column("Bots", "bots", is_descending=True),
        Column("Title", "title"),
        Column("Last match", "last", is_descending=True),
    ),
    "-matches",
    60,
)


def games_of(store: StoreReader) -> list[GameEntry]:
    """Return the games that were played, most matches first, and then the others by title."""
    found = []
    for each in summarize_games(store):
        rows = newest_standings(store, each.spec).rows
        found.append(
            GameEntry(
                spec=each.spec,
                title=title_of(each.spec),
                bots=each.bots,
                tally=each.tally,
                leader=rows[0] if rows and rows[0].rank else None,
            )
        )
    known = {each.spec for each in found}
    others = []
    for name in GAMES.names():
        # One that lacks a package is not offered.
        with suppress(GameError):
            game = find_game(name)
            if name not in known:
                others.append(GameEntry(spec=name, title=game.title, seats=tuple(game.seat_names)))
    return [*found, *sorted(others, key=lambda each: each.title)]


def _games(store: StoreReader, request: Request) -> Answer:
    fields = (
        replace(SEARCH, label="Title or name"),
        FilterField("state", "Played", "choice", choices=words(("played here", "not yet"))),
    )
    listing = read_listing(request.query_params, _KIND, fields)
    state = listing.value("state")
    rows = [
        each
        for each in games_of(store)
        if contains(listing.value("q"), each.title, each.spec)
        and state in (None, "played here" if each.tally.matches else "not yet")
    ]
    listing = listing.cut(listing.ordered(rows, _KEYS))
    return drawn(request, "games.html", listing=listing, section="Games")


_KEYS: dict[str, Callable[[GameEntry], Any]] = {
    "matches": lambda each: each.tally.matches,
    "bots": lambda each: each.bots,
    "title": lambda each: each.title.casefold(),
    "last": lambda each: each.tally.finished_at,
}


ROUTES = [listed("/games", _games)]
