"""Swiss: each stage pairs entrants with similar scores, without rematches.

The pairing follows the idea of the FIDE Dutch system (Handbook C.04.3), not its letter: score
groups from the top, the upper half of a group against its lower half, each pair taken only if the
rest can still be paired.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from itertools import combinations, count

from games.support.options import option
from league.formats.format import Encounter, EncounterResult, Field, Format, before
from league.formats.matching import Matching
from league.formats.one_factors import MatchingSearch, without
from league.formats.table import DIGITS, Unplayed
from league.model.tiebreak import Tiebreak

BYE = -1
"""The opponent in a bye."""


@dataclass(frozen=True)
class Swiss(Format):
    """Pairs similar scores without rematches; the one left over gets a bye."""

    name = "swiss"
    title = "Swiss"
    help = "in each round those with like scores meet, without rematches"
    tiebreaks = (
        Tiebreak.BUCHHOLZ_CUT1,
        Tiebreak.BUCHHOLZ,
        Tiebreak.SONNEBORN_BERGER,
        Tiebreak.DIRECT,
    )

    bye: float = option(
        1.0, help="what a bye is worth, as a share of a won encounter", low=0, high=1
    )
    late: float = option(0.0, help="what each stage before one joined is worth", low=0, high=1)

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the pairings between similar scores, the leaders' first."""
        if number >= field.rounds or len(field.present) < field.seats:
            return []
        table = _Table(self, number, field, before(results, number))
        groups = table.pairs() if field.seats == 2 else table.groups()
        return [Encounter(number, number, table.seated(group)) for group in groups]

    def default_rounds(self, entrants: int) -> int:
        """Return one more than it takes to leave a single undefeated entrant."""
        return max(1, entrants - 1).bit_length() + 1

    def unplayed(
        self, field: Field, results: Collection[EncounterResult], stages: int
    ) -> list[Unplayed]:
        """Return the byes, the stages before entrants joined, and those after they withdrew.

        Who withdraws in a stage misses it, unless it had the bye; its opponent gets a bye's worth.
        """
        paired = {
            (entrant, result.encounter.stage)
            for result in results
            for entrant in result.encounter.entrants
        }
        found = []
        for stage in range(stages):
            there = [each for each in range(field.entrants) if field.plays_in(each, stage)]
            idle = [each for each in there if (each, stage) not in paired]
            is_dropped = len(idle) > len(there) % field.seats
            for entrant in range(field.entrants):
                if (entrant, stage) in paired:
                    continue
                is_late = stage < field.joined_at(entrant)
                missed = field.withdrawn.get(entrant, stages + 1) - is_dropped
                is_away = not is_late and stage >= missed
                share = 0.0 if is_away else self.late if is_late else self.bye
                points = field.seats * share
                found.append(Unplayed(entrant, points, is_late or is_away, is_away))
        return sorted(found, key=lambda each: each.entrant)

    def planned(self, field: Field) -> int:
        """Return encounters per stage times stages."""
        return len(field.present) // field.seats * field.rounds


