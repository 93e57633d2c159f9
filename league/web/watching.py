"""The topics that pages follow, each drawn once for all windows."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from league.render.keyed_text import Drawing

FOLLOWED_MAX = 32
"""Number of topics of each kind that stay in memory."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The current drawing of a topic; it is final once it `is_over`."""

    drawing: Drawing
    is_over: bool


class Watched(Protocol):
    """A topic, which reads the database when due and draws the changes."""

    async def look(self, budget_s: float) -> Drawn:
        """Return the newest drawing; reading for it takes at most `budget_s` seconds.

        Raises `LeagueError`.
        """


Topic = TypeVar("Topic", bound=Watched)
Key = TypeVar("Key")


class Watches(Generic[Key, Topic]):
    """The recently watched topics of a kind."""

    def __init__(self, make: Callable[[Key], Topic]) -> None:
        self._make = make
        self._recent: OrderedDict[Key, Topic] = OrderedDict()
        self._in_use: WeakValueDictionary[Key, Topic] = WeakValueDictionary()
        """The topics that streams hold, too: others that are asked for must not part them."""

    def of(self, key: Key) -> Topic:
        """Return a topic; all its watchers share one object."""
        found = self._in_use.get(key)
        if found is None:
            found = self._in_use[key] = self._make(key)
        self._recent[key] = found
        self._recent.move_to_end(key)
        while len(self._recent) > FOLLOWED_MAX:
            self._recent.popitem(last=False)
        return found


def now_s() -> float:
    """Return the time of the event loop."""
    return asyncio.get_running_loop().time()
