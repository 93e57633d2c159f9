"""What was worked out of a league's matches, kept for as long as they are the same."""

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Any, TypeVar

MOST = 100
"""So many values are kept; the oldest goes."""

Value = TypeVar("Value")


class Cache:
    """Values by key, all of one state of the database; threads share it.

    What one thread works out, the others wait for.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._state: object = None
        self._kept: dict[Hashable, Future[Any]] = {}

    def recall(self, state: object, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return what `make` returned for the key in that state, or what it returns now.

        What it raises is raised in all that wait for it, and not kept.
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