class _Table:
    """The points, meetings, byes and seats before a stage."""

    def __init__(
        self, swiss: Swiss, stage: int, field: Field, results: Sequence[EncounterResult]
    ) -> None:
        self.seats = field.seats
        self.met: Counter[frozenset[int]] = Counter()
        self.byes: Counter[int] = Counter()
        self.sat: Counter[tuple[int, int]] = Counter()
        self.last_seat: dict[int, int] = {}
        points: defaultdict[int, float] = defaultdict(float)
        for result in results:
            encounter = result.encounter
            self.met.update(frozenset(pair) for pair in combinations(encounter.entrants, 2))
            for seat, entrant in enumerate(encounter.entrants):
                points[entrant] += result.points[seat]
                self.sat[entrant, seat] += 1
                self.last_seat[entrant] = seat
        for each in swiss.unplayed(field, results, stage):
            points[each.entrant] += each.points
            self.byes[each.entrant] += not each.is_requested
        self.points = {entrant: round(points[entrant], DIGITS) for entrant in field.present}
        self.ranked = sorted(field.present, key=lambda entrant: (-self.points[entrant], entrant))
        # The bye is drawn first.
        self.drawn = [BYE, *self.ranked] if len(self.ranked) % 2 else self.ranked

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of a two-player game, with as few rematches as possible.

        As long as all have met equally often, what is left to play stays a whole round robin.
        """
        graph = self._graph()
        greedy = self._greedy(graph)
        search = MatchingSearch()
        found = greedy
        if not search.can_split(without(graph, greedy)):
            others = search.matchings(graph, range(len(graph)), self._wanted)
            keeping = (pairs for pairs in others if search.can_split(without(graph, pairs)))
            found = next(keeping, greedy)
        return [
            (self.drawn[one], self.drawn[other])
            for one, other in found
            if BYE not in (self.drawn[one], self.drawn[other])
        ]

    def _graph(self) -> list[set[int]]:
        """Return who can meet whom, by place in `drawn`, with no more rematches than necessary."""
        found = (self._meetings_up_to(most) for most in count())
        return next(each for each in found if Matching(each).is_perfect)

    def _meetings_up_to(self, most: int) -> list[set[int]]:
        least = min(self.byes[entrant] for entrant in self.ranked)

        def can_meet(one: int, other: int) -> bool:
            if BYE in (one, other):
                return self.byes[max(one, other)] == least
            return self.met[frozenset((one, other))] <= most

        return [
            {
                place
                for place, other in enumerate(self.drawn)
                if other != one and can_meet(one, other)
            }
            for one in self.drawn
        ]

    def _greedy(self, graph: Sequence[Set[int]]) -> list[tuple[int, int]]:
        """Return the pairs in which each gets the best opponent that lets the rest be paired."""
        matching = Matching(graph)
        left: Sequence[int] = range(len(graph))
        found = []
        while left:
            one = left[0]
            other = next(each for each in self._wanted(left) if matching.take(one, each))
            found.append((one, other))
            left = [each for each in left if each not in (one, other)]
        return found

    def _wanted(self, left: Sequence[int]) -> list[int]:
        """Return the opponents for the first of the places `left` in `drawn`, best first."""
        one = self.drawn[left[0]]
        if one == BYE:
            return list(reversed(left[1:]))
        points = self.points[one]
        middle = sum(self.points[self.drawn[each]] == points for each in left) // 2

        def distance(other: int) -> tuple[float, float, int]:
            place = left.index(other)
            gap = points - self.points[self.drawn[other]]
            away = abs(place - middle) if not gap else place
            return self.met[frozenset((one, self.drawn[other]))], gap, away

        return sorted(left[1:], key=distance)

    def groups(self) -> list[tuple[int, ...]]:
        """Return groups for more than two seats: the top entrant left and its best opponents.

        Fewest meetings come first, but this greedy choice may leave later groups with rematches.
        """
        left = list(self.ranked)
        for _ in range(len(left) % self.seats):
            left.remove(min(reversed(left), key=self.byes.__getitem__))
        found = []
        while left:
            group = [left.pop(0)]
            while len(group) < self.seats:
                group.append(min(left, key=lambda each: self._meetings(each, group)))
                left.remove(group[-1])
            found.append(tuple(group))
        return found

    def _meetings(self, entrant: int, group: Sequence[int]) -> int:
        return sum(self.met[frozenset((entrant, other))] for other in group)

    def seated(self, group: Sequence[int]) -> tuple[int, ...]:
        """Give each seat in turn to the entrant that had it least often, and not last time."""
        left = list(group)
        order = []
        for seat in range(self.seats):
            chosen = min(
                left, key=lambda each: (self._surplus(each, seat), self.last_seat.get(each) == seat)
            )
            order.append(chosen)
            left.remove(chosen)
        return tuple(order)

    def _surplus(self, entrant: int, seat: int) -> int:
        """Return how much more often an entrant had a seat than its average over all seats."""
        had = [self.sat[entrant, each] for each in range(self.seats)]
        return self.seats * had[seat] - sum(had)


FORMAT = Swiss
