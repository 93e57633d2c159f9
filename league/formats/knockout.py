"""Knockout: the losers of each round are out, until a champion is left.

No bracket table is needed: the winner of a group takes the place of its best seed, and the best
places meet the worst. For two seats that is the usual bracket, in which the top two seeds can meet
only in the final.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from games.support.options import option
from league.formats.format import (
    BracketTie,
    Encounter,
    EncounterResult,
    Field,
    Format,
    TableOrder,
    before,
    in_order,
)
from league.match.seeds import seed_of


@dataclass(frozen=True, kw_only=True)
class Knockout(Format):
    """Groups as large as the game has seats; the best of each advance, and ties are replayed."""

    name = "knockout"
    title = "Knockout"
    few_matches = "the winner and of those who left early"
    help = "who loses is out, until a champion is left"
    is_open = False
    is_extensible = False
    has_rounds = False
    table_order = TableOrder.PLACES

    seeding: str = option(
        "standard",
        help="best against worst by the order of entrants, as listed, or drawn by seed",
        choices=("standard", "listed", "drawn"),
    )
    advance: str = option(
        "half", help="how many of a group go on; of two it is one", choices=("half", "one")
    )
    replays: int = option(3, help="more encounters of a group that is tied, one by one", low=0)
    decide: str = option(
        "seeding", help="what decides a tie after them", choices=("seeding", "lot")
    )
    third: bool = option(False, help="whether the losers of the semi-finals meet")

    def check(self, field: Field) -> None:
        """Raise `ValueError` also for a third-place match in a game with more than two seats."""
        super().check(field)
        if self.third and field.seats > 2:
            raise ValueError(
                f"no match for the third place in a game for {field.seats}: the final ranks all"
            )

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return a round of the bracket, or the replays of its ties."""
        bracket = _Bracket(self, field, before(results, number))
        return [Encounter(number, opening, group) for opening, group in bracket.missing]

    def planned(self, field: Field) -> int | None:
        """Return the number of encounters if no tie can be replayed, else None."""
        if self.replays:
            return None
        ties, alive = 0, field.entrants
        while alive > 1:
            outs = self.outs(alive, field.seats)
            ties += len(outs) + (self.third and alive == 4)
            alive -= sum(outs)
        return ties * field.rounds

    def verdict(
        self, field: Field, results: Collection[EncounterResult], names: Sequence[str]
    ) -> str:
        """Name the champion."""
        bracket = _Bracket(self, field, in_order(results))
        if bracket.missing:
            return ""
        third = f", {names[bracket.third]} is third" if bracket.third is not None else ""
        return f"{names[bracket.alive[0]]} is the champion{third}"

    def ties(self, field: Field, results: Collection[EncounterResult]) -> list[BracketTie]:
        """Return the bracket as far as it is known, the third-place match last."""
        return _Bracket(self, field, in_order(results)).ties

    def places(self, field: Field, results: Collection[EncounterResult]) -> list[list[int]]:
        """Return who is left, then who went out in each round, the last round first."""
        bracket = _Bracket(self, field, in_order(results))
        if bracket.missing:
            return [bracket.alive, *reversed(bracket.out)]
        order = [bracket.alive, *([each] for each in bracket.out[-1]), *reversed(bracket.out[:-1])]
        if bracket.third is not None:
            order[2:3] = [[bracket.third], [each for each in order[2] if each != bracket.third]]
        return [group for group in order if group]

    def seeds(self, entrants: int, seed: int) -> list[int]:
        """Return the entrants by seed, the first seed first; `seed` is that of the tournament."""
        order = list(range(entrants))
        if self.seeding == "drawn":
            random.Random(seed_of(seed, "draw")).shuffle(order)
        return order

    def outs(self, alive: int, seats: int) -> list[int]:
        """Return how many entrants each group of a round eliminates; the rest have byes.

        Byes come as early as possible: they reduce the count to one from which full groups lead to
        a final of one group.
        """
        if alive == seats:
            return [seats - 1]
        places = seats // 2 if self.advance == "half" else 1
        target = seats
        while target * seats % places == 0 and target * seats // places < alive:
            target = target * seats // places
        outs: list[int] = []
        while sum(outs) < alive - target and (len(outs) + 1) * seats <= alive:
            outs.append(min(alive - target - sum(outs), seats - places))
        return outs


