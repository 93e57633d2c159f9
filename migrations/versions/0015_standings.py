"""The standings of teams when a season's successor began, so that its marks keep them."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; earlier seasons did not keep the standings of their teams."""
    op.add_column("season", sa.Column("standings", sa.Text))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("season", "standings")
