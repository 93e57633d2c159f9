"""A revision after the newest, as a later version may add one: a folder of scripts for tests."""

import shutil
from pathlib import Path

import pytest

from league.store import migration
from league.store.revision import HEAD

NEXT = "9999"

SCRIPT = '''"""A change of parent tables."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Copy tables into ones with another column."""
    for table in ("tournament", "lineup", "match", "bot"):
        with op.batch_alter_table(table, recreate="{recreate}") as batch:
            batch.add_column(sa.Column("extra", sa.Integer, nullable=True))
'''


def scripts_with_next(
    folder: Path, *, revision: str = NEXT, before: str = HEAD, recreate: str = "auto"
) -> Path:
    """Return a new folder in `folder` with the scripts and one more revision."""
    scripts = folder / "migrations"
    shutil.copytree(migration.scripts_folder(), scripts)
    text = SCRIPT.format(revision=revision, before=before, recreate=recreate)
    (scripts / "versions" / f"{revision}_next.py").write_text(text)
    return scripts


def use_scripts(scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make `NEXT` the revision of this version: what was created before is of an older one."""
    monkeypatch.setattr(migration, "scripts_folder", lambda: scripts)
    monkeypatch.setattr(migration, "HEAD", NEXT)
