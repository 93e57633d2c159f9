"""Planning a tournament's matches as their results come in, with the plan kept in the store."""

from collections.abc import Iterator

from games.support.specs import find_game
from league.execution.worker import MatchJob
from league.formats.format import Encounter
from league.formats.schedule import Schedule
from league.match.openings import openings_of
from league.match.seeds import seed_of
from league.model.errors import SetupError
from league.model.records import MatchKey, TournamentConfig
from league.registration.source_snapshot import command_changed
from league.store.rows import EncounterRow, TournamentRow, TournamentState
from league.store.store import Store


def rules_changed(config: TournamentConfig) -> str:
    """Say that the game of a tournament is no longer what it began with; '' when it is the same."""
    digest = find_game(config.game).digest
    if not config.game_digest or digest == config.game_digest:
        return ""
    return f"the file of its game {config.game!r} has changed since it began"


def refuse_cancelled(row: TournamentRow) -> None:
    """Raise `SetupError` for a tournament that is not to be finished."""
    if row.state is TournamentState.CANCELLED:
        raise SetupError(
            f"tournament {row.id} was cancelled: 'league run --again {row.id}' holds it anew"
        )


def outlook(store: Store, row: TournamentRow) -> tuple[str, int | None]:
    """Return what a tournament's format concludes so far, and how many matches to expect.

    The first is '' for nothing, the second None where nothing tells; both for what was imported.
    """
    config = row.config
    if config.is_imported:
        return "", None
    schedule = Schedule(config, find_game(config.game))
    if schedule.lag is not None or config.withdrawn or config.joined:
        # Only then do results tell anything: there may be a million.
        planner = Planner(store, row.id)
        return planner.says(), planner.schedule.expected()
    labels = store.labels(config.entrants)
    return schedule.says([str(labels[entrant]) for entrant in config.entrants]), schedule.expected()


class Planner:
    """What there is to play of one tournament.

    `schedule` is what is planned by now, as the store has it. Raises `SetupError` where the
    tournament can't go on as it began.
    """

    def __init__(self, store: Store, tournament: int) -> None:
        self._store = store
        self.tournament = tournament
        self.row = row = store.tournament(tournament)
        self.config = row.config
        self.game = find_game(self.config.game)
        known = store.versions(self.config.entrants)
        self._versions = [known[entrant] for entrant in self.config.entrants]
        self._openings = openings_of(self.config, store.book(self.config.openings))
        self.played = store.scores(tournament)
        planned = [
            Encounter(each.stage, each.opening, each.entrants)
            for each in store.encounters(tournament)
        ]
        self.schedule = Schedule(self.config, self.game, planned, self.played)
        labels = store.labels(self.config.entrants)
        self.names = [str(labels[entrant]) for entrant in self.config.entrants]

    def check(self) -> None:
        """Raise `SetupError` where it was cancelled, or the rules or a program have changed."""
        refuse_cancelled(self.row)
        if changed := rules_changed(self.config):
            raise SetupError(f"tournament {self.tournament} can't go on: {changed}")
        for version in self._versions:
            if changed := command_changed(version):
                raise SetupError(
                    f"tournament {self.tournament} can't go on: {changed}; put it back as it was, "
                    "or register it again and run a new tournament"
                )

    def has(self, key: MatchKey) -> bool:
        """Whether a match is planned at that place."""
        planned = range(len(self.schedule.encounters))
        return key.encounter in planned and key.rotation in range(self.game.seats)

    def job(self, key: MatchKey) -> MatchJob:
        """Return the match at a place of the plan."""
        config, encounter = self.config, self.schedule.encounters[key.encounter]
        opening = self._openings[encounter.opening]
        place = (encounter.stage, encounter.opening, *encounter.entrants, key.rotation)
        lineup = [self._versions[entrant] for entrant in encounter.rotation(key.rotation)]
        return MatchJob(
            key=key,
            tournament=self.tournament,
            game=opening.game,
            versions=tuple(lineup),
            opening=opening.moves,
            limits=config.limits,
            # By what the match is, not by its number: a bot that joins changes numbers.
            seed=seed_of(config.seed, "match", *place),
            is_restarted=config.is_restarted,
            adjudication=config.adjudication,
            handicaps=config.handicaps_of([version.id for version in lineup]),
        )

    def left(self) -> Iterator[MatchJob]:
        """Yield the matches that are planned and were not played when this was made."""
        return (
            self.job(key)
            for key in self._keys(0)
            if key not in self.played and not self.schedule.is_dropped(key.encounter)
        )

    def more(self, enough: int) -> list[MatchJob] | None:
        """Plan on until there are `enough` new encounters, if the results allow; return theirs.

        None where the tournament has been changed meanwhile: then a new planner must go on.
        """
        begin = len(self.schedule.encounters)
        planned = self.schedule.plan(enough)
        rows = [EncounterRow(each.stage, each.opening, each.entrants) for each in planned]
        if rows and not self._store.add_encounters(self.tournament, self.row.revision, begin, rows):
            return None
        return [self.job(key) for key in self._keys(begin)]

    def take(self, key: MatchKey, scores: tuple[float, ...]) -> None:
        """Hear of a match's points by seat."""
        self.schedule.take(key, scores)

    def says(self) -> str:
        """Return what the format, or the rule that stops it, concludes so far; '' for nothing."""
        return self.schedule.says(self.names)

    def _keys(self, begin: int) -> Iterator[MatchKey]:
        for number in range(begin, len(self.schedule.encounters)):
            for rotation in range(self.game.seats):
                yield MatchKey(number, rotation)
