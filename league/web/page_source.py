"""A league as one group of viewers sees it; requests are answered from it."""

from starlette.requests import Request

from league.store.cache import Cache
from league.store.store import StoreReader
from league.web.match_watch import Address, MatchWatch, WatchedMatches
from league.web.tournament_watch import DatabaseChanges, TournamentWatch
from league.web.watching import Watches


class PageSource:
    """A store with what its pages share: live pages, and boards that were drawn."""

    def __init__(self, store: StoreReader) -> None:
        changes, watched = DatabaseChanges(store), WatchedMatches(store)
        self.store = store
        self.boards = Cache()
        self.tournaments: Watches[int, TournamentWatch] = Watches(
            lambda number: TournamentWatch(store, changes, number)
        )
        self.matches: Watches[Address, MatchWatch] = Watches(
            lambda address: MatchWatch(store, watched, address)
        )


def page_source_of(request: Request) -> PageSource:
    """Return what a request is answered from: its viewer's, or that of everybody."""
    found: PageSource = getattr(request.state, "shown", request.app.state.shown)
    return found


def store_of(request: Request) -> StoreReader:
    """Return the store that a request may read: it hides what its viewer may not see."""
    found: StoreReader | None = getattr(request.state, "store", None)
    return page_source_of(request).store if found is None else found
