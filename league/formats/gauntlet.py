"""Gauntlet: a few challengers play all the others, who don't meet each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, ClassVar

from games.support.options import option
from league.formats.format import Encounter, EncounterResult, Field, Format
from league.formats.seat_order import seated

if TYPE_CHECKING:
    from league.formats.table import PointsTable


@dataclass(frozen=True)
class Gauntlet(Format):
    """The first entrants against all others, with one challenger in every encounter."""

    name = "gauntlet"
    title = "Gauntlet"
    few_matches = "the best and the worst challengers"
    help = "challengers, the first entrants, meet all others"
    lag = None
    # The others meet the challengers alone: nobody's opponents tell anything.
    tiebreaks = ()

    option_words: ClassVar[Mapping[str, str]] = {"challengers": "{:g} challengers"}

    challengers: int = option(1, help="how many, from the first named, run the gauntlet", low=1)

    def check(self, field: Field) -> None:
        """Raise `ValueError` if too few opponents are left."""
        super().check(field)
        others = field.entrants - self.challengers
        if others < field.seats - 1:
            raise ValueError(
                f"a gauntlet of {self.challengers} among {field.entrants} entrants leaves "
                f"{max(others, 0)} to meet, expected at least {field.seats - 1}"
            )

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return one cycle, with its own opening; all challengers progress in parallel."""
        if number >= field.rounds:
            return []
        return [Encounter(number, number, seated(group, number)) for group in self._groups(field)]

    def planned(self, field: Field) -> int:
        """Return challengers × groups of the others × cycles."""
        challengers, others = self._both(field)
        return len(challengers) * comb(len(others), field.seats - 1) * field.rounds

    def winner(self, table: PointsTable, names: Sequence[str]) -> str:
        """Name nobody: who plays more has more points."""
        return ""

    def _groups(self, field: Field) -> Iterator[tuple[int, ...]]:
        challengers, others = self._both(field)
        for group in combinations(others, field.seats - 1):
            for challenger in challengers:
                yield (challenger, *group)

    def _both(self, field: Field) -> tuple[list[int], list[int]]:
        challengers = [entrant for entrant in field.present if entrant < self.challengers]
        return challengers, [entrant for entrant in field.present if entrant >= self.challengers]


FORMAT = Gauntlet