class _Bracket:
    """The bracket that the results lead to.

    `missing` are the openings and groups of the encounters to play next; `alive` are the remaining
    entrants in bracket order; `out` are those who lost in each round, of the last one in order.
    """

    def __init__(
        self, knockout: Knockout, field: Field, results: Sequence[EncounterResult]
    ) -> None:
        self.knockout = knockout
        self.field = field
        self.alive = knockout.seeds(field.entrants, field.seed)
        self.out: list[list[int]] = []
        self.third: int | None = None
        self.missing: list[tuple[int, tuple[int, ...]]] = []
        self.ties: list[BracketTie] = []
        # Every group eliminates somebody, so the same group never meets in a later round.
        self.results: defaultdict[frozenset[int], list[EncounterResult]] = defaultdict(list)
        for result in results:
            self.results[frozenset(result.encounter.entrants)].append(result)
        self.number = 0
        while len(self.alive) > 1 and not self.missing:
            self._play()

    def _play(self) -> None:
        """Play the next round, or record its missing encounters."""
        seats = self.field.seats
        outs = self.knockout.outs(len(self.alive), seats)
        byes = len(self.alive) - len(outs) * seats
        groups = self._groups(self.alive[byes:], len(outs))
        ranked = [self._ranked(group, seats - out) for group, out in zip(groups, outs, strict=True)]
        if self.knockout.third and len(self.alive) == 2:
            self.third = self._third()
        if self.missing:
            return
        going_on = [
            (rank, number, entrant)
            for number, (order, out) in enumerate(zip(ranked, outs, strict=True))
            for rank, entrant in enumerate(order[: seats - out])
        ]
        self.alive = self.alive[:byes] + [entrant for _, _, entrant in sorted(going_on)]
        self.out.append(
            [
                loser
                for order, out in zip(ranked, outs, strict=True)
                for loser in order[seats - out :]
            ]
        )
        self.number += 1

    def _groups(self, players: Sequence[int], count: int) -> list[tuple[int, ...]]:
        seats = self.field.seats
        if self.knockout.seeding == "listed":
            return [tuple(players[seats * each : seats * (each + 1)]) for each in range(count)]
        rows = [players[count * seat : count * (seat + 1)] for seat in range(seats)]
        return list(
            zip(*(row[:: -1 if number % 2 else 1] for number, row in enumerate(rows)), strict=True)
        )

    def _third(self) -> int | None:
        losers = self.out[-1] if self.out else []
        if len(losers) == 2:
            return self._ranked(tuple(losers), 1)[0]
        # Of three entrants one had a bye, so there is only one loser.
        return losers[0] if losers else None

    def _ranked(self, group: tuple[int, ...], places: int) -> list[int]:
        """Rank a group given in seed order; `places` advance; record the replays still needed."""
        rounds, most = self.field.rounds, self.field.rounds + self.knockout.replays
        played = {result.encounter.opening: result for result in self.results[frozenset(group)]}
        points = dict.fromkeys(group, 0.0)
        for result in played.values():
            for entrant, gained in zip(result.encounter.entrants, result.points, strict=True):
                points[entrant] = round(points[entrant] + gained, 6)
        order = sorted(self._drawn(group), key=lambda entrant: -points[entrant])
        is_tied = points[order[places - 1]] == points[order[places]]
        wanted = rounds if len(played) < rounds else len(played) + (is_tied and len(played) < most)
        first = self.number * most
        lacking = [each for each in range(first, first + wanted) if each not in played]
        if lacking and not set(group).isdisjoint(self.field.withdrawn):
            order, lacking = sorted(group, key=self.field.withdrawn.__contains__), []
        self.missing += [(opening, group) for opening in lacking]
        scored = tuple(points[entrant] for entrant in group) if played else ()
        through = () if lacking else tuple(order[:places])
        self.ties.append(BracketTie(self.number, group, scored, through))
        return order

    def _drawn(self, group: tuple[int, ...]) -> list[int]:
        """Return a group in tie-break order."""
        order = list(group)
        if self.knockout.decide == "lot":
            random.Random(seed_of(self.field.seed, "lot", *group)).shuffle(order)
        return order


FORMAT = Knockout
