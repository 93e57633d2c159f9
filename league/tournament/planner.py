"""Plan a tournament's matches as results come in, with the plan kept in the store."""

from collections.abc import Iterable, Iterator
from itertools import groupby, product

from games.support.errors import GameError, MoveError
from games.support.specs import find_game
from league.execution.worker import MatchJob
from league.formats.format import Encounter, EncounterResult
from league.formats.schedule import (
    FormerResult,
    MatchFacts,
    Schedule,
    by_entrant,
    needs_results,
)
from league.formats.specs import make_format
from league.match.openings import EncounterOpenings, Opening, openings_of
from league.match.replay import frames_of
from league.match.seeds import seed_of
from league.model.errors import LeagueError, SetupError
from league.model.records import MatchKey, Repeat, TournamentConfig
from league.registration.source_snapshot import command_changed
from league.seats.bot_specs import is_model, threads_of
from league.store.record_codec.packed_match import PackedMatch
from league.store.rows import EncounterRow, TournamentRow, TournamentState
from league.store.settings import SALT
from league.store.store import Store, StoreReader
from league.tournament.lost_rules import lost_rules
from league.tournament.model_budgets import as_budgeted

REPLAYED = 500
"""Number of the newest matches to replay when the file of the rules has changed."""


def rules_changed(config: TournamentConfig) -> str:
    """Say that the rules have changed since the tournament began; '' if they have not."""
    digest = find_game(config.game).digest
    if not config.game_digest or digest == config.game_digest:
        return ""
    return f"the file of its game {config.game!r} has changed since it began"


def rules_differ(store: StoreReader, row: TournamentRow) -> str:
    """Say that stored matches contradict the rules of today; '' if the newest do not.

    Rules are compared by replaying, and only if their file has changed: a comment changes nothing.
    """
    changed = rules_changed(row.config)
    newest = store.matches.numbers(row.id)[: -REPLAYED - 1 : -1] if changed else ()
    for match, found in zip(newest, store.matches.records(newest), strict=True):
        if isinstance(found, LeagueError):
            raise found
        _, record = found
        try:
            *_, last = frames_of(record)
        except MoveError as error:
            return f"{changed}, and match {match} can't be replayed by it: {error}"
        outcome = last.state.outcome()
        if (outcome and tuple(outcome)) != record.utilities:
            return f"{changed}, and match {match} ends otherwise by it"
    return ""


def facts_of(store: StoreReader, row: TournamentRow) -> MatchFacts:
    """Return what the format of a tournament needs to know of its matches besides points."""
    needs_times = make_format(row.config.format).needs_times
    walls = store.matches.walls(row.id) if needs_times else {}
    former = _former(store, row.id)
    return MatchFacts(repeats=store.matches.repeats(row.id), walls=walls, former=former)


def _former(store: StoreReader, tournament: int) -> list[FormerResult]:
    """Return the results of whole encounters that are void, in the order of the voids."""
    void = store.voids.of_tournament(tournament)
    if not void:
        return []
    planned = [Encounter(*each) for each in store.tournaments.encounters(tournament)]
    found = []
    for (_, number), matches in groupby(void, lambda each: (each.void, each.key.encounter)):
        rows = list(matches)
        if number >= len(planned) or len(rows) < len(planned[number].entrants):
            continue
        scores = tuple(by_entrant(each.scores, each.key.rotation) for each in rows)
        repeated = (each.key.rotation for each in rows if each.repeat == Repeat.OF_TOURNAMENT)
        wall_s = round(sum(each.wall_s for each in rows), 3)
        result = EncounterResult(planned[number], scores, frozenset(repeated), wall_s)
        found.append(FormerResult(rows[0].last_stage, result))
    return found


def refuse_cancelled(row: TournamentRow) -> None:
    """Raise `SetupError` for a cancelled tournament."""
    if row.state is TournamentState.CANCELLED:
        raise SetupError(
            f"tournament {row.id} was cancelled: 'league run --again {row.id}' runs it again"
        )


