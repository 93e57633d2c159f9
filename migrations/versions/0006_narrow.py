"""Less room for what there is most of: the index of matches by lineup, and encounters."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Narrow the index, for totals are kept; put encounters where their key is, where one can."""
    op.drop_index("ix_match_totals", "match")
    op.create_index("ix_match_lineup_id", "match", ["lineup_id"])
    _store_encounters(has_row_ids=False)


def downgrade() -> None:
    """Make them as they were."""
    _store_encounters(has_row_ids=True)
    op.drop_index("ix_match_lineup_id", "match")
    op.create_index(
        "ix_match_totals", "match", ["lineup_id", "scores", "termination", "fault_seat"]
    )


def _store_encounters(has_row_ids: bool) -> None:
    if op.get_bind().dialect.name == "sqlite":
        how = {"sqlite_with_rowid": has_row_ids}
        with op.batch_alter_table("encounter", recreate="always", table_kwargs=how):
            pass
