"""Seasons: their legs, and the teams that contend in them."""

import json
from collections.abc import Collection
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Update, delete, func, insert, select, update

from league.hosting.model.people import TeamStanding
from league.hosting.model.season import (
    Contender,
    NoticeKind,
    Season,
    SeasonSettings,
    SeasonState,
    ServerRule,
    SubmissionState,
    Visibility,
)
from league.hosting.store.notices import add_notice
from league.hosting.store.tables import SEASON, SEASON_LEG, SUBMISSION, TEAM
from league.model.clock import now
from league.model.errors import DatabaseError, UnknownRowError
from league.model.records import TournamentConfig
from league.store.database import Queries
from league.store.rows import TournamentState
from league.store.tables import BOT, ENCOUNTER, LINEUP_SEAT, MATCH, TOURNAMENT, VERSION
from league.store.tournaments import tournament_values

_FIELDS = {
    "state": "state",
    "frozen_at": "frozen_at",
    "closed_at": "closed_at",
    "final": "final_id",
    "published_at": "published_at",
}
GAUNTLET = 0
"""The number of a gauntlet among the tournaments of a season."""

_UNDECIDED = tuple(each for each in SubmissionState if not each.is_decided)


class SeasonTable(Queries):
    """Storage of seasons."""

    def create(self, settings: SeasonSettings) -> Season:
        """Store a new season, which is open, and return it.

        The versions that teams have chosen for the final of the last one are chosen no more. The
        last one keeps the standings of its teams.
        """
        added = insert(SEASON).values(
            settings=encode_settings(settings), state=str(SeasonState.OPEN), created_at=now()
        )
        with self._db.writing() as connection:
            connection.execute(update(TEAM).values(chosen_version_id=None))
            kept = json.dumps(_standings(connection))
            last = select(func.max(SEASON.c.id)).scalar_subquery()
            connection.execute(update(SEASON).where(SEASON.c.id == last).values(standings=kept))
            number = connection.execute(added.returning(SEASON.c.id)).scalar_one()
            return self._season(connection, number)

    def get(self, number: int | None = None) -> Season | None:
        """Return the newest season, None in a league that has none, or the one of a number.

        Raises `UnknownRowError` for a number without a season.
        """
        with self._db.reading() as connection:
            if number is None:
                number = connection.execute(select(func.max(SEASON.c.id))).scalar()
            return None if number is None else self._season(connection, number)

    def all(self) -> tuple[Season, ...]:
        """List all seasons, newest first."""
        query = select(SEASON.c.id).order_by(SEASON.c.id.desc())
        with self._db.reading() as connection:
            numbers = connection.execute(query).scalars().all()
            return tuple(self._season(connection, each) for each in numbers)

    def update(self, season: int, **fields: Any) -> Season:
        """Change fields of a season and return it; raise `UnknownRowError`."""
        values = {
            _FIELDS[name]: str(value) if isinstance(value, SeasonState) else value
            for name, value in fields.items()
            if name != "settings"
        }
        if "settings" in fields:
            values["settings"] = encode_settings(fields["settings"])
        with self._db.writing() as connection:
            connection.execute(update(SEASON).where(SEASON.c.id == season).values(**values))
            return self._season(connection, season)

    def advance(self, season: Season, state: SeasonState, **fields: Any) -> bool:
        """Change the state of a season and more; False if it has another state meanwhile."""
        values = {_FIELDS[name]: value for name, value in fields.items()}
        with self._db.writing() as connection:
            return connection.execute(_moved(season, state).values(**values)).rowcount == 1

    def add_leg(self, season: int, config: TournamentConfig, total: int | None) -> int:
        """Store a tournament as the newest leg of a season; return its number."""
        last = select(func.coalesce(func.max(SEASON_LEG.c.number), 0))
        with self._db.writing() as connection:
            number = connection.execute(last.where(SEASON_LEG.c.season_id == season)).scalar_one()
            return _add_part(connection, season, number + 1, config, total)

    def add_gauntlet(self, season: int, config: TournamentConfig, total: int | None) -> int:
        """Store a tournament that the marks of a season ask for; return its number."""
        with self._db.writing() as connection:
            return _add_part(connection, season, GAUNTLET, config, total)

    def drop_parts(self, season: int, tournaments: Collection[int]) -> None:
        """Take legs, gauntlets and the final among some tournaments out of a season."""
        legs = SEASON_LEG.c.season_id == season, SEASON_LEG.c.tournament_id.in_(tournaments)
        final = SEASON.c.id == season, SEASON.c.final_id.in_(tournaments)
        with self._db.writing() as connection:
            connection.execute(delete(SEASON_LEG).where(*legs))
            connection.execute(update(SEASON).where(*final).values(final_id=None))

    def begin_final(
        self, season: Season, config: TournamentConfig, total: int | None
    ) -> int | None:
        """Store a season's final and begin it; return its number.

        None if the season has another state meanwhile.
        """
        begun = _moved(season, SeasonState.FINAL)
        with self._db.writing() as connection:
            if connection.execute(begun).rowcount != 1:
                return None
            final = _add_tournament(connection, config, total)
            of_season = update(SEASON).where(SEASON.c.id == season.id)
            connection.execute(of_season.values(final_id=final))
        return final

    def contenders(self) -> tuple[Contender, ...]:
        """List the teams that have a bot, by name, in any standing."""
        query = (
            select(TEAM, BOT.c.name.label("bot"), VERSION.c.id.label("version"), VERSION.c.number)
            .join(BOT, BOT.c.id == TEAM.c.bot_id)
            .join(VERSION, VERSION.c.bot_id == BOT.c.id)
            .order_by(TEAM.c.name_folded, VERSION.c.id)
        )
        found: dict[int, list[Any]] = {}
        with self._db.reading() as connection:
            for row in connection.execute(query):
                found.setdefault(row.id, []).append(row)
        return tuple(_contender(rows) for rows in found.values())

    def suspend_for_faults(self, team: int, reason: str, text: str) -> bool:
        """Suspend an active team with a notice; its faults so far count no more.

        Return False and change nothing if its standing is another one by now.
        """
        newest = (
            select(func.max(VERSION.c.id))
            .where(VERSION.c.bot_id == TEAM.c.bot_id)
            .scalar_subquery()
        )
        last = select(func.coalesce(func.max(MATCH.c.id), 0)).scalar_subquery()
        changed = (
            update(TEAM)
            .where(TEAM.c.id == team, TEAM.c.standing == str(TeamStanding.ACTIVE))
            .values(
                standing=str(TeamStanding.SUSPENDED),
                standing_reason=reason,
                failed_version=func.coalesce(newest, 0),
                faults_after=last,
            )
        )
        with self._db.writing() as connection:
            if connection.execute(changed).rowcount != 1:
                return False
            add_notice(connection, NoticeKind.SUSPENSION, text, team)
        return True

    def encounter_count(self, tournament: int) -> int:
        """Count the planned encounters of a tournament."""
        query = select(func.max(ENCOUNTER.c.number)).where(ENCOUNTER.c.tournament_id == tournament)
        with self._db.reading() as connection:
            last = connection.execute(query).scalar()
        return 0 if last is None else last + 1

    def open_among(self, tournaments: Collection[int]) -> frozenset[int]:
        """Return which of these tournaments are open; fast, as it counts nothing."""
        query = select(TOURNAMENT.c.id).where(
            TOURNAMENT.c.id.in_(tournaments), TOURNAMENT.c.state == str(TournamentState.OPEN)
        )
        with self._db.reading() as connection:
            return frozenset(connection.execute(query).scalars())

    def matches(self, version: int, tournaments: Collection[int]) -> int:
        """Count the matches of a version in some tournaments."""
        query = (
            select(func.count())
            .select_from(LINEUP_SEAT)
            .join(MATCH, MATCH.c.lineup_id == LINEUP_SEAT.c.lineup_id)
            .where(LINEUP_SEAT.c.version_id == version, MATCH.c.tournament_id.in_(tournaments))
        )
        with self._db.reading() as connection:
            found: int = connection.execute(query).scalar_one()
        return found

    def undecided(self) -> int:
        """Count the submissions that are neither accepted nor refused."""
        query = select(func.count()).select_from(SUBMISSION)
        with self._db.reading() as connection:
            found: int = connection.execute(
                query.where(SUBMISSION.c.state.in_([str(each) for each in _UNDECIDED]))
            ).scalar_one()
        return found

    def _season(self, connection: Connection, number: int) -> Season:
        row = connection.execute(select(SEASON).where(SEASON.c.id == number)).one_or_none()
        if row is None:
            raise UnknownRowError(f"no season {number}", "season", number)
        query = (
            select(SEASON_LEG.c.tournament_id, SEASON_LEG.c.number)
            .where(SEASON_LEG.c.season_id == number)
            .order_by(SEASON_LEG.c.number, SEASON_LEG.c.tournament_id)
        )
        parts = connection.execute(query).all()
        try:
            settings = decode_settings(row.settings)
        except (KeyError, TypeError, ValueError) as error:
            text = f"season {number} has damaged settings: {error}"
            raise DatabaseError(text, self._db.target) from None
        return Season(
            row.id,
            settings,
            SeasonState(row.state),
            created_at=row.created_at,
            legs=tuple(each.tournament_id for each in parts if each.number != GAUNTLET),
            gauntlets=tuple(each.tournament_id for each in parts if each.number == GAUNTLET),
            final=row.final_id,
            frozen_at=row.frozen_at,
            closed_at=row.closed_at,
            published_at=row.published_at,
            standings=None if row.standings is None else _read_standings(row.standings),
        )


