"""All tables of a database: those of the league, and those that installed packages add."""

from collections.abc import Sequence

from sqlalchemy import Connection, MetaData, Table, inspect

from games.support.catalogue import Catalogue
from league.store.tables import METADATA

TABLES: Catalogue[Sequence[Table]] = Catalogue(
    kind="group of tables",
    group="botleague.tables",
    is_part=lambda part: isinstance(part, tuple) and all(isinstance(each, Table) for each in part),
)
"""Tables of installed packages, which are in `METADATA` of the league's own tables, too."""


def all_tables() -> MetaData:
    """Return all tables; raise `InputError` if those of a package do not load."""
    added_tables()
    return METADATA


def added_tables() -> list[Table]:
    """Return the tables that packages add; raise `InputError` if some do not load."""
    return [table for name in TABLES.names() for table in TABLES.find(name)]


def add_missing(connection: Connection) -> None:
    """Make the tables of packages that were installed after the database was made."""
    known = set(inspect(connection).get_table_names())
    missing = [each for each in added_tables() if each.name not in known]
    METADATA.create_all(connection, tables=missing)
