"""A match in play, followed move by move and shared by all windows."""

import asyncio
from dataclasses import replace

from starlette.concurrency import run_in_threadpool

from games.support.specs import find_game
from league.analysis.match_selection import limits_text
from league.analysis.replay import Replay, load_replay
from league.analysis.win_chance import likely_score
from league.match.scores import places_to_show
from league.model.errors import UnknownRowError
from league.model.live_ply import LivePly
from league.model.records import MatchKey
from league.render.game_look import colours_in
from league.render.keyed_text import Drawing, GrowingList, KeyedText
from league.render.live_match_page import (
    STATE_PARTS,
    LiveGame,
    LivePhase,
    LiveSeat,
    LiveState,
    draw_live_move,
    draw_live_state,
    result_told,
)
from league.render.replay_page import ending
from league.store.rows import LiveMatchRow
from league.store.store import StoreReader
from league.tournament.watch_mark import WatchMark
from league.web.watching import Drawn, now_s

LOOK_S = 0.05
"""Interval between queries: the runner stores a watched match as often while it goes on."""

MARK_S = 1.0
"""Interval at which the runner is reminded of the watched matches."""

WATCHER_S = 3.0
"""A watcher counts as gone after so long without a look."""

Address = tuple[int, MatchKey]
"""A tournament, and a match of it."""


class WatchedMatches:
    """Tells runners which of their matches are being watched."""

    def __init__(self, store: StoreReader) -> None:
        self._store = store
        self._seen_s: dict[Address, float] = {}
        self._due_s: dict[int, float] = {}

    def mark(self, address: Address, time_s: float) -> None:
        """Note that a match is being watched; this writes a file at most once a second."""
        tournament = address[0]
        is_new = address not in self._seen_s
        self._seen_s[address] = time_s
        if is_new or time_s >= self._due_s.get(tournament, 0.0):
            self._due_s[tournament] = time_s + MARK_S
            self._write(tournament, time_s)

    def forget(self, address: Address) -> None:
        """Note that a match is over.

        The runner may have gone: nobody who has just left may keep the file. Those who still watch
        another match of the tournament write it at their next look.
        """
        if self._seen_s.pop(address, None) is not None:
            self._due_s.pop(address[0], None)
            WatchMark(self._store.path, address[0]).write(())

    def _write(self, tournament: int, time_s: float) -> None:
        self._seen_s = {
            address: seen_s
            for address, seen_s in self._seen_s.items()
            if time_s - seen_s < WATCHER_S
        }
        keys = [key for number, key in self._seen_s if number == tournament]
        WatchMark(self._store.path, tournament).write(keys)


