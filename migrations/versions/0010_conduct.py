"""How bots behaved in tournaments: kills, failed starts, preparation, suspension."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    big_id = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "conduct",
        sa.Column("tournament_id", big_id, nullable=False),
        sa.Column("version_id", big_id, nullable=False),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.Column("kills", sa.Integer, nullable=False),
        sa.Column("failed_starts", sa.Integer, nullable=False),
        sa.Column("failed_in_a_row", sa.Integer, nullable=False),
        sa.Column("hangs", sa.Integer, nullable=False),
        sa.Column("preparation_ms", sa.BigInteger, nullable=False),
        sa.Column("suspended", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "version_id", name="pk_conduct"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_conduct_tournament_id_tournament",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["version.id"], name="fk_conduct_version_id_version"
        ),
    )


def downgrade() -> None:
    """Drop the table: results do not depend on it."""
    op.drop_table("conduct")
