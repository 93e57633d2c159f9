"""The tables; a test compares `migrations`. Core only: SQLAlchemy's ORM is slow to import."""

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

# SQLite numbers rows automatically only in a column of exactly the type INTEGER.
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
"""All tables; every constraint is named because migrations need the names."""


def _id() -> Column[int]:
    return Column("id", BigId, primary_key=True)


def _filled(name: str, *parts: Any, **options: Any) -> Column[Any]:
    """Return a NOT NULL column."""
    return Column(name, *parts, nullable=False, **options)


def _child_of(table: str, **options: Any) -> Column[int]:
    """Return a foreign key to `table`; deleting the parent deletes the row."""
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
"""Registered bots.

`name_folded` is unique so that no names differ only by case; `games` is a JSON list of game specs,
empty if the bot plays any.
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
"""Immutable snapshots of bots; `files` is as `files_codec` writes it."""

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
    Column("source", Text),
    _filled("saves", BigInteger, server_default="0"),
    Index(None, "game"),
    Index(None, "game", "source", unique=True),
)
"""Tournament settings; `MATCH` has the matches.

`total` is NULL if the results decide the number of matches. `request` is a request of another
process to the runner, and `revision` counts the changes of `config`. `source` is the digest of an
imported file, NULL for other tournaments. `saves` counts the transactions that stored matches.
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
"""The planned encounters of a tournament, in order of planning.

`entrants` are positions in the tournament's list, by seat of the first match ("3,7").
"""

LINEUP = Table(
    "lineup",
    METADATA,
    _id(),
    _child_of("tournament"),
    _filled("versions", Text),
    UniqueConstraint("tournament_id", "versions"),
)
"""Seatings ("3,7"), each stored once for all matches of a tournament."""

LINEUP_SEAT = Table(
    "lineup_seat",
    METADATA,
    _child_of("lineup", primary_key=True),
    Column("seat", Integer, primary_key=True),
    _filled("version_id", ForeignKey("version.id")),
    Index(None, "version_id"),
)
"""The seats of lineups, for finding a bot's matches."""

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
    _filled("repeat", Integer, server_default="0"),
    UniqueConstraint("tournament_id", "encounter", "rotation"),
    Index(None, "lineup_id"),
    CheckConstraint("plies >= 0", name="plies"),
)
"""Finished matches. The unique key makes each count once; `repeat` is a `Repeat` of the model."""

NO_FAULT = -1
"""The seat at fault in totals without a fault: key columns can't be NULL."""

LINEUP_TOTAL = Table(
    "lineup_total",
    METADATA,
    _child_of("lineup", primary_key=True),
    Column("scores", Text, primary_key=True),
    Column("termination", String(20), primary_key=True),
    Column("fault_seat", Integer, primary_key=True, autoincrement=False),
    Column("repeat", Integer, primary_key=True, autoincrement=False),
    _filled("matches", BigInteger),
)
"""How many matches of a lineup ended alike, updated with each match for fast standings."""

RECORD = Table(
    "record",
    METADATA,
    _child_of("match", primary_key=True),
    _filled("data", LargeBinary),
    Column("moves", Text),
)
"""The full record of each match: see `league.store.record_codec.record`.

`moves` are all plies as people write them ("4 4 3"), NULL in records of older leagues.
"""

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
"""Some of the matches in play; `moves` is a JSON list of all plies so far, as `LivePly` packs them.

`moved_at` is the time of the last one in milliseconds since 1970.

Rows may be deleted at any time, and are valid only while their tournament has a runner.
"""

CONDUCT = Table(
    "conduct",
    METADATA,
    _child_of("tournament", primary_key=True),
    Column("version_id", ForeignKey("version.id"), primary_key=True),
    _filled("matches", BigInteger),
    _filled("kills", Integer),
    _filled("failed_starts", Integer),
    _filled("failed_in_a_row", Integer),
    _filled("hangs", Integer),
    _filled("preparation_ms", BigInteger),
    _filled("suspended", Text),
)
"""What versions did in a tournament besides their moves (`league.model.records.Conduct`).

Only versions that did something notable have a row.
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
"""Ratings after the first `matches` matches of a game, in rating order.

They can be recomputed from the matches: see `league.analysis.rating_history`. `match_id` is the
newest match; the last three columns are compressed.
"""
