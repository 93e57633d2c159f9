"""Following a tournament while it runs: each look reads what is new, and nothing twice."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from games import catalogue
from games.contract import Game
from games.errors import InputError
from league.history import system_of
from league.ratings.course import Course, Mark
from league.ratings.systems.contract import TotalsSystem
from league.schedules.contract import Encounter, Tie, Trial
from league.scheduling import Schedule
from league.store import Scored, State, Store, TournamentRow

CHUNK = 5_000
"""How many matches are read at once."""

ROUNDS_MIN = 3
"""With fewer rounds than that, a history goes by matches."""


@dataclass(frozen=True, slots=True)
class RatingHistory:
    """Ratings after so many rounds, or matches where `is_by_round` is not; in this tournament."""

    is_by_round: bool
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """A tournament as it is now.

    `is_read` is whether all of it is taken into account; before, what follows is empty. `names` are
    the entrants by position, to whom the `ties` refer.
    """

    row: TournamentRow
    names: tuple[str, ...]
    is_in_play: bool
    is_read: bool
    says: str = ""
    expected: int | None = None
    trial: Trial | None = None
    ties: tuple[Tie, ...] = ()
    history: RatingHistory | None = None


class Follower:
    """Looks at one tournament again and again."""

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self._tournament = tournament
        self._row: TournamentRow | None = None

    def look(self, budget_s: float) -> Look:
        """Return how it is; read for about so long, and leave the rest for the next time.

        Raises `LeagueError` where there is no such tournament, or its rows are damaged.
        """
        end_s = time.monotonic() + budget_s
        # First: when its runner is gone, what is read afterwards is all there is.
        has_runner = self._store.is_in_play(self._tournament)
        row = self._row
        if row is None or self._taken >= row.played:
            # All matches are counted for it: not before those that were there last time are read.
            row = self._store.tournament(self._tournament)
            if self._row is None or row.revision != self._row.revision:
                self._begin(row)
            self._row = row
        is_in_play = has_runner and row.state is State.OPEN
        if not self._read(row.played, end_s):
            return Look(row, self._names, is_in_play, False)
        course = self._by_round if self._has_rounds else self._by_match
        marks = course.marks(end_s)
        if marks is None:
            return Look(row, self._names, is_in_play, False)
        found = Look(
            *(row, self._names, is_in_play, True),
            history=RatingHistory(self._has_rounds, tuple(marks)),
        )
        return found if self._schedule is None else self._with_plan(found, self._schedule)

    def _with_plan(self, look: Look, schedule: Schedule) -> Look:
        return Look(
            *(look.row, look.names, look.is_in_play, True),
            schedule.says(look.names),
            schedule.expected(),
            schedule.trial(),
            tuple(schedule.ties()),
            look.history,
        )

    def _begin(self, row: TournamentRow) -> None:
        """Begin anew: the tournament was changed, or is looked at for the first time."""
        self._after = self._taken = 0
        self._stages: list[int] = []
        labels = self._store.labels(row.config.entrants)
        self._names = tuple(str(labels[entrant]) for entrant in row.config.entrants)
        self._schedule: Schedule | None = None
        sides: Sequence[int] = ()
        # The game's file may be gone, and imported matches have no plan: the results are there.
        try:
            game: Game = catalogue.find(row.config.game)
            sides = game.sides
            self._schedule = Schedule(row.config, game)
        except InputError:
            pass
        system = system_of(self._store, "fitted")
        assert isinstance(system, TotalsSystem)  # noqa: S101 (it is one)
        self._by_round, self._by_match = Course(system, sides), Course(system, sides)

    @property
    def _has_rounds(self) -> bool:
        """Whether there are rounds, and enough of them to show how ratings went."""
        is_known = self._schedule is not None and self._schedule.format.has_rounds
        return is_known and self._by_round.steps >= ROUNDS_MIN

    def _read(self, played: int, end_s: float) -> bool:
        """Take what is new, for as long as there is time; return whether that was all."""
        while self._taken < played:
            found = self._store.scored(self._tournament, self._after, CHUNK)
            self._plan(max((each.key.encounter for each in found), default=-1) + 1)
            for each in found:
                self._take(each)
            if len(found) < CHUNK:
                break
            if time.monotonic() > end_s:
                return False
        # Where results decide what comes, the rest of the plan is known from them.
        self._plan(None)
        return True

    def _plan(self, end: int | None) -> None:
        """Read the plan to before encounter `end`, None for all of it."""
        known = len(self._stages)
        if end is not None and end <= known:
            return
        rows = self._store.encounters(self._tournament, known, end)
        self._stages += [each.stage for each in rows]
        if self._schedule is not None:
            self._schedule.add(Encounter(each.stage, each.opening, each.entrants) for each in rows)

    def _take(self, match: Scored) -> None:
        number = match.key.encounter
        stage = self._stages[number] if number < len(self._stages) else 0
        self._by_round.take(stage, match.versions, match.scores)
        self._by_match.take(self._taken, match.versions, match.scores)
        if self._schedule is not None:
            self._schedule.take(match.key, match.scores)
        self._after = match.id
        self._taken += 1
