"""A copy of a league's results as an SQLite file, without anything about its people."""

import os
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from league.hosting.store.host_store import HostStore, open_host_store
from league.hosting.store.tables import (
    AUDIT,
    CHALLENGE,
    CHALLENGE_MATCH,
    INVITATION,
    NOTICE,
    PERSON,
    PERSONAL_TOKEN,
    SERVICE,
    SIGN_IN,
    SIGN_IN_FAILURE,
    SUBMISSION,
)
from league.store.migration import create
from league.store.soundness import back_up_file
from league.store.tables import IN_PLAY, METADATA

PRIVATE = (
    SIGN_IN,
    PERSONAL_TOKEN,
    INVITATION,
    SIGN_IN_FAILURE,
    AUDIT,
    NOTICE,
    SUBMISSION,
    CHALLENGE_MATCH,
    CHALLENGE,
    PERSON,
    SERVICE,
    IN_PLAY,
)
"""Tables that are empty in a copy, in an order in which they can be emptied."""

ROWS_AT_ONCE = 1000


def copy_results(store: HostStore, copy: Path) -> None:
    """Write a consistent copy of a league; it appears when it is whole, over an older one.

    A file is copied by SQLite's own backup, a server's database row by row in one transaction.
    """
    part = copy.with_name(f"{copy.name}.making-{os.getpid()}")
    part.unlink(missing_ok=True)
    try:
        if store.path is not None:
            back_up_file(store.path, part)
        else:
            create(str(part))
        with open_host_store(str(part)) as made, made.writing() as target:
            if store.path is None:
                _copy_rows(store, target)
            for table in PRIVATE:
                target.execute(delete(table))
        part.replace(copy)
    finally:
        part.unlink(missing_ok=True)


def _copy_rows(store: HostStore, target: Connection) -> None:
    with store.reading() as source:
        for table in METADATA.sorted_tables:
            if table in PRIVATE:
                continue
            target.execute(delete(table))
            found = source.execution_options(stream_results=True).execute(select(table))
            for rows in found.mappings().partitions(ROWS_AT_ONCE):
                target.execute(insert(table), [dict(row) for row in rows])
