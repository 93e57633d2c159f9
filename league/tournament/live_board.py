"""Matches in play, as the runner publishes them and spectators see them."""

import time
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from games.support.errors import InputError
from games.support.game import State
from games.support.moves import replay
from games.support.specs import find_game
from league.execution.live_feed import LiveMatch
from league.execution.worker import MatchJob
from league.model.errors import DatabaseError
from league.model.records import MatchKey
from league.store.rows import LiveMatchRow
from league.store.store import Store

SHOWN_MAX = 8
"""How many matches of a tournament are shown."""


class LiveBoard:
    """Publishes some matches of a run in the store; each worker keeps its place.

    No result depends on it: if the store is busy, the update waits for the next call.
    """

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._seen: dict[str, LiveMatchRow] = {}
        self._shown: tuple[LiveMatchRow, ...] | None = None

    def take(self, seen: Iterable[LiveMatch], jobs: Mapping[MatchKey, MatchJob]) -> None:
        """Record the workers' live matches; `jobs` are those handed out that have no result."""
        for each in seen:
            job = jobs.get(each.key)
            if job is None:
                continue
            row = LiveMatchRow(
                key=each.key,
                game=job.game,
                versions=tuple(version.id for version in job.versions),
                moves=each.moves,
                moved_at=int(time.time()),
            )
            before = self._seen.get(each.worker)
            if before and (before.key, before.moves) == (row.key, row.moves):
                row = replace(row, moved_at=before.moved_at)
            self._seen[each.worker] = row

    def show(self, jobs: Container[MatchKey]) -> None:
        """Store the changes of matches still in play."""
        playing = (row for row in self._seen.values() if row.key in jobs)
        rows = tuple(islice(playing, SHOWN_MAX))
        if rows != self._shown:
            with suppress(DatabaseError):
                self._store.show(self._tournament, rows)
                self._shown = rows

    def clear(self) -> None:
        """Remove all matches: nothing is in play."""
        self._seen.clear()
        self.show(())


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInPlay:
    """A match in play: its bots by seat, its position, and the time since the last move."""

    key: MatchKey
    names: tuple[str, ...]
    state: State
    plies: int
    still_s: int


def matches_in_play(store: Store, tournament: int) -> list[MatchInPlay]:
    """Return some matches of a tournament in play, at most two seconds old.

    Empty if no runner is alive, whatever a killed one has left; matches shorter than half a second
    never appear.
    """
    rows = store.shown(tournament)
    if not rows or not store.is_in_play(tournament):
        return []
    labels = store.labels({version for row in rows for version in row.versions})
    found = []
    for row in rows:
        # A game from a file may have disappeared or changed since its tournament began.
        with suppress(InputError):
            state = replay(find_game(row.game).initial(), row.moves)
            names = tuple(str(labels[version]) for version in row.versions)
            still_s = max(0, int(time.time()) - row.moved_at)
            found.append(
                MatchInPlay(
                    key=row.key, names=names, state=state, plies=len(row.moves), still_s=still_s
                )
            )
    return found
