"""Round robin: everybody meets everybody in each round, in Berger order."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

from league.formats.format import Encounter, EncounterResult, Field, Format
from league.formats.seat_order import seated


@dataclass(frozen=True)
class RoundRobin(Format):
    """All pairs, or all groups as large as the game has seats, once a cycle."""

    name = "roundrobin"
    title = "Round robin"
    help = "everybody meets everybody"
    lag = None

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return one cycle, with its own opening."""
        if number >= field.rounds:
            return []
        groups = berger(field.entrants) if field.seats == 2 else _groups(field)
        return [
            Encounter(number, number, seated(group, number))
            for group in groups
            if field.withdrawn.keys().isdisjoint(group)
        ]

    def planned(self, field: Field) -> int:
        """Return groups times cycles."""
        return comb(len(field.present), field.seats) * field.rounds


def _groups(field: Field) -> Iterator[tuple[int, ...]]:
    return combinations(range(field.entrants), field.seats)


def berger(entrants: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of `entrants` positions day by day in the order of the Berger tables.

    Each day pairs everybody once, with one bye if the count is odd. The last position stays and the
    others rotate by half the table, so that nobody has the same seat more than twice in a row (J.
    Berger's tables, as in the FIDE Handbook C.05, annex 1).
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


FORMAT = RoundRobin
