"""Ratings over time: snapshots that are kept, continued and dropped.

Matches are rated in the order of tournament, encounter and rotation, so a match that is played
later may come earlier. A snapshot of the first n matches is valid while the store has n matches up
to its place; others are dropped and made again. So a snapshot always equals a full recomputation.
"""

import json
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeVar, assert_never

import numpy as np

from games.support.specs import find_game
from league.model.document import Count, Id, SecondsSince, about, document
from league.model.errors import DatabaseError
from league.model.records import Repeat
from league.ratings.rating_system import (
    Live,
    MatchSystem,
    RatingSystem,
    SystemRatings,
    TotalsSystem,
)
from league.ratings.result_table import ResultColumns
from league.ratings.separation import naming
from league.ratings.system_specs import make_system, settings_of
from league.store.rows import (
    Place,
    Played,
    PoolExtent,
    RatingSnapshot,
    Series,
    TotalColumns,
    VersionRating,
)
from league.store.store import Store, StoreReader

_System = TypeVar("_System", TotalsSystem, MatchSystem)

OF_LEAGUE = {"k": "k_factor", "initial": "initial"}
"""System options that a league has settings for, with the settings' names."""

KEPT = ("fitted", "elo")
"""The systems whose history every league keeps."""

SHIFT_LEAST = 20.0
"""A smaller shift of the ratings, in Elo, is not told."""

FAR = 10_000
"""A live rating that needed this many matches is worth storing."""


@dataclass(frozen=True, slots=True)
class RatingTrend:
    """A current live rating, how many matches it processed, and the snapshots on the way.

    `void` is the number of the newest void before the matches were read.
    """

    live: Live
    taken: int
    series: Series
    kept: tuple[int, ...]
    snapshots: tuple[RatingSnapshot, ...]
    void: int

    def save(self, store: Store) -> None:
        """Store the snapshots in place of invalid ones."""
        store.snapshots.save(self.series, self.kept, self.snapshots, self.void)


@document("Rating", "game bot version tournament as_of_match=match at matches rating=value error")
@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPoint:
    """A rating that a bot had once."""

    game: str
    bot: str
    version: Id
    tournament: Id
    match: Annotated[Id, about("the newest match that it counts")]
    at: Annotated[SecondsSince, about("end of that match: UTC, seconds since 1970")]
    matches: Annotated[Count, about("matches of this version by then")]
    value: float
    error: Annotated[float | None, about("half the 95% interval")]


@dataclass(frozen=True, slots=True)
class FieldShift:
    """A change of all earlier ratings by new versions, as the mean of all is held.

    `mean` is that of the changes, in Elo, by the end of the `tournament`.
    """

    tournament: int
    joined: int
    mean: float


def system_of(store: StoreReader, spec: str) -> RatingSystem:
    """Make the system of a spec, with the league's settings as defaults."""
    found = {option: store.settings.get(key, "") for option, key in OF_LEAGUE.items()}
    return make_system(spec, {option: value for option, value in found.items() if value})


def system_of_kind(store: StoreReader, spec: str, kind: type[_System]) -> _System:
    """Make the system as `system_of` does; raise `TypeError` for a spec of another kind."""
    system = system_of(store, spec)
    if not isinstance(system, kind):
        raise TypeError(f"rating system {spec!r}: expected a {kind.__name__}")
    return system


def sides_of(game: str, seats: int) -> tuple[int, ...]:
    """Return the sides of a game by seat; a two-seat game need not exist any more."""
    return () if seats == 2 else find_game(game).sides


def series_of(game: str, system: RatingSystem) -> Series:
    """Return the series that a system's snapshots belong to."""
    settings = json.dumps(settings_of(system), sort_keys=True)
    return Series(game=game, system=system.name, settings=settings, anchor="")


def result_columns(
    columns: Iterable[TotalColumns], positions: Mapping[int, int], sides: Sequence[int] = ()
) -> ResultColumns:
    """Return the matches in columns, with bots by position."""
    parts = []
    for each in columns:
        bots = np.array([[positions[one] for one in seating] for seating in each.seatings])
        scores = np.array([ending.scores for ending in each.endings])
        if len(each.counts):
            counted = np.array((each.counts, each.distinct), dtype=np.float64)
            parts.append((bots[list(each.of_seating)], scores[list(each.of_ending)], *counted))
    if not parts:
        return ResultColumns.of([], sides)
    columns_of_all = (np.concatenate(column) for column in zip(*parts, strict=True))
    seats, scored, counts, distinct = columns_of_all
    return ResultColumns(seats, scored, counts, tuple(sides), distinct)


