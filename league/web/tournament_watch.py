"""A tournament's page, drawn when the database has changed; all pages and streams share it."""

import asyncio
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

from starlette.concurrency import run_in_threadpool

from league.analysis.crosstable import crosstable
from league.analysis.follow import Follower, FollowUpdate
from league.analysis.model_costs import model_costs
from league.analysis.standings import Standings, standings
from league.interchange.export_matches import usual_format
from league.render.keyed_text import Drawing, KeyedText
from league.render.match_endings import remembered_endings
from league.render.text.model_costs import total_told
from league.render.tournament_page import (
    PARTS,
    draw_boards,
    draw_body,
    draw_head,
    keep_places,
)
from league.render.tournament_view import NewestMatches, SlowParts
from league.store.rows import MatchRow
from league.store.store import StoreReader
from league.tournament.live_board import MatchInPlay, matches_in_play
from league.web.watching import Drawn, now_s

LOOK_S = 1.0
SHARE = 4
"""A page whose drawing takes so long is drawn again after so many times as long, not sooner."""

SLOW_S = 15.0
"""Interval between updates of the chart, the bars and the order of the crosstable."""

NEWEST = 10
"""Number of listed matches."""

RATE_S = 60.0
"""The rate of the matches is that of so many seconds."""


class DatabaseChanges:
    """A number that grows when the database changes; it is asked once a second for everybody."""

    def __init__(self, store: StoreReader) -> None:
        self._store = store
        self._state: object = None
        self._change = 0
        self._due_s = 0.0
        self._lock = asyncio.Lock()

    async def number(self) -> int:
        """Return the number."""
        async with self._lock:
            if now_s() >= self._due_s:
                state = await run_in_threadpool(self._store.state)
                self._due_s = now_s() + LOOK_S
                if state != self._state:
                    self._state, self._change = state, self._change + 1
            return self._change


class TournamentWatch:
    """The results and drawn parts of one tournament."""

    def __init__(self, store: StoreReader, changes: DatabaseChanges, tournament: int) -> None:
        self._store = store
        self._changes = changes
        self._tournament = tournament
        self._follower = Follower(store, tournament)
        self._lock = asyncio.Lock()
        self._parts = {name: KeyedText() for name in PARTS}
        self._drawing = Drawing(self._parts)
        self._look: FollowUpdate | None = None
        self._has_runner = False
        self._shown: list[MatchInPlay] = []
        self._change = -1
        self._boards_due_s = self._body_due_s = self._slow_due_s = 0.0
        self._slow = SlowParts()
        self._played: deque[tuple[float, int]] = deque()

    @property
    def newest(self) -> FollowUpdate:
        """Return the last update; ask after a look."""
        if self._look is None:
            raise RuntimeError("nobody has looked yet")
        return self._look

    async def look(self, budget_s: float) -> Drawn:
        """Return the newest drawing; raise `LeagueError`."""
        change = await self._changes.number()
        async with self._lock:
            texts = await self._boards() | await self._body(change, budget_s)
            version = self._drawing.next_version
            drawn = [self._parts[name].draw(text, version) for name, text in texts.items()]
            self._drawing.close(any(drawn))
            newest = self.newest
            return Drawn(self._drawing, newest.is_read and not newest.is_in_play)

    async def _boards(self) -> dict[str, str]:
        """Draw what is in play, once a second."""
        if self._look is not None and now_s() < self._boards_due_s:
            return {}
        self._has_runner, matches = await run_in_threadpool(_in_play, self._store, self._tournament)
        self._boards_due_s = now_s() + LOOK_S
        self._shown = keep_places(self._shown, matches) if self._has_runner else []
        over = {each.key for each in self._shown} - {each.key for each in matches}
        drawn = await run_in_threadpool(
            draw_boards, self._tournament, self._shown, over, is_in_play=self._has_runner
        )
        return {"boards": drawn}

    async def _body(self, change: int, budget_s: float) -> dict[str, str]:
        """Draw the rest where something has changed, and it is not too soon."""
        before, begin_s = self._look, now_s()
        if before is not None and before.is_read:
            is_same = (self._change, before.is_in_play) == (change, self._has_runner)
            if is_same or begin_s < self._body_due_s:
                return {}
        look = await run_in_threadpool(self._follower.look, budget_s)
        if before is not None and not before.is_read and not look.is_read:
            # Nothing is drawn between the beginning and all.
            return {}
        is_slow_due = begin_s >= self._slow_due_s or not look.is_in_play
        rate = self._rate(begin_s, look.row.played)
        slow = None if is_slow_due else self._slow
        texts, self._slow = await run_in_threadpool(_drawn, self._store, look, rate, slow)
        if is_slow_due:
            self._slow_due_s = begin_s + SLOW_S
        self._look, self._change = look, change
        self._body_due_s = begin_s + SHARE * (now_s() - begin_s)
        return texts

    def _rate(self, time_s: float, played: int) -> float | None:
        """Return the matches a second of the last minute; None while nothing is known."""
        self._played.append((time_s, played))
        while time_s - self._played[0][0] > RATE_S and len(self._played) > 2:
            self._played.popleft()
        begin_s, before = self._played[0]
        is_known = played > before and time_s - begin_s >= 2 * LOOK_S
        return (played - before) / (time_s - begin_s) if is_known else None


def past_rate(matches: Sequence[MatchRow]) -> float | None:
    """Return the matches a second at the end of these, the newest first; None for too few.

    While workers are busy, nothing lasts longer between two ends than the later match itself: a
    longer time was a pause of the tournament, and does not count.
    """
    took_s = sum(
        min(later.finished_at - earlier.finished_at, later.wall_ms / 1000)
        for later, earlier in pairwise(matches)
    )
    return (len(matches) - 1) / took_s if took_s > 0 else None


def _in_play(store: StoreReader, tournament: int) -> tuple[bool, list[MatchInPlay]]:
    return store.tournaments.is_in_play(tournament), matches_in_play(store, tournament)


def _drawn(
    store: StoreReader, look: FollowUpdate, rate: float | None, slow: SlowParts | None
) -> tuple[dict[str, str], SlowParts]:
    row = look.row
    table: Standings = standings(store, row.config.game, row.id)
    _, cells = crosstable(store, row.config.game, row.id)
    matches = store.matches.page(tournament=row.id, limit=NEWEST)
    if rate is None:
        rate = past_rate(matches)
    slow = slow or SlowParts.of(look, table)
    newest = NewestMatches(
        matches, remembered_endings(store, matches), usual_format(row.config.game)
    )
    body = draw_body(look, table, cells, newest, slow)
    cost = total_told(model_costs(store, tournament=row.id))
    return {"head": draw_head(look, rate, cost), **body}, slow
