"""Ladder: bots challenge their neighbours above; the winner takes the higher spot."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.support.options import option
from league.formats.format import (
    Encounter,
    EncounterResult,
    Field,
    Format,
    TableOrder,
    before,
    in_order,
)


@dataclass(frozen=True)
class Ladder(Format):
    """Neighbours on the ladder meet, and different neighbours in the next stage."""

    name = "ladder"
    title = "Ladder"
    help = "neighbours meet, and who scores more takes the higher place"
    table_order = TableOrder.PLACES

    reach: int = option(1, help="how many spots up a challenge goes", low=1)

    def check(self, field: Field) -> None:
        """Raise `ValueError` if no challenge is possible."""
        super().check(field)
        if not self._groups(0, list(range(field.entrants)), field.seats):
            raise ValueError(
                f"nobody of {field.entrants} entrants stands {self.reach * (field.seats - 1)} "
                f"spots below another: expected a reach of 1 to "
                f"{(field.entrants - 1) // (field.seats - 1)}"
            )

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the challenges, from the top of the ladder."""
        if number >= field.rounds:
            return []
        all_spots = spots(field, before(results, number))
        ladder = [each for each in all_spots if each not in field.withdrawn]
        groups = self._groups(number, ladder, field.seats)
        return [Encounter(number, number, group) for group in groups]

    def default_rounds(self, entrants: int) -> int:
        """Return enough rounds for the last bot to climb to the top."""
        return 2 * entrants

    def planned(self, field: Field) -> int:
        """Return the number of challenges, which does not depend on results."""
        ladder = field.present
        stages = range(field.rounds)
        return sum(len(self._groups(stage, ladder, field.seats)) for stage in stages)

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """Name the bot at the top."""
        top = self.places(field, results)[0][0]
        return f"{names[top]} tops the ladder" if results and field.present else ""

    def places(self, field: Field, results: Collection[EncounterResult]) -> list[list[int]]:
        """Return the ladder from the top down, and below it those who withdrew."""
        ladder = spots(field, in_order(results))
        return [[each] for each in sorted(ladder, key=field.withdrawn.__contains__)]

    def _groups(self, stage: int, ladder: Sequence[int], seats: int) -> list[tuple[int, ...]]:
        """Return groups of entrants, each from the higher spot to the lower."""
        block = self.reach * seats
        offset = stage % seats * self.reach
        return self._cut(ladder[offset:], block) or self._cut(ladder, block)

    def _cut(self, ladder: Sequence[int], block: int) -> list[tuple[int, ...]]:
        groups = []
        for start in range(0, len(ladder), block):
            part = ladder[start : start + block]
            groups += [tuple(part[first :: self.reach]) for first in range(self.reach)]
        return [group for group in groups if len(group) * self.reach == block]


def spots(field: Field, results: Sequence[EncounterResult]) -> list[int]:
    """Return the entrants from the top of the ladder down, after `results` in order.

    The ladder starts in list order, so a bot that joins starts at the bottom. The entrants of an
    encounter share out their spots by points; a challenger with no more points stays below.
    """
    ladder = list(range(field.entrants))
    for result in results:
        taken = sorted(ladder.index(entrant) for entrant in result.encounter.entrants)
        points = dict(zip(result.encounter.entrants, result.points, strict=True))
        order = sorted((ladder[spot] for spot in taken), key=lambda each: -points[each])
        for spot, entrant in zip(taken, order, strict=True):
            ladder[spot] = entrant
    return ladder


FORMAT = Ladder
