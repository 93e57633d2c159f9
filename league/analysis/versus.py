"""Head-to-head results of two bots."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from league.analysis.encounters import Sides, encounters_of, end_of, is_pair, opposed, result
from league.analysis.opening_statistics import OpeningTotals
from league.analysis.rating_history import sides_of
from league.model.errors import SetupError
from league.ratings.head_to_head import HeadToHead, ScoreShare
from league.store.rows import BotRef, ResultRow
from league.store.store import StoreReader


@dataclass(slots=True, kw_only=True)
class Versus:
    """Bot `one`'s scores against bot `other` in a game.

    `seats` are by its own seat, `ends` by how the match ended and whose fault it was, the most
    frequent first, `openings` the least even first, `versions` by the versions of both. `newest`
    are the matches, newest first, whose versions `labels` names.
    """

    game: str
    one: str
    other: str
    whole: HeadToHead
    seats: list[ScoreShare]
    ends: list[ScoreShare]
    openings: list[ScoreShare]
    versions: list[ScoreShare]
    newest: list[ResultRow]
    labels: Mapping[int, BotRef]


def versus(
    store: StoreReader,
    game: str,
    one: str,
    other: str,
    *,
    tournament: int | None = None,
    is_all_versions: bool = False,
) -> Versus:
    """Return bot `one`'s scores against bot `other`, by name, in a game or a tournament.

    Only the newest version of each counts unless `is_all_versions`. Raises `UnknownRowError` for an
    unknown bot, `SetupError` for the same bot twice.
    """
    if one == other:
        raise SetupError(f"{one!r} against itself: name two bots")
    ones, others = (_versions(store, name, is_all_versions) for name in (one, other))
    if set(ones) & set(others):
        raise SetupError(f"{one!r} and {other!r} are the same version: name two")
    rows = list(store.results.rows(game, tournament, (ones, others)))
    labels = store.bots.labels({*ones, *others, *(each for row in rows for each in row.versions)})
    totals = _VersusTotals(ones=frozenset(ones), others=frozenset(others), labels=labels)
    for encounter in encounters_of(rows):
        totals.add(encounter, sides_of(game, len(encounter[0].versions)))
    return Versus(
        game=game,
        one=one if is_all_versions else str(labels[ones[-1]]),
        other=other if is_all_versions else str(labels[others[-1]]),
        whole=totals.whole,
        seats=[
            ScoreShare(str(seat + 1), head_to_head)
            for seat, head_to_head in sorted(totals.seats.items())
        ],
        ends=sorted(
            (ScoreShare(end, head_to_head) for end, head_to_head in totals.ends.items()),
            key=lambda part: (-part.head_to_head.matches, part.name),
        ),
        openings=totals.openings.named(store, game),
        versions=[
            ScoreShare(f"{labels[mine]} – {labels[theirs]}", head_to_head)
            for (mine, theirs), head_to_head in sorted(totals.versions.items())
        ],
        newest=sorted(totals.counted, key=lambda row: -row.id),
        labels=labels,
    )


def head_to_head(
    store: StoreReader,
    game: str,
    ones: Collection[int],
    others: Collection[int],
    tournaments: Collection[int] | None = None,
) -> HeadToHead:
    """Return the scores of the versions `ones` against the versions `others`.

    With `tournaments`, only matches of these count.
    """
    rows = list(store.results.rows(game, None, (ones, others)))
    if tournaments is not None:
        rows = [row for row in rows if row.tournament_id in tournaments]
    labels = store.bots.labels({each for row in rows for each in row.versions})
    totals = _VersusTotals(ones=frozenset(ones), others=frozenset(others), labels=labels)
    for encounter in encounters_of(rows):
        totals.add(encounter, sides_of(game, len(encounter[0].versions)))
    return totals.whole


@dataclass(slots=True, kw_only=True)
class _VersusTotals:
    """The results of the versions `ones` against the versions `others`."""

    ones: frozenset[int]
    others: frozenset[int]
    labels: Mapping[int, BotRef]
    whole: HeadToHead = field(default_factory=HeadToHead)
    openings: OpeningTotals = field(default_factory=OpeningTotals)
    seats: defaultdict[int, HeadToHead] = field(default_factory=lambda: defaultdict(HeadToHead))
    ends: defaultdict[str, HeadToHead] = field(default_factory=lambda: defaultdict(HeadToHead))
    versions: defaultdict[tuple[int, int], HeadToHead] = field(
        default_factory=lambda: defaultdict(HeadToHead)
    )
    counted: list[ResultRow] = field(default_factory=list)

    def add(self, encounter: Sequence[ResultRow], sides: Sides) -> None:
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
        """Return seat, versions and result of each pairing of a one with an other."""
        pairs = [(one, other) for pair in opposed(row, sides) for one, other in (pair, pair[::-1])]
        return [
            (one, (row.versions[one], row.versions[other]), result(row, one, other))
            for one, other in pairs
            if row.versions[one] in self.ones and row.versions[other] in self.others
        ]


def _versions(store: StoreReader, name: str, is_all: bool) -> list[int]:
    found = [version.id for version in store.bots.get(name).versions]
    return found if is_all else found[-1:]
