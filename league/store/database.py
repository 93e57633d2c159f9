"""Short transactions on one database."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Table, text
from sqlalchemy.dialects import sqlite

from league.model.errors import DatabaseError
from league.store.engine import WRITES, reading_engine, shown, translated


class Database:
    """A database of a league, opened, and its short transactions."""

    def __init__(
        self, engine: Engine, target: str, path: Path | None, is_read_only: bool = False
    ) -> None:
        self.engine = engine
        self._reader = reading_engine(engine)
        self.target = target
        self.path = path
        self.is_read_only = is_read_only
        self.is_closed = False
        self._held = threading.local()

    def _connected(self, engine: Engine) -> Connection:
        if self.is_closed:
            raise DatabaseError(f"{shown(self.target)} is closed: open it again", self.target)
        return engine.connect()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read in one transaction, in which all queries see the same state."""
        held: Connection | None = getattr(self._held, "connection", None)
        if held is not None:
            with translated(self.target):
                yield held
            return
        with translated(self.target), self._connected(self._reader) as connection:
            yield connection

    @contextmanager
    def one_state(self) -> Iterator[None]:
        """Let all that this thread reads meanwhile be of the same state of the database.

        What others store meanwhile, and this thread too, is seen afterwards.
        """
        # Only the connection itself is translated: an error of the body is the caller's.
        with translated(self.target):
            connection = self._connected(self._reader)
        with connection:
            self._held.connection = connection
            try:
                yield
            finally:
                del self._held.connection

    @contextmanager
    def writing(self, *, is_durable: bool = False) -> Iterator[Connection]:
        """Write in one transaction, committed at the end or rolled back.

        If it `is_durable`, it is on the disk when this ends, and survives a power cut.
        """
        with (
            translated(self.target),
            self._connected(self.engine).execution_options(
                **WRITES, is_durable=is_durable
            ) as connection,
            connection.begin(),
        ):
            if is_durable and not self.is_file:
                connection.exec_driver_sql("SET LOCAL synchronous_commit TO on")
            yield connection

    def take_turn(self, connection: Connection, lock: int) -> None:
        """Wait until no other transaction has that lock of PostgreSQL, and hold it to the end.

        A file needs none: only one transaction writes to it at a time.
        """
        if not self.is_file:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": lock})

    @property
    def is_file(self) -> bool:
        """Whether the database is a file, where one transaction writes at a time."""
        return self.dialect == "sqlite"

    @property
    def dialect(self) -> str:
        """The kind of the database: `sqlite` or `postgresql`."""
        return self.engine.dialect.name

    def insert_rows(
        self,
        connection: Connection,
        statement: Any,
        names: Sequence[str],
        rows: Sequence[tuple[Any, ...]],
    ) -> None:
        """Insert many rows, each with the values of the columns `names` as the driver takes them.

        SQLAlchemy's own way of a dictionary for each row takes several times as long.
        """
        if not rows:
            return
        compiled = statement.compile(dialect=self.engine.dialect, column_keys=names)
        if compiled.positiontup is not None:
            take = itemgetter(*map(names.index, compiled.positiontup))
            connection.exec_driver_sql(str(compiled), list(map(take, rows)))
        else:
            named = [dict(zip(names, row, strict=True)) for row in rows]
            connection.exec_driver_sql(str(compiled), named)

    def insert_new(self, table: Table) -> Any:
        """Return an INSERT that skips existing rows."""
        if self.is_file:
            return sqlite.insert(table).on_conflict_do_nothing()
        return _postgresql().insert(table).on_conflict_do_nothing()

    def insert_or_add(self, table: Table, column: str) -> Any:
        """Return an INSERT that adds `column` to that of an existing row."""
        added: Any = (sqlite if self.is_file else _postgresql()).insert(table)
        return added.on_conflict_do_update(
            index_elements=list(table.primary_key),
            set_={column: table.c[column] + added.excluded[column]},
        )


class Queries:
    """The base of the queries of each table."""

    def __init__(self, db: Database) -> None:
        self._db = db


def _postgresql() -> Any:
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 (slow, and only for a server)

    return postgresql
