"""The moves of matches in play, sent twice a second at most; shorter matches send nothing."""

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
from league.model.records import MatchKey

LIVE_INTERVAL_S = 0.5
"""How often a match is looked at, and how long it must have been played."""


@dataclass(frozen=True, slots=True)
class LiveMatch:
    """The moves so far of the match that a worker plays, those of its opening first."""

    worker: str
    key: MatchKey
    moves: tuple[WireMove, ...]

    def packed(self) -> bytes:
        """Return it as JSON: whoever could write to the runner must not have it run anything."""
        whole = (self.worker, self.key.encounter, self.key.rotation, self.moves)
        return json.dumps(whole, separators=(",", ":")).encode()

    @classmethod
    def unpacked(cls, data: bytes) -> "LiveMatch":
        """Read what `packed` made; raise `ValueError`."""
        worker, encounter, rotation, moves = json.loads(data)
        return cls(str(worker), MatchKey(int(encounter), int(rotation)), tuple(moves))


Send = Callable[[bytes], object]
"""Passes a packed live match on, or raises `OSError` where that would have to wait."""


class LiveFeed:
    """Sends the moves of the match in play, by a timer of the system.

    So a move costs nothing more than before, and a bot that thinks for minutes is seen thinking. A
    thread would do too, but bots are forked from here. Without `send` nothing is looked at.
    """

    def __init__(self, send: Send | None = None) -> None:
        self._send = send
        self._name = f"{socket.gethostname()} {os.getpid()}"
        self._key: MatchKey | None = None
        self._moves: Sequence[WireMove] = ()
        self._begin_s = 0.0
        self._sent = -1

    def start(self) -> None:
        """Look from now on, in the main thread of this process."""
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LIVE_INTERVAL_S, LIVE_INTERVAL_S)

    def begin(self, key: MatchKey, moves: Sequence[WireMove]) -> None:
        """Look at a match that begins; `moves` grows while it is played."""
        self._begin_s, self._moves, self._sent = time.monotonic(), moves, -1
        self._key = key

    def end(self) -> None:
        """Look at nothing before the next match begins."""
        self._key = None

    def _look(self, number: int, frame: Any) -> None:
        key, count = self._key, len(self._moves)
        if key is None or self._send is None or count == self._sent:
            return
        if time.monotonic() - self._begin_s < LIVE_INTERVAL_S:
            return
        # Dropped where the socket is full: the next tick sends it, and a match never waits.
        with suppress(OSError):
            self._send(LiveMatch(self._name, key, tuple(self._moves)).packed())
            self._sent = count
