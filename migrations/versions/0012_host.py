"""People, teams, submissions and the season of a hosted league."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")

TABLES = [
    "team",
    "person",
    "sign_in",
    "personal_token",
    "invitation",
    "sign_in_failure",
    "audit",
    "submission",
    "season",
    "season_leg",
    "notice",
    "service",
]


def upgrade() -> None:
    """Make the tables; they stay empty in a league that nobody hosts."""
    op.create_table(
        "team",
        sa.Column("id", ID, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("name_folded", sa.String(80), nullable=False),
        sa.Column("bot_id", ID),
        sa.Column("chosen_version_id", ID),
        sa.Column("standing", sa.String(12), nullable=False, server_default="active"),
        sa.Column("standing_reason", sa.Text, nullable=False, server_default=""),
        sa.Column("failed_version", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("faults_after", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        _key("team", "bot_id", "bot", "SET NULL"),
        _key("team", "chosen_version_id", "version", "SET NULL"),
        sa.UniqueConstraint("bot_id", name="uq_team_bot_id"),
        sa.UniqueConstraint("name_folded", name="uq_team_name_folded"),
    )
    op.create_table(
        "person",
        sa.Column("id", ID, primary_key=True),
        sa.Column("login", sa.String(80), nullable=False),
        sa.Column("login_folded", sa.String(80), nullable=False),
        sa.Column("name", sa.String(200), nullable=False, server_default=""),
        sa.Column("email", sa.String(254), nullable=False, server_default=""),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("team_id", ID),
        sa.Column("password", sa.Text, nullable=False, server_default=""),
        sa.Column("subject", sa.Text, nullable=False, server_default=""),
        sa.Column("is_active", sa.Integer, nullable=False, server_default="1"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger),
        sa.Column("deletion_asked_at", sa.BigInteger),
        _key("person", "team_id", "team", "SET NULL"),
        sa.UniqueConstraint("login_folded", name="uq_person_login_folded"),
    )
    op.create_index("ix_person_team_id", "person", ["team_id"])
    op.create_index("ix_person_subject", "person", ["subject"])
    op.create_table(
        "sign_in",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_sign_in"),
        _key("sign_in", "person_id", "person", "CASCADE"),
    )
    op.create_index("ix_sign_in_person_id", "sign_in", ["person_id"])
    op.create_table(
        "personal_token",
        sa.Column("id", ID, primary_key=True),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger),
        sa.Column("revoked_at", sa.BigInteger),
        _key("personal_token", "person_id", "person", "CASCADE"),
        sa.UniqueConstraint("token", name="uq_personal_token_token"),
    )
    op.create_index("ix_personal_token_person_id", "personal_token", ["person_id"])
    op.create_table(
        "invitation",
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("person_id", ID, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("token", name="pk_invitation"),
        _key("invitation", "person_id", "person", "CASCADE"),
    )
    op.create_index("ix_invitation_person_id", "invitation", ["person_id"])
    op.create_table(
        "sign_in_failure",
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("failed_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("subject", name="pk_sign_in_failure"),
    )
    op.create_table(
        "audit",
        sa.Column("id", ID, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("person_id", ID),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("subject", sa.Text, nullable=False, server_default=""),
        sa.Column("detail", sa.Text, nullable=False, server_default=""),
        sa.Column("address", sa.String(45), nullable=False, server_default=""),
        _key("audit", "person_id", "person", "SET NULL"),
    )
    op.create_table(
        "submission",
        sa.Column("id", ID, primary_key=True),
        sa.Column("team_id", ID, nullable=False),
        sa.Column("person_id", ID),
        sa.Column("received_ms", sa.BigInteger, nullable=False),
        sa.Column("file_name", sa.String(200), nullable=False),
        sa.Column("settings", sa.Text, nullable=False, server_default="{}"),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("archive", sa.LargeBinary),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("message", sa.Text, nullable=False, server_default=""),
        sa.Column("log", sa.Text, nullable=False, server_default=""),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("claimed_by", sa.String(40), nullable=False, server_default=""),
        sa.Column("claimed_ms", sa.BigInteger),
        sa.Column("beat_ms", sa.BigInteger),
        sa.Column("version_id", ID),
        sa.Column("decided_ms", sa.BigInteger),
        _key("submission", "team_id", "team", "CASCADE"),
        _key("submission", "person_id", "person", "SET NULL"),
        _key("submission", "version_id", "version", "SET NULL"),
    )
    op.create_index("ix_submission_team_id_received_ms", "submission", ["team_id", "received_ms"])
    op.create_index("ix_submission_state", "submission", ["state"])
    op.create_table(
        "season",
        sa.Column("id", ID, primary_key=True),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("frozen_at", sa.BigInteger),
        sa.Column("closed_at", sa.BigInteger),
        sa.Column("final_id", ID),
        sa.Column("published_at", sa.BigInteger),
        _key("season", "final_id", "tournament", "SET NULL"),
    )
    op.create_table(
        "season_leg",
        sa.Column("season_id", ID, nullable=False),
        sa.Column("tournament_id", ID, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("season_id", "tournament_id", name="pk_season_leg"),
        _key("season_leg", "season_id", "season", "CASCADE"),
        _key("season_leg", "tournament_id", "tournament", "CASCADE"),
    )
    op.create_table(
        "notice",
        sa.Column("id", ID, primary_key=True),
        sa.Column("team_id", ID),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("ends_at", sa.BigInteger),
        sa.Column("mailed_at", sa.BigInteger),
        _key("notice", "team_id", "team", "CASCADE"),
    )
    op.create_index("ix_notice_team_id", "notice", ["team_id"])
    op.create_table(
        "service",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("pid", sa.Integer, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("beat_at", sa.BigInteger, nullable=False),
        sa.Column("starts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("state", sa.Text, nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("name", name="pk_service"),
    )


def downgrade() -> None:
    """Drop the tables, and with them all accounts and submissions."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _key(table: str, column: str, parent: str, on_delete: str) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{column}_{parent}"
    return sa.ForeignKeyConstraint([column], [f"{parent}.id"], name=name, ondelete=on_delete)
