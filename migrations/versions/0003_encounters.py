"""Encounters as they are planned, and the life of a tournament."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table and the columns; a tournament of before is finished when all is played."""
    op.create_table(
        "encounter",
        sa.Column("tournament_id", sa.BigInteger().with_variant(sa.Integer, "sqlite")),
        sa.Column("number", sa.BigInteger),
        sa.Column("stage", sa.Integer, nullable=False),
        sa.Column("opening", sa.BigInteger, nullable=False),
        sa.Column("entrants", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_encounter"),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournament.id"],
            name="fk_encounter_tournament_id_tournament",
            ondelete="CASCADE",
        ),
    )
    with op.batch_alter_table("tournament") as batch:
        batch.alter_column("total", existing_type=sa.BigInteger, nullable=True)
        batch.add_column(sa.Column("state", sa.String(10), nullable=False, server_default="open"))
        batch.add_column(sa.Column("request", sa.String(10), nullable=False, server_default=""))
        batch.add_column(sa.Column("revision", sa.Integer, nullable=False, server_default="1"))
    op.execute(
        "UPDATE tournament SET state = 'finished' WHERE total <= "
        "(SELECT count(*) FROM match WHERE match.tournament_id = tournament.id)"
    )


def downgrade() -> None:
    """Drop what was added; a total that is not known becomes 0."""
    op.execute("UPDATE tournament SET total = 0 WHERE total IS NULL")
    with op.batch_alter_table("tournament") as batch:
        batch.drop_column("revision")
        batch.drop_column("request")
        batch.drop_column("state")
        batch.alter_column("total", existing_type=sa.BigInteger, nullable=False)
    op.drop_table("encounter")
