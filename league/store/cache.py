"""A cache of results computed from the league's matches, valid until these change."""

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

MOST = 300
"""Maximum number of values; the oldest is evicted. A list of 50 tournaments keeps five of each."""

QUICK_S, SHARE = 0.1, 10
"""A value that took longer than `QUICK_S` is computed again only after `SHARE` times as long."""

Value = TypeVar("Value")


@dataclass(slots=True)
class _Recent:
    """A value that was computed, or is being computed, for a state; it holds until `due_s`."""

    state: object
    future: Future[Any]
    due_s: float = 0.0


class Cache:
    """Thread-safe values by key, each of one state; threads wait for values in computation."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Hashable, tuple[object, Future[Any]]] = {}
        self._recent: dict[Hashable, _Recent] = {}

    def recall(self, state: object, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the cached value of `make()` for this key and state, or compute it.

        A value of another state gives way to it. Exceptions of `make` are raised in every waiting
        thread and not cached.
        """
        with self._lock:
            kept = self._kept.get(key)
            is_known = kept is not None and kept[0] == state
            if kept is not None and is_known:
                made: Future[Value] = kept[1]
            else:
                self._kept.pop(key, None)
                while len(self._kept) >= MOST:
                    del self._kept[next(iter(self._kept))]
                made = Future()
                self._kept[key] = state, made
        if not is_known:
            try:
                made.set_result(make())
            except BaseException as error:
                with self._lock:
                    if self._kept.get(key) == (state, made):
                        del self._kept[key]
                made.set_exception(error)
        return made.result()

    def recent(
        self,
        state: object,
        key: Hashable,
        make: Callable[[], Value],
        clock: Callable[[], float] = time.monotonic,
    ) -> Value:
        """Return the value of `make()` for this state, or a recent one where it takes long.

        So a value that takes a second costs a tenth of the processor, however often the state
        changes and however many ask. Exceptions are as in `recall`.
        """
        with self._lock:
            known = self._recent.get(key)
            if known is not None and (
                not known.future.done() or known.state == state or clock() < known.due_s
            ):
                made: Future[Value] = known.future
                known = None
            else:
                while len(self._recent) >= MOST:
                    del self._recent[next(iter(self._recent))]
                made = Future()
                known = self._recent[key] = _Recent(state, made)
        if known is not None:
            begin_s = clock()
            try:
                value = make()
            except BaseException as error:
                with self._lock:
                    if self._recent.get(key) is known:
                        del self._recent[key]
                made.set_exception(error)
            else:
                took_s = clock() - begin_s
                known.due_s = clock() + SHARE * took_s if took_s > QUICK_S else 0.0
                made.set_result(value)
        return made.result()
