"""Four times a second, a worker shows its heartbeat and the moves of a longer match.

Twenty times a second if somebody watches the match.
"""

import json
import os
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from games.support.moves import WireMove
from league.execution.heartbeat import Heartbeat
from league.match.conduct import Ply
from league.model.live_ply import LivePly, pack_plies, unpack_plies
from league.model.records import MatchKey

LIVE_INTERVAL_S = 0.25
"""The sampling interval, and the minimum age of a match to be sampled."""

WATCHED_INTERVAL_S = 0.05
"""The sampling interval of a match that somebody watches."""

PLIES_MAX = 16
"""Maximum number of plies in a message: a socket takes some 200 kB at once."""


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """Some plies of a worker's match, from number `begin` on; those of the opening come first.

    `count` is the number of all plies so far: fewer than before if the match begins again.
    """

    worker: str
    key: MatchKey
    count: int
    begin: int
    plies: tuple[LivePly, ...]

    def packed(self) -> bytes:
        """Encode as JSON: unlike pickle, it can't make the runner execute code."""
        plies = pack_plies(self.plies)
        key = (self.key.encounter, self.key.rotation)
        whole = (self.worker, *key, self.count, self.begin, plies)
        return json.dumps(whole, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> "LiveMatch":
        """Decode the output of `packed`; raise `ValueError`."""
        worker, encounter, rotation, count, begin, plies = json.loads(data)
        key = MatchKey(int(encounter), int(rotation))
        return cls(str(worker), key, int(count), int(begin), unpack_plies(plies))


Send = Callable[[bytes], object]
"""Sends a packed live match; raises `OSError` if it would block."""


class LiveFeed:
    """Samples the moves of the match in play on a system timer; idle without `send`.

    A timer adds no cost per move and also shows a bot that thinks for minutes. Not a thread,
    because bots are forked from this process. Each message carries the plies that are new, with
    their times and reports only if the `heartbeat` says that somebody watches.
    """

    def __init__(self, send: Send | None = None, heartbeat: Heartbeat | None = None) -> None:
        self._send = send
        self.heartbeat = heartbeat
        self._name = f"{socket.gethostname()} {os.getpid()}"
        self._key: MatchKey | None = None
        self._opening: Sequence[WireMove] = ()
        self._moves: Sequence[Ply] = ()
        self._begin_s = 0.0
        self._sent = -1
        self._is_watched = False

    def start(self) -> None:
        """Start the timer, in the main thread of this process."""
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LIVE_INTERVAL_S, LIVE_INTERVAL_S)

    def begin(self, key: MatchKey, opening: Sequence[WireMove], moves: Sequence[Ply]) -> None:
        """Sample a new match; `moves` grows while it is played."""
        self._key = None
        self._begin_s, self._opening, self._moves = time.monotonic(), opening, moves
        self._sent = -1
        self._key = key

    def end(self) -> None:
        """Stop sampling until the next match begins."""
        self._key = None

    def _look(self, number: int, frame: Any) -> None:
        if self.heartbeat is not None:
            self.heartbeat.beat()
            self._hear(self.heartbeat.is_watched)
        if self._key is None or self._send is None:
            return
        if time.monotonic() - self._begin_s < LIVE_INTERVAL_S:
            return
        # Dropped if the socket is full; the next tick resends, and the match never waits.
        with suppress(OSError):
            self._send_new(self._key, self._send)

    def _hear(self, is_watched: bool) -> None:
        """Tick as fast as wanted; who begins to watch gets all plies again, with their reports."""
        if is_watched == self._is_watched:
            return
        self._is_watched = is_watched
        interval_s = WATCHED_INTERVAL_S if is_watched else LIVE_INTERVAL_S
        signal.setitimer(signal.ITIMER_REAL, interval_s, interval_s)
        if is_watched:
            self._sent = -1

    def _send_new(self, key: MatchKey, send: Send) -> None:
        opening = len(self._opening)
        count = opening + len(self._moves)
        while self._sent < count:
            begin = max(0, self._sent)
            end = min(count, begin + PLIES_MAX)
            plies = tuple(self._ply(number, opening) for number in range(begin, end))
            send(LiveMatch(self._name, key, count, begin, plies).packed())
            self._sent = end

    def _ply(self, number: int, opening: int) -> LivePly:
        if number < opening:
            return LivePly(self._opening[number])
        wire, wall_ns, _, _, report, _ = self._moves[number - opening]
        return LivePly(wire, wall_ns, report) if self._is_watched else LivePly(wire)
