"""The names that engines say of themselves, and their authors."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; engines that are registered already are asked no more."""
    for name in ("title", "author"):
        op.add_column("version", sa.Column(name, sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Drop the columns."""
    for name in ("title", "author"):
        op.drop_column("version", name)
