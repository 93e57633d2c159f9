"""Fresh databases: SQLite files, and a private PostgreSQL server where its binaries are."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.store.store import Store, open_store


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a server of our own on a socket in a scratch folder, and yield its URL."""
    pytest.importorskip("psycopg", reason="the PostgreSQL driver is not installed")
    initdb = _server_binary("initdb")
    pg_ctl = _server_binary("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("no PostgreSQL server binaries on this machine")
    with tempfile.TemporaryDirectory(prefix="botleague-pg-") as scratch:
        folder = Path(scratch)
        # The server refuses to run as root; elsewhere it runs as whoever tests.
        is_root = os.geteuid() == 0
        if is_root:
            shutil.chown(folder, "postgres")
        user = "postgres" if is_root else None
        data = str(folder / "data")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        _run(user, [initdb, "-D", data, "-A", "trust", "-U", "league"])
        log = str(folder / "log")
        _run(user, [pg_ctl, "-D", data, "-o", options, "-l", log, "-w", "start"])
        try:
            yield f"postgresql://league@/postgres?host={folder}"
        finally:
            _run(user, [pg_ctl, "-D", data, "-m", "immediate", "stop"])


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the name of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return str(tmp_path / "league.db")
    return emptied(request.getfixturevalue("postgres"))


@pytest.fixture
def fresh_db(target: str) -> Iterator[Store]:
    """Open a new league of each kind in turn."""
    with open_store(target, create=True) as store:
        yield store


def emptied(url: str) -> str:
    """Drop everything in a server's database, and return its URL."""
    import psycopg  # noqa: PLC0415 (an extra that need not be installed)

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


def _server_binary(name: str) -> str | None:
    # Debian keeps them off the PATH; a name on it may be no more than a wrapper.
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def _run(user: str | None, command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/", user=user, group=user)
