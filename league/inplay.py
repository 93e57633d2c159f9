"""Matches in play: what their runner tells of them, and what those who look on see."""

import time
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from games import catalogue
from games.contract import State
from games.errors import InputError
from games.moves import replay
from league.errors import DatabaseError
from league.glimpses import Glimpse
from league.records import MatchKey
from league.store import InPlayRow, Store
from league.worker import MatchJob

SHOWN_MAX = 8
"""How many matches of a tournament are shown."""


class Showcase:
    """Keeps some matches of a run in the store for others to see, a worker's always in its place.

    Nothing of a result depends on it: where the store is busy, it is left for the next time.
    """

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._seen: dict[str, InPlayRow] = {}
        self._shown: tuple[InPlayRow, ...] | None = None

    def take(self, glimpses: Iterable[Glimpse], jobs: Mapping[MatchKey, MatchJob]) -> None:
        """Hear what was seen; `jobs` are the matches handed out that have no result yet."""
        for each in glimpses:
            job = jobs.get(each.key)
            if job is None:
                continue
            row = InPlayRow(
                each.key,
                job.game,
                tuple(version.id for version in job.versions),
                each.moves,
                int(time.time()),
            )
            before = self._seen.get(each.worker)
            if before and (before.key, before.moves) == (row.key, row.moves):
                row = replace(row, moved_at=before.moved_at)
            self._seen[each.worker] = row

    def show(self, jobs: Container[MatchKey]) -> None:
        """Store what has changed of the matches that are still in play."""
        playing = (row for row in self._seen.values() if row.key in jobs)
        rows = tuple(islice(playing, SHOWN_MAX))
        if rows != self._shown:
            with suppress(DatabaseError):
                self._store.show(self._tournament, rows)
                self._shown = rows

    def clear(self) -> None:
        """Forget all: nothing is in play."""
        self._seen.clear()
        self.show(())


@dataclass(frozen=True, slots=True)
class MatchInPlay:
    """A match in play: its bots by seat, its position, and how long nobody has moved."""

    key: MatchKey
    names: tuple[str, ...]
    state: State
    plies: int
    still_s: int


def matches_in_play(store: Store, tournament: int) -> list[MatchInPlay]:
    """Return some matches of a tournament that are played now, as they were within two seconds.

    None where nobody runs it, whatever a runner that was killed has left; those that last less than
    half a second are never there.
    """
    rows = store.shown(tournament)
    if not rows or not store.is_in_play(tournament):
        return []
    labels = store.labels({version for row in rows for version in row.versions})
    found = []
    for row in rows:
        # A game from a file may have gone, or changed, since its tournament began.
        with suppress(InputError):
            state = replay(catalogue.find(row.game).initial(), row.moves)
            names = tuple(str(labels[version]) for version in row.versions)
            still_s = max(0, int(time.time()) - row.moved_at)
            found.append(MatchInPlay(row.key, names, state, len(row.moves), still_s))
    return found
