"""Void matches, apart from those that count."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables; they stay empty until somebody voids matches."""
    op.create_table(
        "void",
        sa.Column("id", ID, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "void_match",
        sa.Column("id", ID, primary_key=True, autoincrement=False),
        sa.Column("void_id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("encounter", sa.BigInteger, nullable=False),
        sa.Column("rotation", sa.Integer, nullable=False),
        sa.Column("last_stage", sa.Integer, nullable=False),
        sa.Column("versions", sa.Text, nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        sa.Column("fault_seat", sa.Integer),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("wall_ms", sa.BigInteger, nullable=False),
        sa.Column("finished_at", sa.BigInteger, nullable=False),
        sa.Column("repeat", sa.Integer, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("moves", sa.Text),
        _key("void_id", "void"),
        _key("tournament_id", "tournament"),
    )
    columns = ["tournament_id", "encounter", "rotation"]
    op.create_index("ix_void_match_tournament_id_encounter_rotation", "void_match", columns)


def downgrade() -> None:
    """Drop the tables, and with them the void matches."""
    op.drop_table("void_match")
    op.drop_table("void")


def _key(column: str, parent: str) -> sa.ForeignKeyConstraint:
    name = f"fk_void_match_{column}_{parent}"
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete="CASCADE")
