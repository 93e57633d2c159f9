"""Totals of lineups, so that standings need not count all matches."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, and count the matches into it."""
    op.create_table(
        "lineup_total",
        sa.Column("lineup_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("fault_seat", sa.Integer, nullable=False),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(
            "lineup_id", "scores", "termination", "fault_seat", name="pk_lineup_total"
        ),
        sa.ForeignKeyConstraint(
            ["lineup_id"],
            ["lineup.id"],
            name="fk_lineup_total_lineup_id_lineup",
            ondelete="CASCADE",
        ),
    )
    op.execute(
        "INSERT INTO lineup_total (lineup_id, scores, termination, fault_seat, matches) "
        "SELECT lineup_id, scores, termination, coalesce(fault_seat, -1), count(*) "
        "FROM match GROUP BY lineup_id, scores, termination, fault_seat"
    )


def downgrade() -> None:
    """Drop the table: all of it is derived."""
    op.drop_table("lineup_total")
