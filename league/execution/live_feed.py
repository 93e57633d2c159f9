"""Twice a second, a worker shows its heartbeat and the moves of a longer match."""

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
from league.model.records import MatchKey

LIVE_INTERVAL_S = 0.5
"""The sampling interval, and the minimum age of a match to be sampled."""


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """The moves so far of a worker's match, including its opening."""

    worker: str
    key: MatchKey
    moves: tuple[WireMove, ...]

    def packed(self) -> bytes:
        """Encode as JSON: unlike pickle, it can't make the runner execute code."""
        whole = (self.worker, self.key.encounter, self.key.rotation, self.moves)
        return json.dumps(whole, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> "LiveMatch":
        """Decode the output of `packed`; raise `ValueError`."""
        worker, encounter, rotation, moves = json.loads(data)
        return cls(str(worker), MatchKey(int(encounter), int(rotation)), tuple(moves))


Send = Callable[[bytes], object]
"""Sends a packed live match; raises `OSError` if it would block."""


class LiveFeed:
    """Samples the moves of the match in play on a system timer; idle without `send`.

    A timer adds no cost per move and also shows a bot that thinks for minutes. Not a thread,
    because bots are forked from this process.
    """

    def __init__(self, send: Send | None = None, heartbeat: Heartbeat | None = None) -> None:
        self._send = send
        self.heartbeat = heartbeat
        self._name = f"{socket.gethostname()} {os.getpid()}"
        self._key: MatchKey | None = None
        self._moves: Sequence[WireMove] = ()
        self._begin_s = 0.0
        self._sent = -1

    def start(self) -> None:
        """Start the timer, in the main thread of this process."""
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LIVE_INTERVAL_S, LIVE_INTERVAL_S)

    def begin(self, key: MatchKey, moves: Sequence[WireMove]) -> None:
        """Sample a new match; `moves` grows while it is played."""
        self._begin_s, self._moves, self._sent = time.monotonic(), moves, -1
        self._key = key

    def end(self) -> None:
        """Stop sampling until the next match begins."""
        self._key = None

    def _look(self, number: int, frame: Any) -> None:
        if self.heartbeat is not None:
            self.heartbeat.beat()
        key, count = self._key, len(self._moves)
        if key is None or self._send is None or count == self._sent:
            return
        if time.monotonic() - self._begin_s < LIVE_INTERVAL_S:
            return
        # Dropped if the socket is full; the next tick resends, and the match never waits.
        with suppress(OSError):
            self._send(LiveMatch(self._name, key, tuple(self._moves)).packed())
            self._sent = count
