"""Which opening each encounter of a tournament starts from."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from league.match.openings.opening import Openings


class OpeningAllocation:
    """Gives encounters openings in the order of planning, without the same one for the same bots.

    Each encounter gets the next opening. Once `most` openings or all that there are were given,
    they are given again: then an encounter skips those that its bots have met from before, until
    they have met from all.
    """

    def __init__(self, openings: Openings, most: int) -> None:
        self._openings = openings
        self._most = most
        self._had: defaultdict[frozenset[int], set[int]] = defaultdict(set)
        self._given: list[int] = []

    def number(self, encounter: int, entrants_of: Callable[[int], Sequence[int]]) -> int:
        """Return the number of an encounter's opening; `entrants_of` gives those of encounters."""
        while len(self._given) <= encounter:
            self._given.append(self._next(frozenset(entrants_of(len(self._given)))))
        return self._given[encounter]

    def _next(self, bots: frozenset[int]) -> int:
        given = len(self._given)
        available = self._openings.distinct(min(given + 1, self._most))
        number = given % available
        had = self._had[bots]
        if len(had) >= available:
            had.clear()
        while number in had:
            number = (number + 1) % available
        had.add(number)
        return number
