"""Alembic's entry: runs the revisions on the connection that the league's store hands over."""

from alembic import context
from sqlalchemy import Connection

from league.store.migration import HEAD, current_revision
from league.store.tables import METADATA
from league.store.views import create_views, drop_views


def run(connection: Connection) -> None:
    """Run the asked revisions in the transaction of the connection."""
    is_sqlite = connection.dialect.name == "sqlite"
    # Alembic commits on its own unless a transaction has begun.
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=is_sqlite)
    drop_views(connection)
    context.run_migrations()
    if current_revision(connection) == HEAD:
        create_views(connection)


run(context.config.attributes["connection"])