def versions_and_results(
    game: str, columns: Sequence[TotalColumns]
) -> tuple[list[int], ResultColumns]:
    """Return the versions that played a game, and the matches with versions by position."""
    versions = sorted({one for each in columns for seats in each.seatings for one in seats})
    positions = {version: place for place, version in enumerate(versions)}
    seats = next((len(seating) for each in columns for seating in each.seatings), 2)
    return versions, result_columns(columns, positions, sides_of(game, seats))


def trend(store: StoreReader, game: str, system: MatchSystem) -> RatingTrend:
    """Rate all matches of a game, from the newest valid snapshot."""
    void = store.voids.newest()
    series = series_of(game, system)
    marks = store.snapshots.marks(series)

    def is_past(mark: PoolExtent) -> bool:
        return store.totals.count_until(game, mark.place) != mark.matches

    holding = len(marks)
    if marks and is_past(marks[-1]):
        # Matches before one place are also before all later ones.
        holding = bisect_left(marks, True, key=is_past)
    last = marks[holding - 1] if holding else None
    found = store.totals.results(game=game, after=last.place if last else None)
    state = store.snapshots.get(last) if last else None
    matches = before = last.matches if last else 0
    played: dict[int, int] = {}
    newest, ended = 0, 0
    if state:
        played = {each.version: each.matches for each in state.ratings}
        newest, ended = state.match, state.finished_at
    live: Live | None = None
    made: list[RatingSnapshot] = []
    for each in found:
        if live is None:
            live = _start(game, system, state, len(each.versions))
        rate(live, each, Repeat.NOTHING)
        matches += 1
        newest, ended = max(newest, each.id), max(ended, each.finished_at)
        for version in each.versions:
            played[version] = played.get(version, 0) + 1
        if is_kept(matches):
            made.append(_snapshot(live, each, matches, newest, ended, played))
    if live is None:
        live = _start(game, system, state, 2)
        kept = [mark for mark in marks[:holding] if is_kept(mark.matches) or mark is last]
    else:
        kept = [mark for mark in marks[:holding] if is_kept(mark.matches)]
        if not is_kept(matches):
            made.append(_snapshot(live, each, matches, newest, ended, played))
    return RatingTrend(live, matches - before, series, _ids(kept), tuple(made), void)


def rate(live: Live, match: Played, repeated: Repeat) -> None:
    """Rate a match, if a bot started in it and it repeats none that is rated.

    `repeated` is the furthest repeat of a match that counts.
    """
    if any(match.scores) and match.repeat <= repeated:
        live.take(match.versions, match.scores)


def is_kept(matches: int) -> bool:
    """Whether a snapshot after so many matches stays: with two digits followed by zeros.

    That makes at most ninety per power of ten, closely spaced in a young league.
    """
    zeros = max(0, len(str(matches)) - 2)
    return matches % int(10**zeros) == 0


def keep(store: Store, game: str) -> None:
    """Update the snapshots of a game, or leave it for later if the store is busy or read-only.

    Ratings do not depend on it.
    """
    try:
        for name in KEPT:
            update(store, game, system_of(store, name))
    except DatabaseError:
        return


def update(store: Store, game: str, system: RatingSystem) -> int:
    """Make the missing snapshots of a system; return the new total."""
    match system:
        case MatchSystem():
            found = trend(store, game, system)
            found.save(store)
            return len(found.kept) + len(found.snapshots)
        case TotalsSystem():
            return _update_fitted(store, game, system)
        case _:
            assert_never(system)


def recompute(store: Store, game: str | None, specs: Sequence[str]) -> list[tuple[str, str, int]]:
    """Drop the snapshots of a game, or of all, and recompute those of `specs`, by default `KEPT`.

    Return games, names of systems and how many snapshots each has.
    """
    systems = [system_of(store, spec) for spec in specs or KEPT]
    store.totals.recount()
    store.snapshots.drop(game)
    return [
        (each, system.name, update(store, each, system))
        for each in ([game] if game else store.totals.games_played())
        for system in systems
    ]


def history(store: StoreReader, game: str, spec: str, bot: str) -> list[HistoryPoint]:
    """Return the rating history of a bot's versions, a point for each snapshot with new matches."""
    row = store.bots.get(bot)
    versions = {version.id for version in row.versions}
    points, had = [], dict.fromkeys(versions, 0)
    for each in store.snapshots.all(series_of(game, system_of(store, spec))):
        for rating in each.ratings:
            if rating.version in versions and rating.matches > had[rating.version]:
                had[rating.version] = rating.matches
                points.append(
                    HistoryPoint(
                        game=game,
                        bot=row.name,
                        version=rating.version,
                        tournament=each.place.tournament,
                        match=each.match,
                        at=each.finished_at,
                        matches=rating.matches,
                        value=rating.value,
                        error=rating.error,
                    )
                )
    return points


