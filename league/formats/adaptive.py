"""Adaptive: pair the bots whose encounters tell most about the ratings, or about the best bot."""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil, comb

import numpy as np

from games.support.options import option
from league.formats.format import (
    Encounter,
    EncounterResult,
    Field,
    Format,
    TableOrder,
    before,
    columns_of,
)
from league.formats.seat_order import seated
from league.match.seeds import seed_of
from league.ratings.best_bot import TopTwo
from league.ratings.error_forecast import ErrorForecast
from league.ratings.fit import comparisons, fit
from league.ratings.likelihood import Floats

EQUAL = 1 - 1e-9
"""Gains closer than this factor count as equal, so that rounding never decides a pairing."""

STEADY = 32
"""In search of the best bot, so many stages are equally large, and the next ones twice as large: a
few percent of the matches are in play at the decision, and no fit is made for a few matches."""


@dataclass(frozen=True)
class Adaptive(Format):
    """A-optimal design: each encounter is the one that shrinks the mean variance most.

    Little-known bots come first, against the opponents whose ratings tell most about theirs. If
    only the best bot is asked for, those meet that may be it (see `TopTwo`).
    """

    name = "adaptive"
    title = "Adaptive"
    help = "bots meet where a match tells most about their ratings, newcomers first"
    lag = 2
    has_rounds = False
    # Bots play different numbers of matches, and opponents chosen for them.
    table_order = TableOrder.RATING

    batch: int = option(
        4, help="encounters of a stage: fewer choose better, more keep more workers busy", low=1
    )

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return a stage's encounters, most informative first.

        No two meet twice in it, unless the best bot is asked for.
        """
        if len(field.present) < field.seats:
            return []
        known = before(results, number - 1)
        if field.is_for_best:
            return self._contests(number, field, known)
        if number >= self._stages(field):
            return []
        last = [each.encounter.entrants for each in known if each.encounter.stage == number - 2]
        # The stage before is in play: without its results, it follows from what is known.
        in_play = self._groups(number - 1, field, before(known, number - 2), last)
        groups = self._groups(number, field, known, in_play)
        return [Encounter(number, number, seated(group, number)) for group in groups]

    def _contests(
        self, number: int, field: Field, results: Sequence[EncounterResult]
    ) -> list[Encounter]:
        """Return the encounters of a stage that tell which bot is the best.

        Stages are whole, so that more rounds change none.
        """
        doubled, rest = divmod(number, STEADY)
        size = self.batch << doubled
        begin = STEADY * (size - self.batch) + rest * size
        if begin >= field.rounds * (field.entrants // field.seats):
            return []
        source = random.Random(seed_of(field.seed, "best", number))
        totals = columns_of(results, field).pair_totals()
        rows = comparisons(field.entrants, totals, has_advantage=field.seats == 2)
        # The drawn order breaks ties.
        contenders = TopTwo(rows, source.sample(field.present, len(field.present)))
        return [
            Encounter(number, opening, seated(contenders.draw(field.seats, source), opening))
            for opening in range(begin, begin + size)
        ]

    def _groups(
        self,
        number: int,
        field: Field,
        results: Sequence[EncounterResult],
        in_play: Sequence[tuple[int, ...]],
    ) -> list[tuple[int, ...]]:
        """Return the groups of a stage, given the results before those that are in play."""
        if number < 0:
            return []
        choice = _Choice(field, number, results)
        for group in in_play:
            choice.add(group)
        return [group for _ in range(self.batch) if (group := choice.take())]

    def default_rounds(self, entrants: int) -> int:
        """Return enough rounds to tell apart bots that differ by 100 Elo."""
        return 10

    def planned(self, field: Field) -> int | None:
        """Return encounters per stage times stages; None if a stage may run out of groups."""
        groups = comb(len(field.present), 2)
        if field.seats > 2 and self.batch > 1:
            return None
        return min(self.batch, groups) * self._stages(field)

    def _stages(self, field: Field) -> int:
        return ceil(field.rounds * (field.entrants // field.seats) / self.batch)


class _Choice:
    def __init__(self, field: Field, stage: int, results: Sequence[EncounterResult]) -> None:
        self.seats = field.seats
        # A match's information is divided among its pairs, as in `ResultColumns`.
        self.matches = field.seats / (field.seats - 1)
        totals = columns_of(results, field).pair_totals()
        ratings = fit(field.entrants, totals, has_advantage=field.seats == 2)
        self.design = ErrorForecast(ratings, totals)
        # The seeded order breaks ties: the first in it wins.
        self.order = list(field.present)
        random.Random(seed_of(field.seed, "adaptive", stage)).shuffle(self.order)
        self.is_met = np.eye(len(self.order), dtype=bool)

    def take(self) -> tuple[int, ...]:
        """Return the next group, () once every pair has met in some group."""
        if self.is_met.all():
            return ()
        gains = self.design.gains(self.matches)[np.ix_(self.order, self.order)]
        new = np.where(self.is_met, -1, gains)
        chosen = list(divmod(_first_best(new), len(self.order)))
        while len(chosen) < self.seats:
            added = gains[chosen].sum(axis=0)
            added[chosen] = -1
            chosen.append(_first_best(added))
        self.is_met[np.ix_(chosen, chosen)] = True
        group = tuple(self.order[each] for each in chosen)
        self.add(group)
        return group

    def add(self, group: Sequence[int]) -> None:
        """Take an encounter as played."""
        for one, other in combinations(group, 2):
            self.design.add(one, other, self.matches)


def _first_best(gains: Floats) -> int:
    """Return the flat index of the first maximum; no gain is below -1."""
    best = float(gains.max())
    return int(np.argmax(gains >= best * EQUAL))


FORMAT = Adaptive
