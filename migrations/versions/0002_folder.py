"""The folder that a bot's command runs in."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; bots of before have none."""
    op.add_column("version", sa.Column("folder", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("version", "folder")