def field_shift(store: StoreReader, game: str, spec: str, bot: str) -> FieldShift | None:
    """Return the largest shift between two points of a bot's history; None for a small one."""
    own = {version.id for version in store.bots.get(bot).versions}
    found: FieldShift | None = None
    before: dict[int, float] = {}
    had = 0
    for each in store.snapshots.all(series_of(game, system_of(store, spec))):
        values = {rating.version: rating.value for rating in each.ratings}
        matches = sum(rating.matches for rating in each.ratings if rating.version in own)
        if matches == had:
            continue
        joined, stayed = len(values.keys() - before.keys()), values.keys() & before.keys()
        if stayed and joined:
            mean = sum(values[version] - before[version] for version in stayed) / len(stayed)
            if abs(mean) >= max(SHIFT_LEAST, abs(found.mean) if found else 0.0):
                found = FieldShift(each.place.tournament, joined, mean)
        before, had = values, matches
    return found


def _start(game: str, system: MatchSystem, state: RatingSnapshot | None, seats: int) -> Live:
    return system.start(sides_of(game, seats), state.state if state else "")


def _snapshot(
    live: Live, last: Played, matches: int, newest: int, ended: int, played: Mapping[int, int]
) -> RatingSnapshot:
    versions = sorted(played)
    ratings = _ratings(versions, live.rated(versions), [played[version] for version in versions])
    state = json.dumps(live.state(), separators=(",", ":"))
    return RatingSnapshot(
        place=last.place,
        matches=matches,
        match=newest,
        finished_at=ended,
        ratings=ratings,
        state=state,
    )


def _update_fitted(store: Store, game: str, system: TotalsSystem) -> int:
    """Make a snapshot at the end of each tournament, of all matches up to there."""
    void = store.voids.newest()
    series = series_of(game, system)
    marks = {(mark.place.tournament, mark.matches): mark for mark in store.snapshots.marks(series)}
    kept: list[PoolExtent] = []
    made: list[RatingSnapshot] = []
    columns: list[TotalColumns] = []
    matches = newest = ended = 0
    for extent in store.totals.extents(game):
        matches += extent.matches
        newest, ended = max(newest, extent.newest), max(ended, extent.finished_at)
        columns.append(store.totals.columns(tournament=extent.tournament, repeated=Repeat.NOTHING))
        if mark := marks.get((extent.tournament, matches)):
            kept.append(mark)
            continue
        versions, results = versions_and_results(game, columns)
        with naming(partial(_labelled, store, versions)):
            rated = system.rate(len(versions), results)
        played = np.zeros(len(versions))
        for seat in range(results.seats):
            played += np.bincount(results.bots[:, seat], results.counts, len(versions))
        made.append(
            RatingSnapshot(
                # A whole tournament counts, and nothing after it.
                place=Place(extent.tournament, WHOLE, 0),
                matches=matches,
                match=newest,
                finished_at=ended,
                ratings=_ratings(versions, rated, [int(each) for each in played]),
                covariance=_triangle(rated),
            )
        )
    store.snapshots.save(series, _ids(kept), made, void)
    return len(kept) + len(made)


WHOLE = 2**53
"""The place after all encounters of a tournament."""


def _ratings(
    versions: Sequence[int], rated: SystemRatings, played: Sequence[int]
) -> tuple[VersionRating, ...]:
    errors = [None] * len(versions) if rated.errors is None else rated.errors.tolist()
    return tuple(
        VersionRating(
            version=version,
            value=value,
            error=error if error is None or error < np.inf else None,
            matches=matches,
        )
        for version, value, error, matches in zip(
            versions, rated.values.tolist(), errors, played, strict=True
        )
    )


def _triangle(rated: SystemRatings) -> bytes:
    if rated.covariance is None:
        return b""
    return rated.covariance[np.tril_indices(len(rated.covariance))].astype("<f4").tobytes()


def _labelled(store: StoreReader, versions: Sequence[int]) -> list[str]:
    labels = store.bots.labels(versions)
    return [str(labels[version]) for version in versions]


def _ids(marks: Iterable[PoolExtent]) -> tuple[int, ...]:
    return tuple(mark.id for mark in marks)
