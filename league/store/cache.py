"""A cache of results computed from the league's matches, valid until these change."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

MOST = 100
"""Maximum number of values; the oldest is evicted."""

Value = TypeVar("Value")


class Cache:
    """Thread-safe values by key for one state; threads wait for values in computation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: object = None
        self._kept: dict[Hashable, Future[Any]] = {}

    def recall(self, state: object, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached value of `make()` for this key and state, or compute it.

        Its exceptions are raised in every waiting thread and not cached.
        """
        with self._lock:
            if state != self._state:
                self._state = state
                self._kept.clear()
            kept = self._kept.get(key)
            made: Future[Value] = Future() if kept is None else kept
            if kept is None:
                while len(self._kept) >= MOST:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = made
        if kept is None:
            try:
                made.set_result(make())
            except BaseException as error:
                with self._lock:
                    if self._kept.get(key) is made:
                        del self._kept[key]
                made.set_exception(error)
        return made.result()
