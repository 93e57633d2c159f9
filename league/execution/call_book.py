"""The books of language models in a worker, which stores each call itself."""

from collections.abc import Sequence

from games.support.moves import WireMove
from league.model.model_calls import ModelCall
from league.model.records import MatchKey
from league.store.store import Store, open_store


class StoredCalls:
    """The calls of the match that a worker plays, in the database `target`.

    The database is opened at the first call: few workers play models.
    """

    def __init__(self, target: str) -> None:
        self._target = target
        self._store: Store | None = None
        self._tournament, self._key = 0, MatchKey(0, 0)
        self._history: Sequence[WireMove] = ()

    def begin(self, tournament: int, key: MatchKey, history: Sequence[WireMove]) -> None:
        """Keep calls for a match from now on; `history` is kept up to date by its referee."""
        self._tournament, self._key, self._history = tournament, key, history

    @property
    def ply(self) -> int:
        """The number of plies of the match so far."""
        return len(self._history)

    def find(self, call: ModelCall) -> ModelCall | None:
        """Return the answered call of this match that asks the same at the same place."""
        return self._opened.calls.find(self._tournament, self._key, call)

    def note(self, call: ModelCall) -> int:
        """Store a call that is about to be sent, and return its number."""
        return self._opened.calls.note(self._tournament, self._key, call)

    def settle(self, number: int, call: ModelCall) -> None:
        """Replace the call of that number by what became of it."""
        self._opened.calls.settle(number, call)

    def spent(self, version: int) -> float:
        """Return the cost of all calls of a version in the tournament, as far as it is known."""
        return self._opened.calls.spent(self._tournament, version)

    @property
    def _opened(self) -> Store:
        if self._store is None:
            self._store = open_store(self._target)
        return self._store
