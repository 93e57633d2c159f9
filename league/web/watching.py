"""What a page is kept up to date with: a topic, drawn for all windows together."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from league.render.keyed_text import Drawing

FOLLOWED_MAX = 32
"""How many topics of a kind are remembered with what was read of them."""


@dataclass(frozen=True, slots=True)
class Look:
    """A topic as it is now; nothing follows once it `is_over`."""

    drawing: Drawing
    is_over: bool


class Watched(Protocol):
    """A topic: it looks at the database when it is due, and draws what has changed."""

    async def look(self, budget_s: float) -> Look:
        """Return the newest drawing, for which reading takes no longer than that.

        Raises `LeagueError`.
        """


Topic = TypeVar("Topic", bound=Watched)
Key = TypeVar("Key")


class Watches(Generic[Key, Topic]):
    """The topics of a kind that somebody has looked at lately."""

    def __init__(self, make: Callable[[Key], Topic]) -> None:
        self._make = make
        self._topics: OrderedDict[Key, Topic] = OrderedDict()

    def of(self, key: Key) -> Topic:
        """Return a topic, the same one for all who watch it."""
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
