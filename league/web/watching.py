"""The topics that pages follow, each drawn once for all windows."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from league.render.keyed_text import Drawing

FOLLOWED_MAX = 32
"""Number of topics of each kind that stay in memory."""


@dataclass(frozen=True, slots=True)
class Look:
    """The current drawing of a topic; it is final once it `is_over`."""

    drawing: Drawing
    is_over: bool


class Watched(Protocol):
    """A topic, which reads the database when due and draws the changes."""

    async def look(self, budget_s: float) -> Look:
        """Return the newest drawing; reading for it takes at most `budget_s` seconds.

        Raises `LeagueError`.
        """


Topic = TypeVar("Topic", bound=Watched)
Key = TypeVar("Key")


class Watches(Generic[Key, Topic]):
    """The recently watched topics of a kind."""

    def __init__(self, make: Callable[[Key], Topic]) -> None:
        self._make = make
        self._topics: OrderedDict[Key, Topic] = OrderedDict()

    def of(self, key: Key) -> Topic:
        """Return a topic; all its watchers share one object."""
        found = self._topics.get(key)
        if found is None:
            found = self._topics[key] = self._make(key)
        self._topics.move_to_end(key)
        while len(self._topics) > FOLLOWED_MAX:
            self._topics.popitem(last=False)
        return found


def now_s() -> float:
    """Return the time of the event loop."""
    return asyncio.get_running_loop().time()
