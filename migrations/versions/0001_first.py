"""The first schema: a league, and the tables of a hosted one.

It spells out tables, names and types, so that it stays as it is when `league.store` changes.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

FIRST = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows automatically only in a column of exactly the type INTEGER.
BigId = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables and indexes."""
    FIRST.create_all(op.get_bind(), checkfirst=False)


def row_id() -> "sa.Column[int]":
    """Return the column with the number of a row."""
    return sa.Column("id", BigId, primary_key=True)


def filled(name: str, *parts: Any, **options: Any) -> "sa.Column[Any]":
    """Return a NOT NULL column."""
    return sa.Column(name, *parts, nullable=False, **options)


def child_of(table: str, **options: Any) -> "sa.Column[int]":
    """Return a foreign key to `table`; deleting the parent deletes the row."""
    return filled(f"{table}_id", sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), **options)


sa.Table(
    "setting",
    FIRST,
    sa.Column("key", sa.String(80), primary_key=True),
    filled("value", sa.Text),
)
sa.Table(
    "bot",
    FIRST,
    row_id(),
    filled("name", sa.String(80)),
    filled("name_folded", sa.String(80), unique=True),
    filled("is_retired", sa.Integer),
    filled("games", sa.Text),
    filled("created_at", sa.BigInteger),
)
sa.Table(
    "version",
    FIRST,
    row_id(),
    child_of("bot"),
    filled("number", sa.Integer),
    filled("spec", sa.Text),
    filled("options", sa.Text),
    filled("files", sa.LargeBinary),
    filled("digest", sa.String(64)),
    filled("folder", sa.Text, server_default=""),
    filled("created_at", sa.BigInteger),
    filled("title", sa.Text, server_default=""),
    filled("author", sa.Text, server_default=""),
    sa.UniqueConstraint("bot_id", "number"),
)
sa.Table(
    "tournament",
    FIRST,
    row_id(),
    filled("game", sa.Text),
    filled("config", sa.Text),
    sa.Column("total", sa.BigInteger),
    filled("created_at", sa.BigInteger),
    sa.Column("stop_reason", sa.Text),
    filled("state", sa.String(10), server_default="open"),
    filled("request", sa.String(10), server_default=""),
    filled("revision", sa.Integer, server_default="1"),
    sa.Column("source", sa.Text),
    filled("saves", sa.BigInteger, server_default="0"),
    filled("is_rated", sa.Integer, server_default="1"),
    sa.Index(None, "game"),
    sa.Index(None, "game", "source", unique=True),
)
sa.Table(
    "encounter",
    FIRST,
    child_of("tournament", primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    filled("stage", sa.Integer),
    filled("opening", sa.BigInteger),
    filled("entrants", sa.Text),
    sa.Column("options", sa.Text),
    sqlite_with_rowid=False,
)
sa.Table(
    "lineup",
    FIRST,
    row_id(),
    child_of("tournament"),
    filled("versions", sa.Text),
    sa.UniqueConstraint("tournament_id", "versions"),
)
sa.Table(
    "lineup_seat",
    FIRST,
    child_of("lineup", primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    filled("version_id", sa.ForeignKey("version.id")),
    sa.Index(None, "version_id"),
)
sa.Table(
    "match",
    FIRST,
    row_id(),
    child_of("tournament"),
    filled("encounter", sa.BigInteger),
    filled("rotation", sa.Integer),
    child_of("lineup"),
    filled("scores", sa.Text),
    filled("termination", sa.String(20)),
    sa.Column("utilities", sa.Text),
    sa.Column("stand_ins", sa.Text),
    sa.Column("fault_seat", sa.Integer),
    filled("plies", sa.Integer),
    filled("wall_ms", sa.BigInteger),
    filled("finished_at", sa.BigInteger),
    filled("repeat", sa.Integer, server_default="0"),
    filled("machine", sa.Text, server_default=""),
    filled("time_factor", sa.Double, server_default="1"),
    sa.UniqueConstraint("tournament_id", "encounter", "rotation"),
    sa.Index(None, "lineup_id"),
    sa.CheckConstraint("plies >= 0", name="plies"),
)
sa.Table(
    "lineup_total",
    FIRST,
    child_of("lineup", primary_key=True),
    sa.Column("scores", sa.Text, primary_key=True),
    sa.Column("termination", sa.String(20), primary_key=True),
    sa.Column("fault_seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("repeat", sa.Integer, primary_key=True, autoincrement=False),
    filled("matches", sa.BigInteger),
)
sa.Table(
    "record",
    FIRST,
    child_of("match", primary_key=True),
    filled("data", sa.LargeBinary),
    filled("moves", sa.Text),
)
sa.Table(
    "void",
    FIRST,
    row_id(),
    filled("at", sa.BigInteger),
    filled("reason", sa.Text),
)
sa.Table(
    "void_match",
    FIRST,
    sa.Column("id", BigId, primary_key=True, autoincrement=False),
    child_of("void"),
    child_of("tournament"),
    filled("encounter", sa.BigInteger),
    filled("rotation", sa.Integer),
    filled("last_stage", sa.Integer),
    filled("versions", sa.Text),
    filled("scores", sa.Text),
    filled("termination", sa.String(20)),
    sa.Column("utilities", sa.Text),
    sa.Column("stand_ins", sa.Text),
    sa.Column("fault_seat", sa.Integer),
    filled("plies", sa.Integer),
    filled("wall_ms", sa.BigInteger),
    filled("finished_at", sa.BigInteger),
    filled("repeat", sa.Integer),
    filled("machine", sa.Text),
    filled("time_factor", sa.Double),
    filled("data", sa.LargeBinary),
    filled("moves", sa.Text),
    sa.Index(None, "tournament_id", "encounter", "rotation"),
)
sa.Table(
    "in_play",
    FIRST,
    child_of("tournament", primary_key=True),
    sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
    filled("encounter", sa.BigInteger),
    filled("rotation", sa.Integer),
    filled("game", sa.Text),
    filled("versions", sa.Text),
    filled("moves", sa.Text),
    filled("moved_at", sa.BigInteger),
)
sa.Table(
    "conduct",
    FIRST,
    child_of("tournament", primary_key=True),
    sa.Column("version_id", sa.ForeignKey("version.id"), primary_key=True),
    filled("matches", sa.BigInteger),
    filled("kills", sa.Integer),
    filled("failed_starts", sa.Integer),
    filled("failed_in_a_row", sa.Integer),
    filled("hangs", sa.Integer),
    filled("preparation_ms", sa.BigInteger),
    filled("suspended", sa.Text),
)
sa.Table(
    "exploitability",
    FIRST,
    child_of("version", primary_key=True),
    sa.Column("game", sa.Text, primary_key=True),
    filled("value", sa.Double),
    filled("samples", sa.Integer),
)
sa.Table(
    "llm_call",
    FIRST,
    row_id(),
    child_of("tournament"),
    filled("encounter", sa.BigInteger),
    filled("rotation", sa.Integer),
    filled("ply", sa.Integer),
    filled("seat", sa.Integer),
    filled("attempt", sa.Integer),
    filled("version_id", sa.ForeignKey("version.id")),
    filled("digest", sa.String(64)),
    filled("prompt", sa.Text),
    filled("answer", sa.Text),
    filled("fault", sa.String(20)),
    filled("model", sa.Text),
    sa.Column("tokens_in", sa.BigInteger),
    sa.Column("tokens_out", sa.BigInteger),
    sa.Column("tokens_cached", sa.BigInteger),
    sa.Column("cost", sa.Double),
    filled("latency_ms", sa.BigInteger),
    filled("parameters", sa.Text),
    filled("called_at", sa.BigInteger),
    filled("is_void", sa.Integer, server_default="0"),
    sa.Index(None, "tournament_id", "encounter", "rotation"),
    sa.Index(None, "version_id"),
)
sa.Table(
    "rating_snapshot",
    FIRST,
    row_id(),
    filled("game", sa.Text),
    filled("system", sa.String(80)),
    filled("settings", sa.Text),
    filled("anchor", sa.Text),
    child_of("tournament"),
    filled("encounter", sa.BigInteger),
    filled("rotation", sa.Integer),
    filled("matches", sa.BigInteger),
    filled("match_id", sa.BigInteger),
    filled("finished_at", sa.BigInteger),
    filled("ratings", sa.LargeBinary),
    filled("covariance", sa.LargeBinary),
    filled("state", sa.LargeBinary),
    sa.Index("ix_rating_snapshot_series", "game", "system", "settings", "anchor", "matches"),
)
sa.Table(
    "team",
    FIRST,
    row_id(),
    filled("name", sa.String(80)),
    filled("name_folded", sa.String(80), unique=True),
    sa.Column("bot_id", sa.ForeignKey("bot.id", ondelete="SET NULL"), unique=True),
    sa.Column("chosen_version_id", sa.ForeignKey("version.id", ondelete="SET NULL")),
    filled("standing", sa.String(12), server_default="active"),
    filled("standing_reason", sa.Text, server_default=""),
    filled("failed_version", sa.BigInteger, server_default="0"),
    filled("faults_after", sa.BigInteger, server_default="0"),
    filled("created_at", sa.BigInteger),
)
sa.Table(
    "person",
    FIRST,
    row_id(),
    filled("login", sa.String(80)),
    filled("login_folded", sa.String(80), unique=True),
    filled("name", sa.String(200), server_default=""),
    filled("email", sa.String(254), server_default=""),
    filled("role", sa.String(12)),
    sa.Column("team_id", sa.ForeignKey("team.id", ondelete="SET NULL")),
    filled("password", sa.Text, server_default=""),
    filled("subject", sa.Text, server_default=""),
    filled("is_active", sa.Integer, server_default="1"),
    filled("created_at", sa.BigInteger),
    sa.Column("seen_at", sa.BigInteger),
    sa.Column("deletion_asked_at", sa.BigInteger),
    sa.Index(None, "team_id"),
    sa.Index(None, "subject"),
)
sa.Table(
    "sign_in",
    FIRST,
    sa.Column("token", sa.String(64), primary_key=True),
    child_of("person"),
    filled("created_at", sa.BigInteger),
    filled("used_at", sa.BigInteger),
    filled("expires_at", sa.BigInteger),
    sa.Index(None, "person_id"),
)
sa.Table(
    "personal_token",
    FIRST,
    row_id(),
    child_of("person"),
    filled("label", sa.String(80)),
    filled("token", sa.String(64), unique=True),
    filled("created_at", sa.BigInteger),
    sa.Column("used_at", sa.BigInteger),
    sa.Column("expires_at", sa.BigInteger),
    sa.Column("revoked_at", sa.BigInteger),
    sa.Index(None, "person_id"),
)
sa.Table(
    "invitation",
    FIRST,
    sa.Column("token", sa.String(64), primary_key=True),
    child_of("person"),
    filled("created_at", sa.BigInteger),
    filled("expires_at", sa.BigInteger),
    sa.Column("used_at", sa.BigInteger),
    sa.Index(None, "person_id"),
)
sa.Table(
    "sign_in_failure",
    FIRST,
    sa.Column("subject", sa.String(64), primary_key=True),
    filled("failures", sa.Integer),
    filled("failed_at", sa.BigInteger),
)
sa.Table(
    "audit",
    FIRST,
    row_id(),
    filled("at_ms", sa.BigInteger),
    sa.Column("person_id", sa.ForeignKey("person.id", ondelete="SET NULL")),
    filled("actor", sa.String(80)),
    filled("action", sa.String(40)),
    filled("subject", sa.Text, server_default=""),
    filled("detail", sa.Text, server_default=""),
    filled("address", sa.String(45), server_default=""),
)
sa.Table(
    "submission",
    FIRST,
    row_id(),
    child_of("team"),
    sa.Column("person_id", sa.ForeignKey("person.id", ondelete="SET NULL")),
    filled("received_ms", sa.BigInteger),
    filled("file_name", sa.String(200)),
    filled("settings", sa.Text, server_default="{}"),
    filled("size", sa.BigInteger),
    filled("digest", sa.String(64)),
    sa.Column("archive", sa.LargeBinary),
    filled("state", sa.String(12)),
    filled("message", sa.Text, server_default=""),
    filled("log", sa.Text, server_default=""),
    filled("attempts", sa.Integer, server_default="0"),
    filled("claimed_by", sa.String(40), server_default=""),
    sa.Column("claimed_ms", sa.BigInteger),
    sa.Column("beat_ms", sa.BigInteger),
    sa.Column("version_id", sa.ForeignKey("version.id", ondelete="SET NULL")),
    sa.Column("decided_ms", sa.BigInteger),
    sa.Index(None, "team_id", "received_ms"),
    sa.Index(None, "state"),
)
sa.Table(
    "challenge",
    FIRST,
    row_id(),
    child_of("team"),
    sa.Column("rival_id", sa.ForeignKey("bot.id", ondelete="CASCADE"), nullable=False),
    filled("asked_ms", sa.BigInteger),
    filled("seed", sa.BigInteger),
    filled("state", sa.String(12)),
    filled("message", sa.Text, server_default=""),
    filled("attempts", sa.Integer, server_default="0"),
    filled("played", sa.Integer, server_default="0"),
    filled("claimed_by", sa.String(40), server_default=""),
    sa.Column("claimed_ms", sa.BigInteger),
    sa.Column("version_id", sa.ForeignKey("version.id", ondelete="CASCADE")),
    sa.Column("rival_version_id", sa.ForeignKey("version.id", ondelete="CASCADE")),
    sa.Column("move_s", sa.Float),
    sa.Column("decided_ms", sa.BigInteger),
    sa.Index(None, "team_id", "asked_ms"),
    sa.Index(None, "state"),
)
sa.Table(
    "challenge_match",
    FIRST,
    child_of("challenge", primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    filled("data", sa.LargeBinary),
    filled("moves", sa.Text),
    filled("finished_at", sa.BigInteger),
)
sa.Table(
    "season",
    FIRST,
    row_id(),
    filled("settings", sa.Text),
    filled("state", sa.String(12)),
    filled("created_at", sa.BigInteger),
    sa.Column("frozen_at", sa.BigInteger),
    sa.Column("closed_at", sa.BigInteger),
    sa.Column("final_id", sa.ForeignKey("tournament.id", ondelete="SET NULL")),
    sa.Column("published_at", sa.BigInteger),
    sa.Column("standings", sa.Text),
)
sa.Table(
    "season_leg",
    FIRST,
    child_of("season", primary_key=True),
    child_of("tournament", primary_key=True),
    filled("number", sa.Integer),
)
sa.Table(
    "notice",
    FIRST,
    row_id(),
    sa.Column("team_id", sa.ForeignKey("team.id", ondelete="CASCADE")),
    filled("at", sa.BigInteger),
    filled("kind", sa.String(20)),
    filled("text", sa.Text),
    sa.Column("ends_at", sa.BigInteger),
    sa.Column("mailed_at", sa.BigInteger),
    sa.Index(None, "team_id"),
)
sa.Table(
    "service",
    FIRST,
    sa.Column("name", sa.String(40), primary_key=True),
    filled("pid", sa.Integer),
    filled("started_at", sa.BigInteger),
    filled("beat_at", sa.BigInteger),
    filled("starts", sa.Integer, server_default="0"),
    filled("state", sa.Text, server_default=""),
)
