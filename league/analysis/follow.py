"""Follow a running tournament: each look reads only what is new."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from games.support.errors import InputError
from games.support.game import Game
from games.support.specs import find_game
from league.analysis.rating_history import system_of_kind
from league.formats.format import BracketTie, Encounter, SprtProgress, TuningProgress
from league.formats.schedule import Schedule
from league.model.records import Conduct, Repeat
from league.ratings.rating_curve import CurvePoint, RatingCurve
from league.ratings.rating_system import TotalsSystem
from league.store.rows import FinishedMatch, TournamentRow, TournamentState
from league.store.store import StoreReader

CHUNK = 5_000
"""Number of matches to read at once."""

ROUNDS_MIN = 3
"""With fewer rounds, the rating history goes by matches."""


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """The tournament's ratings by round, or by match unless `is_by_round`."""

    is_by_round: bool
    marks: tuple[CurvePoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUpdate:
    """The current state of a tournament.

    `is_read` is whether all of it has been read; the `history` is empty until then, and the fields
    before it until all matches are read, which is sooner. `names` are the entrants by position,
    which the `ties` refer to. `troubles` tell in sentences which bots
    are suspended, and whose matches were played again.
    """

    row: TournamentRow
    names: tuple[str, ...]
    is_in_play: bool
    is_read: bool
    troubles: tuple[str, ...] = ()
    expected: int | None = None
    trial: SprtProgress | None = None
    tuning: TuningProgress | None = None
    ties: tuple[BracketTie, ...] = ()
    history: RatingHistory | None = None


class Follower:
    """Reads one tournament repeatedly."""

    def __init__(self, store: StoreReader, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._reading: _Reading | None = None

    def look(self, budget_s: float) -> FollowUpdate:
        """Return the current state; read for about `budget_s`, and the rest at the next call.

        Raises `LeagueError` if there is no such tournament, or its rows are damaged.
        """
        end_s = time.monotonic() + budget_s
        # Check this first: if the runner is gone, nothing is added after this read.
        has_runner = self._store.tournaments.is_in_play(self._tournament)
        reading = self._reading
        if reading is None or reading.is_whole:
            # This counts all matches, so first read those known last time.
            row = self._store.tournaments.get(self._tournament)
            if reading is None or row.revision != reading.row.revision:
                # It was changed, or this is the first look.
                reading = self._reading = _Reading(self._store, row)
            reading.row = row
        return reading.look(has_runner, end_s)


class _Reading:
    """The results of a tournament that were read since its last change."""

    def __init__(self, store: StoreReader, row: TournamentRow) -> None:
        self._store = store
        self.row = row
        self._after = self._taken = 0
        self._stages: list[int] = []
        labels = store.bots.labels(row.config.entrants)
        self._names = tuple(str(labels[entrant]) for entrant in row.config.entrants)
        self._schedule: Schedule | None = None
        sides: Sequence[int] = ()
        # The game's file may be gone, and imported matches have no plan: show the results alone.
        try:
            game: Game = find_game(row.config.game)
            sides = game.sides
            self._schedule = Schedule(row.config, game)
        except InputError:
            pass
        system = system_of_kind(store, "fitted", TotalsSystem)
        self._by_round, self._by_match = RatingCurve(system, sides), RatingCurve(system, sides)

    @property
    def is_whole(self) -> bool:
        return self._taken >= self.row.played

    def _troubles(self) -> Iterator[str]:
        conduct = self._store.conduct.of(self.row.id)
        for name, version in zip(self._names, self.row.config.entrants, strict=True):
            found = conduct.get(version, Conduct())
            if found.suspended:
                yield f"{name} is suspended: {found.suspended}."
            if found.kills:
                again = "1 match was" if found.kills == 1 else f"{found.kills} matches were"
                yield f"{again} played again because the process of {name} was killed."

    def look(self, has_runner: bool, end_s: float) -> FollowUpdate:
        """Read on until `end_s` and return the tournament's state."""
        found = FollowUpdate(
            row=self.row,
            names=self._names,
            is_in_play=has_runner and self.row.state is TournamentState.OPEN,
            troubles=tuple(self._troubles()),
            is_read=False,
        )
        if not self._read(self.row.played, end_s):
            return found
        if (schedule := self._schedule) is not None:
            found = replace(
                found,
                expected=schedule.expected(),
                trial=schedule.trial(),
                tuning=schedule.tuning(self._names),
                ties=tuple(schedule.ties()),
            )
        curve = self._by_round if self._has_rounds else self._by_match
        marks = curve.marks(end_s)
        if marks is None:
            return found
        history = RatingHistory(self._has_rounds, tuple(marks))
        return replace(found, is_read=True, history=history)

    @property
    def _has_rounds(self) -> bool:
        """Whether there are enough rounds to show ratings by round."""
        is_known = self._schedule is not None and self._schedule.format.has_rounds
        return is_known and self._by_round.steps >= ROUNDS_MIN

    def _read(self, played: int, end_s: float) -> bool:
        """Read new matches until `end_s`; return whether all are read."""
        while self._taken < played:
            found = self._store.results.following(self.row.id, self._after, CHUNK)
            self._plan(max((each.key.encounter for each in found), default=-1) + 1)
            for each in found:
                self._take(each)
            if len(found) < CHUNK:
                break
            if time.monotonic() > end_s:
                return False
        # If stages depend on results, these reveal the rest of the plan.
        self._plan(None)
        return True

    def _plan(self, end: int | None) -> None:
        """Read the plan up to encounter `end`, exclusive; None for all of it."""
        known = len(self._stages)
        if end is not None and end <= known:
            return
        rows = self._store.tournaments.encounters(self.row.id, known, end)
        self._stages += [each.stage for each in rows]
        if self._schedule is not None:
            self._schedule.add(Encounter(*each) for each in rows)

    def _take(self, match: FinishedMatch) -> None:
        number = match.key.encounter
        stage = self._stages[number] if number < len(self._stages) else 0
        is_repeat = match.repeat == Repeat.OF_TOURNAMENT
        if is_repeat:
            # The axis ends with the last round or match nevertheless.
            self._by_round.reach(stage)
            self._by_match.reach(self._taken)
        elif self.row.config.is_rated:
            self._by_round.take(stage, match.versions, match.scores)
            self._by_match.take(self._taken, match.versions, match.scores)
        if self._schedule is not None:
            self._schedule.take(match.key, match.scores, is_repeat=is_repeat)
        self._after = match.id
        self._taken += 1
