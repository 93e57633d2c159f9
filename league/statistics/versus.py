"""Two bots against each other."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from league.errors import SetupError
from league.ratings.tally import KINDS, Part, Tally
from league.statistics.encounters import (
    Sides,
    encounters_of,
    end_of,
    is_pair,
    opposed,
    result,
    sides_of,
)
from league.statistics.figures import finite
from league.statistics.openings import OpeningTallies
from league.store import BotRef, ResultRow, Store


@dataclass(slots=True)
class Versus:
    """What bot `one` scored against bot `other` in a game; every tally is of `one`.

    `seats` are by its own seat, `ends` by how the match ended and by whose fault, the most frequent
    first, `openings` the least even first, `versions` by the versions of both. `newest` are the
    matches, newest first, whose versions `labels` names.
    """

    game: str
    one: str
    other: str
    whole: Tally
    seats: list[Part]
    ends: list[Part]
    openings: list[Part]
    versions: list[Part]
    newest: list[ResultRow]
    labels: Mapping[int, BotRef]

    def as_json(self) -> dict[str, object]:
        """Return it as `league versus --json` prints it; null where a figure is infinite."""
        found = self.whole.difference
        return {
            "game": self.game,
            "bot": self.one,
            "against": self.other,
            **self.whole.as_json(),
            "elo": found and finite(found.elo),
            "elo_error": found and finite(found.elo_error),
            "nelo": found and finite(found.nelo),
            "nelo_error": found and finite(found.nelo_error),
            "los": found and round(found.los, 4),
            "encounters": {kind: self.whole.kinds[kind] for kind in KINDS},
            "left_out": self.whole.left_out,
            "draw_rate": round(self.whole.draw_rate, 4),
            "seats": [each.as_json("seat") for each in self.seats],
            "terminations": [each.as_json("termination") for each in self.ends],
            "openings": [each.as_json("opening") for each in self.openings],
            "versions": [each.as_json("versions") for each in self.versions],
            "newest": [row.id for row in self.newest],
        }


def versus(
    store: Store,
    game: str,
    one: str,
    other: str,
    tournament: int | None = None,
    is_all_versions: bool = False,
) -> Versus:
    """Return what bot `one` scored against bot `other`, both by name, in a game or a tournament.

    Only the newest version of each counts unless `is_all_versions`. Raises `UnknownRowError` for a
    bot that isn't there, `SetupError` for the same one twice.
    """
    if one == other:
        raise SetupError(f"{one!r} against itself: name two bots")
    ones, others = (_versions(store, name, is_all_versions) for name in (one, other))
    rows = list(store.result_rows(game, tournament, (ones, others)))
    labels = store.labels({*ones, *others, *(each for row in rows for each in row.versions)})
    tallies = _Tallies(frozenset(ones), frozenset(others), labels)
    for encounter in encounters_of(rows):
        tallies.add(encounter, sides_of(game, encounter[0]))
    return Versus(
        game,
        one if is_all_versions else str(labels[ones[-1]]),
        other if is_all_versions else str(labels[others[-1]]),
        tallies.whole,
        [Part(str(seat + 1), tally) for seat, tally in sorted(tallies.seats.items())],
        sorted(
            (Part(end, tally) for end, tally in tallies.ends.items()),
            key=lambda part: (-part.tally.matches, part.name),
        ),
        tallies.openings.named(store, game),
        [
            Part(f"{labels[mine]} – {labels[theirs]}", tally)
            for (mine, theirs), tally in sorted(tallies.versions.items())
        ],
        sorted(tallies.counted, key=lambda row: -row.id),
        labels,
    )


@dataclass(slots=True)
class _Tallies:
    """What the versions `ones` score against the versions `others`, as the encounters come."""

    ones: frozenset[int]
    others: frozenset[int]
    labels: Mapping[int, BotRef]
    whole: Tally = field(default_factory=Tally)
    openings: OpeningTallies = field(default_factory=OpeningTallies)
    seats: defaultdict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    ends: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    versions: defaultdict[tuple[int, int], Tally] = field(
        default_factory=lambda: defaultdict(Tally)
    )
    counted: list[ResultRow] = field(default_factory=list)

    def add(self, encounter: Sequence[ResultRow], sides: Sides) -> None:
        """Take an encounter."""
        found: dict[tuple[int, int], list[int]] = {}
        for row in encounter:
            met = self._results(row, sides)
            for seat, versions, each in met:
                found.setdefault(versions, []).append(each)
                self.seats[seat].add([each])
                self.ends[end_of(row, self.labels)].add([each])
            if met:
                self.counted.append(row)
        results = [each for of_pair in found.values() for each in of_pair]
        if results:
            self.whole.add(results, is_pair(encounter))
            self.openings.of(encounter[0]).add(results, is_pair(encounter))
        for versions, of_pair in found.items():
            self.versions[versions].add(of_pair, is_pair(encounter))

    def _results(self, row: ResultRow, sides: Sides) -> list[tuple[int, tuple[int, int], int]]:
        """Return the seat, both versions and the result of each of the ones against an other."""
        pairs = [(one, other) for pair in opposed(row, sides) for one, other in (pair, pair[::-1])]
        return [
            (one, (row.versions[one], row.versions[other]), result(row, one, other))
            for one, other in pairs
            if row.versions[one] in self.ones and row.versions[other] in self.others
        ]


def _versions(store: Store, name: str, is_all: bool) -> list[int]:
    found = [version.id for version in store.bot(name).versions]
    return found if is_all else found[-1:]
