"""Challenges: unrated matches that teams of a hosted league ask for."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "challenge",
        sa.Column("id", ID, primary_key=True),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("rival_id", ID, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("message", sa.Text, nullable=False, server_default=""),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("played", sa.Integer, nullable=False, server_default="0"),
        sa.Column("claimed_by", sa.String(40), nullable=False, server_default=""),
        sa.Column("claimed_ms", sa.BigInteger),
        sa.Column("version_id", ID),
        sa.Column("rival_version_id", ID),
        sa.Column("move_s", sa.Float),
        sa.Column("decided_ms", sa.BigInteger),
        _key("challenge", "team_id", "team"),
        _key("challenge", "rival_id", "bot"),
        _key("challenge", "version_id", "version"),
        _key("challenge", "rival_version_id", "version"),
    )
    op.create_index("ix_challenge_team_id_asked_ms", "challenge", ["team_id", "asked_ms"])
    op.create_index("ix_challenge_state", "challenge", ["state"])
    op.create_table(
        "challenge_match",
        sa.Column("challenge_id", ID, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("moves", sa.Text),
        sa.Column("finished_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("challenge_id", "number", name="pk_challenge_match"),
        _key("challenge_match", "challenge_id", "challenge"),
    )


def downgrade() -> None:
    """Drop the tables, and with them all challenges."""
    op.drop_table("challenge_match")
    op.drop_table("challenge")


def _key(table: str, column: str, parent: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{parent}"
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete="CASCADE")
