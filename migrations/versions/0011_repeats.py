"""Which matches repeat others move for move, so that ratings count each once."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

KEY = ["lineup_id", "scores", "termination", "fault_seat"]


def upgrade() -> None:
    """Add the column, and count totals by it; older leagues did not note which matches repeat."""
    repeat = sa.Column("repeat", sa.Integer, nullable=False, server_default="0")
    op.add_column("match", repeat)
    _count_totals([*KEY, "repeat"])


def downgrade() -> None:
    """Drop the column: all matches count alike."""
    _count_totals(KEY)
    op.drop_column("match", "repeat")


def _count_totals(key: list[str]) -> None:
    """Make the table of totals anew, with this key."""
    integers = {name: sa.Column(name, sa.Integer, nullable=False) for name in key[3:]}
    op.drop_table("lineup_total")
    op.create_table(
        "lineup_total",
        sa.Column("lineup_id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), nullable=False),
        sa.Column("scores", sa.Text, nullable=False),
        sa.Column("termination", sa.String(20), nullable=False),
        *integers.values(),
        sa.Column("matches", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint(*key, name="pk_lineup_total"),
        sa.ForeignKeyConstraint(
            ["lineup_id"],
            ["lineup.id"],
            name="fk_lineup_total_lineup_id_lineup",
            ondelete="CASCADE",
        ),
    )
    match = sa.table("match", *(sa.column(name) for name in key))
    kinds = [match.c[name] for name in key]
    counted = [sa.func.coalesce(kind, -1) if kind.name == "fault_seat" else kind for kind in kinds]
    totals = sa.table("lineup_total", *(sa.column(name) for name in (*key, "matches")))
    query = sa.select(*counted, sa.func.count()).group_by(*kinds)
    op.execute(totals.insert().from_select([*key, "matches"], query))
