"""The transposition table.

Source: A. Zobrist, A New Hashing Method with Application for Game Playing (1970). Keys here are
exact, so positions never collide.
"""

import time
from collections.abc import Hashable

from games.support.game import Move

SHARDS = 61
"""A growing dictionary blocks while it is copied, a tenth of a second for half a million entries;
many small ones block less than a millisecond. Prime, as the low bits of keys are often alike."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

Entry = tuple[int, bool, int, float, Move]
"""Depth, whether no line reached the horizon, kind of bound, value for the mover, best move."""


class TranspositionTable:
    """At most `limit` entries by key in `shards[hash(key) % SHARDS]`, which searches use directly.

    A full table adds no positions, whatever their hash, so that it does not depend on the process.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.shards: list[dict[Hashable, Entry]] = [{} for _ in range(SHARDS)]
        self._dropped: list[dict[Hashable, Entry]] = []

    def clear(self, until_ns: float) -> None:
        """Remove all entries; memory not freed by `until_ns` is freed the next time."""
        self._dropped += self.shards
        # In place: a finished search may hold the list until the garbage collector runs.
        self.shards[:] = [{} for _ in range(SHARDS)]
        while self._dropped and time.monotonic_ns() < until_ns:
            self._dropped.pop()
