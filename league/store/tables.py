"""The tables; a test compares `migrations`. Core only: SQLAlchemy's ORM is slow to import."""

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Double,
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


def row_id() -> Column[int]:
    """Return the column with the number of a row."""
    return Column("id", BigId, primary_key=True)


def filled(name: str, *parts: Any, **options: Any) -> Column[Any]:
    """Return a NOT NULL column."""
    return Column(name, *parts, nullable=False, **options)


def child_of(table: str, **options: Any) -> Column[int]:
    """Return a foreign key to `table`; deleting the parent deletes the row."""
    return filled(f"{table}_id", ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


SETTING = Table(
    "setting",
    METADATA,
    Column("key", String(80), primary_key=True),
    filled("value", Text),
)
"""The settings of the league."""

BOT = Table(
    "bot",
    METADATA,
    row_id(),
    filled("name", String(80)),
    filled("name_folded", String(80), unique=True),
    filled("is_retired", Integer),
    filled("games", Text),
    filled("created_at", BigInteger),
)
"""Registered bots.

`name_folded` is unique so that no names differ only by case; `games` is a JSON list of game specs,
empty if the bot plays any.
"""

VERSION = Table(
    "version",
    METADATA,
    row_id(),
    child_of("bot"),
    filled("number", Integer),
    filled("spec", Text),
    filled("options", Text),
    filled("files", LargeBinary),
    filled("digest", String(64)),
    filled("folder", Text, server_default=""),
    filled("created_at", BigInteger),
    filled("title", Text, server_default=""),
    filled("author", Text, server_default=""),
    UniqueConstraint("bot_id", "number"),
)
"""Immutable snapshots of bots; `files` is as `files_codec` writes it.

`title` and `author` are what an engine says of itself, '' if that is not known.
"""

TOURNAMENT = Table(
    "tournament",
    METADATA,
    row_id(),
    filled("game", Text),
    filled("config", Text),
    Column("total", BigInteger),
    filled("created_at", BigInteger),
    Column("stop_reason", Text),
    filled("state", String(10), server_default="open"),
    filled("request", String(10), server_default=""),
    filled("revision", Integer, server_default="1"),
    Column("source", Text),
    filled("saves", BigInteger, server_default="0"),
    filled("is_rated", Integer, server_default="1"),
    Index(None, "game"),
    Index(None, "game", "source", unique=True),
)
"""Tournament settings; `MATCH` has the matches.

`total` is NULL if the results decide the number of matches. `request` is a request of another
process to the runner, and `revision` counts the changes of `config`. `source` is the digest of an
imported file, NULL for other tournaments. `saves` counts the transactions that changed matches
or their totals. The matches of one that is not `is_rated` count in no rating of their game.
"""

ENCOUNTER = Table(
    "encounter",
    METADATA,
    child_of("tournament", primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    filled("stage", Integer),
    filled("opening", BigInteger),
    filled("entrants", Text),
    Column("options", Text),
    sqlite_with_rowid=False,
)
"""The planned encounters of a tournament, in order of planning.

`entrants` are positions in the tournament's list, by seat of the first match ("3,7"). `options` are
names and values by entrant, as JSON, that replace options of these bots; NULL if they play as they
are.
"""

LINEUP = Table(
    "lineup",
    METADATA,
    row_id(),
    child_of("tournament"),
    filled("versions", Text),
    UniqueConstraint("tournament_id", "versions"),
)
"""Seatings ("3,7"), each stored once for all matches of a tournament."""

LINEUP_SEAT = Table(
    "lineup_seat",
    METADATA,
    child_of("lineup", primary_key=True),
    Column("seat", Integer, primary_key=True),
    filled("version_id", ForeignKey("version.id")),
    Index(None, "version_id"),
)
"""The seats of lineups, for finding a bot's matches."""

MATCH = Table(
    "match",
    METADATA,
    row_id(),
    child_of("tournament"),
    filled("encounter", BigInteger),
    filled("rotation", Integer),
    child_of("lineup"),
    filled("scores", Text),
    filled("termination", String(20)),
    Column("utilities", Text),
    Column("stand_ins", Text),
    Column("fault_seat", Integer),
    filled("plies", Integer),
    filled("wall_ms", BigInteger),
    filled("finished_at", BigInteger),
    filled("repeat", Integer, server_default="0"),
    filled("machine", Text, server_default=""),
    filled("time_factor", Double, server_default="1"),
    UniqueConstraint("tournament_id", "encounter", "rotation"),
    Index(None, "lineup_id"),
    CheckConstraint("plies >= 0", name="plies"),
)
"""Finished matches. The unique key makes each count once; `repeat` is a `Repeat` of the model.

`utilities` are the game's own, NULL if the match did not end by the rules. `stand_ins` are the
moves by seat that the game made for bots that failed ("0,3"), NULL if it made none. `machine` is
the pull worker's that played it, '' for the runner's own pool, and `time_factor` what its times
were multiplied by.
"""

NO_FAULT = -1
"""The seat at fault in totals without a fault: key columns can't be NULL."""

LINEUP_TOTAL = Table(
    "lineup_total",
    METADATA,
    child_of("lineup", primary_key=True),
    Column("scores", Text, primary_key=True),
    Column("termination", String(20), primary_key=True),
    Column("fault_seat", Integer, primary_key=True, autoincrement=False),
    Column("repeat", Integer, primary_key=True, autoincrement=False),
    filled("matches", BigInteger),
)
"""The number of matches of a lineup with the same end, updated with each match."""

RECORD = Table(
    "record",
    METADATA,
    child_of("match", primary_key=True),
    filled("data", LargeBinary),
    filled("moves", Text),
)
"""The full record of each match: see `league.store.record_codec.record`.

`moves` are all plies as people write them ("4 4 3").
"""

VOID = Table(
    "void",
    METADATA,
    row_id(),
    filled("at", BigInteger),
    filled("reason", Text),
)
"""Decisions that some matches do not count."""

VOID_MATCH = Table(
    "void_match",
    METADATA,
    Column("id", BigId, primary_key=True, autoincrement=False),
    child_of("void"),
    child_of("tournament"),
    filled("encounter", BigInteger),
    filled("rotation", Integer),
    filled("last_stage", Integer),
    filled("versions", Text),
    filled("scores", Text),
    filled("termination", String(20)),
    Column("utilities", Text),
    Column("stand_ins", Text),
    Column("fault_seat", Integer),
    filled("plies", Integer),
    filled("wall_ms", BigInteger),
    filled("finished_at", BigInteger),
    filled("repeat", Integer),
    filled("machine", Text),
    filled("time_factor", Double),
    filled("data", LargeBinary),
    filled("moves", Text),
    Index(None, "tournament_id", "encounter", "rotation"),
)
"""Void matches with their records; they have left `MATCH`, and their numbers are not used again.

`last_stage` is the last stage that was planned at that time, -1 for none: stages up to it may have
been made from these results.
"""

IN_PLAY = Table(
    "in_play",
    METADATA,
    child_of("tournament", primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    filled("encounter", BigInteger),
    filled("rotation", Integer),
    filled("game", Text),
    filled("versions", Text),
    filled("moves", Text),
    filled("moved_at", BigInteger),
)
"""Some of the matches in play; `moves` is a JSON list of all plies so far, as `LivePly` packs them.

`moved_at` is the time of the last one in milliseconds since 1970.

Rows may be deleted at any time, and are valid only while their tournament has a runner.
"""

CONDUCT = Table(
    "conduct",
    METADATA,
    child_of("tournament", primary_key=True),
    Column("version_id", ForeignKey("version.id"), primary_key=True),
    filled("matches", BigInteger),
    filled("kills", Integer),
    filled("failed_starts", Integer),
    filled("failed_in_a_row", Integer),
    filled("hangs", Integer),
    filled("preparation_ms", BigInteger),
    filled("suspended", Text),
)
"""The conduct of versions in a tournament besides their moves (`league.model.records.Conduct`).

Only versions that did something notable have a row.
"""

EXPLOITABILITY = Table(
    "exploitability",
    METADATA,
    child_of("version", primary_key=True),
    Column("game", Text, primary_key=True),
    filled("value", Double),
    filled("samples", Integer),
)
"""What a best response gains against a version in a game, averaged over the seats.

`samples` is how often it was asked in each information set, 0 if the value is exact.
"""

LLM_CALL = Table(
    "llm_call",
    METADATA,
    row_id(),
    child_of("tournament"),
    filled("encounter", BigInteger),
    filled("rotation", Integer),
    filled("ply", Integer),
    filled("seat", Integer),
    filled("attempt", Integer),
    filled("version_id", ForeignKey("version.id")),
    filled("digest", String(64)),
    filled("prompt", Text),
    filled("answer", Text),
    filled("fault", String(20)),
    filled("model", Text),
    Column("tokens_in", BigInteger),
    Column("tokens_out", BigInteger),
    Column("tokens_cached", BigInteger),
    Column("cost", Double),
    filled("latency_ms", BigInteger),
    filled("parameters", Text),
    filled("called_at", BigInteger),
    filled("is_void", Integer, server_default="0"),
    Index(None, "tournament_id", "encounter", "rotation"),
    Index(None, "version_id"),
)
"""Calls of language models (`league.model.model_calls.ModelCall`), each noted before it is sent.

`fault` is '' for a move, and `parameters` an object of JSON. A call that `is_void` is of a match
that does not count: its cost does, and it answers no other call.
"""

RATING_SNAPSHOT = Table(
    "rating_snapshot",
    METADATA,
    row_id(),
    filled("game", Text),
    filled("system", String(80)),
    filled("settings", Text),
    filled("anchor", Text),
    child_of("tournament"),
    filled("encounter", BigInteger),
    filled("rotation", Integer),
    filled("matches", BigInteger),
    filled("match_id", BigInteger),
    filled("finished_at", BigInteger),
    filled("ratings", LargeBinary),
    filled("covariance", LargeBinary),
    filled("state", LargeBinary),
    Index("ix_rating_snapshot_series", "game", "system", "settings", "anchor", "matches"),
)
"""Ratings after the first `matches` matches of a game, in rating order.

They can be recomputed from the matches: see `league.analysis.rating_history`. `match_id` is the
newest match; the last three columns are compressed.
"""
