"""Tournaments."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from sqlalchemy import Connection, func, select, update

from league.model.clock import now
from league.model.errors import DatabaseError, UnknownRowError
from league.model.records import TournamentConfig
from league.store.config_codec import encode_config
from league.store.database import Queries
from league.store.rows import EncounterRow, Request, TournamentRow, TournamentState
from league.store.runner_lock import (
    CheckLock,
    file_lock,
    is_file_locked,
    is_server_locked,
    server_lock,
)
from league.store.seating_codec import (
    decode_options,
    decode_seating,
    encode_options,
    encode_seating,
)
from league.store.tables import ENCOUNTER, TOURNAMENT
from league.store.tournament_rows import config_of, read_tournaments


def tournament_values(config: TournamentConfig, total: int | None) -> dict[str, Any]:
    """Return the columns of a new tournament."""
    return {
        "game": config.game,
        "config": encode_config(config),
        "total": total,
        "created_at": now(),
        "source": config.source or None,
        "is_rated": int(config.is_rated),
    }


_ENCOUNTER = ("tournament_id", "number", "stage", "opening", "entrants", "options")
"""The columns of an encounter."""


class TournamentReader(Queries):
    """The tournaments, their encounters and their state."""

    def get(self, tournament: int) -> TournamentRow:
        """Return one tournament; raise `UnknownRowError`."""
        found = self._tournaments(str(int(tournament)))
        if not found:
            known = [row.id for row in self._tournaments()]
            listed = f" (there are {_ranges(known)})" if known else " (there are none yet)"
            raise UnknownRowError(f"no tournament {tournament}{listed}", "tournament", tournament)
        return found[0]

    def all(self) -> tuple[TournamentRow, ...]:
        """List all tournaments by number."""
        return self._tournaments()

    def newest(self, limit: int, before: int | None = None) -> tuple[TournamentRow, ...]:
        """List the newest tournaments, newest first, of those below a number if one is given."""
        earlier = "" if before is None else f"WHERE id < {int(before)}"
        newest = f"SELECT id FROM tournament {earlier} ORDER BY id DESC LIMIT {int(limit)}"  # noqa: S608 (numbers)
        return self._tournaments(newest)[::-1]

    def rated_configs(self, game: str) -> dict[int, TournamentConfig]:
        """Return the configs of all rated tournaments of a game by number.

        Fast, as it counts nothing.
        """
        query = select(TOURNAMENT.c.id, TOURNAMENT.c.config).where(
            TOURNAMENT.c.game == game, TOURNAMENT.c.is_rated == 1
        )
        with self._db.reading() as connection:
            rows = connection.execute(query.order_by(TOURNAMENT.c.id)).all()
        with self._of_sound_rows():
            return {row.id: config_of(row.id, row.config, game) for row in rows}

    def entrants(self, tournament: int) -> tuple[int, ...]:
        """Return the versions that take part in a tournament; fast, as it counts nothing."""
        query = select(TOURNAMENT.c.config, TOURNAMENT.c.game).where(TOURNAMENT.c.id == tournament)
        with self._db.reading() as connection:
            row = connection.execute(query).one()
        with self._of_sound_rows():
            return config_of(tournament, row.config, row.game).entrants

    def encounters(
        self, tournament: int, first: int = 0, end: int | None = None
    ) -> list[EncounterRow]:
        """List the planned encounters from number `first` up to, not including, `end`, in order."""
        query = (
            select(*(ENCOUNTER.c[name] for name in _ENCOUNTER[2:]))
            .where(ENCOUNTER.c.tournament_id == tournament, ENCOUNTER.c.number >= first)
            .order_by(ENCOUNTER.c.number)
        )
        if end is not None:
            query = query.where(ENCOUNTER.c.number < end)
        with self._db.reading() as connection:
            # Raw rows of the driver, for speed: there may be some 100,000.
            rows = connection.execute(query).cursor.fetchall()
        if not rows:
            return []
        stages, openings, texts, options = zip(*rows, strict=True)
        # Few who meet often: each seating is read once.
        seatings = {text: decode_seating(text) for text in set(texts)}
        columns = stages, openings, map(seatings.__getitem__, texts), map(decode_options, options)
        return list(map(EncounterRow._make, zip(*columns, strict=True)))

    def last_stage(self, tournament: int) -> int | None:
        """Return the last planned stage of a tournament; None before the first."""
        with self._db.reading() as connection:
            found: int | None = connection.execute(_last_stage(tournament)).scalar()
        return found

    def is_in_play(self, tournament: int) -> bool:
        """Whether a process is running a tournament."""
        if self._db.path is not None:
            return is_file_locked(self._db.path, tournament)
        with self._db.reading() as connection:
            return is_server_locked(connection, tournament)

    def _tournaments(self, *chosen: str) -> tuple[TournamentRow, ...]:
        with self._db.reading() as connection, self._of_sound_rows():
            return read_tournaments(connection.exec_driver_sql, *chosen)

    @contextmanager
    def _of_sound_rows(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            raise DatabaseError(str(error), self._db.target) from None


class TournamentTable(TournamentReader):
    """Storage of tournaments."""

    def add(self, config: TournamentConfig, total: int | None) -> int:
        """Store a tournament and return its number; `total` is None if the results decide it.

        An import of the same file and game is not stored again.
        """
        added = self._db.insert_new(TOURNAMENT).values(tournament_values(config, total))
        known = select(TOURNAMENT.c.id).where(
            TOURNAMENT.c.game == config.game, TOURNAMENT.c.source == config.source
        )
        with self._db.writing() as connection:
            number: int | None = connection.execute(added.returning(TOURNAMENT.c.id)).scalar()
            return connection.execute(known).scalar_one() if number is None else number

    def revise(
        self,
        row: TournamentRow,
        config: TournamentConfig,
        total: int | None,
        last_stage: int | None,
    ) -> bool:
        """Change a tournament's config and reopen it.

        Return False and change nothing if its revision is no longer that of `row`, or if stages
        after `last_stage` are planned.
        """
        with self._db.writing() as connection:
            if not self._is_still(connection, row.id, row.revision):
                return False
            if connection.execute(_last_stage(row.id)).scalar() != last_stage:
                return False
            connection.execute(
                update(TOURNAMENT)
                .where(TOURNAMENT.c.id == row.id)
                .values(
                    config=encode_config(config),
                    total=total,
                    revision=row.revision + 1,
                    state=str(TournamentState.OPEN),
                    stop_reason=None,
                )
            )
        return True

    def begin(self, tournament: int) -> None:
        """Clear a tournament's stop reason and request because it is running again."""
        self._change(tournament, stop_reason=None, request="")

    def stop(self, tournament: int, reason: str) -> None:
        """Record why a tournament stopped."""
        self._change(tournament, stop_reason=reason, request="")

    def finish(self, tournament: int, revision: int, total: int) -> bool:
        """Mark a tournament finished with `total` matches.

        Return False and change nothing if its config is no longer of that revision.
        """
        with self._db.writing() as connection:
            if not self._is_still(connection, tournament, revision):
                return False
            connection.execute(
                update(TOURNAMENT)
                .where(TOURNAMENT.c.id == tournament)
                .values(state=str(TournamentState.FINISHED), total=total, request="")
            )
        return True

    def cancel(self, tournament: int) -> None:
        """Mark a tournament as cancelled."""
        self._change(tournament, state=str(TournamentState.CANCELLED), request="")

    def ask(self, tournament: int, request: Request) -> None:
        """Send a request to the runner of a tournament."""
        self._change(tournament, request=str(request))

    def asked(self, tournament: int) -> tuple[Request, int]:
        """Return the pending request to a tournament's runner, and its config's revision."""
        query = select(TOURNAMENT.c.request, TOURNAMENT.c.revision)
        with self._db.reading() as connection:
            row = connection.execute(query.where(TOURNAMENT.c.id == tournament)).one()
        return Request(row.request), row.revision

    def add_encounters(
        self, tournament: int, revision: int, first: int, rows: Sequence[EncounterRow]
    ) -> bool:
        """Store newly planned encounters, numbered from `first`.

        Return False and store nothing if the config is no longer of that revision. Storing the same
        rows again changes nothing, as after a connection that was lost at the commit.
        """
        values = [
            (
                tournament,
                number,
                row.stage,
                row.opening,
                encode_seating(row.entrants),
                encode_options(row.options),
            )
            for number, row in enumerate(rows, first)
        ]
        with self._db.writing() as connection:
            if not self._is_still(connection, tournament, revision):
                return False
            self._db.insert_rows(connection, self._db.insert_new(ENCOUNTER), _ENCOUNTER, values)
        return True

    def runner_lock(self, tournament: int) -> AbstractContextManager[CheckLock]:
        """Lock a tournament against other runners; raise `SetupError` if one holds it.

        A server may end the session that holds the lock. Call the function that the context yields
        now and then: it takes the lock again, or raises `SetupError` if another runner has it.
        """
        if self._db.path is not None:
            return file_lock(self._db.path, tournament)
        return server_lock(self._db.engine, self._db.target, tournament)

    def _is_still(self, connection: Connection, tournament: int, revision: int) -> bool:
        """Check a tournament's revision and lock it for the rest of this transaction."""
        query = select(TOURNAMENT.c.revision).where(TOURNAMENT.c.id == tournament)
        return connection.execute(query.with_for_update()).scalar() == revision

    def _change(self, tournament: int, **values: object) -> None:
        changed = update(TOURNAMENT).where(TOURNAMENT.c.id == tournament).values(**values)
        with self._db.writing() as connection:
            connection.execute(changed)


def _last_stage(tournament: int) -> Any:
    return select(func.max(ENCOUNTER.c.stage)).where(ENCOUNTER.c.tournament_id == tournament)


def _ranges(numbers: Sequence[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
