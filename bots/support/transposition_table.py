"""The transposition table: what a search knows of positions.

Source: A. Zobrist, A New Hashing Method with Application for Game Playing (1970). Keys here are
exact, so that no entry ever speaks of another position.
"""

import time
from collections.abc import Hashable

from games.support.game import Move

SHARDS = 61
"""A dictionary that grows stops everything while it copies itself, a tenth of a second for half a
million entries. Many small ones never take longer than a millisecond. Prime, as the low bits of
keys are often all alike."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

Entry = tuple[int, bool, int, float, Move]
"""Depth searched, whether no line of it reached the horizon, kind of bound, value, best move.

The value is from the view of the side to move there.
"""


class Table:
    """Entries by key, at most `limit`, in `shards[hash(key) % SHARDS]`: searches go there directly.

    A full table takes no new positions, whatever their hash, so that what it holds does not depend
    on the process.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.shards: list[dict[Hashable, Entry]] = [{} for _ in range(SHARDS)]
        self._dropped: list[dict[Hashable, Entry]] = []

    def clear(self, until_ns: float) -> None:
        """Forget everything; memory not freed by `until_ns` is freed the next time."""
        self._dropped += self.shards
        # In place: a search that is over may still hold the list, until the garbage collector
        # finds it.
        self.shards[:] = [{} for _ in range(SHARDS)]
        while self._dropped and time.monotonic_ns() < until_ns:
            self._dropped.pop()
