"""The first schema: bots, versions, tournaments, matches and their records."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

BigId = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "setting",
        sa.Column("key", sa.String(80), nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_setting"),
    )
    _make_bots()
    _make_tournaments()
    _make_matches()


def downgrade() -> None:
    """Drop the tables, children first."""
    for table in (
        "record",
        "match",
        "lineup_seat",
        "lineup",
        "tournament",
        "version",
        "bot",
        "setting",
    ):
        op.drop_table(table)


def _make_bots() -> None:
    op.create_table(
        "bot",
        sa.Column("id", BigId, nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("name_folded", sa.String(80), nullable=False),
        sa.Column("is_retired", sa.Integer, nullable=False),
        sa.Column("games", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bot"),
        sa.UniqueConstraint("name_folded", name="uq_bot_name_folded"),
    )
    op.create_table(
        "version",
        sa.Column("id", BigId, nullable=False),
        sa.Column("bot_id", BigId, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("files", sa.LargeBinary, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_version"),
        sa.UniqueConstraint("bot_id", "number", name="uq_version_bot_id_number"),
        sa.ForeignKeyConstraint(
            ["bot_id"], ["bot.id"], name="fk_version_bot_id_bot", ondelete="CASCADE"
        ),
    )


def _make_tournaments() -> None:
    op.create_table(
        "tournament",
        sa.Column("id", BigId, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("stop_reason", sa.Text, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tournament"),
    )
    op.create_index("ix_tournament_game", "tournament", ["game"])
    op.create_table(
        "lineup",
        sa.Column("id", BigId, nullable=False),
        sa.Column("tournament_id", BigId, nullable=False),
        sa.Column("versions", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_lineup"),
        sa.UniqueConstraint("tournament_id", "versions", name="uq_lineup_tournament_id_versions"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_lineup_tournament_id_tournament",
            ondelete="CASCADE",
        ),
    )
    op.create_table(
        "lineup_seat",
        sa.Column("lineup_id", BigId, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("version_id", BigId, nullable=False),
        sa.PrimaryKeyConstraint("lineup_id", "seat", name="pk_lineup_seat"),
        sa.ForeignKeyConstraint(
            ["lineup_id"], ["lineup.id"], name="fk_lineup_seat_lineup_id_lineup", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["version.id"], name="fk_lineup_seat_version_id_version"
        ),
    )
    op.create_index("ix_lineup_seat_version_id", "lineup_seat", ["version_id"])


def _make_matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", BigId, nullable=False),
        sa.Column("tournament_id", BigId, nullable=False),
        sa.Column("encounter", sa.BigInteger, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("lineup_id", BigId, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("fault_seat", sa.Integer, nullable=True),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
        sa.Column("finished_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_match"),
        sa.UniqueConstraint(
            "tournament_id",
            "encounter",
            "rotation",
            name="uq_match_tournament_id_encounter_rotation",
        ),
        sa.CheckConstraint("plies >= 0", name=op.f("ck_match_plies")),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_match_tournament_id_tournament",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["lineup_id"], ["lineup.id"], name="fk_match_lineup_id_lineup", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_match_totals", "match", ["lineup_id", "scores", "termination", "fault_seat"]
    )
    op.create_table(
        "record",
        sa.Column("match_id", BigId, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_record"),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name="fk_record_match_id_match", ondelete="CASCADE"
        ),
    )
