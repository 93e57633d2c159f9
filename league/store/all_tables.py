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
    for name in TABLES.names():
        TABLES.find(name)
    return METADATA


def names_added() -> set[str]:
    """Return the names of the tables that packages add."""
    return {table.name for name in TABLES.names() for table in TABLES.find(name)}


def add_missing(connection: Connection) -> None:
    """Make the tables of packages that were installed after the database was made."""
    known = set(inspect(connection).get_table_names())
    for name in TABLES.names():
        missing = [each for each in TABLES.find(name) if each.name not in known]
        METADATA.create_all(connection, tables=missing)