class MatchWatch:
    """One match: its moves so far, and how it ended."""

    def __init__(self, store: StoreReader, watched: WatchedMatches, address: Address) -> None:
        self._store = store
        self._watched = watched
        self._address = address
        self._lock = asyncio.Lock()
        self._state = {name: KeyedText() for name in STATE_PARTS}
        self._moves = GrowingList()
        self._drawing = Drawing({**self._state, "moves": self._moves})
        self._live: LiveGame | None = None
        self._row: LiveMatchRow | None = None
        self._game = ""
        self._moved_at_ms = 0
        self._is_over = False
        self._due_s = 0.0

    @property
    def game(self) -> str:
        """The game of the match."""
        return self._game

    @property
    def seats(self) -> list[LiveSeat]:
        """The bots by seat; none before a look found the match."""
        return self._live.seats if self._live else []

    @property
    def limits(self) -> str:
        """Return the limits of the bots' moves."""
        found = [limits_text(each) for each in self._live.limits] if self._live else []
        return " – ".join(found if len(set(found)) > 1 else found[:1])

    async def look(self, budget_s: float) -> Drawn:
        """Return the newest drawing; raise `LeagueError`, also if there is no such match."""
        async with self._lock:
            if not self._is_over and now_s() >= self._due_s:
                await run_in_threadpool(self._read)
                self._due_s = now_s() + LOOK_S
                # Only now: an address of no match raises, and leaves no mark.
                if self._is_over:
                    self._watched.forget(self._address)
                else:
                    self._watched.mark(self._address, now_s())
            return Drawn(self._drawing, self._is_over)

    def _read(self) -> None:
        """Read what is new, and draw it."""
        tournament, key = self._address
        has_runner = self._store.tournaments.is_in_play(tournament)
        rows = self._store.live.shown(tournament, key) if has_runner else ()
        if rows:
            if rows[0] != self._row:
                self._take(rows[0])
            self._row = rows[0]
            return
        self._row = None
        number = self._store.matches.at(tournament, key)
        if number is not None:
            self._finish(load_replay(self._store, number))
        elif self._live is None:
            raise UnknownRowError(
                f"match {key} of tournament {tournament} is not in play", "match", str(key)
            )
        elif has_runner:
            self._draw(self._live, (), LivePhase.ENDED)
        else:
            self._is_over = True
            self._draw(self._live, (), LivePhase.STOPPED)

    def _take(self, row: LiveMatchRow) -> None:
        if self._live is None:
            self._live = self._begin(row.game, row.versions)
        self._moved_at_ms = row.moved_at_ms
        self._draw(self._live, row.plies, LivePhase.LIVE)

    def _begin(self, spec: str, versions: tuple[int, ...]) -> LiveGame:
        self._game, game = spec, find_game(spec)
        labels = self._store.bots.labels(set(versions))
        colours = colours_in(spec, len(versions))
        config = self._store.tournaments.get(self._address[0]).config
        bots = [self._store.bots.version(version) for version in versions]
        return LiveGame(
            game=game,
            seats=[
                LiveSeat(
                    name=str(labels[bot.id]),
                    colour=colour,
                    likely=likely_score(spec, bot.spec, bot.options),
                    bot=labels[bot.id].bot,
                    seat_name=seat_name,
                )
                for bot, colour, seat_name in zip(bots, colours, game.seat_names, strict=True)
            ],
            limits=config.limits.by_seat(game.seats, config.handicaps_of(versions)),
        )

    def _finish(self, replay: Replay) -> None:
        """Show the rest of the moves, and how the match ended."""
        record = replay.record
        if self._live is None:
            self._live = self._begin(record.game, record.versions)
        self._is_over = True
        plies = [LivePly(wire) for wire in record.opening]
        plies += [LivePly(move.move, move.wall_ns, move.report) for move in record.moves]
        known = self._live.plies
        # A match in play is a little more exact than its stored record.
        is_same = [each.wire for each in known] == [each.wire for each in plies[: len(known)]]
        whole = (*known, *plies[len(known) :]) if is_same and any(_costs(known)) else tuple(plies)
        self._draw(self._live, whole, LivePhase.FINISHED, over=replay)

    def _draw(
        self,
        live: LiveGame,
        plies: tuple[LivePly, ...],
        phase: LivePhase,
        *,
        over: Replay | None = None,
    ) -> None:
        version = self._drawing.next_version
        known = live.take(plies or live.plies)
        if known < len(self._moves):
            self._moves.clear(version)
        frames = live.frames[len(self._moves) + 1 :]
        for frame in frames:
            self._moves.add(draw_live_move(live, frame), version)
        state = LiveState(moved_at_ms=self._moved_at_ms, phase=phase)
        if over is not None:
            scores = over.record.scores
            state = replace(
                state,
                match=over.row.id,
                ending=result_told(over.names, live.game.seat_names, scores, ending(over)),
                scores=scores,
                places=places_to_show(scores, live.game.sides),
                has_next=self._store.tournaments.is_in_play(self._address[0]),
            )
        is_changed = bool(frames) or known < len(live.plies)
        texts = draw_live_state(live, state, self._address[0])
        drawn = [self._state[name].draw(text, version) for name, text in texts.items()]
        self._drawing.close(is_changed or any(drawn))


def _costs(plies: tuple[LivePly, ...]) -> list[bool]:
    return [each.wall_ns is not None for each in plies]
