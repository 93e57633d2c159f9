"""The tables. `migrations` makes them; a test holds the two against each other.

They are tables of SQLAlchemy's Core: nothing here needs its ORM, which takes longer to import than
most commands take to answer.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

# SQLite numbers rows by itself only in a column of exactly the type INTEGER.
BigId = BigInteger().with_variant(Integer, "sqlite")

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)
"""All tables, with names for every constraint: a migration must name them."""


def _id() -> Column[int]:
    return Column("id", BigId, primary_key=True)


def _filled(name: str, *parts: Any, **options: Any) -> Column[Any]:
    """Return a column that is never NULL."""
    return Column(name, *parts, nullable=False, **options)


def _child_of(table: str, **options: Any) -> Column[int]:
    """Return the number of a row of `table`, with which this one goes."""
    return _filled(f"{table}_id", ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


SETTING = Table(
    "setting",
    METADATA,
    Column("key", String(80), primary_key=True),
    _filled("value", Text),
)
"""The settings of the league."""

BOT = Table(
    "bot",
    METADATA,
    _id(),
    _filled("name", String(80)),
    _filled("name_folded", String(80), unique=True),
    _filled("is_retired", Integer),
    _filled("games", Text),
    _filled("created_at", BigInteger),
)
"""Registered entrants.

`name_folded` keeps names apart that differ by more than case; `games` is a JSON list of game
specs, empty where the bot plays any.
"""

VERSION = Table(
    "version",
    METADATA,
    _id(),
    _child_of("bot"),
    _filled("number", Integer),
    _filled("spec", Text),
    _filled("options", Text),
    _filled("files", LargeBinary),
    _filled("digest", String(64)),
    _filled("folder", Text, server_default=""),
    _filled("created_at", BigInteger),
    UniqueConstraint("bot_id", "number"),
)
"""Immutable snapshots of bots; `files` is compressed JSON, path to text in order."""

TOURNAMENT = Table(
    "tournament",
    METADATA,
    _id(),
    _filled("game", Text),
    _filled("config", Text),
    Column("total", BigInteger),
    _filled("created_at", BigInteger),
    Column("stop_reason", Text),
    _filled("state", String(10), server_default="open"),
    _filled("request", String(10), server_default=""),
    _filled("revision", Integer, server_default="1"),
    Index(None, "game"),
)
"""What a tournament was asked to be; what was played of it is in `MATCH`.

`total` is NULL where the results decide how many matches there are. `request` is what other
processes ask the runner for, and `revision` counts the changes of `config`.
"""

ENCOUNTER = Table(
    "encounter",
    METADATA,
    _child_of("tournament", primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    _filled("stage", Integer),
    _filled("opening", BigInteger),
    _filled("entrants", Text),
    sqlite_with_rowid=False,
)
"""What is planned of a tournament, in the order of planning.

`entrants` are positions in the tournament's list, in the seats of the first match ("3,7").
"""

LINEUP = Table(
    "lineup",
    METADATA,
    _id(),
    _child_of("tournament"),
    _filled("versions", Text),
    UniqueConstraint("tournament_id", "versions"),
)
"""Who sat where, once for all matches of a tournament with the same seating ("3,7")."""

LINEUP_SEAT = Table(
    "lineup_seat",
    METADATA,
    _child_of("lineup", primary_key=True),
    Column("seat", Integer, primary_key=True),
    _filled("version_id", ForeignKey("version.id")),
    Index(None, "version_id"),
)
"""The seats of lineups, to find a bot's matches by."""

MATCH = Table(
    "match",
    METADATA,
    _id(),
    _child_of("tournament"),
    _filled("encounter", BigInteger),
    _filled("rotation", Integer),
    _child_of("lineup"),
    _filled("scores", Text),
    _filled("termination", String(20)),
    Column("fault_seat", Integer),
    _filled("plies", Integer),
    _filled("wall_ms", BigInteger),
    _filled("finished_at", BigInteger),
    UniqueConstraint("tournament_id", "encounter", "rotation"),
    Index(None, "lineup_id"),
    CheckConstraint("plies >= 0", name="plies"),
)
"""Finished matches. The unique key is what makes one count once."""

NO_FAULT = -1
"""The seat at fault in a total where there was none: no part of a key may be NULL."""

LINEUP_TOTAL = Table(
    "lineup_total",
    METADATA,
    _child_of("lineup", primary_key=True),
    Column("scores", Text, primary_key=True),
    Column("termination", String(20), primary_key=True),
    Column("fault_seat", Integer, primary_key=True, autoincrement=False),
    _filled("matches", BigInteger),
)
"""How many matches of a lineup ended in the same way: what standings of a million are read from.

Matches are counted here in the transaction that stores them.
"""

RECORD = Table(
    "record",
    METADATA,
    _child_of("match", primary_key=True),
    _filled("data", LargeBinary),
)
"""The whole of each match: see `league.store.record_codec.record`."""

IN_PLAY = Table(
    "in_play",
    METADATA,
    _child_of("tournament", primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    _filled("encounter", BigInteger),
    _filled("rotation", Integer),
    _filled("game", Text),
    _filled("versions", Text),
    _filled("moves", Text),
    _filled("moved_at", BigInteger),
)
"""Some of the matches that are played now; `moves` is a JSON list of all plies so far.

It may be thrown away at any moment, and holds only while its tournament has a runner.
"""

RATING_SNAPSHOT = Table(
    "rating_snapshot",
    METADATA,
    _id(),
    _filled("game", Text),
    _filled("system", String(80)),
    _filled("settings", Text),
    _filled("anchor", Text),
    _child_of("tournament"),
    _filled("encounter", BigInteger),
    _filled("rotation", Integer),
    _filled("matches", BigInteger),
    _filled("match_id", BigInteger),
    _filled("finished_at", BigInteger),
    _filled("ratings", LargeBinary),
    _filled("covariance", LargeBinary),
    _filled("state", LargeBinary),
    Index("ix_rating_snapshot_series", "game", "system", "settings", "anchor", "matches"),
)
"""Ratings after the first so many matches of a game, in the order in which they are rated.

All of it can be computed again from the matches: see `league.analysis.rating_history`. `match_id`
is the newest of them; the last three columns are compressed.
"""
