"""Matches in play, for those who look on."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    big_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "in_play",
        sa.Column("tournament_id", big_id, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("encounter", sa.BigInteger, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("versions", sa.Text, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("moved_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "place", name="pk_in_play"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_in_play_tournament_id_tournament",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """Drop the table: nothing in it lasts."""
    op.drop_table("in_play")
