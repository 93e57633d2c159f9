"""Round robin: everybody meets everybody in each round, in Berger order."""

from collections.abc import Iterator
from itertools import combinations

from league.schedules.contract import Encounter


class RoundRobin:
    """All pairs, or all groups of as many entrants as the game has seats, once a round."""

    name = "roundrobin"

    def encounters(self, entrants: int, seats: int, rounds: int) -> Iterator[Encounter]:
        """Yield `rounds` times every group of `seats` entrants."""
        if entrants < seats:
            raise ValueError(f"{entrants} entrants can't fill {seats} seats")
        number = 0
        for round_number in range(rounds):
            for group in berger(entrants) if seats == 2 else combinations(range(entrants), seats):
                yield Encounter(number, round_number, group)
                number += 1


def berger(entrants: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of `entrants` positions as the Berger tables list them, day by day.

    Each day pairs everybody once (a bye for one where the count is odd). The last position stays
    and the others turn by half the table, so that nobody sits in the same seat more than twice
    running (J. Berger's tables, as in the FIDE Handbook C.05, annex 1).
    """
    table = entrants + entrants % 2
    last = table - 1
    for day in range(last):
        first = day * (table // 2) % last
        pairs = [(first, last) if day % 2 == 0 else (last, first)]
        pairs += [((first + step) % last, (first - step) % last) for step in range(1, table // 2)]
        for pair in pairs:
            if max(pair) < entrants:
                yield pair


FORMAT = RoundRobin()
