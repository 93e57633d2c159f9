"""The moves of each match as a line of text; `league upgrade` fills it by replaying."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("record", sa.Column("moves", sa.Text, nullable=True))


def downgrade() -> None:
    """Drop the column; an older botleague can't read records stored since."""
    with op.batch_alter_table("record") as batch:
        batch.drop_column("moves")
