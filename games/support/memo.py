"""A table that fills itself: values by key, made when they are first asked for."""

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_LIMIT = 1 << 16


class Memo(dict[K, V]):
    """The values that `make` gives; a full table keeps no more, so that it never fills the memory.

    A value that is there is found as fast as in any dictionary.
    """

    def __init__(self, make: Callable[[K], V]) -> None:
        self._make = make

    def __missing__(self, key: K) -> V:
        value = self._make(key)
        if len(self) < _LIMIT:
            self[key] = value
        return value
