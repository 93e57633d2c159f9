"""Alembic's entry: runs the revisions on the connection that the league's store hands over."""

from alembic import context
from sqlalchemy import Connection

from league.store.migration import HEAD, current_revision
from league.store.tables import METADATA
from league.store.views import create_views, drop_views


def run(connection: Connection) -> None:
    """Run the asked revisions in one transaction.

    SQLite's foreign keys are switched off before it begins (inside a transaction that has no
    effect): a batch migration copies a table and drops the old one, and with ON DELETE CASCADE
    that drop would silently empty every table that refers to it.
    """
    is_sqlite = connection.dialect.name == "sqlite"
    raw = connection.connection.dbapi_connection
    if is_sqlite and raw is not None:
        raw.execute("PRAGMA foreign_keys=OFF").close()
    with connection.execution_options(is_write=True).begin() as transaction:
        # Alembic commits on its own unless it is told of a transaction that has begun.
        context.configure(
            connection=connection, target_metadata=METADATA, render_as_batch=is_sqlite
        )
        drop_views(connection)
        context.run_migrations()
        if current_revision(connection) == HEAD:
            create_views(connection)
        if is_sqlite:
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            if broken:
                transaction.rollback()
                raise RuntimeError(f"the migration would leave {len(broken)} rows without parents")


run(context.config.attributes["connection"])
