"""Season: a tournament without an end of its own, in which nobody waits long for a match."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from games.support.options import option
from league.formats.format import Encounter, EncounterResult, Field, Format, TableOrder
from league.formats.seat_order import seated
from league.match.seeds import seed_of
from league.ratings.elo_difference import expected_score
from league.ratings.fit import Ratings, fit
from league.ratings.result_table import Floats, PairTotal, ResultColumns

CLOSE = 200.0
"""Opponents so many Elo further away than the closest one are drawn 1/e as often."""

NEW = 10
"""A bot is new until it has played so many encounters."""

OFFSETS = (-60.0, 60.0, -180.0, 180.0, 0.0, -300.0, 300.0, 0.0, -120.0, 120.0)
"""The opponents of a new bot are so many Elo from its rating, one after the other."""

KNOWN = 4.0
"""A starting rating counts as much as so many matches against a bot of that rating."""

VIRTUAL = 0.01
"""The virtual draws of each bot: they keep ratings finite beside the starting ratings."""

SLACK = 2.0
"""An encounter takes no bot's time further beyond its share than so many usual encounters."""

DOUBT = 0.25
"""Before a bot's encounters, so many at the usual cost are believed."""

LEAST_COST = 0.05
"""No bot counts as quicker than this share of the usual one."""


@dataclass(frozen=True)
class Season(Format):
    """New bots play first, then those that have used the least time; close bots meet.

    A bot's encounters cost the time that they take, so that a slow bot plays fewer. A share of the
    encounters is between the two bots that have met least often.
    """

    name = "season"
    title = "Season"
    help = "new bots, then those that have used the least time, meet bots of similar rating"
    option_words: ClassVar[Mapping[str, str]] = {
        "explored": "{:.0%} of encounters between bots that met least",
        "least": "",
    }
    lag = 2
    has_rounds = False
    needs_times = True
    # Bots play different numbers of matches, and opponents chosen for them.
    table_order = TableOrder.RATING

    explored: float = option(
        0.2, help="share of encounters between the bots that met least", low=0, high=1
    )
    least: int = option(
        4, help="encounters of a stage at least: more keep more workers busy", low=1
    )

    def stage(
        self, number: int, field: Field, results: Collection[EncounterResult]
    ) -> list[Encounter]:
        """Return the encounters of a stage, those of new bots first.

        No group meets twice in it before all groups have met.
        """
        if number >= field.rounds or len(field.present) < field.seats:
            return []
        end = self.known_before(number, field)
        known = [result for result in results if result.encounter.stage < end]
        draw = _Draw(self, number, field, known)
        met: Counter[tuple[int, ...]] = Counter()
        encounters = []
        for group in draw.groups():
            place = tuple(sorted(group))
            if met[place] < self.least:
                # No two encounters of a group have the same opening.
                opening = number * self.least + met[place]
                encounters.append(Encounter(number, opening, seated(group, number + met[place])))
                met[place] += 1
        return encounters

    def known_before(self, number: int, field: Field) -> int:
        """Return the regular stage before, or for a stage of arrivals the one before that.

        The stages in play are the last two regular ones, and those of arrivals after them. So a
        stage of arrivals waits for nothing.
        """
        arrivals = {each for each in field.joined if each > 0}
        found, back = number, 2 if number in arrivals else 1
        while back and found > 0:
            found -= 1
            back -= found not in arrivals
        return found

    def default_rounds(self, entrants: int) -> int:
        """Return enough stages for about twenty encounters of each bot."""
        return 40


def ratings_of(field: Field, results: Collection[EncounterResult]) -> Ratings:
    """Return the ratings of all entrants by position, with their starting ratings as a weak prior.

    Starting ratings are those of `field`; the mean is not held at zero, so that ratings follow on
    those of an earlier leg.
    """
    return _rated(field, _columns(field, list(results)))


def _rated(field: Field, columns: ResultColumns) -> Ratings:
    # Each bot has met a bot of rating 0 in virtual matches that ended as its starting rating says.
    nobody = field.entrants
    believed = []
    for entrant, elo in enumerate(_starting(field).tolist()):
        wins = KNOWN / 2 * expected_score(elo)
        losses = KNOWN / 2 - wins
        believed.append(PairTotal(entrant, nobody, wins, 0.0, losses))
        believed.append(PairTotal(nobody, entrant, losses, 0.0, wins))
    return fit(
        field.entrants + 1,
        [*columns.pair_totals(), *believed],
        has_advantage=field.seats == 2,
        anchor=(nobody, 0.0),
        prior=VIRTUAL,
    )


def _starting(field: Field) -> Floats:
    found = np.zeros(field.entrants)
    given = field.starting_ratings[: field.entrants]
    found[: len(given)] = given
    return found