def _standings(connection: Connection) -> dict[int, tuple[str, str]]:
    """Return the standing and its reason of each team that is not active."""
    query = select(TEAM.c.id, TEAM.c.standing, TEAM.c.standing_reason)
    found = connection.execute(query.where(TEAM.c.standing != str(TeamStanding.ACTIVE))).all()
    return {team: (standing, reason) for team, standing, reason in found}


def _read_standings(text: str) -> dict[int, tuple[TeamStanding, str]]:
    found: dict[str, tuple[str, str]] = json.loads(text)
    return {int(team): (TeamStanding(kind), reason) for team, (kind, reason) in found.items()}


def _moved(season: Season, state: SeasonState) -> Update:
    """Return the change of a season's state if it has not changed meanwhile."""
    is_still = (SEASON.c.id == season.id) & (SEASON.c.state == str(season.state))
    return update(SEASON).where(is_still).values(state=str(state))


def _add_part(
    connection: Connection, season: int, number: int, config: TournamentConfig, total: int | None
) -> int:
    tournament = _add_tournament(connection, config, total)
    values = {"season_id": season, "tournament_id": tournament, "number": number}
    connection.execute(insert(SEASON_LEG).values(values))
    return tournament


def _add_tournament(connection: Connection, config: TournamentConfig, total: int | None) -> int:
    added = insert(TOURNAMENT).values(tournament_values(config, total))
    number: int = connection.execute(added.returning(TOURNAMENT.c.id)).scalar_one()
    return number


def encode_settings(settings: SeasonSettings) -> str:
    """Encode a season's settings as JSON."""
    return json.dumps(asdict(settings))


def decode_settings(text: str) -> SeasonSettings:
    """Decode the output of `encode_settings`.

    Raises `KeyError`, `TypeError` or `ValueError` if it is damaged.
    """
    stored: dict[str, Any] = json.loads(text)
    for name in ("languages", "house_bots"):
        stored[name] = tuple(map(str, stored[name]))
    stored["visibility"] = Visibility(stored["visibility"])
    stored["web_servers"] = ServerRule(stored["web_servers"])
    return SeasonSettings(**stored)


def _contender(rows: list[Any]) -> Contender:
    row = rows[0]
    return Contender(
        row.id,
        row.name,
        TeamStanding(row.standing),
        tuple((each.version, each.number) for each in rows),
        bot=row.bot,
        chosen_version=row.chosen_version_id,
        failed_version=row.failed_version,
        faults_after=row.faults_after,
    )
