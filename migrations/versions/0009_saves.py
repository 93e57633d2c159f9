"""One tournament for each imported file, and a count of saves that shows what has changed."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; of a file that was imported twice, the first tournament goes on."""
    op.add_column("tournament", sa.Column("source", sa.Text, nullable=True))
    op.add_column(
        "tournament", sa.Column("saves", sa.BigInteger, nullable=False, server_default="0")
    )
    tournament = sa.table(
        "tournament", *(sa.column(name) for name in ("id", "game", "config", "source"))
    )
    connection = op.get_bind()
    seen = set()
    for row in connection.execute(sa.select(tournament).order_by(tournament.c.id)).all():
        source = json.loads(row.config).get("source")
        if source and (row.game, source) not in seen:
            seen.add((row.game, source))
            connection.execute(
                sa.update(tournament).where(tournament.c.id == row.id).values(source=source)
            )
    op.create_index("ix_tournament_game_source", "tournament", ["game", "source"], unique=True)


def downgrade() -> None:
    """Drop the columns: the sources are in the configs too."""
    op.drop_index("ix_tournament_game_source", "tournament")
    with op.batch_alter_table("tournament") as batch:
        batch.drop_column("saves")
        batch.drop_column("source")
