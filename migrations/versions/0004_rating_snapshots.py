"""Snapshots of ratings, kept so that what changed since is all there is to rate."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BigId = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the table; ratings come into it when they are computed next."""
    op.create_table(
        "rating_snapshot",
        sa.Column("id", BigId, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("system", sa.String(80), nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("anchor", sa.Text, nullable=False),
        sa.Column("tournament_id", BigId, nullable=False),
        sa.Column("encounter", sa.BigInteger, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.Column("match_id", sa.BigInteger, nullable=False),
        sa.Column("finished_at", sa.BigInteger, nullable=False),
        sa.Column("ratings", sa.LargeBinary, nullable=False),
        sa.Column("covariance", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rating_snapshot"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_rating_snapshot_tournament_id_tournament",
            ondelete="CASCADE",
        ),
    )
    op.create_index(
        "ix_rating_snapshot_series",
        "rating_snapshot",
        ["game", "system", "settings", "anchor", "matches"],
    )


def downgrade() -> None:
    """Drop the table: all of it is derived."""
    op.drop_table("rating_snapshot")
