"""A table that computes its values on first use."""

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_LIMIT = 1 << 16


class Memo(dict[K, V]):
    """Memoises `make`, as fast as a dictionary; a full table adds no more, to bound the memory."""

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make

    def __missing__(self, key: K) -> V:
        value = self._make(key)
        if len(self) < _LIMIT:
            self[key] = value
        return value