class Planner:
    """The matches to play of one tournament; `schedule` is the plan in the store.

    `versions` are its entrants.

    Raises `SetupError` if the tournament can't continue as it began.
    """

    def __init__(self, store: StoreReader, tournament: int) -> None:
        self._store = store
        self.tournament = tournament
        self.row = row = store.tournaments.get(tournament)
        self.config = row.config
        try:
            self.game = find_game(self.config.game)
        except GameError as error:
            raise lost_rules(store, row, error) from None
        known = store.bots.versions(self.config.entrants)
        self.versions = [
            as_budgeted(known[entrant], self.config) for entrant in self.config.entrants
        ]
        self._salt = store.settings.get(SALT, "")
        self._openings = openings_of(self.config, store.books.get(self.config.openings))
        self._own_openings = EncounterOpenings(self.config, self._openings)
        planned = [Encounter(*each) for each in store.tournaments.encounters(tournament)]
        # Of whole encounters the points are left in the store where no stage needs them.
        needs_all, seats = needs_results(self.config, self.game), self.game.seats
        whole = () if needs_all else store.matches.whole_encounters(tournament, seats)
        self._played = store.matches.scores(tournament, None if needs_all else seats)
        facts = facts_of(store, self.row) if needs_all else MatchFacts()
        self.schedule = Schedule(self.config, self.game, planned, self._played, whole, facts)
        labels = store.bots.labels(self.config.entrants)
        self.names = [str(labels[entrant]) for entrant in self.config.entrants]

    @property
    def cores_each(self) -> int:
        """The cores that a match takes: one for each thread of a bot, and for all seats at once.

        0 if all bots are language models.
        """
        if self.versions and all(is_model(each.spec) for each in self.versions):
            return 0
        threads = max(map(threads_of, self.versions), default=1)
        return threads * (self.game.seats if self.config.limits.may_ponder else 1)

    @property
    def has_models(self) -> bool:
        """Whether some bots are language models."""
        return any(is_model(each.spec) for each in self.versions)

    def check(self) -> None:
        """Raise `SetupError` if it was cancelled, or if the rules or a program have changed."""
        refuse_cancelled(self.row)
        if changed := rules_differ(self._store, self.row):
            raise SetupError(f"tournament {self.tournament} can't go on: {changed}")
        for version in self.versions:
            if changed := command_changed(version):
                raise SetupError(
                    f"tournament {self.tournament} can't go on: {changed}; put it back as it was, "
                    "or register it again and run a new tournament"
                )

    def has(self, key: MatchKey) -> bool:
        """Whether a match is planned under that key."""
        planned = range(len(self.schedule.encounters))
        return key.encounter in planned and key.rotation in range(self.game.seats)

    def wants(self, key: MatchKey) -> bool:
        """Whether a match is planned under that key, and its bots have not withdrawn."""
        return self.has(key) and not self.schedule.is_dropped(key.encounter)

    def is_urgent(self, key: MatchKey) -> bool:
        """Whether a match is of the first stage of a bot that joined, which need not wait."""
        return self.schedule.is_first(key.encounter)

    def job(self, key: MatchKey) -> MatchJob:
        """Return the planned match under a key."""
        config, encounter = self.config, self.schedule.encounters[key.encounter]
        opening = self._opening(key.encounter)
        place: tuple[int, ...] = (encounter.stage, encounter.opening, *encounter.entrants)
        if not self._has_same_luck:
            place = (*place, key.rotation)
        lineup = [self.versions[entrant] for entrant in encounter.rotation(key.rotation)]
        return MatchJob(
            key=key,
            tournament=self.tournament,
            game=opening.game,
            versions=tuple(lineup),
            opening=opening.moves,
            limits=config.limits,
            # Seeded by what the match is, not by its number, which a joining bot changes. Bots see
            # the openings, and could guess the tournament's seed from them: hence the salt.
            seed=seed_of(config.seed, "match", *place, salt=self._salt),
            has_same_luck=self._has_same_luck,
            adjudication=config.adjudication,
            handicaps=config.handicaps_of([version.id for version in lineup]),
            options=tuple(map(dict, encounter.rotated_options(key.rotation))),
        )

    def left(self) -> Iterator[MatchJob]:
        """Yield the matches planned but not played when this planner was made."""
        keys = self._keys(self.schedule.unfinished())
        return (self.job(key) for key in keys if key not in self._played)

    def more(self, store: Store, enough: int) -> list[MatchJob] | None:
        """Plan until there are `enough` new encounters, if the results allow, and store them.

        Return their matches; None if the tournament has changed meanwhile: then a new planner must
        continue.
        """
        self.schedule.close()
        begin = len(self.schedule.encounters)
        planned = self.schedule.plan(enough)
        rows = [
            EncounterRow(each.stage, each.opening, each.entrants, each.options) for each in planned
        ]
        if rows and not store.tournaments.add_encounters(
            self.tournament, self.row.revision, begin, rows
        ):
            return None
        return [self.job(key) for key in self._keys(range(begin, len(self.schedule.encounters)))]

    def take(self, key: MatchKey, match: PackedMatch) -> None:
        """Record a finished match."""
        is_repeat = match.repeat is Repeat.OF_TOURNAMENT
        wall_s = match.wall_ms / 1e3
        self.schedule.take(key, match.scores, is_repeat=is_repeat, wall_s=wall_s)

    def says(self) -> str:
        """Return the current conclusion of the format or stopping rule; '' if none."""
        return self.schedule.says(self.names)

    def _opening(self, number: int) -> Opening:
        """Return the opening of an encounter, by the encounter's number."""
        encounters = self.schedule.encounters
        if self.config.is_opening_shared:
            return self._openings[encounters[number].opening]
        return self._own_openings.opening(number, lambda each: encounters[each].entrants)

    @property
    def _has_same_luck(self) -> bool:
        return self.config.has_same_deals and self.game.has_chance

    def _keys(self, encounters: Iterable[int]) -> Iterator[MatchKey]:
        rotations = range(self.game.seats)
        if self._has_same_luck:
            # No match of an encounter is played while another one is: first all that are dealt,
            # then all that have the same luck.
            pairs = product(rotations, encounters)
            return (MatchKey(number, rotation) for rotation, number in pairs)
        return (MatchKey(number, rotation) for number in encounters for rotation in rotations)
