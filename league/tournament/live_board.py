"""Matches in play, as the runner publishes them and spectators see them."""

import time
from collections.abc import Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from games.support.errors import InputError
from games.support.game import Game, State
from games.support.move_marks import Points
from games.support.moves import WireMove, decode_move, replay
from games.support.specs import find_game
from league.execution.live_feed import LiveMatch
from league.execution.worker import MatchJob
from league.model.clock import now_ms
from league.model.errors import DatabaseError
from league.model.records import MatchKey
from league.store.rows import LiveMatchRow
from league.store.store import Store, StoreReader
from league.tournament.watch_mark import WatchMark

SHOWN_MAX = 8
"""Maximum number of shown matches of a tournament."""

WAIT_S = 0.1
"""Longest time that the runner waits for results."""

SHOW_EVERY_S = 1.0
"""Interval between updates of the matches in play."""

WATCHED_EVERY_S = 0.05
"""Shortest interval between updates while somebody watches one of them."""


class LiveBoard:
    """Publishes some matches of a run in the store; each worker keeps its place.

    No result depends on it: if the store is busy, the update waits for the next call.
    """

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._mark = WatchMark(store.path, tournament)
        self._watched: frozenset[MatchKey] = frozenset()
        self._shown_s = 0.0
        self._seen: dict[str, LiveMatchRow] = {}
        self._shown: tuple[LiveMatchRow, ...] | None = None

    @property
    def wait_s(self) -> float:
        """The longest time that the runner may wait before it reads new results, in seconds."""
        return WATCHED_EVERY_S if self._watched else WAIT_S

    def watched(self) -> frozenset[MatchKey]:
        """Return the matches that somebody watches."""
        self._watched = self._mark.read()
        return self._watched

    def take(self, seen: Iterable[LiveMatch], jobs: Mapping[MatchKey, MatchJob]) -> None:
        """Record the workers' live matches; `jobs` are those handed out that have no result."""
        for each in seen:
            job = jobs.get(each.key)
            if job is None:
                continue
            before = self._seen.get(each.worker)
            if before is None or before.key != each.key:
                before = None
            known = before.plies if before else ()
            if each.begin > len(known):
                # A message was lost on its way from a cluster: what follows fits nothing.
                continue
            # A watcher gets all plies again, with their reports, in several messages.
            plies = known[: each.begin] + each.plies + known[each.begin + len(each.plies) :]
            plies = plies[: each.count]
            row = LiveMatchRow(
                key=each.key,
                game=job.game,
                versions=tuple(version.id for version in job.versions),
                plies=plies,
                moved_at_ms=now_ms(),
            )
            if before and len(known) == len(plies):
                row = replace(row, moved_at_ms=before.moved_at_ms)
            self._seen[each.worker] = row

    def show(self, jobs: Container[MatchKey]) -> None:
        """Store the changes of matches still in play, once a second, or more often if watched."""
        now_s = time.monotonic()
        # The interval counts from the last stored change: a move after a pause is stored at once,
        # and a spectator who has just come does not wait for the end of the long interval.
        pause_s = WATCHED_EVERY_S if self._watched else SHOW_EVERY_S
        if now_s >= self._shown_s + pause_s and self._show(jobs):
            self._shown_s = now_s

    def _show(self, jobs: Container[MatchKey]) -> bool:
        playing = [row for row in self._seen.values() if row.key in jobs]
        # Watched matches come first, wherever they are played.
        playing.sort(key=lambda row: row.key not in self._watched)
        rows = tuple(playing[:SHOWN_MAX])
        if rows == self._shown:
            return False
        with suppress(DatabaseError):
            self._store.live.show(self._tournament, rows)
            self._shown = rows
        return True

    def clear(self) -> None:
        """Remove all matches: nothing is in play."""
        self._seen.clear()
        self._show(())
        self._mark.write(())


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchInPlay:
    """A match in play: its bots by seat, its position, and the time of the last move.

    `marks` are the points of the drawing that the last move touches, and `moved_at_ms` is in
    milliseconds since 1970.
    """

    key: MatchKey
    game: str
    names: tuple[str, ...]
    state: State
    plies: int
    moved_at_ms: int
    marks: Points = ()


def newest_position(game: Game, moves: tuple[WireMove, ...]) -> tuple[State, Points]:
    """Return the position after encoded moves, and the points that the last of them touches.

    Raises `MoveError` at the first move that is not legal.
    """
    before = replay(game.initial(), moves[:-1])
    if not moves:
        return before, ()
    move = decode_move(before, moves[-1])
    return before.play(move), before.marks(move)


def matches_in_play(store: StoreReader, tournament: int) -> list[MatchInPlay]:
    """Return some matches of a tournament in play, at most two seconds old.

    Empty if no runner is alive, whatever a killed one has left; matches shorter than a quarter of a
    second never appear.
    """
    rows = store.live.shown(tournament)
    if not rows or not store.tournaments.is_in_play(tournament):
        return []
    labels = store.bots.labels({version for row in rows for version in row.versions})
    found = []
    for row in rows:
        # A game from a file may have disappeared or changed since its tournament began.
        with suppress(InputError):
            state, marks = newest_position(find_game(row.game), row.moves)
            names = tuple(str(labels[version]) for version in row.versions)
            found.append(
                MatchInPlay(
                    key=row.key,
                    game=row.game,
                    names=names,
                    state=state,
                    plies=len(row.plies),
                    moved_at_ms=row.moved_at_ms,
                    marks=marks,
                )
            )
    return found