def _columns(field: Field, results: Sequence[EncounterResult]) -> ResultColumns:
    """Return the matches as `columns_of` does, quicker for many results."""
    seats, rotations = field.seats, range(field.seats)
    if not results:
        return ResultColumns.of([], field.sides)
    entrants = np.array([each.encounter.entrants for each in results], dtype=np.intp)
    scores = np.array([each.scores for each in results], dtype=np.float64)
    distinct = np.ones((len(results), seats))
    for place, each in enumerate(results):
        for rotation in each.repeated:
            distinct[place, rotation] = 0
    return ResultColumns(
        np.concatenate([np.roll(entrants, -each, axis=1) for each in rotations]),
        np.concatenate([np.roll(scores[:, each], -each, axis=1) for each in rotations]),
        np.ones(len(results) * seats),
        tuple(field.sides),
        np.concatenate([distinct[:, each] for each in rotations]),
    )


class _Draw:
    """The groups of one stage, drawn one by one from what is known before it.

    Arrays are by position. `time` is what each bot has used, in seconds or, where these are
    unknown, in encounters; `due` is its equal share of the time that the present bots have used
    since it joined.
    """

    def __init__(
        self, format_: Season, number: int, field: Field, results: Sequence[EncounterResult]
    ) -> None:
        self.number, self.field, self.seats = number, field, field.seats
        self.present = np.array(field.present, dtype=np.intp)
        self.size = max(format_.least, ceil(len(self.present) / 4))
        seed = seed_of(field.seed, "season", number)
        # This generator's numbers never change between versions of NumPy.
        self.source = np.random.RandomState([seed >> 32, seed & 0xFFFFFFFF])
        self.explorers = int(format_.explored * self.size + self.source.random_sample())
        self.entrants = np.array([each.encounter.entrants for each in results], dtype=np.intp)
        self.entrants = self.entrants.reshape(-1, self.seats)
        self.elo = _rated(field, _columns(field, results)).elo[: field.entrants]
        self.joined = np.array([field.joined_at(each) for each in range(field.entrants)])
        self.count = np.bincount(self.entrants.ravel(), minlength=field.entrants)
        self.cost = self._costs(np.array([each.wall_s for each in results]))
        self.usual = float(self.cost[self.present].mean())
        self.time = self.count * self.cost
        self.due = self._shares(np.array([each.encounter.stage for each in results], dtype=np.intp))
        # What the stage before takes is not known yet: slow bots play in every other stage only.
        takes_turns = (np.arange(field.entrants) + number) % 2 == 1
        self.waits = takes_turns & (self.cost > SLACK * self.usual)
        # Equals take turns in an order of the tournament's own.
        order = np.random.RandomState(field.seed & 0xFFFFFFFF).permutation(field.entrants)
        self.turn = (np.argsort(order) - number * self.size) % field.entrants
        self.met_now = np.zeros((field.entrants, field.entrants), dtype=np.int32)

    def groups(self) -> Iterable[tuple[int, ...]]:
        """Yield the groups of the stage in playing order."""
        arrived = [int(each) for each in self.present if 0 < self.joined[each] == self.number]
        if arrived:
            # A stage of arrivals has no others: it is made at once, and the next one soon.
            for place in range(2):
                for bot in arrived:
                    yield self._group(bot, OFFSETS[place])
            return
        room = self.size - self.explorers
        new = self._newcomers()[:room]
        # One that has just joined plays twice, if that leaves room for the others.
        twice = [each for each in new if 0 < self.joined[each] >= self.number - 1]
        slots = new + (twice if len(new) + len(twice) <= room // 2 else [])
        for again, bot in enumerate(slots):
            # Its encounters of the stage before are not known yet.
            unknown = 2 * (self.number > self.joined[bot] > 0)
            place = int(self.count[bot]) + unknown + (again >= len(new))
            yield self._group(bot, OFFSETS[place % len(OFFSETS)])
        for _ in range(room - len(slots)):
            yield self._group(self._neediest(), 0.0)
        yield from self._least_met(self.explorers)

    def _costs(self, wall_s: Floats) -> Floats:
        """Estimate the seconds that each bot adds to an encounter, from what encounters took."""
        bots, seats = self.field.entrants, self.seats
        if not wall_s.any():
            return np.ones(bots)
        usual = float(wall_s.mean()) / seats
        # Least squares; what is believed keeps an unknown bot's cost finite.
        matrix = np.diag(self.count + DOUBT) + self.met
        spent = np.zeros(bots)
        for seat in range(seats):
            spent += np.bincount(self.entrants[:, seat], wall_s, bots)
        found: Floats = np.linalg.solve(matrix, spent + DOUBT * usual)
        return np.maximum(found, LEAST_COST * usual)

    def _shares(self, stages: NDArray[np.intp]) -> Floats:
        """Return what each bot's time would be if present bots had shared it equally."""
        is_present = np.zeros(self.field.entrants, dtype=bool)
        is_present[self.present] = True
        spent = (self.cost * is_present)[self.entrants].sum(axis=1)
        of_stage = np.bincount(stages, spent, self.number + 1)
        joined = np.minimum(self.joined, self.number)
        begun = np.cumsum(np.bincount(joined[is_present], minlength=self.number + 1))
        share = of_stage / np.maximum(begun, 1)
        # This stage adds about as much for everybody.
        share[self.number] = self.size * self.seats * self.usual / len(self.present)
        since: Floats = np.cumsum(share[::-1])[::-1]
        found: Floats = since[joined]
        return found

    @cached_property
    def met(self) -> NDArray[np.int32]:
        """Return the number of meetings of every two bots."""
        bots = self.field.entrants
        found = np.zeros(bots * bots, dtype=np.int64)
        for one in range(self.seats):
            for other in range(self.seats):
                if one != other:
                    cells = self.entrants[:, one] * bots + self.entrants[:, other]
                    found += np.bincount(cells, minlength=bots * bots)
        return found.reshape(bots, bots).astype(np.int32)

    def _newcomers(self) -> list[int]:
        """Return the new bots, those with the fewest encounters first."""
        # One whose matches take long is not new for long.
        is_new = (self.count < NEW) & (self.time < NEW * SLACK * self.usual)
        found = self.present[is_new[self.present]]
        order = np.lexsort((self.turn[found], self.count[found]))
        return [int(each) for each in found[order]]

    def _free(self) -> NDArray[np.intp]:
        """Return the present bots that an encounter takes no further than their share of time."""
        is_over = self.time + self.cost - self.due > SLACK * self.usual
        found: NDArray[np.intp] = self.present[~(is_over | self.waits)[self.present]]
        return found

    def _neediest(self) -> int:
        """Return the bot that would lack most of its share of time even after an encounter."""
        free = self._free()
        among = free if len(free) else self.present
        lack = (self.due - self.time - self.cost)[among]
        return int(among[np.lexsort((self.turn[among], -lack))[0]])

    def _group(self, bot: int, offset: float) -> tuple[int, ...]:
        """Return a bot with opponents close to its rating plus an offset, least met first."""
        group = [bot]
        at = self.elo[bot] + offset
        while len(group) < self.seats:
            group.append(self._opponent(group, at))
        return self._taken(group)

    def _opponent(self, group: list[int], at: float) -> int:
        free = self._free()
        others = free[~np.isin(free, group)]
        if not len(others):
            others = self.present[~np.isin(self.present, group)]
        mates = np.array(group, dtype=np.intp)
        now = self.met_now[np.ix_(mates, others)].sum(axis=0)
        others = others[now == now.min()]
        away = np.abs(self.elo[others] - at)
        weight = np.exp(-(((away - away.min()) / CLOSE) ** 2))
        # The least of exponential draws over weights is a draw by weight; with the meetings before
        # added to them, opponents come in turn, as often as their weights say.
        drawn = -np.log1p(-self.source.random_sample(len(others)))
        met = self.met[np.ix_(mates, others)].sum(axis=0)
        return int(others[np.argmin((met + drawn) / np.maximum(weight, 1e-12))])

    def _least_met(self, count: int) -> Iterable[tuple[int, ...]]:
        """Yield groups with a pair that has met least often, each bot once if possible."""
        if not count:
            return
        free = self._free()
        among = free if len(free) >= self.seats else self.present
        both = np.ix_(among, among)
        met = (self.met[both] + self.met_now[both]).astype(np.int64)
        np.fill_diagonal(met, np.iinfo(np.int64).max)
        pairs = np.flatnonzero(np.triu(met == met.min()))
        used: set[int] = set()
        for _ in range(count):
            for _ in range(NEW):
                cell = int(pairs[self.source.randint(len(pairs))])
                pair = [int(among[each]) for each in divmod(cell, len(among))]
                if used.isdisjoint(pair):
                    break
            used.update(pair)
            while len(pair) < self.seats:
                pair.append(self._opponent(pair, float(self.elo[pair].mean())))
            yield self._taken(pair)

    def _taken(self, group: list[int]) -> tuple[int, ...]:
        mates = np.array(group, dtype=np.intp)
        self.time[mates] += self.cost[mates]
        self.met_now[np.ix_(mates, mates)] += 1
        return tuple(group)


FORMAT = Season
